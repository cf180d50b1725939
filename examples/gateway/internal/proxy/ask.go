package proxy

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"gateway/internal/upstream"
)

var (
	errClientGone = errors.New("the client went away")
	errNoServer   = errors.New("no server is known")
	errSilent     = errors.New("the upstream did not begin to answer in time")
	errIdle       = errors.New("the upstream fell silent")
)

const pieceBytes = 32 << 10

// upstreamAnswer is an answer that has begun: its first bytes are there.
type upstreamAnswer struct {
	*http.Response
	server *upstream.Server
	first  []byte
	ended  bool                    // after first
	cancel context.CancelCauseFunc // ends the request
	end    func()
}

func (a *upstreamAnswer) close() {
	a.cancel(nil)
	_ = a.Body.Close()
	a.end()
}

// Statuses that another server may not give.
func worthAnother(status int) bool {
	return status == 429 || status == 502 || status == 503 || status == 504
}

// ask sends the request to servers of a model, one after the other, until one begins to answer. As long as nothing of an
// answer came, nothing is lost by asking another. What the last one says is the answer, be it an error.
func (e *exchange) ask(model *upstream.Model, name string) (*upstreamAnswer, error) {
	var tried []*upstream.Server
	var last error = errNoServer
	for i := 0; i <= model.Reliability.RetryCount(); i++ {
		server := model.Pick(tried, time.Now())
		if server == nil && i == 1 {
			server = tried[0] // the only one: once more
		}
		if server == nil {
			break
		}
		tried = append(tried, server)
		final := i == model.Reliability.RetryCount() || model.Pick(tried, time.Now()) == nil
		answer, err := e.attempt(model, server, name)
		switch {
		case err == nil && (final || !worthAnother(answer.StatusCode)):
			return answer, nil
		case err == nil:
			answer.close()
			continue
		case errors.Is(err, errClientGone):
			return nil, err
		}
		last = err
	}
	return nil, last
}

// attempt sends the request to one server and waits for the first bytes of the answer.
func (e *exchange) attempt(model *upstream.Model, server *upstream.Server, name string) (answer *upstreamAnswer, err error) {
	if name == "" {
		name = server.ModelID
	}
	body, err := e.verdict.BodyFor(name)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	ctx, span := e.tracer.Start(e.request.Context(), "upstream", trace.WithSpanKind(trace.SpanKindClient))
	defer span.End()
	span.SetAttributes(attribute.String("vsr.model", model.Name), attribute.String("server.address", server.URL.Host))
	ctx, cancel := context.WithCancelCause(ctx)
	end := server.Begin()
	e.attempts++
	e.server = server.URL.Host
	result := "answered"
	defer func() {
		if err != nil {
			cancel(nil)
			end()
			span.SetStatus(codes.Error, err.Error())
		}
		e.metrics.attempts.WithLabelValues(model.Name, result).Inc()
		if result != "cancelled" && server.Report(result == "answered", time.Now()) {
			e.log.Warn("a server is left out for a while", "model", model.Name, "server", server.URL.Host)
		}
	}()
	request, err := server.Request(ctx, http.MethodPost, e.request.URL.Path, e.request.Header, e.verdict.Headers, body)
	if err != nil {
		return nil, err
	}
	if query := e.request.URL.RawQuery; query != "" {
		request.URL.RawQuery = query
	}
	otel.GetTextMapPropagator().Inject(ctx, propagation.HeaderCarrier(request.Header))
	timer := time.AfterFunc(e.limits.FirstByte(), func() { cancel(errSilent) })
	response, err := e.client.Do(request)
	var first []byte
	if err == nil {
		first = make([]byte, pieceBytes)
		var n int
		n, err = io.ReadAtLeast(response.Body, first, 1)
		first = first[:n]
		answer = &upstreamAnswer{response, server, first, err == io.EOF, cancel, end}
		if err == io.EOF { // an answer without a body
			err = nil
		}
		if err != nil {
			_ = response.Body.Close()
		}
	}
	if !timer.Stop() && err == nil {
		_ = response.Body.Close()
		err = errSilent
	}
	if err != nil {
		result = "failed"
		switch {
		case e.request.Context().Err() != nil:
			result, err = "cancelled", errClientGone
		case errors.Is(context.Cause(ctx), errSilent):
			err = errSilent
		}
		return nil, err
	}
	if response.StatusCode >= 500 {
		result = "error"
	}
	e.firstByte = time.Since(began)
	e.metrics.firstByte.WithLabelValues(model.Name).Observe(e.firstByte.Seconds())
	return answer, nil
}
