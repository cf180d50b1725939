//go:build cgo

package vsr

/*
#include <vsr/vsr.h>
*/
import "C"

import "unsafe"

func newEngineHandle(engine *C.vsr_engine) *handle {
	return newHandle("engine", unsafe.Pointer(engine), func(p unsafe.Pointer) { C.vsr_engine_free((*C.vsr_engine)(p)) })
}

func nothing() {}

// use gives the C engine, NULL for the default one, and what to call when done with it.
func (e *Engine) use() (*C.vsr_engine, func(), error) {
	if e != nil && e.isDefault {
		return nil, nothing, nil
	}
	var h *handle
	if e != nil {
		h = e.handle
	}
	p, err := h.acquire()
	if err != nil {
		return nil, nothing, err
	}
	return (*C.vsr_engine)(p), h.release, nil
}

// withEngine runs a C call on the engine while it is open, with memory for its arguments.
func withEngine[T any](e *Engine, run func(engine *C.vsr_engine, a *arena) (T, error)) (T, error) {
	engine, done, err := e.use()
	if err != nil {
		var none T
		return none, err
	}
	defer done()
	var a arena
	defer a.free()
	return run(engine, &a)
}

// with is withEngine for calls that give nothing.
func (e *Engine) with(run func(engine *C.vsr_engine, a *arena) error) error {
	_, err := withEngine(e, func(engine *C.vsr_engine, a *arena) (struct{}, error) { return struct{}{}, run(engine, a) })
	return err
}

func (a *arena) modelOptions(options *ModelOptions) (c C.vsr_model_options, err error) {
	c.struct_size = C.sizeof_vsr_model_options
	err = a.optionals(optionalField{&c.name, options.Name, "Name"}, optionalField{&c.path, options.Path, "Path"},
		optionalField{&c.dtype, options.DType, "DType"}, optionalField{&c.device, options.Device, "Device"})
	return c, err
}

// engineOptions lives in C memory whole, because it points to arrays of its own.
func (a *arena) engineOptions(options *EngineOptions) (*C.vsr_engine_options, error) {
	c := (*C.vsr_engine_options)(a.alloc(C.sizeof_vsr_engine_options))
	*c = C.vsr_engine_options{struct_size: C.sizeof_vsr_engine_options, thread_count: C.uint32_t(options.Threads),
		max_queued_calls: C.size_t(options.MaxQueuedCalls), max_queued_tokens: C.size_t(options.MaxQueuedTokens)}
	if err := a.optionals(optionalField{&c.config_path, options.ConfigPath, "ConfigPath"}); err != nil {
		return nil, err
	}
	adapters, nAdapters, err := a.adapters(options.Adapters)
	if err != nil {
		return nil, err
	}
	c.adapters, c.adapter_count = adapters, nAdapters
	n := len(options.Models)
	if n == 0 {
		return c, nil
	}
	structs := unsafe.Slice((*C.vsr_model_options)(a.alloc(uintptr(n)*C.sizeof_vsr_model_options)), n)
	pointers := unsafe.Slice((**C.vsr_model_options)(a.alloc(uintptr(n)*unsafe.Sizeof(uintptr(0)))), n)
	for i := range options.Models {
		model, err := a.modelOptions(&options.Models[i])
		if err != nil {
			return nil, err
		}
		structs[i] = model
		pointers[i] = &structs[i]
	}
	c.models = &pointers[0]
	c.model_count = C.size_t(n)
	return c, nil
}

func withEngineOptions(options *EngineOptions, f func(*C.vsr_engine_options, *C.vsr_error) C.vsr_status) error {
	var a arena
	defer a.free()
	c, err := a.engineOptions(options)
	if err != nil {
		return err
	}
	return call(func(cError *C.vsr_error) C.vsr_status { return f(c, cError) })
}

func nativeOpen(options *EngineOptions) (*handle, error) {
	var engine *C.vsr_engine
	err := withEngineOptions(options, func(c *C.vsr_engine_options, cError *C.vsr_error) C.vsr_status {
		return C.vsr_engine_open(c, &engine, cError)
	})
	if err != nil {
		return nil, err
	}
	return newEngineHandle(engine), nil
}

func nativeLoadModel(path string, options *ModelOptions) (*handle, error) {
	var a arena
	defer a.free()
	cPath, err := a.name(path, "path")
	if err != nil {
		return nil, err
	}
	cOptions, err := a.modelOptions(options)
	if err != nil {
		return nil, err
	}
	var engine *C.vsr_engine
	err = call(func(cError *C.vsr_error) C.vsr_status {
		return C.vsr_engine_open_model(cPath, &cOptions, &engine, cError)
	})
	if err != nil {
		return nil, err
	}
	return newEngineHandle(engine), nil
}

func nativeInit(options *EngineOptions) error {
	return withEngineOptions(options, func(c *C.vsr_engine_options, cError *C.vsr_error) C.vsr_status {
		return C.vsr_init(c, cError)
	})
}

func nativeReload(options *EngineOptions) error {
	return withEngineOptions(options, func(c *C.vsr_engine_options, cError *C.vsr_error) C.vsr_status {
		return C.vsr_reload(c, cError)
	})
}

func nativeShutdown() {
	if checkABI() == nil {
		C.vsr_shutdown()
	}
}

func nativeDescribe(e *Engine) (string, error) {
	engine, done, err := e.use()
	if err != nil {
		return "", err
	}
	defer done()
	var json *C.vsr_string
	err = call(func(cError *C.vsr_error) C.vsr_status { return C.vsr_engine_describe(engine, &json, cError) })
	if err != nil {
		return "", err
	}
	return takeString(json), nil
}
