// Package flow is what happens to a request between client and model, without a word of HTTP: the proxy and Envoy's
// external processing are both built on it.
//
//	f, err := flow.Open(flow.Config{Router: "router.yaml"})
//	...
//	verdict := f.Decide(ctx, &flow.Request{Path: "/v1/chat/completions", Headers: headers, Body: body,
//		Caller: flow.Caller{Tenant: "acme", User: "ann", Groups: []string{"staff"}}})
//	defer verdict.Close()
//	switch verdict.Action {
//	case flow.Immediate, flow.Refuse:
//		// answer with verdict.Status, verdict.ContentType, verdict.Answer
//	case flow.Forward:
//		// set verdict.Headers; send verdict.Body, or verdict.BodyFor(upstream's name), to verdict.Model; then
//		filter, err := verdict.Filter(flow.Head{Status: 200, ContentType: "text/event-stream"})
//		defer filter.Close()
//		for each piece of the answer: send filter.Write(piece); if filter.Ended(): cancel upstream and stop
//		at its end: send filter.Finish(); if the upstream fails: send filter.Abort("...") instead
//	}
//
// In all cases verdict.ResponseHeaders() says to the client what was decided.
//
// A Flow is one state of the configuration. Current holds the one that is in use and swaps it: requests finish on the
// one they began with, and the old one is freed after the last of them. Flow and Current may be used by many
// goroutines; a Verdict and its filter belong to one at a time.
package flow

import (
	"errors"
	"log/slog"
	"regexp"
	"sync/atomic"
	"time"

	"vsr"
)

// Config says what a Flow is made of.
type Config struct {
	Router         string      // path of the router's YAML
	Engine         *vsr.Engine // answers its signals and the guards' tasks; nil: the models of the YAML, and no tasks
	Lenient        bool        // skip what the YAML uses and vsr does not run
	ValidateModels bool        // load and ask all models now; else when a request first needs one
	Guards         []GuardConfig
	Models         []string      // names that a request may name itself; nil: any, if the router lets it through
	RouteTimeout   time.Duration // of one decision; 0: 10 seconds
	Log            *slog.Logger  // nil: slog.Default()
}

// Flow is an open router with its guards.
type Flow struct {
	router  *vsr.Router
	guards  []*guardRule
	models  map[string]bool
	timeout time.Duration
	log     *slog.Logger
	shares  atomic.Int64 // requests, and one until Close
	freed   chan struct{}
}

// ErrClosed is what Decide refuses with after Close.
var ErrClosed = errors.New("flow: closed")

// Open reads and checks the router's file and the guards' facts.
func Open(config Config) (*Flow, error) {
	f := &Flow{timeout: config.RouteTimeout, log: config.Log, freed: make(chan struct{})}
	if f.timeout <= 0 {
		f.timeout = 10 * time.Second
	}
	if f.log == nil {
		f.log = slog.Default()
	}
	if config.Models != nil {
		f.models = map[string]bool{}
		for _, name := range config.Models {
			f.models[name] = true
		}
	}
	var err error
	if f.guards, err = openGuards(config.Guards, config.Engine); err != nil {
		return nil, err
	}
	log := f.log
	f.router, err = vsr.NewRouter(config.Router, &vsr.RouterOptions{Lenient: config.Lenient, Engine: config.Engine,
		ValidateModels: config.ValidateModels, Log: func(level vsr.LogLevel, message string) {
			switch level {
			case vsr.LogError:
				log.Error("router", "message", message)
			case vsr.LogWarning:
				log.Warn("router", "message", message)
			default:
				log.Info("router", "message", message)
			}
		}})
	if err != nil {
		closeGuards(f.guards)
		return nil, err
	}
	f.shares.Store(1)
	return f, nil
}

// Router is the open router, for metrics and descriptions. Do not close it.
func (f *Flow) Router() *vsr.Router { return f.router }

// Close gives the flow up: it is freed when the last Verdict on it is closed. Call it once.
func (f *Flow) Close() { f.Release() }

// Freed is closed when nothing of the flow is in use any more.
func (f *Flow) Freed() <-chan struct{} { return f.freed }

// Hold keeps the flow open until Release is called as often; false: it is closed already. Decide does it by itself for
// as long as its Verdict is open.
func (f *Flow) Hold() bool {
	for {
		shares := f.shares.Load()
		if shares == 0 {
			return false
		}
		if f.shares.CompareAndSwap(shares, shares+1) {
			return true
		}
	}
}

// Release gives back what Hold took.
func (f *Flow) Release() {
	if f.shares.Add(-1) == 0 {
		f.router.Close()
		closeGuards(f.guards)
		close(f.freed)
	}
}

// Current is the flow in use. The zero value has none.
type Current struct{ flow atomic.Pointer[Flow] }

// Swap puts a flow in use and closes the one before it. nil: none from now on.
func (c *Current) Swap(next *Flow) {
	if old := c.flow.Swap(next); old != nil {
		old.Close()
	}
}

// Use gives the flow in use, which stays open until done is called; nil where there is none.
func (c *Current) Use() (flow *Flow, done func()) {
	for {
		f := c.flow.Load()
		if f == nil {
			return nil, func() {}
		}
		if f.Hold() {
			return f, f.Release
		}
	}
}

// A tenant's name is part of the key of cached answers.
var tenantName = regexp.MustCompile(`^[A-Za-z0-9._:@/-]{0,128}$`)

// ValidTenant says whether a tenant may be called so.
func ValidTenant(name string) bool { return tenantName.MatchString(name) }
