package extproc

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"time"

	modes "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extproc "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"gateway/internal/api"
	"gateway/internal/auth"
	"gateway/internal/flow"
	"gateway/internal/proxy"
)

const (
	buffered = modes.ProcessingMode_BUFFERED
	streams  = modes.ProcessingMode_STREAMED
	duplex   = modes.ProcessingMode_FULL_DUPLEX_STREAMED
)

// ModelHeader and DecisionHeader tell Envoy's routes which cluster is meant.
const (
	ModelHeader    = "x-vsr-model"
	DecisionHeader = "x-vsr-decision"
)

// exchange is one request with its answer.
type exchange struct {
	*processor
	ctx         context.Context
	state       *proxy.State
	done        func()
	began       time.Time
	id          string
	configured  bool // the modes are known
	requestMode modes.ProcessingMode_BodySendMode
	answerMode  modes.ProcessingMode_BodySendMode

	headers map[string]string
	kind    api.Kind
	foreign bool // nothing for the router: passes as it came
	full    bool // there is no room for it
	over    bool // answered from here: Envoy's own hooks on that answer are not the upstream's
	caller  *auth.Caller
	body    []byte
	decided bool
	touched time.Time // when Envoy last said something
	verdict *flow.Verdict

	filter     *flow.ResponseFilter
	answered   bool // the end of the answer has gone
	httpStatus int
	problem    string
}

func (p *processor) begin(ctx context.Context) (*exchange, error) {
	state, done := p.configuration.Use()
	if state == nil {
		return nil, status.Error(codes.Unavailable, "the gateway is closing")
	}
	x := &exchange{processor: p, ctx: ctx, state: state, done: done, began: time.Now(), id: flow.NewID(),
		requestMode: buffered, answerMode: streams}
	x.touched = x.began
	select {
	case p.room <- struct{}{}:
	default:
		x.full = true
	}
	p.metrics.Began()
	return x, nil
}

func (x *exchange) end() {
	if !x.full {
		<-x.room
	}
	x.metrics.Ended(x.api(), x.outcome(), x.httpStatus, x.began)
	if !x.foreign && x.headers != nil {
		x.report()
	}
	if x.filter != nil {
		x.filter.Close()
	}
	if x.verdict != nil {
		x.verdict.Close()
	}
	x.done()
}

// api and outcome are labels of metrics.
func (x *exchange) api() string {
	if x.foreign || x.headers == nil {
		return "unrouted"
	}
	return x.kind.String()
}

func (x *exchange) outcome() string {
	switch {
	case x.verdict != nil:
		return x.verdict.OutcomeName()
	case x.foreign:
		return "passthrough"
	}
	return "refused"
}

// take answers one message of Envoy's.
func (x *exchange) take(message *extproc.ProcessingRequest) []*extproc.ProcessingResponse {
	if config := message.GetProtocolConfig(); config != nil && !x.configured {
		x.configured, x.requestMode, x.answerMode = true, config.GetRequestBodyMode(), config.GetResponseBodyMode()
	}
	x.touched = time.Now()
	switch {
	case message.GetRequestHeaders() != nil:
		return x.takeRequestHeaders(message.GetRequestHeaders())
	case message.GetRequestBody() != nil:
		body := message.GetRequestBody()
		return x.takeRequestBody(body.GetBody(), body.GetEndOfStream())
	case message.GetRequestTrailers() != nil:
		return append(x.requestEnds(), requestTrailers())
	case message.GetResponseHeaders() != nil:
		return x.takeAnswerHeaders(message.GetResponseHeaders())
	case message.GetResponseBody() != nil:
		body := message.GetResponseBody()
		return x.takeAnswerBody(body.GetBody(), body.GetEndOfStream())
	case message.GetResponseTrailers() != nil:
		return append(x.answerEnds(), responseTrailers())
	}
	return nil
}

