package proxy

import (
	"encoding/json"

	"gateway/internal/api"
)

// plan is what of a decision's plan the gateway executes: cascades by confidence, and fusion.
type plan struct {
	Algorithm string `json:"algorithm"`
	Steps     []step `json:"steps"`
	// What of the file changes how answers are put together in ways that are not done here.
	Parameters map[string]json.RawMessage `json:"parameters"`
}

type step struct {
	Calls         []call  `json:"calls"`
	Join          string  `json:"join"`
	Accept        accept  `json:"accept"`
	MaxConcurrent int     `json:"max_concurrent"`
	MinSuccessful int     `json:"min_successful_responses"`
	MaxTokens     *int64  `json:"max_completion_tokens"`
	TimeoutS      float64 `json:"round_timeout_seconds"`
	Temperature   any     `json:"temperature"`
	OnError       string  `json:"on_error"`
}

type call struct {
	Model string `json:"model"`
	LoRA  string `json:"lora"`
}

type accept struct {
	Method    string   `json:"confidence_method"`
	Threshold *float64 `json:"threshold"`
	OnError   string   `json:"on_error"`
}

const (
	mostCalls        = 8
	leastMeanLogprob = -1.0 // where the file does not say
	leastMargin      = 0.5
)

// planOf gives the plan of a decision if it is one that is executed; nil: the request goes to the chosen model.
func (e *exchange) planOf() *plan {
	d := e.verdict.Decision
	if d == nil || d.Plan == "" || e.kind != api.Chat {
		return nil
	}
	var p plan
	if json.Unmarshal([]byte(d.Plan), &p) != nil || len(p.Steps) == 0 {
		return nil
	}
	switch p.Algorithm {
	case "confidence":
		if p.isCascade() {
			return &p
		}
	case "fusion":
		if p.isFusion() && !e.hasTools() {
			return &p
		}
	}
	return nil
}

func (p *plan) isCascade() bool {
	for i, step := range p.Steps {
		last := i+1 == len(p.Steps)
		known := step.Accept.Method == "" || step.Accept.Method == "avg_logprob" || step.Accept.Method == "margin"
		if len(step.Calls) != 1 || last != (step.Join == "answer") || !last && (step.Join != "answer_if_confident" || !known) {
			return false
		}
	}
	return p.without("hybrid_weights", "token_filter", "verifier_server_url") && len(p.Steps) <= mostCalls
}

func (p *plan) isFusion() bool {
	return len(p.Steps) == 2 && p.Steps[0].Join == "all" && len(p.Steps[0].Calls) > 0 && len(p.Steps[0].Calls) <= mostCalls &&
		p.Steps[1].Join == "synthesize" && len(p.Steps[1].Calls) == 1 &&
		p.without("analysis_overrides", "analysis_template", "synthesis_template", "include_analysis",
			"include_intermediate_responses", "grounding")
}

func (p *plan) without(keys ...string) bool {
	for _, key := range keys {
		if _, given := p.Parameters[key]; given {
			return false
		}
	}
	return true
}

// hasTools says that an answer may be calls of tools, which cannot be put together out of several.
func (e *exchange) hasTools() bool {
	var body struct {
		Tools     []json.RawMessage `json:"tools"`
		Functions []json.RawMessage `json:"functions"`
	}
	return json.Unmarshal(e.verdict.Body, &body) != nil || len(body.Tools)+len(body.Functions) > 0
}

// sure says whether an answer is good enough. One without probabilities is not.
func (a *accept) sure(answer []byte) bool {
	tokens := api.LogprobsOf(answer)
	if len(tokens) == 0 {
		return false
	}
	sum, least := 0.0, leastMeanLogprob
	for _, token := range tokens {
		if a.Method != "margin" {
			sum += token.Logprob
			continue
		}
		least = leastMargin
		if len(token.Top) < 2 {
			return false
		}
		sum += token.Top[0].Logprob - token.Top[1].Logprob
	}
	if a.Threshold != nil {
		least = *a.Threshold
	}
	return sum/float64(len(tokens)) >= least
}
