//go:build cgo

package vsr

/*
#include <vsr/vsr.h>
extern int32_t vsrGoProgress(size_t done, size_t total, void *user_data);
*/
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// progressCall carries a Progress through the C callback, which must not unwind.
type progressCall struct {
	progress Progress
	panicked any
}

//export vsrGoProgress
func vsrGoProgress(done, total C.size_t, userData unsafe.Pointer) (stop C.int32_t) {
	c := (*(*cgo.Handle)(userData)).Value().(*progressCall)
	defer func() {
		if c.panicked = recover(); c.panicked != nil {
			stop = 1
		}
	}()
	if c.progress(int(done), int(total)) {
		return 1
	}
	return 0
}

// withProgress runs a C call that reports to progress, which may be nil.
func withProgress(progress Progress, a *arena, run func(C.vsr_progress_callback, unsafe.Pointer) error) error {
	if progress == nil {
		return run(nil, nil)
	}
	c := &progressCall{progress: progress}
	cell := (*cgo.Handle)(a.alloc(unsafe.Sizeof(cgo.Handle(0))))
	*cell = cgo.NewHandle(c)
	defer (*cell).Delete()
	err := run(C.vsr_progress_callback(C.vsrGoProgress), unsafe.Pointer(cell))
	if c.panicked != nil {
		panic(c.panicked)
	}
	return err
}
