// Package proxy is the gateway over HTTP: who may call, what upstreams are asked, and how answers come back.
package proxy

import (
	"crypto/sha256"
	"fmt"
	"log/slog"

	"gateway/internal/auth"
	"gateway/internal/config"
	"gateway/internal/flow"
	"gateway/internal/upstream"
	"vsr"
)

// State is all that follows from the files, and is replaced whole.
type State struct {
	*config.Gateway
	Flow   *flow.Flow
	Pool   *upstream.Pool
	Keys   *auth.Keys
	engine *vsr.Engine
	read   [sha256.Size]byte // fingerprint of its files, from before they were read
}

// Load reads the gateway's file and all that it names, and opens the router.
func Load(path string, log *slog.Logger) (*State, error) {
	gateway, err := config.Read(path)
	if err != nil {
		return nil, err
	}
	read := fingerprint(gateway.Files(path))
	providers, _, err := config.ReadProviders(gateway.Router)
	if err != nil {
		return nil, err
	}
	state := &State{Gateway: gateway, Pool: upstream.New(providers), Keys: auth.Open(), read: read}
	if gateway.Keys != "" {
		if state.Keys, err = auth.Read(gateway.Keys); err != nil {
			return nil, err
		}
	}
	if gateway.Engine != "" {
		if state.engine, err = vsr.Open(vsr.EngineOptions{ConfigPath: gateway.Engine}); err != nil {
			return nil, fmt.Errorf("engine: %w", err)
		}
	}
	state.Flow, err = flow.Open(flow.Config{Router: gateway.Router, Engine: state.engine, Lenient: gateway.Lenient,
		ValidateModels: gateway.ValidateModels, Guards: gateway.Guards, Models: state.Pool.Names(),
		RouteTimeout: gateway.Limits.RouteTime(), Log: log})
	if err != nil {
		state.closeEngine()
		return nil, err
	}
	return state, nil
}

// Close frees the state when the last request on it is over.
func (s *State) Close() {
	s.Flow.Close()
	go func() {
		<-s.Flow.Freed()
		s.closeEngine()
	}()
}

func (s *State) closeEngine() {
	if s.engine != nil {
		_ = s.engine.Close()
	}
}
