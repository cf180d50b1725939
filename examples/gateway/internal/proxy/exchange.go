package proxy

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"gateway/internal/api"
	"gateway/internal/auth"
	"gateway/internal/flow"
)

// exchange is one request and its answer.
type exchange struct {
	*Gateway
	state   *State
	writer  http.ResponseWriter
	request *http.Request
	kind    api.Kind
	id      string
	caller  *auth.Caller
	began   time.Time
	verdict *flow.Verdict
	body    []byte

	status    int // 0: nothing was sent yet
	outcome   string
	server    string
	attempts  int
	firstByte time.Duration
	summary   flow.Summary
	problem   string // why the answer is not what the client wanted
	cost      float64
	paid      bool    // the answer's tokens are counted
	saved     float64 // that a cached answer would have cost
	shown     shown
}

// begin finds out who asks. nil: the answer is given already.
func (g *Gateway) begin(w http.ResponseWriter, r *http.Request, kind api.Kind, role string) (*exchange, func()) {
	e := &exchange{Gateway: g, writer: w, request: r, kind: kind, id: flow.NewID(), began: time.Now(), outcome: "refused"}
	w.Header().Set("X-Request-Id", e.id)
	var done func()
	e.state, done = g.configuration.Use()
	g.metrics.inFlight.Inc()
	entered := false
	end := func() {
		e.finish()
		g.metrics.inFlight.Dec()
		done()
		if entered {
			<-g.room
		}
	}
	if e.state == nil {
		e.refuse(503, "closing", "the gateway is closing")
		return nil, end
	}
	if e.caller = e.state.Keys.Of(r.Header.Get("Authorization"), r.Header.Get("X-Api-Key")); e.caller == nil {
		w.Header().Set("WWW-Authenticate", "Bearer")
		e.refuse(401, "invalid_api_key", "the key is missing or not known")
		return nil, end
	}
	if !e.caller.May(role) {
		e.refuse(403, "not_allowed", "this key may not do that")
		return nil, end
	}
	select {
	case g.room <- struct{}{}:
		entered = true
	default: // bodies take memory, and routing takes threads
		w.Header().Set("Retry-After", "1")
		e.refuse(503, "overloaded", "too many requests are being answered")
		return nil, end
	}
	var ok bool
	if e.body, ok = g.readBody(&recorder{w, &e.status}, r, kind); !ok {
		return nil, end
	}
	if role == auth.RoleInfer {
		e.show()
	}
	return e, end
}

func (e *exchange) refuse(status int, code, message string) {
	e.status, e.problem = status, code
	writeError(e.writer, e.kind, status, code, message)
}

// finish counts and logs.
func (e *exchange) finish() {
	kind := e.kind.String()
	if v := e.verdict; v != nil {
		e.outcome = v.OutcomeName()
		e.metrics.routing.Observe(v.RouteTime.Seconds())
		if v.Guard != "" {
			e.metrics.guarded(v.Guard, &e.summary)
		}
	}
	e.metrics.answered(kind, e.outcome, e.status, e.began)
	e.showEnd()
	level := slog.LevelInfo
	if e.status >= 500 || e.problem != "" && e.status == 200 {
		level = slog.LevelWarn
	}
	e.log.LogAttrs(context.Background(), level, "request", e.attributes()...)
}

func (e *exchange) attributes() []slog.Attr {
	list := []slog.Attr{slog.String("id", e.id), slog.String("path", e.request.URL.Path), slog.Int("status", e.status),
		slog.String("outcome", e.outcome), slog.Float64("ms", milliseconds(time.Since(e.began)))}
	text := func(name, value string) {
		if value != "" {
			list = append(list, slog.String(name, value))
		}
	}
	text("problem", e.problem)
	if e.caller != nil {
		text("key", e.caller.Name)
		text("tenant", e.caller.Tenant)
	}
	if v := e.verdict; v != nil {
		list = append(list, slog.Float64("route_ms", milliseconds(v.RouteTime)), slog.Bool("stream", v.Stream))
		text("requested", v.RequestedModel())
		text("model", v.Model)
		text("cache", v.Cache)
		text("guard", v.Guard)
		text("signals", strings.Join(v.Signals(), ","))
		if v.Decision != nil {
			text("decision", v.Decision.Name)
		}
		// What is wrong with a request may quote it.
		if v.Err != nil && (v.Status >= 500 || e.state.LogPrompts) {
			text("error", v.Err.Error())
		}
	}
	if e.attempts > 0 {
		text("server", e.server)
		list = append(list, slog.Int("attempts", e.attempts), slog.Float64("first_byte_ms", milliseconds(e.firstByte)),
			slog.Int64("bytes", e.summary.Bytes), slog.Bool("stored", e.summary.Stored))
	}
	if len(e.summary.Events) > 0 || e.summary.Overloaded {
		list = append(list, slog.Int("guard_events", len(e.summary.Events)), slog.Bool("unchecked", e.summary.Overloaded),
			slog.Bool("ended", e.summary.Ended))
	}
	if e.state != nil && e.state.LogPrompts {
		text("body", string(e.body[:min(len(e.body), 4096)]))
	}
	return list
}

// headersOf are a request's headers for the router, without credentials.
func headersOf(header http.Header) map[string]string {
	headers := make(map[string]string, len(header))
	for name, values := range header {
		switch name {
		case "Authorization", "X-Api-Key", "Cookie", "Proxy-Authorization":
		default:
			headers[strings.ToLower(name)] = strings.Join(values, ", ")
		}
	}
	return headers
}

// recorder notes the status that is sent.
type recorder struct {
	http.ResponseWriter
	status *int
}

func (r *recorder) WriteHeader(status int) {
	*r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
