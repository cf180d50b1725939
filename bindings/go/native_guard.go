//go:build cgo

package vsr

/*
#include <vsr/vsr.h>
*/
import "C"

import "unsafe"

func (a *arena) guardOptions(options *GuardOptions) (c C.vsr_guard_options, err error) {
	c = C.vsr_guard_options{
		struct_size:      C.sizeof_vsr_guard_options,
		policy:           C.int32_t(options.Policy),
		format:           C.int32_t(options.Format),
		hold:             cBool(options.Hold),
		fail_closed:      cBool(options.FailClosed),
		no_grounding:     cBool(options.NoGrounding),
		pii:              cBool(options.PII),
		threshold:        C.float(options.Threshold),
		safety_threshold: C.float(options.SafetyThreshold),
		deadline_ms:      C.int64_t(options.DeadlineMS),
		max_hold_ms:      C.int64_t(options.MaxHoldMS),
	}
	if options.SafetyPolicy != nil {
		c.own_safety_policy, c.safety_policy = 1, C.int32_t(*options.SafetyPolicy)
	}
	if options.Question != "" {
		c.question = a.text(options.Question)
	}
	if options.Marker != "" {
		c.marker = a.text(options.Marker)
	}
	if options.Replacement != "" {
		c.replacement = a.text(options.Replacement)
	}
	err = a.optionals(optionalField{&c.pii_task, options.PIITask, "PIITask"},
		optionalField{&c.jailbreak_task, options.JailbreakTask, "JailbreakTask"})
	return c, err
}

func nativeNewFacts(e *Engine, texts []string, options *FactsOptions) (*handle, error) {
	create := func(engine *C.vsr_engine, a *arena) (*handle, error) {
		c := C.vsr_facts_options{struct_size: C.sizeof_vsr_facts_options}
		if err := a.optionals(optionalField{&c.nli, options.NLI, "NLI"},
			optionalField{&c.tokens, options.Tokens, "Tokens"}); err != nil {
			return nil, err
		}
		array, n := a.texts(texts)
		return madeFacts(func(facts **C.vsr_facts, cError *C.vsr_error) C.vsr_status {
			return C.vsr_facts_create(engine, array, n, &c, facts, cError)
		})
	}
	if e != nil {
		return withEngine(e, create)
	}
	var a arena
	defer a.free()
	return create(nil, &a)
}

func madeFacts(run func(facts **C.vsr_facts, cError *C.vsr_error) C.vsr_status) (*handle, error) {
	var facts *C.vsr_facts
	if err := call(func(cError *C.vsr_error) C.vsr_status { return run(&facts, cError) }); err != nil {
		return nil, err
	}
	return newHandle("facts", unsafe.Pointer(facts),
		func(p unsafe.Pointer) { C.vsr_facts_free((*C.vsr_facts)(p)) }), nil
}

func madeGuard(run func(guard **C.vsr_guard, cError *C.vsr_error) C.vsr_status) (*handle, error) {
	var guard *C.vsr_guard
	if err := call(func(cError *C.vsr_error) C.vsr_status { return run(&guard, cError) }); err != nil {
		return nil, err
	}
	return newHandle("guard", unsafe.Pointer(guard),
		func(p unsafe.Pointer) { C.vsr_guard_free((*C.vsr_guard)(p)) }), nil
}

func (f *Facts) use() (*C.vsr_facts, func(), error) {
	var h *handle
	if f != nil {
		h = f.handle
	}
	p, err := h.acquire()
	if err != nil {
		return nil, nil, err
	}
	return (*C.vsr_facts)(p), h.release, nil
}

func nativeCheck(f *Facts, text string, options *GuardOptions) (*GuardStep, error) {
	facts, done, err := f.use()
	if err != nil {
		return nil, err
	}
	defer done()
	var a arena
	defer a.free()
	c, err := a.guardOptions(options)
	if err != nil {
		return nil, err
	}
	cText := a.text(text)
	return takeStep(func(step **C.vsr_guard_step, cError *C.vsr_error) C.vsr_status {
		return C.vsr_facts_check(facts, cText, &c, step, cError)
	})
}

func nativeNewGuard(f *Facts, options *GuardOptions) (*handle, error) {
	facts, done, err := f.use()
	if err != nil {
		return nil, err
	}
	defer done()
	var a arena
	defer a.free()
	c, err := a.guardOptions(options)
	if err != nil {
		return nil, err
	}
	return madeGuard(func(guard **C.vsr_guard, cError *C.vsr_error) C.vsr_status {
		return C.vsr_guard_create(facts, &c, guard, cError)
	})
}

func (g *Guard) use() (*C.vsr_guard, func(), error) {
	var h *handle
	if g != nil {
		h = g.handle
	}
	p, err := h.acquire()
	if err != nil {
		return nil, nil, err
	}
	return (*C.vsr_guard)(p), h.release, nil
}

func nativeFeed(g *Guard, data []byte) (*GuardStep, error) {
	guard, done, err := g.use()
	if err != nil {
		return nil, err
	}
	defer done()
	var a arena
	defer a.free()
	bytes := a.text(string(data))
	return takeStep(func(step **C.vsr_guard_step, cError *C.vsr_error) C.vsr_status {
		return C.vsr_guard_feed(guard, bytes, step, cError)
	})
}

func nativeFinish(g *Guard) (*GuardStep, error) {
	guard, done, err := g.use()
	if err != nil {
		return nil, err
	}
	defer done()
	return takeStep(func(step **C.vsr_guard_step, cError *C.vsr_error) C.vsr_status {
		return C.vsr_guard_finish(guard, step, cError)
	})
}

func nativeDescribeGuard(g *Guard) (string, error) {
	guard, done, err := g.use()
	if err != nil {
		return "", err
	}
	defer done()
	var json *C.vsr_string
	err = call(func(cError *C.vsr_error) C.vsr_status { return C.vsr_guard_describe(guard, &json, cError) })
	if err != nil {
		return "", err
	}
	return takeString(json), nil
}

func nativeGuardKindName(kind GuardKind) string {
	return textOf(C.vsr_guard_kind_name(C.int32_t(kind)))
}

func takeStep(make_ func(**C.vsr_guard_step, *C.vsr_error) C.vsr_status) (*GuardStep, error) {
	var made *C.vsr_guard_step
	err := call(func(cError *C.vsr_error) C.vsr_status { return make_(&made, cError) })
	if err != nil {
		return nil, err
	}
	defer C.vsr_guard_step_free(made)
	step := &GuardStep{
		Forward:    []byte(textOf(C.vsr_guard_step_forward(made))),
		Events:     make([]GuardEvent, int(C.vsr_guard_step_event_count(made))),
		Checked:    int(C.vsr_guard_step_checked_size(made)),
		Ended:      C.vsr_guard_step_ended(made) != 0,
		Overloaded: C.vsr_guard_step_overloaded(made) != 0,
	}
	for i := range step.Events {
		e := C.vsr_guard_step_event(made, C.size_t(i))
		step.Events[i] = GuardEvent{Start: int(e.start), End: int(e.end), ClaimStart: int(e.claim_start),
			ClaimEnd: int(e.claim_end), Text: textOf(e.text), Claim: textOf(e.claim), Kind: GuardKind(e.kind),
			Score: float32(e.score), Fact: int(e.fact), Milliseconds: float64(e.milliseconds),
			Choice: int(e.choice), Field: AnswerField(e.field), Index: int(e.index)}
	}
	return step, nil
}
