package vsr

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// handle owns a C object. It is freed when it has been closed and the last call that uses it has returned, so Close
// needs no lock, may race with calls, and may even come from a Progress.
type handle struct {
	ptr    unsafe.Pointer
	free   func(unsafe.Pointer)
	kind   string // for messages
	refs   atomic.Int64
	closed atomic.Bool
}

// newHandle's caller must not share the handle beyond the object that close is called for by its finalizer.
func newHandle(kind string, ptr unsafe.Pointer, free func(unsafe.Pointer)) *handle {
	h := &handle{ptr: ptr, free: free, kind: kind}
	h.refs.Store(1)
	runtime.SetFinalizer(h, (*handle).close)
	return h
}

// acquire gives the C object, which lives until release.
func (h *handle) acquire() (unsafe.Pointer, error) {
	if h == nil {
		return nil, errorf(ErrInvalidArgument, "object is nil or was not made by this package's functions")
	}
	for !h.closed.Load() {
		refs := h.refs.Load()
		if refs == 0 {
			break
		}
		if h.refs.CompareAndSwap(refs, refs+1) {
			return h.ptr, nil
		}
	}
	return nil, errorf(ErrState, "%s is closed", h.kind)
}

func (h *handle) release() {
	if h.refs.Add(-1) == 0 {
		h.free(h.ptr)
	}
	runtime.KeepAlive(h)
}

func (h *handle) close() {
	if h != nil && h.closed.CompareAndSwap(false, true) {
		runtime.SetFinalizer(h, nil)
		h.release()
	}
}
