package extproc

import (
	"strconv"
	"time"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	modes "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extproc "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"

	"gateway/internal/flow"
)

func (x *exchange) takeAnswerHeaders(message *extproc.HttpHeaders) []*extproc.ProcessingResponse {
	headers := headerMap(message)
	if !x.over {
		x.httpStatus, _ = strconv.Atoi(headers[":status"])
	}
	// Answers that were made here, and Envoy's own before anything was decided, pass these hooks too.
	if x.over || x.foreign || x.verdict == nil {
		x.foreign = x.foreign || x.verdict == nil && !x.over
		return []*extproc.ProcessingResponse{responseHeaders(nil)}
	}
	if x.answerMode != duplex && x.answerMode != streams && x.answerMode != buffered {
		return x.takeUnseen(headers)
	}
	var err error
	x.filter, err = x.verdict.Filter(flow.Head{Status: x.httpStatus, ContentType: headers["content-type"],
		ContentEncoding: headers["content-encoding"]})
	if err != nil {
		x.log.Error("the answer cannot be guarded", "id", x.id, "error", err)
		return x.refuse(502, "unguarded", "the answer could not be checked")
	}
	changes := x.answerHeaders(headers)
	if x.filter.Rewrites() && x.answerMode != buffered {
		changes.RemoveHeaders = append(changes.RemoveHeaders, "content-length")
	}
	replies := []*extproc.ProcessingResponse{responseHeaders(&extproc.CommonResponse{HeaderMutation: changes})}
	x.answered = message.GetEndOfStream()
	return replies
}

// takeUnseen is of a configuration that does not send answers: a guard that fails closed refuses them.
func (x *exchange) takeUnseen(headers map[string]string) []*extproc.ProcessingResponse {
	if x.verdict.Guard != "" {
		x.log.Error("response_body_mode must be FULL_DUPLEX_STREAMED, STREAMED or BUFFERED for a guard", "id", x.id,
			"mode", modes.ProcessingMode_BodySendMode_name[int32(x.answerMode)])
		return x.refuse(502, "unguarded", "the answer could not be checked")
	}
	return []*extproc.ProcessingResponse{responseHeaders(&extproc.CommonResponse{HeaderMutation: x.answerHeaders(headers)})}
}

// answerHeaders replaces what a server calls itself by what is so.
func (x *exchange) answerHeaders(headers map[string]string) *extproc.HeaderMutation {
	return &extproc.HeaderMutation{RemoveHeaders: ours(headers), SetHeaders: setAll(x.verdict.ResponseHeaders())}
}

func (x *exchange) takeAnswerBody(piece []byte, end bool) []*extproc.ProcessingResponse {
	if x.filter == nil { // not an upstream's, or not ours
		if x.answerMode == duplex {
			return streamed(responseBody, piece, end)
		}
		return []*extproc.ProcessingResponse{responseBody(nil)}
	}
	out, last := x.pass(piece, end)
	switch {
	case x.answerMode == duplex:
		return streamed(responseBody, out, last)
	case string(out) == string(piece):
		return []*extproc.ProcessingResponse{responseBody(nil)}
	}
	changes := &extproc.CommonResponse{BodyMutation: whole(out)}
	if x.answerMode == buffered {
		changes.HeaderMutation = &extproc.HeaderMutation{SetHeaders: []*core.HeaderValueOption{lengthOf(out)}}
	}
	return []*extproc.ProcessingResponse{responseBody(changes)}
}

// pass is a piece of the answer after its filter; last: nothing follows.
func (x *exchange) pass(piece []byte, end bool) (out []byte, last bool) {
	if x.answered { // Envoy may say twice that it is the end
		return nil, false
	}
	out, err := x.filter.Write(piece)
	if err != nil {
		return x.abort(err), true
	}
	if !end && !x.filter.Ended() {
		return out, false
	}
	rest, err := x.filter.Finish()
	if err != nil {
		return append(out, x.abort(err)...), true
	}
	x.answered = true
	return append(out, rest...), true
}

func (x *exchange) abort(err error) []byte {
	x.log.Error("the answer could not be guarded to its end", "id", x.id, "error", err)
	x.answered, x.problem = true, "unguarded"
	return x.filter.Abort("unguarded", "the answer could not be checked")
}

// answerEnds is the end of an answer that has trailers. Only in FULL_DUPLEX_STREAMED can bytes still leave.
func (x *exchange) answerEnds() []*extproc.ProcessingResponse {
	if x.filter == nil || x.answered {
		return nil
	}
	out, _ := x.pass(nil, true)
	if x.answerMode != duplex {
		if len(out) > 0 {
			x.log.Error("the end of an answer with trailers was lost: response_body_mode must be FULL_DUPLEX_STREAMED", "id", x.id)
		}
		return nil
	}
	return streamed(responseBody, out, false)
}

// tick lets text go that was held for too long, and ends what has been silent for too long. Envoy takes messages that it
// does not wait for in FULL_DUPLEX_STREAMED alone; in other modes its own limits hold.
func (x *exchange) tick() []*extproc.ProcessingResponse {
	silent := time.Since(x.touched)
	if x.headers != nil && x.requestMode == duplex && !x.foreign && !x.over && !x.decided && silent > x.state.Limits.ClientIdle() {
		return x.refuse(408, "timeout", "the body did not come")
	}
	if x.filter == nil || x.answered || x.answerMode != duplex {
		return nil
	}
	if silent > x.state.Limits.Idle() {
		x.answered, x.problem = true, "upstream_idle"
		return streamed(responseBody, x.filter.Abort("timeout", "the model's server fell silent"), true)
	}
	out, err := x.filter.Tick()
	if err != nil {
		return streamed(responseBody, x.abort(err), true)
	}
	if x.filter.Ended() {
		rest, _ := x.filter.Finish()
		x.answered = true
		return streamed(responseBody, append(out, rest...), true)
	}
	return streamed(responseBody, out, false)
}
