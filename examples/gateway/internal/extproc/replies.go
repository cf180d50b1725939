package extproc

import (
	"strconv"
	"strings"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	extproc "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	kind "github.com/envoyproxy/go-control-plane/envoy/type/v3"

	"gateway/internal/flow"
)

// maxPiece is how much of a body one reply may bring in FULL_DUPLEX_STREAMED.
const maxPiece = 64 << 10

// Values go as raw_value alone: Envoy takes `value` for nothing, and both for an error.
func set(name, value string) *core.HeaderValueOption {
	return &core.HeaderValueOption{AppendAction: core.HeaderValueOption_OVERWRITE_IF_EXISTS_OR_ADD,
		Header: &core.HeaderValue{Key: name, RawValue: []byte(value)}}
}

// lengthOf goes with a buffered body that is another: Envoy takes a length that does not fit for an error.
func lengthOf(body []byte) *core.HeaderValueOption {
	return set("content-length", strconv.Itoa(len(body)))
}

func setAll(headers []flow.Header) []*core.HeaderValueOption {
	list := make([]*core.HeaderValueOption, 0, len(headers))
	for _, header := range headers {
		list = append(list, set(header.Name, header.Value))
	}
	return list
}

func textOf(value *core.HeaderValue) string {
	if len(value.GetRawValue()) > 0 {
		return string(value.GetRawValue())
	}
	return value.GetValue()
}

// headerMap joins the values of a name; names are in lower case.
func headerMap(message *extproc.HttpHeaders) map[string]string {
	headers := map[string]string{}
	for _, header := range message.GetHeaders().GetHeaders() {
		name, value := strings.ToLower(header.GetKey()), textOf(header)
		if old, twice := headers[name]; twice {
			value = old + ", " + value
		}
		headers[name] = value
	}
	return headers
}

func requestHeaders(common *extproc.CommonResponse) *extproc.ProcessingResponse {
	return &extproc.ProcessingResponse{Response: &extproc.ProcessingResponse_RequestHeaders{
		RequestHeaders: &extproc.HeadersResponse{Response: common}}}
}

func responseHeaders(common *extproc.CommonResponse) *extproc.ProcessingResponse {
	return &extproc.ProcessingResponse{Response: &extproc.ProcessingResponse_ResponseHeaders{
		ResponseHeaders: &extproc.HeadersResponse{Response: common}}}
}

func requestBody(common *extproc.CommonResponse) *extproc.ProcessingResponse {
	return &extproc.ProcessingResponse{Response: &extproc.ProcessingResponse_RequestBody{
		RequestBody: &extproc.BodyResponse{Response: common}}}
}

func responseBody(common *extproc.CommonResponse) *extproc.ProcessingResponse {
	return &extproc.ProcessingResponse{Response: &extproc.ProcessingResponse_ResponseBody{
		ResponseBody: &extproc.BodyResponse{Response: common}}}
}

func requestTrailers() *extproc.ProcessingResponse {
	return &extproc.ProcessingResponse{Response: &extproc.ProcessingResponse_RequestTrailers{
		RequestTrailers: &extproc.TrailersResponse{}}}
}

func responseTrailers() *extproc.ProcessingResponse {
	return &extproc.ProcessingResponse{Response: &extproc.ProcessingResponse_ResponseTrailers{
		ResponseTrailers: &extproc.TrailersResponse{}}}
}

// whole puts a body in the place of the one that came, or of the chunk that came.
func whole(body []byte) *extproc.BodyMutation {
	if len(body) == 0 {
		return &extproc.BodyMutation{Mutation: &extproc.BodyMutation_ClearBody{ClearBody: true}}
	}
	return &extproc.BodyMutation{Mutation: &extproc.BodyMutation_Body{Body: body}}
}

// streamed cuts bytes into replies of FULL_DUPLEX_STREAMED; `reply` is requestBody or responseBody. No bytes and no end
// are no reply.
func streamed(reply func(*extproc.CommonResponse) *extproc.ProcessingResponse, body []byte, end bool) []*extproc.ProcessingResponse {
	var list []*extproc.ProcessingResponse
	for len(body) > 0 || end {
		piece := body[:min(len(body), maxPiece)]
		body = body[len(piece):]
		last := end && len(body) == 0
		list = append(list, reply(&extproc.CommonResponse{BodyMutation: &extproc.BodyMutation{
			Mutation: &extproc.BodyMutation_StreamedResponse{
				StreamedResponse: &extproc.StreamedBodyResponse{Body: piece, EndOfStream: last}}}}))
		if last {
			break
		}
	}
	return list
}

func immediate(status int, contentType string, headers []flow.Header, body []byte) []*extproc.ProcessingResponse {
	all := append(setAll(headers), set("content-type", contentType))
	return []*extproc.ProcessingResponse{{Response: &extproc.ProcessingResponse_ImmediateResponse{
		ImmediateResponse: &extproc.ImmediateResponse{Status: &kind.HttpStatus{Code: kind.StatusCode(status)},
			Headers: &extproc.HeaderMutation{SetHeaders: all}, Body: body, Details: "vsr"}}}}
}
