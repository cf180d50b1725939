// Package api knows the forms that clients speak: OpenAI's chat completions, completions and Responses, and Anthropic's
// messages. It reads what a gateway must know of a request, shows the router each form as a chat request, takes what the
// router changed back into the form that came, and writes answers and errors as the client expects them.
package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"gateway/internal/jsontext"
)

// Kind is a form of request.
type Kind int

const (
	Chat        Kind = iota // POST /v1/chat/completions
	Completions             // POST /v1/completions
	Responses               // POST /v1/responses
	Messages                // POST /v1/messages, Anthropic's
)

// String names the kind, for headers and logs.
func (k Kind) String() string {
	return [...]string{"chat", "completions", "responses", "messages"}[k]
}

// KindOf says what is asked at a path; false: nothing that is routed.
func KindOf(path string) (Kind, bool) {
	switch path {
	case "/v1/chat/completions":
		return Chat, true
	case "/v1/completions":
		return Completions, true
	case "/v1/responses":
		return Responses, true
	case "/v1/messages":
		return Messages, true
	}
	return 0, false
}

// Request is a request as far as the gateway reads it.
type Request struct {
	Kind   Kind
	Model  string // as the client names it
	Stream bool
	Body   []byte // as it came
	// The request as a chat request, for the router: for Chat the body itself. It has no "stream" otherwise, since the
	// router would then judge and make answers as streams of chat chunks.
	View    []byte
	members []jsontext.Member
}

// Read reads a body. Errors are for the client.
func Read(kind Kind, body []byte) (*Request, error) {
	if !utf8.Valid(body) {
		// Two readers may make different texts of the same bytes.
		return nil, errors.New("the body is not UTF-8")
	}
	members, err := jsontext.Members(body)
	if err != nil {
		return nil, fmt.Errorf("the body is no JSON object: %w", err)
	}
	r := &Request{Kind: kind, Body: body, View: body, members: members}
	if model, err := jsontext.Find(members, "model"); err != nil {
		return nil, err
	} else if model != nil {
		var ok bool
		if r.Model, ok = jsontext.String(model.Value); !ok {
			return nil, errors.New("model is no string")
		}
	}
	if stream, err := jsontext.Find(members, "stream"); err != nil {
		return nil, err
	} else if stream != nil && json.Unmarshal(stream.Value, &r.Stream) != nil {
		return nil, errors.New("stream is neither true nor false")
	}
	if kind != Chat {
		if r.View, err = view(kind, members); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// WithModel gives a body with another model; everything else stays byte for byte.
func WithModel(body []byte, model string) ([]byte, error) {
	return jsontext.Set(body, "model", jsontext.Quote(model))
}
