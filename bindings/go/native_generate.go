//go:build cgo

package vsr

/*
#include <vsr/vsr.h>
extern int32_t vsrGoToken(int32_t id, vsr_str text, void *user_data);
*/
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// tokenCall carries an OnToken through the C callback, which must not unwind.
type tokenCall struct {
	onToken  OnToken
	panicked any
}

//export vsrGoToken
func vsrGoToken(id C.int32_t, text C.vsr_str, userData unsafe.Pointer) (stop C.int32_t) {
	c := (*(*cgo.Handle)(userData)).Value().(*tokenCall)
	defer func() {
		if c.panicked = recover(); c.panicked != nil {
			stop = 1
		}
	}()
	if c.onToken(int32(id), textOf(text)) {
		return 1
	}
	return 0
}

// withToken runs a C call that reports to onToken, which may be nil.
func withToken(onToken OnToken, a *arena, run func(C.vsr_token_callback, unsafe.Pointer) error) error {
	if onToken == nil {
		return run(nil, nil)
	}
	c := &tokenCall{onToken: onToken}
	cell := (*cgo.Handle)(a.alloc(unsafe.Sizeof(cgo.Handle(0))))
	*cell = cgo.NewHandle(c)
	defer (*cell).Delete()
	err := run(C.vsr_token_callback(C.vsrGoToken), unsafe.Pointer(cell))
	if c.panicked != nil {
		panic(c.panicked)
	}
	return err
}

func nativeGenerate(e *Engine, prompt string, options *GenerateOptions) (*Generation, error) {
	return withEngine(e, func(engine *C.vsr_engine, a *arena) (*Generation, error) {
		c := C.vsr_generate_options{
			struct_size:    C.sizeof_vsr_generate_options,
			no_eos:         cBool(options.NoEOS),
			max_new_tokens: C.size_t(options.MaxNewTokens),
			temperature:    C.float(options.Temperature),
			top_k:          C.int32_t(options.TopK),
			top_p:          C.float(options.TopP),
			seed:           C.uint64_t(options.Seed),
		}
		if err := a.optionals(optionalField{&c.task, options.Task, "Task"}); err != nil {
			return nil, err
		}
		limits, err := startLimits(options.Context)
		if err != nil {
			return nil, err
		}
		defer limits.end()
		c.deadline_ms, c.cancel = limits.deadline, limits.cancel
		var made *C.vsr_generation
		err = withToken(options.OnToken, a, func(onToken C.vsr_token_callback, userData unsafe.Pointer) error {
			c.on_token, c.user_data = onToken, userData
			return call(func(cError *C.vsr_error) C.vsr_status {
				return C.vsr_generate(engine, a.text(prompt), &c, &made, cError)
			})
		})
		if err != nil {
			return nil, err
		}
		defer C.vsr_generation_free(made)
		return &Generation{
			Text:         textOf(C.vsr_generation_text(made)),
			IDs:          copied[int32](C.vsr_generation_ids(made), int(C.vsr_generation_token_count(made))),
			Finish:       Finish(C.vsr_generation_finish(made)),
			PromptTokens: int(C.vsr_generation_prompt_token_count(made)),
			Replaced:     int(C.vsr_generation_replaced_size(made)),
		}, nil
	})
}

func nativeModerate(e *Engine, prompt string, response *string, options *ModerateOptions) (*Verdict, error) {
	return withEngine(e, func(engine *C.vsr_engine, a *arena) (*Verdict, error) {
		c := C.vsr_moderate_options{
			struct_size:    C.sizeof_vsr_moderate_options,
			max_new_tokens: C.size_t(options.MaxNewTokens),
		}
		if err := a.optionals(optionalField{&c.task, options.Task, "Task"}); err != nil {
			return nil, err
		}
		var cResponse *C.vsr_str
		if response != nil {
			cResponse, _ = a.texts([]string{*response})
		}
		limits, err := startLimits(options.Context)
		if err != nil {
			return nil, err
		}
		defer limits.end()
		c.deadline_ms, c.cancel = limits.deadline, limits.cancel
		var made *C.vsr_verdict
		err = call(func(cError *C.vsr_error) C.vsr_status {
			return C.vsr_moderate(engine, a.text(prompt), cResponse, &c, &made, cError)
		})
		if err != nil {
			return nil, err
		}
		defer C.vsr_verdict_free(made)
		return verdictOf(made), nil
	})
}

func verdictOf(made *C.vsr_verdict) *Verdict {
	verdict := &Verdict{
		Severity:      Severity(C.vsr_verdict_severity(made)),
		Safe:          float32(C.vsr_verdict_prob(made, C.VSR_SEVERITY_SAFE)),
		Controversial: float32(C.vsr_verdict_prob(made, C.VSR_SEVERITY_CONTROVERSIAL)),
		Unsafe:        float32(C.vsr_verdict_prob(made, C.VSR_SEVERITY_UNSAFE)),
		Answer:        textOf(C.vsr_verdict_answer(made)),
		Prompt:        textOf(C.vsr_verdict_prompt(made)),
		PromptTokens:  int(C.vsr_verdict_prompt_token_count(made)),
		ControlTokens: int(C.vsr_verdict_control_token_count(made)),
		Replaced:      int(C.vsr_verdict_replaced_size(made)),
	}
	for i := C.size_t(0); i < C.vsr_verdict_category_count(made); i++ {
		verdict.Categories = append(verdict.Categories, textOf(C.vsr_verdict_category(made, i)))
	}
	if refusal := C.vsr_verdict_refusal(made); refusal != C.VSR_REFUSAL_UNKNOWN {
		refuses := refusal == C.VSR_REFUSAL_YES
		verdict.Refusal = &refuses
	}
	return verdict
}
