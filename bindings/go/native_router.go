//go:build cgo

package vsr

/*
#include <stdlib.h>
#include <vsr/vsr.h>
extern void vsrGoLog(int32_t level, vsr_str message, void *user_data);
*/
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

//export vsrGoLog
func vsrGoLog(level C.int32_t, message C.vsr_str, userData unsafe.Pointer) {
	log := (*(*cgo.Handle)(userData)).Value().(func(LogLevel, string))
	log(LogLevel(level), textOf(message))
}

func nativeOpenRouter(path string, options *RouterOptions) (*handle, error) {
	var a arena
	defer a.free()
	cPath, err := a.name(path, "configPath")
	if err != nil {
		return nil, err
	}
	c := C.vsr_router_options{struct_size: C.sizeof_vsr_router_options, lenient: cBool(options.Lenient),
		validate_models: cBool(options.ValidateModels)}
	c.own_models = cBool(options.Engine == nil)
	if options.Engine != nil {
		engine, done, err := options.Engine.use()
		if err != nil {
			return nil, err
		}
		defer done()
		c.engine = engine
	}
	var cell *cgo.Handle
	if options.Log != nil {
		// Lives as long as the router, in memory that C may keep.
		cell = (*cgo.Handle)(C.malloc(C.size_t(unsafe.Sizeof(cgo.Handle(0)))))
		*cell = cgo.NewHandle(options.Log)
		c.log, c.user_data = C.vsr_log_callback(C.vsrGoLog), unsafe.Pointer(cell)
	}
	freeLog := func() {
		if cell != nil {
			(*cell).Delete()
			C.free(unsafe.Pointer(cell))
		}
	}
	var router *C.vsr_router
	err = call(func(cError *C.vsr_error) C.vsr_status { return C.vsr_router_open(cPath, &c, &router, cError) })
	if err != nil {
		freeLog()
		return nil, err
	}
	return newHandle("router", unsafe.Pointer(router), func(p unsafe.Pointer) {
		C.vsr_router_free((*C.vsr_router)(p))
		freeLog()
	}), nil
}

// with runs a C call on the router while it is open.
func (r *Router) with(run func(router *C.vsr_router, a *arena) error) error {
	var h *handle
	if r != nil {
		h = r.handle
	}
	p, err := h.acquire()
	if err != nil {
		return err
	}
	defer h.release()
	var a arena
	defer a.free()
	return run((*C.vsr_router)(p), &a)
}

// with runs a C call on the decision, which must be one of Route or Decide.
func (d *Decision) with(run func(decision *C.vsr_decision) error) error {
	var h *handle
	if d != nil {
		h = d.handle
	}
	p, err := h.acquire()
	if err != nil {
		return err
	}
	defer h.release()
	return run((*C.vsr_decision)(p))
}

// fields copies names and values into arrays side by side.
func (a *arena) fields(values map[string]string, what string) (**C.char, *C.vsr_str, C.size_t, error) {
	names, texts := make([]string, 0, len(values)), make([]string, 0, len(values))
	for name, value := range values {
		names, texts = append(names, name), append(texts, value)
	}
	cNames, n, err := a.names(names, what)
	if err != nil {
		return nil, nil, 0, err
	}
	cTexts, _ := a.texts(texts)
	return cNames, cTexts, n, nil
}

// routeOptions lives in C memory whole, because it points to arrays of its own.
func (a *arena) routeOptions(options *RouteOptions) (*C.vsr_route_options, error) {
	c := (*C.vsr_route_options)(a.alloc(C.sizeof_vsr_route_options))
	*c = C.vsr_route_options{struct_size: C.sizeof_vsr_route_options, explain: cBool(options.Explain),
		evaluate_all: cBool(options.EvaluateAll)}
	err := a.optionals(optionalField{&c.user, options.User, "User"}, optionalField{&c.tenant, options.Tenant, "Tenant"})
	if err != nil {
		return nil, err
	}
	if c.groups, c.group_count, err = a.names(options.Groups, "Groups"); err != nil {
		return nil, err
	}
	if c.header_names, c.header_values, c.header_count, err = a.fields(options.Headers, "Headers"); err != nil {
		return nil, err
	}
	c.metadata_names, c.metadata_values, c.metadata_count, err = a.fields(options.Metadata, "Metadata")
	return c, err
}

func nativeRouteRequest(r *Router, request []byte, options *RouteOptions) (decision *Decision, err error) {
	limits, err := startLimits(options.Context)
	if err != nil {
		return nil, err
	}
	defer limits.end()
	err = r.with(func(router *C.vsr_router, a *arena) error {
		c, err := a.routeOptions(options)
		if err != nil {
			return err
		}
		c.deadline_ms, c.cancel = limits.deadline, limits.cancel
		var made *C.vsr_decision
		err = call(func(cError *C.vsr_error) C.vsr_status {
			return C.vsr_router_route(router, a.text(string(request)), c, &made, cError)
		})
		if err == nil {
			decision = decisionOf(made)
		}
		return err
	})
	return decision, err
}

func nativeDecide(r *Router, signals map[string]float64) (decision *Decision, err error) {
	err = r.with(func(router *C.vsr_router, a *arena) error {
		names, confidences := make([]string, 0, len(signals)), make([]C.double, 0, len(signals))
		for name, confidence := range signals {
			names, confidences = append(names, name), append(confidences, C.double(confidence))
		}
		cNames, n, err := a.names(names, "signal")
		if err != nil {
			return err
		}
		var made *C.vsr_decision
		err = call(func(cError *C.vsr_error) C.vsr_status {
			return C.vsr_router_decide(router, cNames, unsafe.SliceData(confidences), n, &made, cError)
		})
		if err == nil {
			decision = decisionOf(made)
		}
		return err
	})
	return decision, err
}

