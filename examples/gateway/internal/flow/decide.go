package flow

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"time"

	"gateway/internal/api"
	"vsr"
)

// Caller is who asks, as the gateway knows it, never as the request claims it.
type Caller struct {
	Tenant string // tenants never share answers
	User   string
	Groups []string
	Models []string // models that it may name itself, besides "auto"; none: all
}

// Request is what a client sent.
type Request struct {
	Path    string            // without its query
	Headers map[string]string // names in lower case; for the router's metadata signals. No credentials.
	Body    []byte
	Caller  Caller
	Explain bool // fill Verdict.Explanation
}

// Action is what to do with a request.
type Action int

const (
	Forward   Action = iota // send Body to Model
	Immediate               // answer with Answer: the router has one of its own, or the cache
	Refuse                  // answer with Answer, an error in the client's own form
)

// Verdict is what was decided about a request. Close it when the answer is over.
type Verdict struct {
	Action  Action
	Kind    api.Kind
	Stream  bool // the client wants a stream
	Outcome vsr.Outcome

	// Forward: the model's name in the config, or the client's own; the body for it; changes of the request's headers.
	Model   string
	Body    []byte
	Headers []vsr.HeaderChange

	// Immediate and Refuse.
	Status      int
	ContentType string
	Answer      []byte
	Err         error // Refuse: why, for the log; may hold what the client must not see

	Decision    *vsr.Decision // nil when refused before it was made
	Explanation string        // JSON
	Cache       string        // "hit", "miss", or "" where the cache was not asked
	Guard       string        // the guard's name; "": none
	RouteTime   time.Duration

	flow     *Flow
	request  *api.Request
	tenant   string
	rule     *guardRule
	mask     *vsr.Mask // of the personal data that the body left without; nil: none was looked for
	fallback bool      // another model than the chosen one answers
}

// Close gives up the verdict's share of its flow.
func (v *Verdict) Close() {
	_ = v.mask.Close()
	v.mask = nil
	if v.flow != nil {
		v.flow.Release()
		v.flow = nil
	}
}

// BodyFor is the body with the name that the upstream has for the model.
func (v *Verdict) BodyFor(model string) ([]byte, error) { return api.WithModel(v.Body, model) }

// AnsweredBy says that another model answers than the one that was chosen, whose servers failed. That model's guard holds,
// and its answer is not kept: a later request shall have the chosen one's.
func (v *Verdict) AnsweredBy(model string) {
	v.Model, v.fallback = model, true
	v.Guard, v.rule = "", nil
	v.guardBy()
}

// PlannedBy says that this model answers because a plan says so: its guard holds, and its answer may be kept.
func (v *Verdict) PlannedBy(model string) {
	v.Model, v.Guard, v.rule = model, "", nil
	v.guardBy()
}

// RequestedModel is the model as the client named it.
func (v *Verdict) RequestedModel() string {
	if v.request == nil {
		return ""
	}
	return v.request.Model
}

// Question is the text of the last user turn.
func (v *Verdict) Question() string {
	if v.request == nil {
		return ""
	}
	return v.request.Question()
}

// View is the request as the router saw it, a chat request.
func (v *Verdict) View() []byte { return v.request.View }

// Decide says what to do with a request. It never fails otherwise than with Refuse.
func (f *Flow) Decide(ctx context.Context, request *Request) *Verdict {
	began := time.Now()
	v := &Verdict{}
	var known bool
	if v.Kind, known = api.KindOf(request.Path); !known {
		return v.refuse(404, "not_found", "no such path", nil)
	}
	if !f.Hold() {
		return v.refuse(503, "closed", "the gateway is closing", ErrClosed)
	}
	v.flow = f
	if !ValidTenant(request.Caller.Tenant) {
		return v.refuse(500, "internal_error", "the gateway is misconfigured", errors.New("the tenant's name has characters that names may not have"))
	}
	read, err := api.Read(v.Kind, request.Body)
	if err != nil {
		return v.refuse(400, "invalid_request", err.Error(), err)
	}
	v.request, v.Stream, v.tenant = read, read.Stream, request.Caller.Tenant
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	v.Decision, err = f.router.Route(read.View, &vsr.RouteOptions{Context: ctx, Explain: request.Explain,
		User: request.Caller.User, Tenant: partition(read, request.Caller.Tenant), Groups: request.Caller.Groups,
		Headers: request.Headers})
	v.RouteTime = time.Since(began)
	if err != nil {
		status, code, message := refusal(err)
		return v.refuse(status, code, message, err)
	}
	v.Outcome, v.Explanation = v.Decision.Outcome, v.Decision.Explanation
	switch v.Outcome {
	case vsr.OutcomeCached:
		v.Cache = "hit"
		v.Model = v.Decision.Model
		return v.answer(unwrapped(read, v.Decision.Response))
	case vsr.OutcomeRespond:
		return v.answerOfRouter()
	case vsr.OutcomePassthrough:
		return v.passThrough(&request.Caller)
	}
	v.Cache = "miss"
	v.Model = v.Decision.Model
	v.Headers = v.Decision.Headers
	if v.Body, err = read.Rewritten(v.Decision.Request); err != nil {
		return v.refuse(500, "internal_error", "the request could not be rewritten", err)
	}
	if err := v.maskBody(); err != nil {
		return v.refuse(500, "internal_error", "the request could not be masked", err)
	}
	v.guardBy()
	return v
}

