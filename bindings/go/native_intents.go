//go:build cgo

package vsr

/*
#include <vsr/vsr.h>
*/
import "C"

import (
	"context"
	"unsafe"
)

func newIntentsHandle(intents *C.vsr_intents) *handle {
	return newHandle("intents", unsafe.Pointer(intents),
		func(p unsafe.Pointer) { C.vsr_intents_free((*C.vsr_intents)(p)) })
}

// call runs a C call on the set; strings that it needs are allocated in the arena first.
func (x *Intents) call(f func(*C.vsr_intents, *C.vsr_error) C.vsr_status) error {
	var h *handle
	if x != nil {
		h = x.handle
	}
	p, err := h.acquire()
	if err != nil {
		return err
	}
	defer h.release()
	return call(func(cError *C.vsr_error) C.vsr_status { return f((*C.vsr_intents)(p), cError) })
}

func nativeNewIntents(e *Engine, options *IntentsOptions) (*handle, error) {
	return withEngine(e, func(engine *C.vsr_engine, a *arena) (*handle, error) {
		c := C.vsr_intents_options{
			struct_size: C.sizeof_vsr_intents_options,
			rule:        C.int32_t(options.Rule),
			top_k:       C.int32_t(options.TopK),
			threshold:   C.float(options.Threshold),
		}
		if err := a.optionals(optionalField{&c.task, options.Task, "Task"}); err != nil {
			return nil, err
		}
		var intents *C.vsr_intents
		err := call(func(cError *C.vsr_error) C.vsr_status {
			return C.vsr_intents_create(engine, &c, &intents, cError)
		})
		if err != nil {
			return nil, err
		}
		return newIntentsHandle(intents), nil
	})
}

func nativeLoadIntents(e *Engine, path, task string) (*handle, error) {
	return withEngine(e, func(engine *C.vsr_engine, a *arena) (*handle, error) {
		cPath, err := a.name(path, "path")
		if err != nil {
			return nil, err
		}
		cTask, err := a.optional(task, "task")
		if err != nil {
			return nil, err
		}
		var intents *C.vsr_intents
		err = call(func(cError *C.vsr_error) C.vsr_status {
			return C.vsr_intents_load(engine, cPath, cTask, &intents, cError)
		})
		if err != nil {
			return nil, err
		}
		return newIntentsHandle(intents), nil
	})
}

func nativeReadIntents(e *Engine, path string, options *IntentsFileOptions) (*handle, error) {
	return withEngine(e, func(engine *C.vsr_engine, a *arena) (*handle, error) {
		cPath, err := a.name(path, "path")
		if err != nil {
			return nil, err
		}
		limits, err := startLimits(options.Context)
		if err != nil {
			return nil, err
		}
		defer limits.end()
		c := C.vsr_intents_read_file_options{
			struct_size: C.sizeof_vsr_intents_read_file_options,
			rule:        C.int32_t(options.Rule),
			top_k:       C.int32_t(options.TopK),
			threshold:   a.floatOrNil(options.Threshold),
			deadline_ms: limits.deadline,
			cancel:      limits.cancel,
		}
		if err := a.optionals(optionalField{&c.task, options.Task, "Task"}); err != nil {
			return nil, err
		}
		var intents *C.vsr_intents
		err = call(func(cError *C.vsr_error) C.vsr_status {
			return C.vsr_intents_read_file(engine, cPath, &c, &intents, cError)
		})
		if err != nil {
			return nil, err
		}
		return newIntentsHandle(intents), nil
	})
}

// In C memory, because C may not see a pointer of Go's in a struct of Go's.
func (a *arena) floatOrNil(value *float32) *C.float {
	if value == nil {
		return nil
	}
	c := (*C.float)(a.alloc(C.sizeof_float))
	*c = C.float(*value)
	return c
}

func nativeAddIntent(ctx context.Context, x *Intents, label string, examples []string, threshold *float32) error {
	var a arena
	defer a.free()
	cLabel, err := a.name(label, "label")
	if err != nil {
		return err
	}
	limits, err := startLimits(ctx)
	if err != nil {
		return err
	}
	defer limits.end()
	c := C.vsr_intents_add_options{struct_size: C.sizeof_vsr_intents_add_options, deadline_ms: limits.deadline,
		cancel: limits.cancel, threshold: a.floatOrNil(threshold)}
	array, n := a.texts(examples)
	return x.call(func(intents *C.vsr_intents, cError *C.vsr_error) C.vsr_status {
		return C.vsr_intents_add(intents, cLabel, array, n, &c, cError)
	})
}

func nativeRemoveIntent(x *Intents, label string) error {
	var a arena
	defer a.free()
	cLabel, err := a.name(label, "label")
	if err != nil {
		return err
	}
	return x.call(func(intents *C.vsr_intents, cError *C.vsr_error) C.vsr_status {
		return C.vsr_intents_remove(intents, cLabel, cError)
	})
}

func nativeRoute(ctx context.Context, x *Intents, texts []string) ([]Match, error) {
	var a arena
	defer a.free()
	limits, err := startLimits(ctx)
	if err != nil {
		return nil, err
	}
	defer limits.end()
	c := C.vsr_intents_route_options{struct_size: C.sizeof_vsr_intents_route_options, deadline_ms: limits.deadline,
		cancel: limits.cancel}
	array, n := a.texts(texts)
	var matches *C.vsr_matches
	err = x.call(func(intents *C.vsr_intents, cError *C.vsr_error) C.vsr_status {
		return C.vsr_intents_route(intents, array, n, &c, &matches, cError)
	})
	if err != nil {
		return nil, err
	}
	return takeMatches(matches), nil
}

func nativeRouteVectors(ctx context.Context, x *Intents, vectors *Matrix) ([]Match, error) {
	limits, err := startLimits(ctx)
	if err != nil {
		return nil, err
	}
	defer limits.end()
	c := C.vsr_intents_route_options{struct_size: C.sizeof_vsr_intents_route_options, deadline_ms: limits.deadline,
		cancel: limits.cancel}
	var matches *C.vsr_matches
	err = x.call(func(intents *C.vsr_intents, cError *C.vsr_error) C.vsr_status {
		return C.vsr_intents_route_vectors(intents, (*C.float)(unsafe.SliceData(vectors.Data)), C.size_t(vectors.Rows),
			C.size_t(vectors.Cols), &c, &matches, cError)
	})
	if err != nil {
		return nil, err
	}
	return takeMatches(matches), nil
}

func takeMatches(matches *C.vsr_matches) []Match {
	defer C.vsr_matches_free(matches)
	out := make([]Match, int(C.vsr_matches_match_count(matches)))
	for i := range out {
		match := C.vsr_matches_match(matches, C.size_t(i))
		out[i] = Match{Label: textOf(match.label), Nearest: textOf(match.nearest),
			RunnerUp: textOf(match.runner_up), Score: float32(match.score),
			RunnerUpScore: float32(match.runner_up_score)}
	}
	return out
}

func nativeDescribeIntents(x *Intents) (string, error) {
	var json *C.vsr_string
	err := x.call(func(intents *C.vsr_intents, cError *C.vsr_error) C.vsr_status {
		return C.vsr_intents_describe(intents, &json, cError)
	})
	if err != nil {
		return "", err
	}
	return takeString(json), nil
}

func nativeSaveIntents(x *Intents, path string) error {
	var a arena
	defer a.free()
	cPath, err := a.name(path, "path")
	if err != nil {
		return err
	}
	return x.call(func(intents *C.vsr_intents, cError *C.vsr_error) C.vsr_status {
		return C.vsr_intents_save(intents, cPath, cError)
	})
}
