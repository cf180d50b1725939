package api

import (
	"encoding/json"

	"gateway/internal/sse"
)

// Outcome is what a whole answer of status 200 turned out to be.
type Outcome struct {
	// The answer is whole and ended of itself: by no error, filter or limit. Anything else must not be given again.
	Complete bool
	// A stream in the form of its kind that ends without its end.
	Cut                        bool
	Model                      string // as the server names it
	PromptTokens, OutputTokens int    // as the server counted them; 0: it did not say
}

type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	InputTokens      int `json:"input_tokens"`
	OutputTokens     int `json:"output_tokens"`
}

type answer struct {
	Type       string          `json:"type"`
	Model      string          `json:"model"`
	Error      json.RawMessage `json:"error"`
	Status     string          `json:"status"`
	StopReason string          `json:"stop_reason"`
	Usage      *usage          `json:"usage"`
	Choices    []struct {
		Index        int    `json:"index"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Message  *answer         `json:"message"`  // of message_start
	Response *answer         `json:"response"` // of response.completed
	Delta    json.RawMessage `json:"delta"`    // a string in Responses, an object in messages
}

// Judge reads a whole answer.
func Judge(kind Kind, stream bool, body []byte) Outcome {
	var reading reading
	if !stream {
		var whole answer
		if json.Unmarshal(body, &whole) != nil {
			return Outcome{}
		}
		reading.add(&whole)
		switch kind {
		case Messages:
			reading.ended = goodStop(whole.StopReason)
		case Responses:
			reading.ended = whole.Status == "completed"
		default:
			reading.ended = true
		}
		return reading.outcome(kind)
	}
	for _, event := range sse.Events(body) {
		if event.Data == "[DONE]" {
			reading.ended = kind == Chat || kind == Completions
			continue
		}
		var data answer
		if json.Unmarshal([]byte(event.Data), &data) != nil {
			reading.broken = true
			continue
		}
		reading.failed = reading.failed || event.Type == "error"
		reading.add(&data)
		if len(data.Choices) > 0 || data.Type == "message_start" || data.Type == "response.created" {
			reading.chunks++
		}
		switch {
		case kind == Messages && data.Type == "message_delta":
			var delta answer
			if json.Unmarshal(data.Delta, &delta) != nil || delta.StopReason != "" && !goodStop(delta.StopReason) {
				reading.failed = true
			}
		case kind == Messages && data.Type == "message_stop":
			reading.ended = true
		case kind == Responses && data.Type == "response.completed":
			reading.ended = true
		case kind == Responses && (data.Type == "response.failed" || data.Type == "response.incomplete"):
			reading.failed = true
		}
	}
	return reading.outcome(kind)
}

func allDone(choices map[int]bool) bool {
	for _, done := range choices {
		if !done {
			return false
		}
	}
	return len(choices) > 0
}

func goodStop(reason string) bool {
	return reason == "end_turn" || reason == "stop_sequence" || reason == "tool_use"
}

type reading struct {
	model   string
	ended   bool
	failed  bool         // it says so itself
	broken  bool         // an event cannot be read
	chunks  int          // events of a stream that are of its kind
	choices map[int]bool // whether the choice is done
	usage   usage
}

func (r *reading) add(data *answer) {
	if data == nil {
		return
	}
	if data.Model != "" {
		r.model = data.Model
	}
	if data.Type == "error" || len(data.Error) > 0 && string(data.Error) != "null" {
		r.failed = true
	}
	for _, choice := range data.Choices {
		if r.choices == nil {
			r.choices = map[int]bool{}
		}
		switch choice.FinishReason {
		case "":
			r.choices[choice.Index] = r.choices[choice.Index]
		case "stop", "tool_calls", "function_call":
			r.choices[choice.Index] = true
		default:
			r.failed = true
		}
	}
	if u := data.Usage; u != nil { // counts only grow in the course of a stream
		r.usage.PromptTokens = max(r.usage.PromptTokens, u.PromptTokens, u.InputTokens)
		r.usage.OutputTokens = max(r.usage.OutputTokens, u.CompletionTokens, u.OutputTokens)
	}
	r.add(data.Message)
	r.add(data.Response)
}

func (r *reading) outcome(kind Kind) Outcome {
	complete := r.ended && !r.failed && !r.broken
	if kind == Chat || kind == Completions {
		complete = complete && allDone(r.choices)
	}
	return Outcome{Complete: complete, Model: r.model, Cut: r.chunks > 0 && !r.ended && !r.failed && !allDone(r.choices), PromptTokens: r.usage.PromptTokens, OutputTokens: r.usage.OutputTokens}
}
