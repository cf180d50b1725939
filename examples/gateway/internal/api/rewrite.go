package api

import (
	"bytes"
	"encoding/json"

	"gateway/internal/jsontext"
)

// Rewritten takes what the router changed in the view back into the form that came: the model, members that were set or
// removed, and a system prompt where the form has a place for one. Chat requests are the router's own work.
func (r *Request) Rewritten(changed []byte) ([]byte, error) {
	if r.Kind == Chat {
		return changed, nil
	}
	before, err := jsontext.Members(r.View)
	if err != nil {
		return nil, err
	}
	after, err := jsontext.Members(changed)
	if err != nil {
		return nil, err
	}
	was, is := byKey(before), byKey(after)
	members := append([]jsontext.Member(nil), r.members...)
	touched := false
	for _, member := range before {
		if _, kept := is[member.Key]; !kept {
			members, touched = r.remove(members, member.Key), true
		}
	}
	for _, member := range after {
		if member.Key == "messages" || bytes.Equal(was[member.Key], member.Value) {
			continue
		}
		if key, value := r.place(member); key != "" {
			members = set(members, key, value)
			touched = touched || key != "model"
		}
	}
	if prompt := leadingSystem(is["messages"]); prompt != nil && !bytes.Equal(prompt, leadingSystem(was["messages"])) {
		if key, value := r.systemPrompt(prompt); key != "" {
			members, touched = set(members, key, value), true
		}
	}
	if touched {
		return jsontext.Object(members), nil
	}
	if model, ok := jsontext.String(is["model"]); ok {
		return WithModel(r.Body, model)
	}
	return r.Body, nil
}

func byKey(members []jsontext.Member) map[string]json.RawMessage {
	values := make(map[string]json.RawMessage, len(members))
	for _, member := range members {
		values[member.Key] = member.Value
	}
	return values
}

func set(members []jsontext.Member, key string, value json.RawMessage) []jsontext.Member {
	for i := range members {
		if members[i].Key == key {
			members[i].Value = value
			return members
		}
	}
	return append(members, jsontext.Member{Key: key, Value: value})
}

func (r *Request) remove(members []jsontext.Member, key string) []jsontext.Member {
	kept := members[:0]
	for _, member := range members {
		name := member.Key
		if chat, known := chatNames[r.Kind][name]; known {
			name = chat
		}
		if name != key {
			kept = append(kept, member)
		}
	}
	return kept
}

// place says where a member of a chat request belongs in this form; "": nowhere.
func (r *Request) place(member jsontext.Member) (string, json.RawMessage) {
	for own, chat := range chatNames[r.Kind] {
		if chat == member.Key {
			return own, member.Value
		}
	}
	if member.Key != "reasoning_effort" {
		return member.Key, member.Value
	}
	if r.Kind == Responses {
		return "reasoning", jsontext.Object([]jsontext.Member{{Key: "effort", Value: member.Value}})
	}
	return "", nil // Anthropic's servers refuse members that they do not know
}

func (r *Request) systemPrompt(content json.RawMessage) (string, json.RawMessage) {
	switch {
	case r.Kind == Messages:
		return "system", content
	case r.Kind == Responses && content[0] == '"':
		return "instructions", content
	}
	return "", nil
}

// leadingSystem is the content of the first message if it is a system message.
func leadingSystem(messages json.RawMessage) json.RawMessage {
	items, err := jsontext.Elements(messages)
	if err != nil || len(items) == 0 {
		return nil
	}
	members, err := jsontext.Members(items[0])
	if err != nil {
		return nil
	}
	values := byKey(members)
	if role, _ := jsontext.String(values["role"]); role != "system" {
		return nil
	}
	return values["content"]
}
