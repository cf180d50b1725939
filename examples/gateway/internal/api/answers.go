package api

import (
	"encoding/json"
	"errors"

	"gateway/internal/sse"
)

// TextOfChat is what a chat completion says.
func TextOfChat(body []byte) (string, error) {
	var answer struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return "", err
	}
	if len(answer.Choices) == 0 {
		return "", errors.New("the answer has no choices")
	}
	return answer.Choices[0].Message.Content, nil
}

type object = map[string]any

// Answer writes a finished answer of one text, which no model made, as the client of this kind expects it.
func Answer(kind Kind, stream bool, id, model, text string) []byte {
	switch kind {
	case Messages:
		return messagesAnswer(stream, "msg_"+id, model, text)
	case Responses:
		return responsesAnswer(stream, id, model, text)
	case Completions:
		return completionsAnswer(stream, "cmpl-"+id, model, text)
	}
	return chatAnswer(stream, "chatcmpl-"+id, model, text)
}

// ContentType is that of a whole answer.
func ContentType(stream bool) string {
	if stream {
		return "text/event-stream"
	}
	return "application/json"
}

func chatAnswer(stream bool, id, model, text string) []byte {
	head := func(name string, choice object) object {
		return object{"id": id, "object": name, "created": 0, "model": model, "choices": []object{choice}}
	}
	if !stream {
		answer := head("chat.completion", object{"index": 0, "finish_reason": "stop",
			"message": object{"role": "assistant", "content": text}})
		answer["usage"] = object{"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
		return encode(answer)
	}
	chunk := func(delta object, reason any) []byte {
		return encode(head("chat.completion.chunk", object{"index": 0, "delta": delta, "finish_reason": reason}))
	}
	out := sse.Append(nil, "", chunk(object{"role": "assistant", "content": text}, nil))
	out = sse.Append(out, "", chunk(object{}, "stop"))
	return append(out, "data: [DONE]\n\n"...)
}

func completionsAnswer(stream bool, id, model, text string) []byte {
	body := encode(object{"id": id, "object": "text_completion", "created": 0, "model": model,
		"choices": []object{{"index": 0, "text": text, "finish_reason": "stop", "logprobs": nil}}})
	if !stream {
		return body
	}
	return append(sse.Append(nil, "", body), "data: [DONE]\n\n"...)
}

func messagesAnswer(stream bool, id, model, text string) []byte {
	head := object{"id": id, "type": "message", "role": "assistant", "model": model, "stop_sequence": nil,
		"content": []object{{"type": "text", "text": text}}, "stop_reason": "end_turn",
		"usage": object{"input_tokens": 0, "output_tokens": 0}}
	if !stream {
		return encode(head)
	}
	head["content"], head["stop_reason"] = []object{}, nil
	var out []byte
	event := func(kind string, data object) {
		data["type"] = kind
		out = sse.Append(out, kind, encode(data))
	}
	event("message_start", object{"message": head})
	event("content_block_start", object{"index": 0, "content_block": object{"type": "text", "text": ""}})
	event("content_block_delta", object{"index": 0, "delta": object{"type": "text_delta", "text": text}})
	event("content_block_stop", object{"index": 0})
	event("message_delta", object{"delta": object{"stop_reason": "end_turn", "stop_sequence": nil},
		"usage": object{"output_tokens": 0}})
	event("message_stop", object{})
	return out
}

func responsesAnswer(stream bool, id, model, text string) []byte {
	part := func(text string) object {
		return object{"type": "output_text", "text": text, "annotations": []any{}}
	}
	item := func(status string, content ...object) object {
		if content == nil {
			content = []object{}
		}
		return object{"id": "msg_" + id, "type": "message", "role": "assistant", "status": status, "content": content}
	}
	whole := func(status string, output ...object) object {
		if output == nil {
			output = []object{}
		}
		return object{"id": "resp_" + id, "object": "response", "created_at": 0, "status": status, "model": model,
			"output": output, "error": nil, "incomplete_details": nil, "instructions": nil, "metadata": object{},
			"parallel_tool_calls": true, "temperature": nil, "tool_choice": "auto", "tools": []any{}, "top_p": nil,
			"usage": object{"input_tokens": 0, "output_tokens": 0, "total_tokens": 0,
				"input_tokens_details": object{"cached_tokens": 0}, "output_tokens_details": object{"reasoning_tokens": 0}}}
	}
	done := whole("completed", item("completed", part(text)))
	if !stream {
		return encode(done)
	}
	var out []byte
	number := 0
	event := func(kind string, data object) {
		data["type"], data["sequence_number"] = kind, number
		number++
		out = sse.Append(out, kind, encode(data))
	}
	place := func(data object) object {
		data["item_id"], data["output_index"], data["content_index"] = "msg_"+id, 0, 0
		return data
	}
	event("response.created", object{"response": whole("in_progress")})
	event("response.output_item.added", object{"output_index": 0, "item": item("in_progress")})
	event("response.content_part.added", place(object{"part": part("")}))
	event("response.output_text.delta", place(object{"delta": text, "logprobs": []any{}}))
	event("response.output_text.done", place(object{"text": text, "logprobs": []any{}}))
	event("response.content_part.done", place(object{"part": part(text)}))
	event("response.output_item.done", object{"output_index": 0, "item": item("completed", part(text))})
	event("response.completed", object{"response": done})
	return out
}
