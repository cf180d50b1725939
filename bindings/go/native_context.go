//go:build cgo

package vsr

// #include <vsr/vsr.h>
import "C"

import (
	"context"
	"errors"
	"time"
)

// callLimits carries a Context to the C call that it ends.
type callLimits struct {
	deadline C.int64_t
	cancel   *C.vsr_cancel
	stop     func() bool
	stopped  chan struct{} // closed when nothing will touch cancel any more
}

// startLimits takes nil for a call without end. A Context that is done already ends the call with its own reason.
func startLimits(ctx context.Context) (*callLimits, error) {
	l := &callLimits{}
	if ctx == nil {
		return l, nil
	}
	if deadline, set := ctx.Deadline(); set {
		// Rounded up, and never 0, which would be no deadline.
		l.deadline = C.int64_t(time.Until(deadline)/time.Millisecond) + 1
		if l.deadline <= 0 {
			l.deadline = -1
		}
	}
	if ctx.Done() == nil {
		return l, nil
	}
	if err := call(func(cError *C.vsr_error) C.vsr_status { return C.vsr_cancel_create(&l.cancel, cError) }); err != nil {
		return nil, err
	}
	trigger := func() {
		// The library itself looks at the deadline.
		if err := ctx.Err(); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			C.vsr_cancel_trigger(l.cancel)
		}
	}
	trigger() // AfterFunc would do it on another goroutine, after the call perhaps
	l.stopped = make(chan struct{})
	l.stop = context.AfterFunc(ctx, func() {
		defer close(l.stopped)
		trigger()
	})
	return l, nil
}

func (l *callLimits) end() {
	if l.cancel == nil {
		return
	}
	if !l.stop() {
		<-l.stopped
	}
	C.vsr_cancel_free(l.cancel)
}
