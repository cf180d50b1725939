package extproc

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	modes "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extproc "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
)

// These tests play Envoy, for what a real one does at times, or not on request.

func (g *processing) dial() *grpc.ClientConn {
	connection, err := grpc.NewClient(fmt.Sprintf("127.0.0.1:%d", g.port), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = connection.Close() })
	return connection
}

// talk is one exchange in FULL_DUPLEX_STREAMED. Deadlines are the context's.
type talk struct {
	t      *testing.T
	stream extproc.ExternalProcessor_ProcessClient
}

func (g *processing) talk() *talk {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	g.t.Cleanup(cancel)
	stream, err := extproc.NewExternalProcessorClient(g.dial()).Process(ctx)
	if err != nil {
		g.t.Fatal(err)
	}
	return &talk{g.t, stream}
}

func httpHeaders(pairs ...string) *extproc.HttpHeaders {
	list := &core.HeaderMap{}
	for i := 0; i < len(pairs); i += 2 {
		list.Headers = append(list.Headers, &core.HeaderValue{Key: pairs[i], RawValue: []byte(pairs[i+1])})
	}
	return &extproc.HttpHeaders{Headers: list}
}

func (k *talk) send(message *extproc.ProcessingRequest) {
	k.t.Helper()
	if err := k.stream.Send(message); err != nil {
		k.t.Fatal(err)
	}
}

func (k *talk) requestHeaders() {
	k.send(&extproc.ProcessingRequest{
		ProtocolConfig: &extproc.ProtocolConfiguration{RequestBodyMode: modes.ProcessingMode_FULL_DUPLEX_STREAMED,
			ResponseBodyMode: modes.ProcessingMode_FULL_DUPLEX_STREAMED},
		Request: &extproc.ProcessingRequest_RequestHeaders{RequestHeaders: httpHeaders(":method", "POST",
			":path", "/v1/chat/completions", "authorization", "Bearer key-of-ann")}})
}

func (k *talk) requestBody(text string, end bool) {
	k.send(&extproc.ProcessingRequest{Request: &extproc.ProcessingRequest_RequestBody{
		RequestBody: &extproc.HttpBody{Body: []byte(text), EndOfStream: end}}})
}

func (k *talk) answerHeaders() {
	k.send(&extproc.ProcessingRequest{Request: &extproc.ProcessingRequest_ResponseHeaders{
		ResponseHeaders: httpHeaders(":status", "200", "content-type", "text/event-stream")}})
}

func (k *talk) answerBody(text string, end bool) {
	k.send(&extproc.ProcessingRequest{Request: &extproc.ProcessingRequest_ResponseBody{
		ResponseBody: &extproc.HttpBody{Body: []byte(text), EndOfStream: end}}})
}

func (k *talk) receive() *extproc.ProcessingResponse {
	k.t.Helper()
	reply, err := k.stream.Recv()
	if err != nil {
		k.t.Fatal(err)
	}
	return reply
}

// asks gets a request forwarded.
func (k *talk) asks() {
	k.t.Helper()
	k.requestHeaders()
	k.requestBody(chat("hello", true), true)
	if reply := k.receive(); reply.GetRequestHeaders() == nil {
		k.t.Fatal(reply)
	}
	if reply := k.receive().GetRequestBody().GetResponse().GetBodyMutation().GetStreamedResponse(); !reply.GetEndOfStream() {
		k.t.Fatal(reply)
	}
}

// rest is all that comes until the stream ends: the bytes of answers, and how many times they ended.
func (k *talk) rest() (text string, ends, others int) {
	for {
		reply, err := k.stream.Recv()
		if err != nil {
			return text, ends, others
		}
		piece := reply.GetResponseBody().GetResponse().GetBodyMutation().GetStreamedResponse()
		if piece == nil {
			others++
			continue
		}
		text += string(piece.GetBody())
		if piece.GetEndOfStream() {
			ends++
		}
	}
}

func TestProcessor_IgnoresWhatFollowsAnEnd(t *testing.T) {
	k := serve(t, observed).talk()
	k.asks()
	k.requestBody("more", true)
	k.requestBody("", true)
	k.answerHeaders()
	if reply := k.receive(); reply.GetResponseHeaders() == nil {
		t.Fatal(reply)
	}
	k.answerBody(stream, true)
	k.answerBody("", true)
	k.answerBody("data: more\n\n", true)
	_ = k.stream.CloseSend()
	if text, ends, others := k.rest(); text != stream || ends != 1 || others != 0 {
		t.Errorf("%d ends, %d other replies, %q", ends, others, text)
	}
}

func TestProcessor_EndsBeforeTrailers(t *testing.T) {
	k := serve(t, terminated).talk()
	k.asks()
	k.answerHeaders()
	k.receive()
	held := strings.TrimSuffix(stream, "\n") // its last event is not over
	k.answerBody(held, false)
	k.send(&extproc.ProcessingRequest{Request: &extproc.ProcessingRequest_ResponseTrailers{ResponseTrailers: &extproc.HttpTrailers{}}})
	_ = k.stream.CloseSend()
	if text, ends, others := k.rest(); text != held || ends != 0 || others != 1 {
		t.Errorf("%d ends, %d other replies, %q", ends, others, text)
	}
}

func TestProcessor_CutsLargeReplies(t *testing.T) {
	k := serve(t, "").talk()
	k.asks()
	k.answerHeaders()
	k.receive()
	k.answerBody(strings.Repeat(": a comment\n\n", 20_000), true)
	for total := 0; ; {
		piece := k.receive().GetResponseBody().GetResponse().GetBodyMutation().GetStreamedResponse()
		if total += len(piece.GetBody()); len(piece.GetBody()) > 64<<10 {
			t.Errorf("a reply of %d bytes", len(piece.GetBody()))
		}
		if piece.GetEndOfStream() {
			if total != 13*20_000 {
				t.Errorf("%d bytes came", total)
			}
			return
		}
	}
}

func TestProcessor_HasDeadlinesOfItsOwn(t *testing.T) {
	g := serve(t, "limits: {client_idle_ms: 100, idle_ms: 100, requests: 2}\n"+terminated)
	k := g.talk()
	k.requestHeaders()
	k.requestBody("{", false)
	if reply := k.receive().GetImmediateResponse(); reply.GetStatus().GetCode() != 408 {
		t.Error(reply)
	}
	quiet := g.talk()
	quiet.asks()
	quiet.answerHeaders()
	quiet.receive()
	quiet.answerBody(stream[:60], false)
	text := ""
	for {
		piece := quiet.receive().GetResponseBody().GetResponse().GetBodyMutation().GetStreamedResponse()
		if text += string(piece.GetBody()); piece.GetEndOfStream() {
			break
		}
	}
	if !strings.Contains(text, `"error"`) || !strings.Contains(text, "fell silent") {
		t.Errorf("%q", text)
	}
	// Both are open still, so there is no room for a third.
	third := g.talk()
	third.requestHeaders()
	if reply := third.receive().GetImmediateResponse(); reply.GetStatus().GetCode() != 503 {
		t.Error(reply)
	}
}

func TestProcessor_AnswersHealthChecks(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	answer, err := healthpb.NewHealthClient(serve(t, "").dial()).Check(ctx, &healthpb.HealthCheckRequest{})
	if err != nil || answer.GetStatus() != healthpb.HealthCheckResponse_SERVING {
		t.Error(answer, err)
	}
}
