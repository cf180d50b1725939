package flow

import (
	"fmt"

	"vsr"
)

// stages are what an answer passes through, one after the other: personal data that the request left without is put back,
// then comes the guard that the decision asks for, then the gateway's own.
type stages []*vsr.Guard

func (v *Verdict) stages(format vsr.StreamFormat) (made stages, err error) {
	defer func() {
		if err != nil {
			made.close()
			made = nil
		}
	}()
	add := func(what string, guard *vsr.Guard, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		made = append(made, guard)
		return nil
	}
	if v.mask != nil {
		restorer, err := v.mask.Stream(format)
		if err := add("the mask", restorer, err); err != nil {
			return made, err
		}
	}
	if v.answerPolicy() != nil {
		guard, err := v.flow.router.Guard(v.Decision, nil)
		if err := add("the guard of decision "+v.Decision.Name, guard, err); err != nil {
			return made, err
		}
	}
	if v.rule != nil {
		guard, err := v.rule.begin(v.request, format)
		if err := add("guard "+v.rule.Name, guard, err); err != nil {
			return made, err
		}
	}
	return made, nil
}

// answerPolicy is what the plugins of the decision ask of the answer; nil: nothing.
func (v *Verdict) answerPolicy() *vsr.AnswerPolicy {
	if v.Decision == nil {
		return nil
	}
	return v.Decision.Answer
}

// guarded says whether an answer is checked, closed whether one that cannot be must not leave.
func (v *Verdict) guarded() bool { return v.rule != nil || v.answerPolicy() != nil }
func (v *Verdict) closed() bool {
	policy := v.answerPolicy()
	return v.rule != nil && v.rule.Closed || policy != nil && policy.Guard.FailClosed
}

// rewrites says whether any stage may change bytes.
func (v *Verdict) rewrites() bool {
	if v.mask != nil || v.rule != nil && policies[v.rule.Policy] != vsr.PolicyObserve {
		return true
	}
	policy := v.answerPolicy()
	if policy == nil {
		return false
	}
	return policy.Guard.Policy != vsr.PolicyObserve ||
		policy.Guard.SafetyPolicy != nil && *policy.Guard.SafetyPolicy != vsr.PolicyObserve
}

// unverified is what is done about an answer that no fact can be held against, as the plugin hallucination says: "",
// "none", "header", "body" or "block".
func (v *Verdict) unverified() string {
	policy := v.answerPolicy()
	if policy == nil || policy.HallucinationAction == "" || len(policy.Sources) > 0 {
		return ""
	}
	return policy.UnverifiedAction
}

// feed passes a piece through; each step goes to `took`.
func (s stages) feed(piece []byte, took func(*vsr.GuardStep)) ([]byte, error) {
	for _, stage := range s {
		step, err := stage.Feed(piece)
		if err != nil {
			return nil, err
		}
		took(step)
		piece = step.Forward
	}
	return piece, nil
}

// finish has each stage give what it holds to those after it.
func (s stages) finish(took func(*vsr.GuardStep)) ([]byte, error) {
	var rest []byte
	for _, stage := range s {
		var passed []byte
		if len(rest) > 0 {
			step, err := stage.Feed(rest)
			if err != nil {
				return nil, err
			}
			took(step)
			passed = step.Forward
		}
		step, err := stage.Finish()
		if err != nil {
			return nil, err
		}
		took(step)
		rest = append(passed, step.Forward...)
	}
	return rest, nil
}

func (s stages) close() {
	for _, stage := range s {
		_ = stage.Close()
	}
}
