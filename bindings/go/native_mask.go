//go:build cgo

package vsr

/*
#include <vsr/vsr.h>
*/
import "C"

import (
	"errors"
	"unsafe"
)

func madeMask(run func(mask **C.vsr_mask, cError *C.vsr_error) C.vsr_status) (*handle, error) {
	var mask *C.vsr_mask
	if err := call(func(cError *C.vsr_error) C.vsr_status { return run(&mask, cError) }); err != nil {
		return nil, err
	}
	return newHandle("mask", unsafe.Pointer(mask),
		func(p unsafe.Pointer) { C.vsr_mask_free((*C.vsr_mask)(p)) }), nil
}

func nativeNewMask(e *Engine, options *MaskOptions) (*handle, error) {
	create := func(engine *C.vsr_engine, a *arena) (*handle, error) {
		c := C.vsr_mask_options{
			struct_size:     C.sizeof_vsr_mask_options,
			fail_on_unknown: cBool(options.FailOnUnknown),
			threshold:       C.float(options.Threshold),
		}
		if options.Key != "" {
			c.key = a.text(options.Key)
		}
		if options.Tenant != "" {
			c.tenant = a.text(options.Tenant)
		}
		if err := a.optionals(optionalField{&c.pii_task, options.PIITask, "PIITask"}); err != nil {
			return nil, err
		}
		types, n, err := a.names(options.Types, "Types")
		if err != nil {
			return nil, err
		}
		c.types, c.type_count = types, n
		return madeMask(func(mask **C.vsr_mask, cError *C.vsr_error) C.vsr_status {
			return C.vsr_mask_create(engine, &c, mask, cError)
		})
	}
	if e != nil {
		return withEngine(e, create)
	}
	var a arena
	defer a.free()
	return create(nil, &a)
}

// Nil and no error: the request was not masked.
func nativeDecisionMask(decision *Decision) (mask *handle, err error) {
	err = decision.with(func(d *C.vsr_decision) error {
		mask, err = madeMask(func(out **C.vsr_mask, cError *C.vsr_error) C.vsr_status {
			return C.vsr_decision_mask(d, out, cError)
		})
		var failed *Error
		if errors.As(err, &failed) && failed.Code == ErrState {
			return nil
		}
		return err
	})
	return mask, err
}

func (m *Mask) with(run func(mask *C.vsr_mask, a *arena) error) error {
	var h *handle
	if m != nil {
		h = m.handle
	}
	p, err := h.acquire()
	if err != nil {
		return err
	}
	defer h.release()
	var a arena
	defer a.free()
	return run((*C.vsr_mask)(p), &a)
}

func nativeMaskText(m *Mask, text string) (masked string, err error) {
	err = m.with(func(mask *C.vsr_mask, a *arena) error {
		given := a.text(text)
		masked, err = madeString(func(out **C.vsr_string, cError *C.vsr_error) C.vsr_status {
			return C.vsr_mask_text(mask, given, 0, nil, out, cError)
		})
		return err
	})
	return masked, err
}

func nativeMaskRequest(m *Mask, request string) (masked string, err error) {
	err = m.with(func(mask *C.vsr_mask, a *arena) error {
		given := a.text(request)
		masked, err = madeString(func(out **C.vsr_string, cError *C.vsr_error) C.vsr_status {
			return C.vsr_mask_request(mask, given, 0, nil, out, cError)
		})
		return err
	})
	return masked, err
}

func nativeMaskRestore(m *Mask, text string) (restored string, err error) {
	err = m.with(func(mask *C.vsr_mask, a *arena) error {
		given := a.text(text)
		restored, err = madeString(func(out **C.vsr_string, cError *C.vsr_error) C.vsr_status {
			return C.vsr_mask_restore(mask, given, out, cError)
		})
		return err
	})
	return restored, err
}

func nativeMaskStream(m *Mask, format StreamFormat) (guard *handle, err error) {
	err = m.with(func(mask *C.vsr_mask, _ *arena) error {
		guard, err = madeGuard(func(out **C.vsr_guard, cError *C.vsr_error) C.vsr_status {
			return C.vsr_mask_stream(mask, C.int32_t(format), out, cError)
		})
		return err
	})
	return guard, err
}

func nativeMaskDescribe(m *Mask) (text string, err error) {
	err = m.with(func(mask *C.vsr_mask, _ *arena) error {
		text, err = madeString(func(out **C.vsr_string, cError *C.vsr_error) C.vsr_status {
			return C.vsr_mask_describe(mask, out, cError)
		})
		return err
	})
	return text, err
}