func bytesOf(text C.vsr_str) []byte {
	if text.size == 0 {
		return nil
	}
	return C.GoBytes(unsafe.Pointer(text.data), C.int(text.size))
}

func decisionOf(d *C.vsr_decision) *Decision {
	decision := &Decision{
		Outcome:     Outcome(C.vsr_decision_outcome(d)),
		Name:        textOf(C.vsr_decision_name(d)),
		Confidence:  float64(C.vsr_decision_confidence(d)),
		Model:       textOf(C.vsr_decision_model(d)),
		LoRA:        textOf(C.vsr_decision_lora(d)),
		Reasoning:   C.vsr_decision_reasoning(d) != 0,
		Effort:      textOf(C.vsr_decision_effort(d)),
		Request:     bytesOf(C.vsr_decision_request(d)),
		Response:    bytesOf(C.vsr_decision_response(d)),
		HeldBack:    bytesOf(C.vsr_decision_held_back(d)),
		Plan:        textOf(C.vsr_decision_plan(d)),
		Explanation: textOf(C.vsr_decision_explanation(d)),
		Answer:      answerPolicyOf(d),
		handle: newHandle("decision", unsafe.Pointer(d),
			func(p unsafe.Pointer) { C.vsr_decision_free((*C.vsr_decision)(p)) }),
	}
	for i := C.size_t(0); i < C.vsr_decision_signal_count(d); i++ {
		s := C.vsr_decision_signal(d, i)
		decision.Signals = append(decision.Signals, Signal{Name: textOf(s.name), Matched: s.matched != 0,
			Confidence: float64(s.confidence), Value: float64(s.value), Milliseconds: float64(s.duration_ms),
			Detail: textOf(s.detail)})
	}
	for i := C.size_t(0); i < C.vsr_decision_header_count(d); i++ {
		h := C.vsr_decision_header(d, i)
		change := HeaderChange{Name: textOf(h.name)}
		if h.value.data != nil {
			value := textOf(h.value)
			change.Value = &value
		}
		decision.Headers = append(decision.Headers, change)
	}
	return decision
}

func nativeStoreResponse(r *Router, decision *Decision, response []byte) error {
	return r.with(func(router *C.vsr_router, a *arena) error {
		return decision.with(func(d *C.vsr_decision) error {
			return call(func(cError *C.vsr_error) C.vsr_status {
				return C.vsr_router_store(router, d, a.text(string(response)), cError)
			})
		})
	})
}

func nativeFeedback(r *Router, decision *Decision, right bool) error {
	return r.with(func(router *C.vsr_router, _ *arena) error {
		return decision.with(func(d *C.vsr_decision) error {
			return call(func(cError *C.vsr_error) C.vsr_status {
				return C.vsr_router_feedback(router, d, cBool(right), cError)
			})
		})
	})
}

func nativeMeasure(r *Router, model string, measurement Measurement) error {
	ttft, tpot, inFlight := C.double(-1), C.double(-1), C.int64_t(-1)
	if measurement.TTFTMilliseconds != nil {
		ttft = C.double(*measurement.TTFTMilliseconds)
	}
	if measurement.TPOTMilliseconds != nil {
		tpot = C.double(*measurement.TPOTMilliseconds)
	}
	if measurement.InFlight != nil {
		inFlight = C.int64_t(*measurement.InFlight)
	}
	return r.with(func(router *C.vsr_router, a *arena) error {
		name, err := a.name(model, "model")
		if err != nil {
			return err
		}
		return call(func(cError *C.vsr_error) C.vsr_status {
			return C.vsr_router_measure(router, name, ttft, tpot, inFlight, cError)
		})
	})
}

func nativeReplay(r *Router) (text string, err error) {
	err = r.with(func(router *C.vsr_router, _ *arena) error {
		text, err = madeString(func(out **C.vsr_string, cError *C.vsr_error) C.vsr_status {
			return C.vsr_router_replay(router, out, cError)
		})
		return err
	})
	return text, err
}

func nativeReloadRouter(r *Router) error {
	return r.with(func(router *C.vsr_router, _ *arena) error {
		return call(func(cError *C.vsr_error) C.vsr_status { return C.vsr_router_reload(router, cError) })
	})
}

func nativeDescribeRouter(r *Router) (text string, err error) {
	err = r.with(func(router *C.vsr_router, _ *arena) error {
		text, err = madeString(func(out **C.vsr_string, cError *C.vsr_error) C.vsr_status {
			return C.vsr_router_describe(router, out, cError)
		})
		return err
	})
	return text, err
}

func nativeMetrics(r *Router) (text string, err error) {
	err = r.with(func(router *C.vsr_router, _ *arena) error {
		text, err = madeString(func(out **C.vsr_string, cError *C.vsr_error) C.vsr_status {
			return C.vsr_router_metrics(router, out, cError)
		})
		return err
	})
	return text, err
}

func nativeRouterSchema() (string, error) {
	return madeString(func(out **C.vsr_string, cError *C.vsr_error) C.vsr_status {
		return C.vsr_router_schema(out, cError)
	})
}

// madeString gives what a C call that makes a string made.
func madeString(run func(out **C.vsr_string, cError *C.vsr_error) C.vsr_status) (string, error) {
	var made *C.vsr_string
	if err := call(func(cError *C.vsr_error) C.vsr_status { return run(&made, cError) }); err != nil {
		return "", err
	}
	return takeString(made), nil
}
