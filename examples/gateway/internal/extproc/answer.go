package extproc

import (
	"strconv"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	modes "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extproc "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"

	"gateway/internal/flow"
)

func (x *exchange) takeAnswerHeaders(message *extproc.HttpHeaders) []*extproc.ProcessingResponse {
	// Answers that were made here, and Envoy's own before anything was decided, pass these hooks too.
	if x.over || x.foreign || x.verdict == nil {
		x.foreign = x.foreign || x.verdict == nil && !x.over
		return []*extproc.ProcessingResponse{responseHeaders(nil)}
	}
	headers := headerMap(message)
	x.httpStatus, _ = strconv.Atoi(headers[":status"])
	if x.answerMode != duplex && x.answerMode != streams && x.answerMode != buffered {
		return x.takeUnseen()
	}
	var err error
	x.filter, err = x.verdict.Filter(flow.Head{Status: x.httpStatus, ContentType: headers["content-type"],
		ContentEncoding: headers["content-encoding"]})
	if err != nil {
		x.log.Error("the answer cannot be guarded", "id", x.id, "error", err)
		return x.refuse(502, "unguarded", "the answer could not be checked")
	}
	changes := &extproc.HeaderMutation{SetHeaders: setAll(x.verdict.ResponseHeaders())}
	if x.filter.Rewrites() && x.answerMode != buffered {
		changes.RemoveHeaders = []string{"content-length"}
	}
	replies := []*extproc.ProcessingResponse{responseHeaders(&extproc.CommonResponse{HeaderMutation: changes})}
	x.answered = message.GetEndOfStream()
	return replies
}

// takeUnseen is of a configuration that does not send answers: a guard that fails closed refuses them.
func (x *exchange) takeUnseen() []*extproc.ProcessingResponse {
	if x.verdict.Guard != "" {
		x.log.Error("response_body_mode must be FULL_DUPLEX_STREAMED, STREAMED or BUFFERED for a guard", "id", x.id,
			"mode", modes.ProcessingMode_BodySendMode_name[int32(x.answerMode)])
		return x.refuse(502, "unguarded", "the answer could not be checked")
	}
	changes := &extproc.HeaderMutation{SetHeaders: setAll(x.verdict.ResponseHeaders())}
	return []*extproc.ProcessingResponse{responseHeaders(&extproc.CommonResponse{HeaderMutation: changes})}
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

// tick lets text go that was held for too long.
func (x *exchange) tick() []*extproc.ProcessingResponse {
	if x.filter == nil || x.answered || x.answerMode != duplex {
		return nil
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
