package proxy

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"go.opentelemetry.io/otel/attribute"

	"gateway/internal/api"
	"gateway/internal/auth"
	"gateway/internal/flow"
)

func (g *Gateway) infer(w http.ResponseWriter, r *http.Request) {
	kind, _ := api.KindOf(r.URL.Path)
	e, end := g.begin(w, r, kind, auth.RoleInfer)
	defer end()
	if e == nil {
		return
	}
	ctx, span := g.tracer.Start(r.Context(), "route")
	e.verdict = g.metrics.Decide(ctx, e.state.Flow, &flow.Request{Path: r.URL.Path, Headers: headersOf(r.Header), Body: e.body,
		Caller: e.caller.Caller})
	defer e.verdict.Close()
	span.SetAttributes(attribute.String("vsr.outcome", e.verdict.OutcomeName()), attribute.String("vsr.model", e.verdict.Model))
	span.End()
	e.setHeaders()
	e.showDecision()
	if e.verdict.Action != flow.Forward {
		e.answer()
		return
	}
	if !e.execute() {
		e.forwardTo(e.candidates())
	}
}

// setHeaders says to the client what was decided.
func (e *exchange) setHeaders() {
	for _, header := range e.verdict.ResponseHeaders() {
		e.writer.Header().Set(header.Name, header.Value)
	}
}

// answer gives what was decided to be the answer.
func (e *exchange) answer() {
	v := e.verdict
	if v.Action == flow.Refuse {
		e.problem = "refused"
	} else if v.Cache == "hit" {
		outcome := api.Judge(v.Kind, v.Stream, v.Answer)
		if model := e.state.Pool.Called(outcome.Model); model != nil {
			e.saved = costOf(model, outcome)
			e.metrics.saved.WithLabelValues(model.Name).Add(e.saved)
		}
	}
	e.head(v.Status, v.ContentType)
	_ = e.send(v.Answer)
}

// candidate is a model that may answer; name is what the request calls it, "" for the server's name of it.
type candidate struct{ model, name string }

// candidates are the decision's models: the chosen one, then the others in their order, for when its servers fail.
func (e *exchange) candidates() []candidate {
	d := e.verdict.Decision
	list := []candidate{{e.verdict.Model, ""}}
	if d == nil || d.Plan == "" {
		if d != nil {
			list[0].name = d.LoRA
		}
		return list
	}
	list[0].name = d.LoRA
	var plan struct {
		Candidates []struct {
			Model string `json:"model"`
			LoRA  string `json:"lora"`
		} `json:"candidates"`
	}
	if json.Unmarshal([]byte(d.Plan), &plan) != nil {
		return list
	}
	for _, other := range plan.Candidates {
		if c := (candidate{other.Model, other.LoRA}); !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// forwardTo asks the models one after the other until one begins to answer.
func (e *exchange) forwardTo(candidates []candidate) {
	var last error = errNoServer
	for i, c := range candidates {
		model := e.state.Pool.Model(c.model)
		if model == nil {
			continue
		}
		answer, err := e.ask(model, c.name)
		if err == nil && worthAnother(answer.StatusCode) && i+1 < len(candidates) {
			answer.close()
			continue
		}
		if err == nil {
			if c.model != e.verdict.Model {
				e.verdict.AnsweredBy(c.model)
				e.writer.Header().Del("x-vsr-guard")
				e.setHeaders()
				e.writer.Header().Set("x-vsr-fallback", "1")
			}
			e.relay(model, answer)
			return
		}
		if last = err; errors.Is(err, errClientGone) {
			break
		}
	}
	switch {
	case errors.Is(last, errClientGone):
		e.gone()
	case errors.Is(last, errNoServer):
		e.refuse(503, "no_server", "no server is known for the model "+e.verdict.Model)
	case errors.Is(last, errSilent):
		e.refuse(504, "upstream_timeout", "the model's servers did not answer in time")
	default:
		e.refuse(502, "upstream_failed", "the model's servers cannot be reached")
	}
}
