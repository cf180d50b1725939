//go:build cgo

package vsr

// #include <vsr/vsr.h>
import "C"

import (
	"context"
	"unsafe"
)

// callControl is how a running call ends early and tells how far it is, as the C options take it.
type callControl struct {
	limits   *callLimits
	progress C.vsr_progress_callback
	userData unsafe.Pointer
}

func (c callControl) fields() (C.int64_t, *C.vsr_cancel, C.vsr_progress_callback, unsafe.Pointer) {
	return c.limits.deadline, c.limits.cancel, c.progress, c.userData
}

// withControl runs a C call under ctx that reports to progress; both may be nil.
func withControl(ctx context.Context, progress Progress, a *arena, run func(callControl) error) error {
	limits, err := startLimits(ctx)
	if err != nil {
		return err
	}
	defer limits.end()
	return withProgress(progress, a, func(report C.vsr_progress_callback, userData unsafe.Pointer) error {
		return run(callControl{limits, report, userData})
	})
}
