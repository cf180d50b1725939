package api

import (
	"encoding/json"
	"strings"
)

// Delta is what an event of a stream, or an answer that is none, adds to the text of an answer; of several choices the
// first one's. It is for people to look at: what cannot be read is "".
func Delta(kind Kind, data string) string {
	var event struct {
		Type    string          `json:"type"`
		Delta   json.RawMessage `json:"delta"`
		Content []part          `json:"content"` // of a whole message
		Output  []struct {
			Content []part `json:"content"`
		} `json:"output"` // of a whole response
		Choices []struct {
			Index   int    `json:"index"`
			Text    string `json:"text"`
			Delta   words  `json:"delta"`
			Message words  `json:"message"`
		} `json:"choices"`
	}
	if json.Unmarshal([]byte(data), &event) != nil {
		return ""
	}
	var out strings.Builder
	switch kind {
	case Messages:
		var delta part
		if event.Type == "content_block_delta" && json.Unmarshal(event.Delta, &delta) == nil {
			out.WriteString(delta.Text)
		}
		for _, part := range event.Content {
			out.WriteString(part.Text)
		}
	case Responses:
		var delta string
		if event.Type == "response.output_text.delta" && json.Unmarshal(event.Delta, &delta) == nil {
			out.WriteString(delta)
		}
		for _, item := range event.Output {
			for _, part := range item.Content {
				out.WriteString(part.Text)
			}
		}
	default:
		for _, choice := range event.Choices {
			if choice.Index == 0 {
				out.WriteString(choice.Text + choice.Delta.Content + choice.Message.Content)
			}
		}
	}
	return out.String()
}

type part struct {
	Text string `json:"text"`
}

type words struct {
	Content string `json:"content"`
}
