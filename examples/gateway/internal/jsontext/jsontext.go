// Package jsontext reads one level of a JSON text and gives its members as the bytes that they are, in their order and
// with those that are given twice, so that what is not changed stays byte for byte and nothing is lost that another
// reader might see.
package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Member is one member of an object. Begin and End are the value's place in the text.
type Member struct {
	Key        string
	Value      json.RawMessage
	Begin, End int
}

// Members reads an object. The whole text must be that one object.
func Members(text []byte) ([]Member, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := open(decoder, '{', "an object"); err != nil {
		return nil, err
	}
	var members []Member
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, describe(err)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, describe(err)
		}
		end := int(decoder.InputOffset())
		members = append(members, Member{key.(string), value, end - len(value), end})
	}
	return members, finish(decoder, text)
}

// Elements reads an array. The whole text must be that one array.
func Elements(text []byte) ([]json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := open(decoder, '[', "an array"); err != nil {
		return nil, err
	}
	var elements []json.RawMessage
	for decoder.More() {
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, describe(err)
		}
		elements = append(elements, value)
	}
	return elements, finish(decoder, text)
}

// Find gives the member of this name, nil if there is none. A name that is given twice, or again in another case, is an
// error: two readers of the text could take different values for it.
func Find(members []Member, key string) (*Member, error) {
	var found *Member
	for i := range members {
		if !strings.EqualFold(members[i].Key, key) {
			continue
		}
		if found != nil || members[i].Key != key {
			if found == nil && !has(members, key) {
				continue // another spelling alone is a member that nobody here knows
			}
			return nil, fmt.Errorf("%s is given twice", key)
		}
		found = &members[i]
	}
	return found, nil
}

func has(members []Member, key string) bool {
	for _, member := range members {
		if member.Key == key {
			return true
		}
	}
	return false
}

// String gives the text of a JSON string; false: it is none.
func String(value json.RawMessage) (string, bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	var text string
	return text, json.Unmarshal(value, &text) == nil
}

// Quote writes a JSON string, without escapes for HTML.
func Quote(text string) json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string always has an encoding
	return bytes.TrimRight(out.Bytes(), "\n")
}

// Object writes members as an object.
func Object(members []Member) []byte {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, member := range members {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(Quote(member.Key))
		out.WriteByte(':')
		out.Write(member.Value)
	}
	out.WriteByte('}')
	return out.Bytes()
}

// Array writes elements as an array.
func Array(elements []json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	out.WriteByte('[')
	for i, element := range elements {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(element)
	}
	out.WriteByte(']')
	return out.Bytes()
}

// Set gives the object text with a member set to a value; everything else stays byte for byte. A member that is not
// there is put first.
func Set(text []byte, key string, value json.RawMessage) ([]byte, error) {
	members, err := Members(text)
	if err != nil {
		return nil, err
	}
	member, err := Find(members, key)
	if err != nil {
		return nil, err
	}
	if member != nil {
		return splice(text, member.Begin, member.End, value), nil
	}
	addition := append(append(Quote(key), ':'), value...)
	if len(members) > 0 {
		addition = append(addition, ',')
	}
	begin := bytes.IndexByte(text, '{') + 1
	return splice(text, begin, begin, addition), nil
}

func splice(text []byte, begin, end int, middle []byte) []byte {
	out := make([]byte, 0, len(text)-(end-begin)+len(middle))
	out = append(out, text[:begin]...)
	out = append(out, middle...)
	return append(out, text[end:]...)
}

func open(decoder *json.Decoder, delimiter json.Delim, what string) error {
	token, err := decoder.Token()
	if err != nil {
		return describe(err)
	}
	if token != delimiter {
		return fmt.Errorf("expected %s", what)
	}
	return nil
}

func finish(decoder *json.Decoder, text []byte) error {
	if _, err := decoder.Token(); err != nil {
		return describe(err)
	}
	if rest := text[decoder.InputOffset():]; len(bytes.TrimLeft(rest, " \t\r\n")) > 0 {
		return fmt.Errorf("byte %d: text after the end", decoder.InputOffset())
	}
	return nil
}

func describe(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("byte %d: %w", syntax.Offset, err)
	}
	return fmt.Errorf("the text ends too early or is no JSON: %w", err)
}
