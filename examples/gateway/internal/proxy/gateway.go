package proxy

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"gateway/internal/api"
	"gateway/internal/config"
	"gateway/internal/live"
	"gateway/internal/upstream"
)

// Gateway answers requests.
type Gateway struct {
	configuration *Configuration
	metrics       *Metrics
	log           *slog.Logger
	limits        config.Limits
	client        *http.Client
	tracer        trace.Tracer
	leaving       atomic.Bool   // no new requests, please
	room          chan struct{} // has an element for each request that is being answered
	board         *live.Board   // nil: there is no live page
}

// New makes a gateway over an open configuration, whose limits hold for as long as it runs.
func New(configuration *Configuration, metrics *Metrics, log *slog.Logger) *Gateway {
	state := configuration.state.Load()
	limits := state.Limits
	g := &Gateway{configuration: configuration, metrics: metrics, log: log, limits: limits,
		client: upstream.NewClient(limits), tracer: otel.Tracer("vsr/gateway"), room: make(chan struct{}, limits.Requests)}
	if state.Live.Enabled {
		g.board = live.NewBoard(state.Live.Entries)
		configuration.onTextsOff = g.board.ForgetTexts
	}
	return g
}

// Handler is everything but /metrics and the live page where those have an address of their own.
func (g *Gateway) Handler(withMetrics bool) http.Handler {
	mux := http.NewServeMux()
	for _, path := range []string{"/v1/chat/completions", "/v1/completions", "/v1/responses", "/v1/messages"} {
		mux.HandleFunc("POST "+path, g.infer)
	}
	mux.HandleFunc("POST /v1/embeddings", g.embed)
	mux.HandleFunc("POST /v1/explain", g.explain)
	mux.HandleFunc("GET /v1/models", g.models)
	mux.HandleFunc("GET /v1/models/{name...}", g.models)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", g.ready)
	if withMetrics {
		mux.HandleFunc("GET /metrics", g.serveMetrics)
		g.addLive(mux)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		kind, known := api.KindOf(r.URL.Path)
		if known {
			writeError(w, kind, 405, "method_not_allowed", "only POST is possible here")
			return
		}
		writeError(w, kind, 404, "not_found", "no such path")
	})
	return g.framed(mux)
}

// framed gives each request a span, and its connection deadlines of its own: none of its last answer, and one for a body
// that nobody reads, which the server waits for when an answer comes before it.
func (g *Gateway) framed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		_ = control.SetWriteDeadline(time.Time{})
		_ = control.SetReadDeadline(time.Now().Add(g.limits.ClientIdle()))
		ctx := otel.GetTextMapPropagator().Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, span := g.tracer.Start(ctx, r.Method+" "+r.URL.Path, trace.WithSpanKind(trace.SpanKindServer))
		defer span.End()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// MetricsHandler is /metrics and the live page, with the two paths that its own tries ask.
func (g *Gateway) MetricsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", g.serveMetrics)
	if g.board != nil {
		g.addLive(mux)
		mux.HandleFunc("POST /v1/explain", g.explain)
		mux.HandleFunc("POST /v1/chat/completions", g.infer)
	}
	return g.framed(mux)
}

func (g *Gateway) ready(w http.ResponseWriter, _ *http.Request) {
	if g.leaving.Load() {
		http.Error(w, "leaving", http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("ready\n"))
}

// Serve answers on a listener until the context ends, and then lets answers in flight finish.
func (g *Gateway) Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: g.limits.ClientIdle(), IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: g.limits.HeaderBytes, ErrorLog: slog.NewLogLogger(g.log.Handler(), slog.LevelDebug)}
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		g.leaving.Store(true)
		if g.board != nil {
			g.board.Close() // who watches would be waited for
		}
		left, cancel := context.WithTimeout(context.Background(), g.limits.Shutdown())
		defer cancel()
		err := server.Shutdown(left)
		if err != nil {
			err = errors.Join(err, server.Close())
		}
		stopped <- err
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

func writeError(w http.ResponseWriter, kind api.Kind, status int, code, message string) {
	writeJSON(w, status, api.ErrorBody(kind, status, code, message))
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
