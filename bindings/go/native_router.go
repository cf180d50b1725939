//go:build cgo

package vsr

/*
#include <stdlib.h>
#include <vsr/vsr.h>
extern void vsrGoLog(int32_t level, char *message, void *user_data);
*/
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// The numbers of router.go and the header's are the same, or this does not compile.
var _ = map[bool]int{
	false: 0,
	LogInfo == C.VSR_LOG_INFO && LogWarning == C.VSR_LOG_WARNING && LogError == C.VSR_LOG_ERROR &&
		OutcomeForward == C.VSR_OUTCOME_FORWARD && OutcomeRespond == C.VSR_OUTCOME_RESPOND &&
		OutcomeCached == C.VSR_OUTCOME_CACHED && OutcomePassthrough == C.VSR_OUTCOME_PASSTHROUGH: 1,
}

//export vsrGoLog
func vsrGoLog(level C.int32_t, message *C.char, userData unsafe.Pointer) {
	log := (*(*cgo.Handle)(userData)).Value().(func(LogLevel, string))
	log(LogLevel(level), C.GoString(message))
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
		c.log, c.user_data = C.vsr_log(C.vsrGoLog), unsafe.Pointer(cell)
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

func (a *arena) fields(values map[string]string, what string) (*C.vsr_field, C.size_t, error) {
	if len(values) == 0 {
		return nil, 0, nil
	}
	fields := unsafe.Slice((*C.vsr_field)(a.alloc(uintptr(len(values))*C.sizeof_vsr_field)), len(values))
	i := 0
	for name, value := range values {
		cName, err := a.name(name, what)
		if err != nil {
			return nil, 0, err
		}
		fields[i] = C.vsr_field{name: cName, value: a.text(value)}
		i++
	}
	return &fields[0], C.size_t(len(values)), nil
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
	if c.groups, c.n_groups, err = a.names(options.Groups, "Groups"); err != nil {
		return nil, err
	}
	if c.headers, c.n_headers, err = a.fields(options.Headers, "Headers"); err != nil {
		return nil, err
	}
	c.metadata, c.n_metadata, err = a.fields(options.Metadata, "Metadata")
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
		var given *C.vsr_given_signal
		if len(signals) > 0 {
			array := unsafe.Slice(
				(*C.vsr_given_signal)(a.alloc(uintptr(len(signals))*C.sizeof_vsr_given_signal)), len(signals))
			i := 0
			for name, confidence := range signals {
				cName, err := a.name(name, "signal")
				if err != nil {
					return err
				}
				array[i] = C.vsr_given_signal{name: cName, confidence: C.double(confidence)}
				i++
			}
			given = &array[0]
		}
		var made *C.vsr_decision
		err := call(func(cError *C.vsr_error) C.vsr_status {
			return C.vsr_router_decide(router, given, C.size_t(len(signals)), &made, cError)
		})
		if err == nil {
			decision = decisionOf(made)
		}
		return err
	})
	return decision, err
}

func bytesOf(text C.vsr_str) []byte {
	if text.len == 0 {
		return nil
	}
	return C.GoBytes(unsafe.Pointer(text.data), C.int(text.len))
}

func decisionOf(d *C.vsr_decision) *Decision {
	decision := &Decision{
		Outcome:     Outcome(C.vsr_decision_outcome(d)),
		Name:        C.GoString(C.vsr_decision_name(d)),
		Confidence:  float64(C.vsr_decision_confidence(d)),
		Model:       C.GoString(C.vsr_decision_model(d)),
		LoRA:        C.GoString(C.vsr_decision_lora(d)),
		Reasoning:   C.vsr_decision_reasoning(d) != 0,
		Effort:      C.GoString(C.vsr_decision_effort(d)),
		Request:     bytesOf(C.vsr_decision_request(d)),
		Response:    bytesOf(C.vsr_decision_response(d)),
		HeldBack:    bytesOf(C.vsr_decision_held_back(d)),
		Explanation: C.GoString(C.vsr_decision_explanation(d)),
		handle: newHandle("decision", unsafe.Pointer(d),
			func(p unsafe.Pointer) { C.vsr_decision_free((*C.vsr_decision)(p)) }),
	}
	for i := C.size_t(0); i < C.vsr_decision_signal_count(d); i++ {
		s := C.vsr_decision_signal(d, i)
		decision.Signals = append(decision.Signals, Signal{Name: C.GoString(s.name), Matched: s.matched != 0,
			Confidence: float64(s.confidence), Value: float64(s.value), Milliseconds: float64(s.milliseconds),
			Detail: C.GoString(s.detail)})
	}
	for i := C.size_t(0); i < C.vsr_decision_header_count(d); i++ {
		h := C.vsr_decision_header(d, i)
		change := HeaderChange{Name: C.GoString(h.name)}
		if h.value != nil {
			value := C.GoString(h.value)
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
