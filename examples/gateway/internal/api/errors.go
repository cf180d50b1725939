package api

import (
	"encoding/json"

	"gateway/internal/sse"
)

// Names of what went wrong, as OpenAI's and Anthropic's clients know them, by status.
var errorTypes = map[int][2]string{
	400: {"invalid_request_error", "invalid_request_error"},
	401: {"authentication_error", "authentication_error"},
	403: {"permission_error", "permission_error"},
	404: {"invalid_request_error", "not_found_error"},
	405: {"invalid_request_error", "invalid_request_error"},
	413: {"invalid_request_error", "request_too_large"},
	415: {"invalid_request_error", "invalid_request_error"},
	429: {"rate_limit_error", "rate_limit_error"},
	431: {"invalid_request_error", "invalid_request_error"},
	499: {"api_error", "api_error"},
	503: {"api_error", "overloaded_error"},
}

func errorType(kind Kind, status int) string {
	names, known := errorTypes[status]
	switch {
	case !known:
		return "api_error"
	case kind == Messages:
		return names[1]
	}
	return names[0]
}

// ErrorBody is the JSON of an answer with this status. `code` is a short name for programs.
func ErrorBody(kind Kind, status int, code, message string) []byte {
	if kind == Messages {
		return encode(map[string]any{"type": "error",
			"error": map[string]any{"type": errorType(kind, status), "message": message, "code": code}})
	}
	return encode(map[string]any{"error": map[string]any{"message": message, "type": errorType(kind, status),
		"param": nil, "code": code}})
}

// ErrorEvent is an event that says to the client of a stream that the answer ends unfinished.
func ErrorEvent(kind Kind, code, message string) []byte {
	switch kind {
	case Messages:
		return sse.Append(nil, "error", ErrorBody(kind, 500, code, message))
	case Responses:
		return sse.Append(nil, "error", encode(map[string]any{"type": "error", "code": code, "message": message,
			"param": nil, "sequence_number": 0}))
	}
	return sse.Append(nil, "", ErrorBody(kind, 500, code, message))
}

func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // of maps of strings and numbers only
	}
	return text
}
