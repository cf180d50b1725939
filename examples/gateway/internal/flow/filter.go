package flow

import (
	"errors"
	"strings"

	"gateway/internal/api"
	"gateway/internal/sse"
	"vsr"
)

// MaxStored is how long an answer may be that is kept for the cache.
const MaxStored = 1 << 20

// Head is how an upstream's answer begins.
type Head struct {
	Status          int
	ContentType     string
	ContentEncoding string
}

// ResponseFilter passes an answer through the mask and the guards of its request and keeps it for the cache. Bytes that come and leave
// are the same as long as no policy acts, however they are cut; of a stream only whole events leave.
type ResponseFilter struct {
	verdict *Verdict
	stages  stages
	framer  *sse.Framer // of streams
	success bool
	stream  bool
	kept    []byte // what left, for the cache
	tooLong bool
	summary Summary
	over    bool
}

// Summary is what came of an answer.
type Summary struct {
	api.Outcome                  // of answers up to MaxStored; longer ones do not count as complete
	Events      []vsr.GuardEvent // what the guard found
	Ended       bool             // the guard ended the answer
	Overloaded  bool             // some of it went unchecked
	Stored      bool             // it is in the cache
	Bytes       int64            // that left
}

// ErrUnguarded is of an answer that nobody could check, though its guard fails closed.
var ErrUnguarded = errors.New("the answer is in a form that the guard cannot read")

// ErrUnverified is of an answer that no fact can be held against, where the decision asks for such.
var ErrUnverified = errors.New("the answer cannot be held against any fact")

// Filter begins an answer. An error means that nothing of it may leave.
func (v *Verdict) Filter(head Head) (*ResponseFilter, error) {
	kind, _, _ := strings.Cut(strings.ToLower(head.ContentType), ";")
	kind = strings.TrimSpace(kind)
	f := &ResponseFilter{verdict: v, success: head.Status == 200, stream: kind == "text/event-stream"}
	plain := head.ContentEncoding == "" || strings.EqualFold(head.ContentEncoding, "identity")
	if f.stream && plain {
		f.framer = &sse.Framer{}
	}
	if !plain {
		f.success = false // neither to be read nor to be given again
	}
	if head.Status != 200 || !v.guarded() && v.mask == nil {
		return f, nil
	}
	if v.unverified() == "block" {
		return nil, ErrUnverified
	}
	format, readable := map[string]vsr.StreamFormat{"text/event-stream": vsr.StreamSSE, "application/json": vsr.StreamJSON,
		"text/plain": vsr.StreamText}[kind]
	if !readable || !plain {
		if v.closed() {
			return nil, ErrUnguarded
		}
		f.summary.Overloaded = v.guarded() // placeholders that stay give nothing away
		return f, nil
	}
	var err error
	f.stages, err = v.stages(format)
	return f, err
}

// Rewrites says whether bytes may change, so that a length that the upstream announced does not hold.
func (f *ResponseFilter) Rewrites() bool {
	return len(f.stages) > 0 && f.verdict.rewrites()
}

// Write takes the next bytes and gives those to send. After an error only Abort may follow.
func (f *ResponseFilter) Write(piece []byte) ([]byte, error) {
	if f.over {
		return nil, nil
	}
	piece, err := f.stages.feed(piece, f.took)
	if err != nil {
		return nil, err
	}
	return f.leave(piece), nil
}

// Tick has text go that was held for too long; call it now and then while an upstream is silent.
func (f *ResponseFilter) Tick() ([]byte, error) {
	if len(f.stages) == 0 {
		return nil, nil
	}
	return f.Write(nil)
}

func (f *ResponseFilter) took(step *vsr.GuardStep) {
	f.summary.Events = append(f.summary.Events, step.Events...)
	f.summary.Overloaded = f.summary.Overloaded || step.Overloaded
	f.summary.Ended = f.summary.Ended || step.Ended
}

// leave cuts at events and keeps what goes.
func (f *ResponseFilter) leave(piece []byte) []byte {
	if f.framer != nil {
		piece = f.framer.Write(piece)
	}
	if f.Ended() && f.framer != nil {
		piece = append(piece, f.framer.Finish()...)
	}
	return f.keep(piece)
}

func (f *ResponseFilter) keep(piece []byte) []byte {
	f.summary.Bytes += int64(len(piece))
	if len(f.kept)+len(piece) > MaxStored {
		f.tooLong, f.kept = true, nil
	}
	if !f.tooLong && f.success {
		f.kept = append(f.kept, piece...)
	}
	return piece
}

// Ended says that the guard ended the answer: cancel the upstream, and call Finish at once.
func (f *ResponseFilter) Ended() bool { return f.summary.Ended }

// Finish ends an answer: gives its last bytes and keeps it in the cache if it may be given again. A stream that ends
// without its end gets an event that says so.
func (f *ResponseFilter) Finish() ([]byte, error) {
	if f.over {
		return nil, nil
	}
	rest, err := f.stages.finish(f.took)
	if err != nil {
		return nil, err
	}
	f.over = true
	if f.framer != nil {
		rest = f.framer.Write(rest)
	}
	rest = f.keep(rest)
	var unfinished []byte
	torn := false
	if f.framer != nil {
		unfinished = f.framer.Finish()
		torn = f.framer.Break()
	}
	if f.success && !f.tooLong {
		f.summary.Outcome = api.Judge(f.verdict.Kind, f.stream, append(f.kept, unfinished...))
	}
	if f.summary.Cut && !f.summary.Ended {
		// Clients take a stream that just ends for a whole one.
		if torn {
			rest = append(rest, "\n\n"...)
		}
		return append(rest, api.ErrorEvent(f.verdict.Kind, "upstream_failed", "the answer ends before its end")...), nil
	}
	rest = append(rest, f.keep(unfinished)...)
	f.store()
	return rest, nil
}

func (f *ResponseFilter) store() {
	v := f.verdict
	// A stream for a request that asked for none, or the reverse, answers no later request.
	if !f.summary.Complete || v.fallback || f.stream != v.Stream || v.Outcome != vsr.OutcomeForward || v.flow == nil {
		return
	}
	// Placeholders are of one request.
	if v.mask != nil || len(f.summary.Events) > 0 || f.summary.Overloaded || f.summary.Ended {
		return
	}
	if err := v.flow.router.Store(v.Decision, wrapped(v.Kind, f.kept)); err != nil {
		v.flow.log.Warn("an answer was not kept", "error", err)
		return
	}
	f.summary.Stored = true
}

// Abort ends an answer that broke off: gives an event that says so, after which nothing may be sent. For an answer that
// is no stream there is no such event, and the connection has to be broken. Nothing is kept.
func (f *ResponseFilter) Abort(code, message string) []byte {
	if f.over {
		return nil
	}
	f.over, f.kept = true, nil
	if f.framer == nil {
		return nil
	}
	event := api.ErrorEvent(f.verdict.Kind, code, message)
	if f.framer.Break() {
		event = append([]byte("\n\n"), event...)
	}
	f.summary.Bytes += int64(len(event))
	return event
}

// Summary is what came of the answer so far.
func (f *ResponseFilter) Summary() Summary { return f.summary }

// Close frees the guards.
func (f *ResponseFilter) Close() { f.stages.close() }
