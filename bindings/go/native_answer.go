//go:build cgo

package vsr

/*
#include <vsr/vsr.h>
*/
import "C"

import "unsafe"

func answerPolicyOf(d *C.vsr_decision) *AnswerPolicy {
	c := C.vsr_decision_answer_policy(d)
	if c == nil {
		return nil
	}
	guard := c.guard
	policy := &AnswerPolicy{
		Guard: GuardOptions{
			Policy:          Policy(guard.policy),
			Format:          StreamFormat(guard.format),
			Question:        textOf(guard.question),
			Hold:            guard.hold != 0,
			FailClosed:      guard.fail_closed != 0,
			NoGrounding:     guard.no_grounding != 0,
			PII:             guard.pii != 0,
			PIITask:         C.GoString(guard.pii_task),
			JailbreakTask:   C.GoString(guard.jailbreak_task),
			Threshold:       float32(guard.threshold),
			SafetyThreshold: float32(guard.safety_threshold),
			Marker:          textOf(guard.marker),
			Replacement:     textOf(guard.replacement),
			DeadlineMS:      int64(guard.deadline_ms),
			MaxHoldMS:       int64(guard.max_hold_ms),
		},
		Facts:               FactsOptions{NLI: C.GoString(c.facts.nli), Tokens: C.GoString(c.facts.tokens)},
		HallucinationAction: textOf(c.hallucination_action),
		UnverifiedAction:    textOf(c.unverified_action),
		JailbreakAction:     textOf(c.jailbreak_action),
		IncludeDetails:      c.include_details != 0,
	}
	if guard.own_safety_policy != 0 {
		safety := Policy(guard.safety_policy)
		policy.Guard.SafetyPolicy = &safety
	}
	for _, source := range unsafe.Slice(c.sources, int(c.source_count)) {
		policy.Sources = append(policy.Sources, textOf(source))
	}
	return policy
}

func nativeRouterFacts(r *Router, texts []string, options *FactsOptions) (facts *handle, err error) {
	err = r.with(func(router *C.vsr_router, a *arena) error {
		c := C.vsr_facts_options{struct_size: C.sizeof_vsr_facts_options}
		if err := a.optionals(optionalField{&c.nli, options.NLI, "NLI"},
			optionalField{&c.tokens, options.Tokens, "Tokens"}); err != nil {
			return err
		}
		array, n := a.texts(texts)
		facts, err = madeFacts(func(out **C.vsr_facts, cError *C.vsr_error) C.vsr_status {
			return C.vsr_router_facts(router, array, n, &c, out, cError)
		})
		return err
	})
	return facts, err
}

func nativeRouterGuard(r *Router, decision *Decision, f *Facts) (guard *handle, err error) {
	var facts *C.vsr_facts
	if f != nil {
		held, done, err := f.use()
		if err != nil {
			return nil, err
		}
		defer done()
		facts = held
	}
	err = r.with(func(router *C.vsr_router, _ *arena) error {
		return decision.with(func(d *C.vsr_decision) error {
			guard, err = madeGuard(func(out **C.vsr_guard, cError *C.vsr_error) C.vsr_status {
				return C.vsr_router_guard(router, d, facts, out, cError)
			})
			return err
		})
	})
	return guard, err
}
