package vsr

import "context"

// LogLevel says how much a line of a router's log matters.
type LogLevel int

// The numbers are those of vsr/router.h.
const (
	LogInfo    LogLevel = 1
	LogWarning LogLevel = 2
	LogError   LogLevel = 3
)

// RouterOptions: see vsr_router_options.
type RouterOptions struct {
	Lenient bool    // skip what the file uses and vsr does not run, and list it; else that is an error
	Engine  *Engine // answers signals that need a model; nil: the models of the config, loaded when first needed
	Log     func(level LogLevel, message string)
	// Load the models, adapters and cache now, and ask each signal that a rule needs about a short text; else that
	// happens when a request first needs them.
	ValidateModels bool
}

// Router decides which model should answer a chat request; see vsr_router. Its methods may run in parallel.
type Router struct{ handle *handle }

// NewRouter reads and checks a config file; it loads no model unless ValidateModels says so. nil options are defaults.
func NewRouter(configPath string, options *RouterOptions) (*Router, error) {
	if options == nil {
		options = &RouterOptions{}
	}
	h, err := nativeOpenRouter(configPath, options)
	if err != nil {
		return nil, err
	}
	return &Router{h}, nil
}

// Close frees the router when the calls on it have returned. Closing twice is fine.
func (r *Router) Close() {
	if r != nil {
		r.handle.close()
	}
}

// Reload reads the router's file again and routes by it from then on; a broken file is an error, and the router goes on as
// before. See vsr_router_reload.
func (r *Router) Reload() error { return nativeReloadRouter(r) }

// RouteOptions says who asks, and what the gateway knows besides the request; see vsr_route_options.
type RouteOptions struct {
	Context     context.Context // its end and its deadline are the call's; nil: none
	Explain     bool            // fill Decision.Explanation
	EvaluateAll bool            // also evaluate signals that cannot change the outcome
	User        string
	Tenant      string // tenants never share cached answers
	Groups      []string
	Headers     map[string]string
	Metadata    map[string]string
}

// Outcome says what the gateway should do.
type Outcome int

// The numbers are those of vsr/router.h.
const (
	OutcomeNone        Outcome = 0
	OutcomeForward     Outcome = 1 // send Decision.Request to Decision.Model
	OutcomeRespond     Outcome = 2 // answer with Decision.Response: the decision has an answer of its own
	OutcomeCached      Outcome = 3 // answer with Decision.Response: from the response cache
	OutcomePassthrough Outcome = 4 // the request names its model: send it as it is
)

// Signal is what a signal said of a request; see vsr_signal.
type Signal struct {
	Name         string // "type:name"
	Matched      bool
	Confidence   float64
	Value        float64 // what was measured, in the signal's own unit
	Milliseconds float64
	Detail       string
}

// HeaderChange is a change of the request's headers.
type HeaderChange struct {
	Name  string
	Value *string // nil: remove the header
}

// Decision says where a request goes; see vsr_decision. It must be made by Route or Decide to be stored or judged.
type Decision struct {
	Outcome     Outcome
	Name        string // empty: no decision matched
	Confidence  float64
	Model       string
	LoRA        string
	Reasoning   bool
	Effort      string
	Request     []byte // rewritten; nil after Decide
	Response    []byte
	HeldBack    []byte // the cached answer that was not given, because too little is known of such matches
	Plan        string // JSON, what the gateway does besides one call to Model; empty: nothing
	Explanation string // JSON; empty unless asked for
	Signals     []Signal
	Headers     []HeaderChange
	Answer      *AnswerPolicy // what is asked of the answer; nil: nothing
	handle      *handle
}

// Route decides where a request goes, and rewrites it. A request is an OpenAI chat request as JSON, or plain text.
func (r *Router) Route(request []byte, options *RouteOptions) (*Decision, error) {
	if options == nil {
		options = &RouteOptions{}
	}
	return nativeRouteRequest(r, request, options)
}

// Decide is the decision engine alone: what follows from confidences of signals by "type:name"; absent: no match.
func (r *Router) Decide(signals map[string]float64) (*Decision, error) {
	return nativeDecide(r, signals)
}

// Store keeps the model's answer to a routed request in the response cache, if the config has one. An answer that is
// empty, cut off or an error is not kept.
func (r *Router) Store(decision *Decision, response []byte) error {
	return nativeStoreResponse(r, decision, response)
}

// Feedback says whether a cached answer was right, or one that was held back would have been. A wrong answer to its own
// question is removed.
func (r *Router) Feedback(decision *Decision, right bool) error {
	return nativeFeedback(r, decision, right)
}

// Measurement is what was measured of a model; nil: not known.
type Measurement struct {
	TTFTMilliseconds *float64 // to the first token of an answer
	TPOTMilliseconds *float64 // for each token after it
	InFlight         *int64   // requests that the model has now
}

// Measure says what was measured of a model, for the algorithms latency_aware and multi_factor.
func (r *Router) Measure(model string, measurement Measurement) error {
	return nativeMeasure(r, model, measurement)
}

// Replay gives the JSON of vsr_router_replay: what was decided about the last requests.
func (r *Router) Replay() (string, error) { return nativeReplay(r) }

// Describe gives the JSON of vsr_router_describe.
func (r *Router) Describe() (string, error) { return nativeDescribeRouter(r) }

// Metrics gives counters and latency histograms as OpenMetrics text.
func (r *Router) Metrics() (string, error) { return nativeMetrics(r) }

// RouterSchema gives the JSON Schema of config files.
func RouterSchema() (string, error) { return nativeRouterSchema() }
