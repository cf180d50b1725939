//go:build cgo

package vsr

/*
#include <vsr/vsr.h>
*/
import "C"

import "unsafe"

func (a *arena) adapterOptions(options *AdapterOptions) (c C.vsr_adapter_options, err error) {
	c.struct_size = C.sizeof_vsr_adapter_options
	err = a.optionals(optionalField{&c.name, options.Name, "Name"}, optionalField{&c.path, options.Path, "Path"},
		optionalField{&c.model, options.Model, "Model"})
	return c, err
}

// adapters is an array of pointers as engine options hold it.
func (a *arena) adapters(all []AdapterOptions) (**C.vsr_adapter_options, C.size_t, error) {
	n := len(all)
	if n == 0 {
		return nil, 0, nil
	}
	structs := unsafe.Slice((*C.vsr_adapter_options)(a.alloc(uintptr(n)*C.sizeof_vsr_adapter_options)), n)
	pointers := unsafe.Slice((**C.vsr_adapter_options)(a.alloc(uintptr(n)*unsafe.Sizeof(uintptr(0)))), n)
	for i := range all {
		adapter, err := a.adapterOptions(&all[i])
		if err != nil {
			return nil, 0, err
		}
		structs[i] = adapter
		pointers[i] = &structs[i]
	}
	return &pointers[0], C.size_t(n), nil
}

func nativeLoadAdapter(e *Engine, options *AdapterOptions, replace bool) error {
	return e.with(func(engine *C.vsr_engine, a *arena) error {
		c, err := a.adapterOptions(options)
		if err != nil {
			return err
		}
		return call(func(cError *C.vsr_error) C.vsr_status {
			return C.vsr_engine_load_adapter(engine, &c, cBool(replace), cError)
		})
	})
}

func nativeUnloadAdapter(e *Engine, name string) error {
	return e.with(func(engine *C.vsr_engine, a *arena) error {
		cName, err := a.name(name, "name")
		if err != nil {
			return err
		}
		return call(func(cError *C.vsr_error) C.vsr_status { return C.vsr_engine_unload_adapter(engine, cName, cError) })
	})
}

func nativeMergeAdapter(e *Engine, options *AdapterOptions, outputPath string) error {
	return e.with(func(engine *C.vsr_engine, a *arena) error {
		c, err := a.adapterOptions(options)
		if err != nil {
			return err
		}
		output, err := a.name(outputPath, "outputPath")
		if err != nil {
			return err
		}
		return call(func(cError *C.vsr_error) C.vsr_status { return C.vsr_engine_merge_adapter(engine, &c, output, cError) })
	})
}