// partition keeps forms and tenants apart. What is a chat request is told apart by its own "stream".
func partition(read *api.Request, tenant string) string {
	name := read.Kind.String()
	if read.Kind != api.Chat && read.Stream {
		name += "+stream"
	}
	return name + "|" + tenant
}

func (v *Verdict) answer(body []byte) *Verdict {
	v.Action, v.Status, v.Answer, v.ContentType = Immediate, 200, body, api.ContentType(v.Stream)
	return v
}

func (v *Verdict) answerOfRouter() *Verdict {
	if v.Kind == api.Chat {
		return v.answer(v.Decision.Response)
	}
	text, err := api.TextOfChat(v.Decision.Response)
	if err != nil {
		return v.refuse(500, "internal_error", "the router's own answer cannot be read", err)
	}
	return v.answer(api.Answer(v.Kind, v.Stream, NewID(), v.request.Model, text))
}

func (v *Verdict) passThrough(caller *Caller) *Verdict {
	v.Model, v.Body = v.request.Model, v.request.Body
	if v.flow.models != nil && !v.flow.models[v.Model] {
		return v.refuse(404, "model_not_found", "the model "+quoted(v.Model)+" does not exist", nil)
	}
	if !fits(caller.Models, v.Model) {
		return v.refuse(403, "model_not_allowed", "this key may not name the model "+quoted(v.Model), nil)
	}
	if err := v.maskBody(); err != nil {
		return v.refuse(500, "internal_error", "the request could not be masked", err)
	}
	v.guardBy()
	return v
}

// maskBody has the body leave without personal data, where the decision says so. The router masks chat requests only, and
// not in the form in which they came.
func (v *Verdict) maskBody() (err error) {
	if v.mask, err = v.Decision.Mask(); err != nil || v.mask == nil {
		return err
	}
	if v.Kind == api.Chat && v.Outcome == vsr.OutcomeForward {
		return nil
	}
	masked, err := v.mask.Request(string(v.Body))
	if err != nil {
		v.Body = nil
		return err
	}
	v.Body = []byte(masked)
	return nil
}

func (v *Verdict) guardBy() {
	if v.rule = v.flow.guardFor(v.Decision.Name, v.Model, v.tenant); v.rule != nil {
		v.Guard = v.rule.Name
	}
}

func (v *Verdict) refuse(status int, code, message string, err error) *Verdict {
	if err == nil {
		err = errors.New(message)
	}
	v.Action, v.Status, v.ContentType, v.Err = Refuse, status, "application/json", err
	v.Answer = api.ErrorBody(v.Kind, status, code, message)
	return v
}

// refusal says with which status, and in which words, a request is refused that could not be routed. What is the
// client's doing is told; what is the gateway's may name files.
func refusal(err error) (status int, code, message string) {
	var failed *vsr.Error
	if !errors.As(err, &failed) {
		return 500, "internal_error", "the request could not be routed"
	}
	switch failed.Code {
	case vsr.ErrParse, vsr.ErrInvalidArgument, vsr.ErrUnsupported:
		return 400, "invalid_request", failed.Message
	case vsr.ErrLimit:
		return 413, "too_large", failed.Message
	case vsr.ErrCancelled:
		return 499, "cancelled", "the client went away"
	case vsr.ErrDeadline:
		return 504, "timeout", "the request could not be routed in time"
	}
	return 500, "internal_error", "the request could not be routed"
}

// What comes before answers of other forms than chat in the cache, which judges by the form of chat and would refuse
// them; these are judged here.
var wrapper = []byte("vsr.gateway answer\n")

func wrapped(kind api.Kind, body []byte) []byte {
	if kind == api.Chat {
		return body
	}
	return append(bytes.Clone(wrapper), body...)
}

func unwrapped(read *api.Request, stored []byte) []byte {
	if read.Kind == api.Chat {
		return stored
	}
	return bytes.TrimPrefix(stored, wrapper)
}

func quoted(text string) string {
	if len(text) > 100 {
		text = text[:100] + "..."
	}
	return `"` + text + `"`
}

// NewID is a random name for a request or an answer.
func NewID() string {
	var bytes [12]byte
	_, _ = rand.Read(bytes[:]) // never fails
	return hex.EncodeToString(bytes[:])
}

// Passed is the verdict on a request that is not routed, such as one for embeddings: send it as it is.
func Passed(body []byte, model string) *Verdict {
	return &Verdict{Outcome: vsr.OutcomePassthrough, Model: model, Body: body, request: &api.Request{Model: model, Body: body}}
}
