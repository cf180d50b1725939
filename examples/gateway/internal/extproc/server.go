// Package extproc is the gateway as an external processor of Envoy's (service/ext_proc/v3): Envoy holds the connections
// and the clusters, and asks here what to do with each request and each piece of its answer.
//
// Of the modes that Envoy can be configured with these run: request bodies BUFFERED or FULL_DUPLEX_STREAMED, answers
// BUFFERED, STREAMED or FULL_DUPLEX_STREAMED. Only the last lets text leave that was held while the upstream is silent,
// and ends an answer before the upstream does.
package extproc

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"net"
	"time"

	extproc "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"gateway/internal/proxy"
)

// tick is how often held text is looked at while an upstream is silent.
const tick = 500 * time.Millisecond

// Serve answers Envoys on a listener until the context ends, and then lets exchanges in flight finish.
func Serve(ctx context.Context, listener net.Listener, configuration *proxy.Configuration, metrics *proxy.Metrics,
	log *slog.Logger) error {
	state, done := configuration.Use()
	if state == nil {
		return errors.New("extproc: the configuration is closed")
	}
	limits := state.Limits
	done()
	// A buffered body comes in one message, and goes back in one.
	server := grpc.NewServer(grpc.MaxRecvMsgSize(int(max(limits.BodyBytes, limits.AnswerBytes))+1<<20),
		grpc.MaxSendMsgSize(math.MaxInt32))
	extproc.RegisterExternalProcessorServer(server, &processor{configuration: configuration, metrics: metrics, log: log,
		room: make(chan struct{}, limits.Requests)})
	checks := health.NewServer()
	healthpb.RegisterHealthServer(server, checks)
	go func() {
		<-ctx.Done()
		checks.Shutdown() // NOT_SERVING, to those who ask
		timer := time.AfterFunc(limits.Shutdown(), server.Stop)
		defer timer.Stop()
		server.GracefulStop()
	}()
	return server.Serve(listener)
}

type processor struct {
	extproc.UnimplementedExternalProcessorServer
	configuration *proxy.Configuration
	metrics       *proxy.Metrics
	log           *slog.Logger
	room          chan struct{} // has an element for each exchange
}

type received struct {
	message *extproc.ProcessingRequest
	err     error
}

// Process is one request with its answer.
func (p *processor) Process(stream extproc.ExternalProcessor_ProcessServer) error {
	x, err := p.begin(stream.Context())
	if err != nil {
		return err
	}
	defer x.end()
	messages := make(chan received)
	go receive(stream, messages)
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		var replies []*extproc.ProcessingResponse
		select {
		case <-stream.Context().Done():
			return nil
		case <-ticker.C:
			replies = x.tick()
		case got := <-messages:
			if got.err != nil {
				return ending(got.err)
			}
			replies = x.take(got.message)
		}
		for _, reply := range replies {
			if err := stream.Send(reply); err != nil {
				return err
			}
		}
	}
}

func receive(stream extproc.ExternalProcessor_ProcessServer, messages chan<- received) {
	for {
		message, err := stream.Recv()
		select {
		case messages <- received{message, err}:
		case <-stream.Context().Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// Envoy closes its side when the exchange is over, and cancels when client or upstream broke off.
func ending(err error) error {
	if err == io.EOF || status.Code(err) == codes.Canceled {
		return nil
	}
	return err
}
