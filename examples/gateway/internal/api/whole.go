package api

import (
	"encoding/json"
	"errors"
	"fmt"

	"gateway/internal/jsontext"
	"gateway/internal/sse"
)

// Logprobs are of a chat answer's first choice: of each token the one that was chosen and, where they were asked for, the
// two likeliest.
type Logprobs []struct {
	Logprob float64 `json:"logprob"`
	Top     []struct {
		Logprob float64 `json:"logprob"`
	} `json:"top_logprobs"`
}

// LogprobsOf reads them; none where the server does not tell any.
func LogprobsOf(body []byte) Logprobs {
	var answer struct {
		Choices []struct {
			Logprobs struct {
				Content Logprobs `json:"content"`
			} `json:"logprobs"`
		} `json:"choices"`
	}
	if json.Unmarshal(body, &answer) != nil || len(answer.Choices) == 0 {
		return nil
	}
	return answer.Choices[0].Logprobs.Content
}

// WithMember gives a body with one member set; everything else stays byte for byte.
func WithMember(body []byte, name string, value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return jsontext.Set(body, name, text)
}

// Unstreamed gives a chat request for an answer in one piece.
func Unstreamed(body []byte) ([]byte, error) {
	members, err := jsontext.Members(body)
	if err != nil {
		return nil, err
	}
	kept := []jsontext.Member{}
	for _, member := range members {
		if member.Key != "stream" && member.Key != "stream_options" {
			kept = append(kept, member)
		}
	}
	return jsontext.Object(kept), nil
}

// WithMessage gives a chat request with one more message of the user.
func WithMessage(body []byte, text string) ([]byte, error) {
	members, err := jsontext.Members(body)
	if err != nil {
		return nil, err
	}
	found, err := jsontext.Find(members, "messages")
	if err != nil || found == nil {
		return nil, errors.New("there are no messages")
	}
	var messages []json.RawMessage
	if err := json.Unmarshal(found.Value, &messages); err != nil {
		return nil, err
	}
	more, err := json.Marshal(map[string]string{"role": "user", "content": text})
	if err != nil {
		return nil, err
	}
	return WithMember(body, "messages", append(messages, more))
}

// Without gives a chat answer whose choices have not this member.
func Without(body []byte, name string) ([]byte, error) {
	answer, choices, err := choicesOf(body)
	if err != nil {
		return nil, err
	}
	for _, choice := range choices {
		delete(choice, name)
	}
	answer["choices"], err = json.Marshal(choices)
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

// AsStream gives a whole chat answer as the stream that a client asked for; of each choice in one piece.
func AsStream(body []byte, usage bool) ([]byte, error) {
	answer, choices, err := choicesOf(body)
	if err != nil {
		return nil, err
	}
	counted := answer["usage"]
	delete(answer, "usage")
	answer["object"] = json.RawMessage(`"chat.completion.chunk"`)
	for _, choice := range choices {
		if choice["delta"], err = deltaOf(choice["message"]); err != nil {
			return nil, err
		}
		delete(choice, "message")
	}
	var out []byte
	add := func(choices any) error {
		text, err := json.Marshal(choices)
		if err != nil {
			return err
		}
		answer["choices"] = text
		if text, err = json.Marshal(answer); err == nil {
			out = sse.Append(out, "", text)
		}
		return err
	}
	if err := add(choices); err != nil {
		return nil, err
	}
	if usage && counted != nil {
		answer["usage"] = counted
		if err := add([]int{}); err != nil {
			return nil, err
		}
	}
	return append(out, "data: [DONE]\n\n"...), nil
}

func choicesOf(body []byte) (answer map[string]json.RawMessage, choices []map[string]json.RawMessage, err error) {
	if err = json.Unmarshal(body, &answer); err == nil {
		err = json.Unmarshal(answer["choices"], &choices)
	}
	if err != nil || len(choices) == 0 {
		return nil, nil, fmt.Errorf("the server's answer is no chat answer: %v", err)
	}
	return answer, choices, nil
}

// deltaOf is a message as a stream's delta, in which calls of tools are numbered.
func deltaOf(message json.RawMessage) (json.RawMessage, error) {
	var delta map[string]json.RawMessage
	if err := json.Unmarshal(message, &delta); err != nil {
		return nil, err
	}
	var calls []map[string]json.RawMessage
	if given := delta["tool_calls"]; given != nil {
		if err := json.Unmarshal(given, &calls); err != nil {
			return nil, err
		}
		for i, call := range calls {
			call["index"] = json.RawMessage(fmt.Sprint(i))
		}
		text, err := json.Marshal(calls)
		if err != nil {
			return nil, err
		}
		delta["tool_calls"] = text
	}
	return json.Marshal(delta)
}