func (x *exchange) takeRequestHeaders(message *extproc.HttpHeaders) []*extproc.ProcessingResponse {
	x.headers = headerMap(message)
	path, _, _ := strings.Cut(x.headers[":path"], "?")
	method := x.headers[":method"]
	var routed bool
	x.kind, routed = api.KindOf(path)
	switch {
	case x.full:
		return x.refuse(503, "overloaded", "too many requests are being answered")
	case routed && method != "POST":
		return x.refuse(405, "method_not_allowed", "only POST is possible here")
	case !routed && !passes(method, path):
		// Another spelling of a path that is routed must not pass the router by.
		return x.refuse(404, "not_found", "no such path")
	}
	if x.requestMode != buffered && x.requestMode != duplex {
		x.log.Error("request_body_mode must be BUFFERED or FULL_DUPLEX_STREAMED", "mode", x.requestMode.String())
		return x.refuse(500, "internal_error", "the gateway is misconfigured")
	}
	if x.caller = x.state.Keys.Of(x.headers["authorization"], x.headers["x-api-key"]); x.caller == nil {
		return x.refuse(401, "invalid_api_key", "the key is missing or not known")
	}
	if !x.caller.May(auth.RoleInfer) {
		return x.refuse(403, "not_allowed", "this key may not do that")
	}
	if !routed {
		return x.passUnrouted(method)
	}
	if encoding := x.headers["content-encoding"]; encoding != "" && !strings.EqualFold(encoding, "identity") {
		return x.refuse(415, "unsupported_encoding", "the body is packed, expected plain JSON")
	}
	if length, err := strconv.ParseInt(x.headers["content-length"], 10, 64); err == nil && length > x.state.Limits.BodyBytes {
		return x.tooLarge()
	}
	if message.GetEndOfStream() {
		return x.refuse(400, "invalid_request", "the request has no body")
	}
	if x.requestMode == duplex { // its headers wait for what the body says
		return nil
	}
	return []*extproc.ProcessingResponse{requestHeaders(nil)}
}

// passes says what goes to a model's server without a decision. It needs a key all the same.
func passes(method, path string) bool {
	switch method {
	case "POST":
		return path == "/v1/embeddings"
	case "GET":
		return path == "/v1/models" || strings.HasPrefix(path, "/v1/models/")
	}
	return false
}

func (x *exchange) passUnrouted(method string) []*extproc.ProcessingResponse {
	if method == "POST" && len(x.caller.Models) > 0 { // the body, which names the model, is not read
		return x.refuse(403, "not_allowed", "this key may not use every model")
	}
	x.foreign = true
	return []*extproc.ProcessingResponse{requestHeaders(&extproc.CommonResponse{ClearRouteCache: true,
		HeaderMutation: &extproc.HeaderMutation{RemoveHeaders: append(credentials(), ours(x.headers)...)}})}
}

func (x *exchange) takeRequestBody(piece []byte, end bool) []*extproc.ProcessingResponse {
	if x.over || x.decided {
		return nil
	}
	if x.foreign {
		return x.passRequest(piece, end)
	}
	if int64(len(x.body)+len(piece)) > x.state.Limits.BodyBytes {
		return x.tooLarge()
	}
	x.body = append(x.body, piece...)
	if !end && x.requestMode == duplex {
		return nil
	}
	return x.requestEnds()
}

func (x *exchange) passRequest(piece []byte, end bool) []*extproc.ProcessingResponse {
	if x.requestMode == duplex {
		return streamed(requestBody, piece, end)
	}
	return []*extproc.ProcessingResponse{requestBody(nil)}
}

// requestEnds decides when the whole body is there, once.
func (x *exchange) requestEnds() []*extproc.ProcessingResponse {
	if x.over || x.decided || x.foreign {
		return nil
	}
	x.decided = true
	path, _, _ := strings.Cut(x.headers[":path"], "?")
	v := x.metrics.Decide(x.ctx, x.state.Flow, &flow.Request{Path: path, Headers: forRouter(x.headers), Body: x.body,
		Caller: x.caller.Caller})
	x.verdict, x.body = v, nil
	if v.Action != flow.Forward {
		x.over, x.httpStatus = true, v.Status
		return immediate(v.Status, v.ContentType, v.ResponseHeaders(), v.Answer)
	}
	body, err := v.BodyFor(x.nameAtServer())
	if err != nil {
		x.log.Error("the request could not be rewritten", "id", x.id, "error", err)
		return x.refuse(500, "internal_error", "the request could not be rewritten")
	}
	changes := &extproc.CommonResponse{HeaderMutation: x.forwardedHeaders(), ClearRouteCache: true}
	if x.requestMode == buffered {
		changes.BodyMutation = whole(body)
		changes.HeaderMutation.SetHeaders = append(changes.HeaderMutation.SetHeaders, lengthOf(body))
		return []*extproc.ProcessingResponse{requestBody(changes)}
	}
	return append([]*extproc.ProcessingResponse{requestHeaders(changes)}, streamed(requestBody, body, true)...)
}

