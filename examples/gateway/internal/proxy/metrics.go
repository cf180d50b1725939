package proxy

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"

	"gateway/internal/api"
	"gateway/internal/flow"
	"gateway/internal/upstream"
)

// Metrics are those of the gateway; the router has its own.
type Metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	seconds   *prometheus.HistogramVec
	firstByte *prometheus.HistogramVec
	routing   prometheus.Histogram
	attempts  *prometheus.CounterVec
	tokens    *prometheus.CounterVec
	cost      *prometheus.CounterVec
	saved     *prometheus.CounterVec
	events    *prometheus.CounterVec
	ended     *prometheus.CounterVec
	broken    *prometheus.CounterVec
	reloads   *prometheus.CounterVec
	inFlight  prometheus.Gauge
	deciding  prometheus.Gauge
}

// NewMetrics makes all counters at 0.
func NewMetrics() *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		made := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "vsr_gateway_" + name, Help: help}, labels)
		m.registry.MustRegister(made)
		return made
	}
	histogram := func(name, help string, labels ...string) *prometheus.HistogramVec {
		made := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "vsr_gateway_" + name, Help: help,
			Buckets: prometheus.ExponentialBuckets(0.0005, 2.5, 15)}, labels)
		m.registry.MustRegister(made)
		return made
	}
	m.requests = counter("requests_total", "Requests by what became of them.", "api", "outcome", "status")
	m.seconds = histogram("request_seconds", "From a request's first byte to the last of its answer.", "api", "outcome")
	m.firstByte = histogram("upstream_first_byte_seconds", "Until an upstream's first byte.", "model")
	m.routing = prometheus.NewHistogram(prometheus.HistogramOpts{Name: "vsr_gateway_route_seconds",
		Help: "Time of deciding.", Buckets: prometheus.ExponentialBuckets(0.00005, 2.5, 15)})
	m.attempts = counter("upstream_attempts_total", "Requests to upstreams by how they went.", "model", "result")
	m.tokens = counter("tokens_total", "Tokens as the upstreams count them.", "model", "kind")
	m.cost = counter("cost_total", "What these tokens cost, in the currency of the router's file.", "model")
	m.saved = counter("cost_saved_total", "What cached answers would have cost.", "model")
	m.events = counter("guard_events_total", "What guards found.", "guard", "kind")
	m.ended = counter("guard_ended_total", "Answers that a guard ended.", "guard")
	m.broken = counter("broken_answers_total", "Answers that broke off, by whose doing.", "by")
	m.reloads = counter("reloads_total", "Times that the configuration was loaded again.", "result")
	m.inFlight = prometheus.NewGauge(prometheus.GaugeOpts{Name: "vsr_gateway_in_flight", Help: "Requests being answered."})
	m.deciding = prometheus.NewGauge(prometheus.GaugeOpts{Name: "vsr_gateway_deciding",
		Help: "Requests that wait for their decision: the depth of the queue."})
	m.registry.MustRegister(m.routing, m.inFlight, m.deciding, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Decide is the flow's, counted while it lasts.
func (m *Metrics) Decide(ctx context.Context, f *flow.Flow, request *flow.Request) *flow.Verdict {
	m.deciding.Inc()
	defer m.deciding.Dec()
	return f.Decide(ctx, request)
}

// Began counts a request that comes in by another door than Gateway, and Ended its end.
func (m *Metrics) Began() { m.inFlight.Inc() }

// Ended is of a request that Began.
func (m *Metrics) Ended(kind, outcome string, status int, began time.Time) {
	m.inFlight.Dec()
	m.answered(kind, outcome, status, began)
}

func (m *Metrics) answered(kind, outcome string, status int, began time.Time) {
	m.requests.WithLabelValues(kind, outcome, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(kind, outcome).Observe(time.Since(began).Seconds())
}

// used counts the tokens of an answer, and says what they cost.
func (m *Metrics) used(model *upstream.Model, outcome api.Outcome) {
	if outcome.PromptTokens+outcome.OutputTokens == 0 {
		return
	}
	m.tokens.WithLabelValues(model.Name, "prompt").Add(float64(outcome.PromptTokens))
	m.tokens.WithLabelValues(model.Name, "completion").Add(float64(outcome.OutputTokens))
	m.cost.WithLabelValues(model.Name).Add(costOf(model, outcome))
}

func costOf(model *upstream.Model, outcome api.Outcome) float64 {
	return (float64(outcome.PromptTokens)*model.Pricing.Prompt + float64(outcome.OutputTokens)*model.Pricing.Completion) / 1e6
}

func (m *Metrics) guarded(name string, summary *flow.Summary) {
	for _, event := range summary.Events {
		m.events.WithLabelValues(name, event.Kind.String()).Inc()
	}
	if summary.Ended {
		m.ended.WithLabelValues(name).Inc()
	}
}

// text is all metrics, the router's after the gateway's, as OpenMetrics.
func (m *Metrics) text(state *State) ([]byte, error) {
	families, err := m.registry.Gather()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, family := range families {
		if _, err := expfmt.MetricFamilyToOpenMetrics(&out, family); err != nil {
			return nil, err
		}
	}
	routers := "# EOF\n"
	if state != nil {
		if routers, err = state.Flow.Router().Metrics(); err != nil {
			return nil, err
		}
	}
	out.WriteString(routers)
	return out.Bytes(), nil
}

func (g *Gateway) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	state, done := g.configuration.Use()
	defer done()
	text, err := g.metrics.text(state)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/openmetrics-text; version=1.0.0; charset=utf-8")
	_, _ = w.Write(text)
}
