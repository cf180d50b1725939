package proxy

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"gateway/internal/flow"
	"gateway/internal/upstream"
	"vsr"
)

// Headers of an upstream's connection, which are not the client's.
var notReturned = []string{"Keep-Alive", "Proxy-Authenticate", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
	"Set-Cookie", "X-Request-Id"}

// tick is how often held text is looked at while an upstream is silent.
const tick = 500 * time.Millisecond

type piece struct {
	bytes []byte
	err   error
}

// relay gives an upstream's answer to the client, piece by piece as it comes.
func (e *exchange) relay(model *upstream.Model, answer *upstreamAnswer) {
	defer answer.close()
	if e.verdict.Outcome == vsr.OutcomeForward && answer.StatusCode == 200 {
		e.measure(model)
	}
	filter, err := e.verdict.Filter(flow.Head{Status: answer.StatusCode, ContentType: answer.Header.Get("Content-Type"),
		ContentEncoding: answer.Header.Get("Content-Encoding")})
	if err != nil {
		e.log.Error("the answer cannot be guarded", "id", e.id, "error", err)
		e.refuse(502, "unguarded", "the answer could not be checked")
		return
	}
	defer filter.Close()
	e.copyHeaders(answer.Response, filter)
	stream := strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream")
	if stream {
		e.head(answer.StatusCode, "") // the client knows at once
	} else {
		e.status = 0
	}
	err = e.copy(answer, filter, stream)
	e.summary = filter.Summary()
	switch {
	case err == nil && e.summary.Cut:
		e.problem = "upstream_failed"
		e.metrics.broken.WithLabelValues("upstream").Inc()
	case err == nil && answer.StatusCode == 200:
		e.metrics.used(model, e.summary.Outcome)
	case errors.Is(err, errClientGone):
		e.problem = "cancelled"
		e.metrics.broken.WithLabelValues("client").Inc()
	case err != nil:
		e.broken(err, filter)
	}
}

// broken tells the client that the answer ends here, as well as that is still possible.
func (e *exchange) broken(err error, filter *flow.ResponseFilter) {
	e.log.Warn("an answer broke off", "id", e.id, "server", e.server, "error", err)
	e.metrics.broken.WithLabelValues("upstream").Inc()
	code, message := "upstream_failed", "the model's server broke off its answer"
	if errors.Is(err, errIdle) {
		code, message = "upstream_timeout", "the model's server fell silent"
	}
	e.problem = code
	event := filter.Abort(code, message)
	switch {
	case len(event) > 0:
		_ = e.send(event)
	case e.status == 0:
		for _, name := range []string{"Content-Length", "Content-Encoding", "Content-Type"} {
			e.writer.Header().Del(name)
		}
		e.refuse(502, code, message)
	default:
		panic(http.ErrAbortHandler) // half an answer must not look like a whole one
	}
}

// copy gives the pieces through the filter to the client. Everything is bounded: one piece is on its way at a time.
func (e *exchange) copy(answer *upstreamAnswer, filter *flow.ResponseFilter, stream bool) error {
	pieces := make(chan piece)
	stop := make(chan struct{})
	defer close(stop)
	if answer.ended {
		pieces = nil
	} else {
		go read(answer.Body, pieces, stop)
	}
	idle := time.NewTimer(e.limits.Idle())
	defer idle.Stop()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	next := piece{bytes: answer.first}
	if answer.ended {
		next.err = io.EOF
	}
	var total int64
	for {
		out, err := filter.Write(next.bytes)
		if err != nil {
			return err
		}
		if total += int64(len(next.bytes)); !stream && total > e.state.Limits.AnswerBytes {
			return errors.New("the answer is larger than limits.answer_bytes")
		}
		if err := e.pass(answer, out); err != nil {
			return err
		}
		if next.err == io.EOF || filter.Ended() {
			rest, err := filter.Finish()
			if err != nil {
				return err
			}
			if e.status == 0 {
				e.head(answer.StatusCode, "")
			}
			return e.pass(answer, rest)
		}
		if next.err != nil {
			return next.err
		}
		if next, err = e.wait(pieces, idle, ticker); err != nil {
			return err
		}
	}
}

// wait gives the next piece, or an empty one when it is time to look at held text.
func (e *exchange) wait(pieces <-chan piece, idle *time.Timer, ticker *time.Ticker) (piece, error) {
	select {
	case next := <-pieces:
		idle.Reset(e.limits.Idle())
		if next.err != nil && e.request.Context().Err() != nil {
			return next, errClientGone
		}
		return next, nil
	case <-ticker.C:
		return piece{}, nil
	case <-idle.C:
		return piece{}, errIdle
	case <-e.request.Context().Done():
		return piece{}, errClientGone
	}
}

func read(body io.Reader, pieces chan<- piece, stop <-chan struct{}) {
	for {
		buffer := make([]byte, pieceBytes)
		n, err := body.Read(buffer)
		select {
		case pieces <- piece{buffer[:n], err}:
		case <-stop:
			return
		}
		if err != nil {
			return
		}
	}
}

func (e *exchange) pass(answer *upstreamAnswer, bytes []byte) error {
	if len(bytes) == 0 {
		return nil
	}
	if e.status == 0 {
		e.head(answer.StatusCode, "")
	}
	return e.send(bytes)
}

// head sends the status and the headers.
func (e *exchange) head(status int, contentType string) {
	if contentType != "" {
		e.writer.Header().Set("Content-Type", contentType)
	}
	e.status = status
	e.writer.WriteHeader(status)
	_ = http.NewResponseController(e.writer).Flush()
}

// send gives bytes to the client, who may not take longer than client_idle_ms for them.
func (e *exchange) send(bytes []byte) error {
	control := http.NewResponseController(e.writer)
	_ = control.SetWriteDeadline(time.Now().Add(e.limits.ClientIdle()))
	if _, err := e.writer.Write(bytes); err != nil {
		return errClientGone
	}
	if err := control.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return errClientGone
	}
	return nil
}

func (e *exchange) copyHeaders(answer *http.Response, filter *flow.ResponseFilter) {
	upstream.DropHop(answer.Header)
	for _, name := range notReturned {
		answer.Header.Del(name)
	}
	// Where bytes may change, or an event may come after them, the length is not known.
	if filter.Rewrites() || strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		answer.Header.Del("Content-Length")
	}
	header := e.writer.Header()
	for name, values := range answer.Header {
		if !strings.HasPrefix(name, "X-Vsr-") {
			header[name] = values
		}
	}
}

func (e *exchange) measure(model *upstream.Model) {
	milliseconds := float64(e.firstByte.Microseconds()) / 1000
	inFlight := model.InFlight()
	err := e.state.Flow.Router().Measure(model.Name, vsr.Measurement{TTFTMilliseconds: &milliseconds, InFlight: &inFlight})
	if err != nil && !errors.Is(err, vsr.ErrNotFound) {
		e.log.LogAttrs(context.Background(), -4, "a measurement was not taken", errorOf(err))
	}
}