// nameAtServer is what the model's first server calls it; all servers of a cluster of Envoy's call it the same.
func (x *exchange) nameAtServer() string {
	if d := x.verdict.Decision; d != nil && d.LoRA != "" {
		return d.LoRA
	}
	if model := x.state.Pool.Model(x.verdict.Model); model != nil {
		if server := model.Pick(nil, time.Now()); server != nil {
			return server.ModelID
		}
	}
	return x.verdict.Model
}

func (x *exchange) forwardedHeaders() *extproc.HeaderMutation {
	// The client's key is the gateway's own, the body's length may be another, and packed answers cannot be guarded.
	// Envoy removes before it sets.
	changes := &extproc.HeaderMutation{RemoveHeaders: append(credentials(), ours(x.headers)...)}
	headers := []flow.Header{{Name: ModelHeader, Value: x.verdict.Model}, {Name: "accept-encoding", Value: "identity"}}
	if x.verdict.Decision != nil {
		headers = append(headers, flow.Header{Name: DecisionHeader, Value: x.verdict.Decision.Name})
	}
	changes.SetHeaders = setAll(headers)
	for _, change := range x.verdict.Headers {
		if change.Value == nil {
			changes.RemoveHeaders = append(changes.RemoveHeaders, strings.ToLower(change.Name))
		} else {
			changes.SetHeaders = append(changes.SetHeaders, set(strings.ToLower(change.Name), *change.Value))
		}
	}
	if x.requestMode == duplex {
		changes.RemoveHeaders = append(changes.RemoveHeaders, "content-length")
	}
	return changes
}

// credentials are the client's for the gateway.
func credentials() []string { return []string{"authorization", "x-api-key", "cookie"} }

// ours are headers that only the gateway may set: Envoy's routes and clients go by them.
func ours(headers map[string]string) []string {
	var names []string
	for name := range headers {
		if strings.HasPrefix(name, "x-vsr-") {
			names = append(names, name)
		}
	}
	return names
}

// forRouter leaves out credentials and what is HTTP's own.
func forRouter(headers map[string]string) map[string]string {
	kept := make(map[string]string, len(headers))
	for name, value := range headers {
		switch name {
		case "authorization", "x-api-key", "cookie", "proxy-authorization":
		default:
			if !strings.HasPrefix(name, ":") {
				kept[name] = value
			}
		}
	}
	return kept
}

func (x *exchange) tooLarge() []*extproc.ProcessingResponse {
	return x.refuse(413, "too_large", "the body is larger than this gateway takes")
}

func (x *exchange) refuse(status int, code, message string) []*extproc.ProcessingResponse {
	x.over, x.httpStatus, x.problem = true, status, code
	return immediate(status, "application/json", nil, api.ErrorBody(x.kind, status, code, message))
}

// report writes one line about an exchange, without a word of what was said.
func (x *exchange) report() {
	list := []slog.Attr{slog.String("id", x.id), slog.String("path", x.headers[":path"]), slog.Int("status", x.httpStatus),
		slog.Float64("ms", float64(time.Since(x.began).Microseconds())/1000)}
	text := func(name, value string) {
		if value != "" {
			list = append(list, slog.String(name, value))
		}
	}
	text("problem", x.problem)
	if x.caller != nil {
		text("key", x.caller.Name)
		text("tenant", x.caller.Tenant)
	}
	if v := x.verdict; v != nil {
		text("outcome", v.OutcomeName())
		text("model", v.Model)
		text("cache", v.Cache)
		text("guard", v.Guard)
		if v.Decision != nil {
			text("decision", v.Decision.Name)
		}
	}
	if x.filter != nil {
		summary := x.filter.Summary()
		list = append(list, slog.Int64("bytes", summary.Bytes), slog.Bool("stored", summary.Stored),
			slog.Int("guard_events", len(summary.Events)), slog.Bool("unchecked", summary.Overloaded), slog.Bool("ended", summary.Ended))
	}
	x.log.LogAttrs(context.Background(), slog.LevelInfo, "ext_proc", list...)
}
