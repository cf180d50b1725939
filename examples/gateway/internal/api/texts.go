package api

import (
	"encoding/json"
	"strings"
)

type viewMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

type viewPart struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	Content json.RawMessage `json:"content"`
}

func (r *Request) viewMessages() []viewMessage {
	var body struct {
		Messages []viewMessage `json:"messages"`
	}
	if json.Unmarshal(r.View, &body) != nil {
		return nil
	}
	return body.Messages
}

// Question is the text of the last user turn; "" where there is none.
func (r *Request) Question() string {
	messages := r.viewMessages()
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == "user" {
			return strings.Join(texts(messages[i].Content), "\n")
		}
	}
	return ""
}

// ToolTexts are the texts of all results of tools.
func (r *Request) ToolTexts() []string {
	var found []string
	for _, message := range r.viewMessages() {
		if message.Role == "tool" || message.Role == "function" {
			found = append(found, texts(message.Content)...)
			continue
		}
		for _, part := range parts(message.Content) {
			if part.Type == "tool_result" {
				found = append(found, texts(part.Content)...)
			}
		}
	}
	return found
}

func parts(content json.RawMessage) []viewPart {
	var parts []viewPart
	if json.Unmarshal(content, &parts) != nil {
		return nil
	}
	return parts
}

func texts(content json.RawMessage) []string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []string{text}
	}
	var several []string
	if json.Unmarshal(content, &several) == nil {
		return several
	}
	var found []string
	for _, part := range parts(content) {
		if part.Text != "" {
			found = append(found, part.Text)
		}
		if part.Type == "tool_result" {
			found = append(found, texts(part.Content)...)
		}
	}
	return found
}
