package api

import (
	"encoding/json"
	"errors"
	"fmt"

	"gateway/internal/jsontext"
)

// The names that members have in a chat request, where they differ.
var chatNames = map[Kind]map[string]string{
	Responses: {"max_output_tokens": "max_completion_tokens"},
}

// view shows a request as a chat request. Every member that is not turned into messages stays as it is, so that what
// reads all texts of a chat request reads all texts of this one.
func view(kind Kind, members []jsontext.Member) ([]byte, error) {
	var messages []json.RawMessage
	var out []jsontext.Member
	for _, member := range members {
		value := member.Value
		var err error
		switch {
		case member.Key == "stream" || member.Key == "stream_options":
			continue
		case kind == Messages && member.Key == "system", kind == Responses && member.Key == "instructions":
			if err = once(members, member.Key); err == nil && string(value) != "null" {
				messages = append([]json.RawMessage{message("system", value)}, messages...)
			}
		case kind == Messages && member.Key == "messages":
			if err = once(members, member.Key); err == nil {
				messages, err = appendMessages(messages, value, anthropicMessage)
			}
		case kind == Responses && member.Key == "input":
			if err = once(members, member.Key); err == nil {
				messages, err = appendInput(messages, value)
			}
		case kind == Completions && member.Key == "prompt":
			if err = once(members, member.Key); err == nil {
				messages, err = appendPrompt(messages, value)
			}
		case kind != Messages && member.Key == "messages":
			err = errors.New("messages does not belong to this kind of request")
		default:
			if name, known := chatNames[kind][member.Key]; known {
				member.Key = name
			}
			out = append(out, member)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(messages) == 0 {
		return nil, fmt.Errorf("%s is missing", map[Kind]string{Completions: "prompt", Responses: "input", Messages: "messages"}[kind])
	}
	out = append(out, jsontext.Member{Key: "messages", Value: jsontext.Array(messages)})
	return jsontext.Object(out), nil
}

func once(members []jsontext.Member, key string) error {
	_, err := jsontext.Find(members, key)
	return err
}

func message(role string, content json.RawMessage) json.RawMessage {
	return jsontext.Object([]jsontext.Member{{Key: "role", Value: jsontext.Quote(role)}, {Key: "content", Value: content}})
}

func appendMessages(messages []json.RawMessage, value json.RawMessage,
	change func(json.RawMessage) (json.RawMessage, error)) ([]json.RawMessage, error) {
	items, err := jsontext.Elements(value)
	if err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	for i, item := range items {
		changed, err := change(item)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		messages = append(messages, changed)
	}
	return messages, nil
}

// anthropicMessage gives results of tools, which come in the user's name, their role.
func anthropicMessage(item json.RawMessage) (json.RawMessage, error) {
	members, err := jsontext.Members(item)
	if err != nil {
		return nil, err
	}
	content, err := jsontext.Find(members, "content")
	if err != nil || content == nil || content.Value[0] != '[' {
		return item, err
	}
	parts, err := jsontext.Elements(content.Value)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		if kindOfItem(part) != "tool_result" {
			return item, nil
		}
	}
	role, err := jsontext.Find(members, "role")
	if err != nil || role == nil || len(parts) == 0 {
		return item, err
	}
	return jsontext.Set(item, "role", jsontext.Quote("tool"))
}

func kindOfItem(item json.RawMessage) string {
	members, err := jsontext.Members(item)
	if err != nil {
		return ""
	}
	kind, err := jsontext.Find(members, "type")
	if err != nil || kind == nil {
		return ""
	}
	text, _ := jsontext.String(kind.Value)
	return text
}

func appendInput(messages []json.RawMessage, value json.RawMessage) ([]json.RawMessage, error) {
	if value[0] == '"' {
		return append(messages, message("user", value)), nil
	}
	items, err := jsontext.Elements(value)
	if err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	for i, item := range items {
		members, err := jsontext.Members(item)
		if err != nil {
			return nil, fmt.Errorf("input[%d]: %w", i, err)
		}
		role, err := jsontext.Find(members, "role")
		if err != nil {
			return nil, fmt.Errorf("input[%d]: %w", i, err)
		}
		if role == nil {
			// What a model said before, and what tools answered, are items without a role.
			name := "tool"
			if kind := kindOfItem(item); kind == "function_call" || kind == "reasoning" || kind == "custom_tool_call" {
				name = "assistant"
			}
			for j := range members {
				if name == "tool" && members[j].Key == "output" && members[j].Value[0] == '"' {
					members[j].Key = "content"
				}
			}
			item = jsontext.Object(append([]jsontext.Member{{Key: "role", Value: jsontext.Quote(name)}}, members...))
		}
		messages = append(messages, item)
	}
	return messages, nil
}

func appendPrompt(messages []json.RawMessage, value json.RawMessage) ([]json.RawMessage, error) {
	if value[0] == '"' {
		return append(messages, message("user", value)), nil
	}
	prompts, err := jsontext.Elements(value)
	if err != nil {
		return nil, errors.New("prompt is neither a string nor an array of strings")
	}
	for _, prompt := range prompts {
		if prompt[0] != '"' {
			return nil, errors.New("prompt has token ids, which nothing here can read")
		}
	}
	return append(messages, message("user", value)), nil
}
