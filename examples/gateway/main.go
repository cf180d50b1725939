// An OpenAI-compatible gateway that routes with vsr; docs/gateway.md tells what it does.
//
// Usage: gateway [-config gateway.yaml] [-check] [-ext-proc host:port]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"gateway/internal/extproc"
	"gateway/internal/proxy"
)

func main() {
	path := flag.String("config", "gateway.yaml", "the gateway's file")
	check := flag.Bool("check", false, "read all files, say what is wrong with them, and end")
	external := flag.String("ext-proc", "", "host:port to answer Envoy at as its external processor, besides HTTP")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "gateway: unknown argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(*path, *check, *external); err != nil {
		fmt.Fprintln(os.Stderr, "gateway:", err)
		os.Exit(1)
	}
}

func run(path string, check bool, external string) error {
	var level slog.LevelVar
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: &level}))
	endTracing, err := startTracing()
	if err != nil {
		return err
	}
	defer endTracing()
	metrics := proxy.NewMetrics()
	configuration, err := proxy.Open(path, log, metrics)
	if err != nil || check {
		return err
	}
	defer configuration.Close()
	state, done := configuration.Use()
	listen, metricsListen, levelName := state.Listen, state.MetricsListen, state.LogLevel
	done()
	if levelName != "" {
		if err := level.UnmarshalText([]byte(levelName)); err != nil {
			return fmt.Errorf("%s: log_level: %w", path, err)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go reloadOnSignal(ctx, configuration)
	go func() {
		if err := configuration.Watch(ctx); err != nil {
			log.Warn("files are not watched: send SIGHUP after a change", "error", err)
		}
	}()
	gateway := proxy.New(configuration, metrics, log)
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	processing := make(chan error, 1)
	if external == "" {
		processing <- nil
	} else {
		other, err := net.Listen("tcp", external)
		if err != nil {
			return err
		}
		log.Info("listening for Envoy", "address", other.Addr().String())
		go func() { processing <- extproc.Serve(ctx, other, configuration, metrics, log) }()
	}
	failed := make(chan error, 1)
	if metricsListen != "" {
		other, err := net.Listen("tcp", metricsListen)
		if err != nil {
			return err
		}
		go func() { failed <- gateway.Serve(ctx, other, gateway.MetricsHandler()) }()
	} else {
		failed <- nil
	}
	log.Info("listening", "address", listener.Addr().String())
	err = gateway.Serve(ctx, listener, gateway.Handler(metricsListen == ""))
	stop()
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return errors.Join(err, <-failed, <-processing)
}

func reloadOnSignal(ctx context.Context, configuration *proxy.Configuration) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGHUP)
	defer signal.Stop(asked)
	for {
		select {
		case <-ctx.Done():
			return
		case <-asked:
			_ = configuration.Reload() // told in the log
		}
	}
}
