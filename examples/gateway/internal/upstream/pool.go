// Package upstream chooses servers of models, and leaves out for a while those that fail.
package upstream

import (
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"gateway/internal/config"
)

// Pool has the servers of all models. Safe for many goroutines.
type Pool struct {
	models map[string]*Model
	order  []string
}

// Model is a model with its servers.
type Model struct {
	config.Provider
	servers []*Server
}

// Server is a server of one model.
type Server struct {
	*config.Backend
	ModelID  string // the model's name there
	weight   float64
	limits   config.Reliability
	mutex    sync.Mutex
	inFlight int
	failures int       // in a row
	times    int       // that it was left out in a row
	until    time.Time // that it is left out
}

// New makes a pool. Models without servers are in it, too.
func New(providers []config.Provider) *Pool {
	pool := &Pool{models: map[string]*Model{}}
	for _, provider := range providers {
		model := &Model{Provider: provider}
		for i := range model.Backends {
			backend := &model.Backends[i]
			weight := 1.0
			if backend.Weight != nil {
				weight = *backend.Weight
			}
			model.servers = append(model.servers, &Server{Backend: backend, ModelID: provider.IDAt(backend),
				weight: weight, limits: provider.Reliability})
		}
		pool.models[provider.Name] = model
		pool.order = append(pool.order, provider.Name)
	}
	return pool
}

// Model gives the model of this name; nil: none.
func (p *Pool) Model(name string) *Model { return p.models[name] }

// Called gives the model that a server calls so, or that has this name; nil: none.
func (p *Pool) Called(id string) *Model {
	if model := p.models[id]; model != nil {
		return model
	}
	for _, name := range p.order {
		for _, server := range p.models[name].servers {
			if server.ModelID == id {
				return p.models[name]
			}
		}
	}
	return nil
}

// Names are those of all models, in the order of the file.
func (p *Pool) Names() []string { return p.order }

// Pick chooses a server that is not in `tried`: of those that work one by weight or, with least_request, the one with
// the fewest requests for its weight. If none works, of the others; nil: there is none.
func (m *Model) Pick(tried []*Server, now time.Time) *Server {
	for _, working := range []bool{true, false} {
		var open []*Server
		var loads []int
		sum := 0.0
		for _, s := range m.servers {
			load, works := s.state(now)
			if s.weight > 0 && works == working && !slices.Contains(tried, s) {
				open, loads, sum = append(open, s), append(loads, load), sum+s.weight
			}
		}
		if len(open) == 0 {
			continue
		}
		if m.Reliability.Policy == "least_request" {
			best := 0
			for i := range open {
				if float64(loads[i]+1)/open[i].weight < float64(loads[best]+1)/open[best].weight {
					best = i
				}
			}
			return open[best]
		}
		at := rand.Float64() * sum
		for _, s := range open {
			if at -= s.weight; at < 0 {
				return s
			}
		}
		return open[len(open)-1]
	}
	return nil
}

func (s *Server) state(now time.Time) (load int, works bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.inFlight, !now.Before(s.until)
}

// Begin counts a request; the function that it gives ends it.
func (s *Server) Begin() (end func()) {
	s.count(1)
	return func() { s.count(-1) }
}

func (s *Server) count(n int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.inFlight += n
}

// InFlight is the number of requests that the model's servers have from here.
func (m *Model) InFlight() int64 {
	var sum int64
	for _, s := range m.servers {
		load, _ := s.state(time.Time{})
		sum += int64(load)
	}
	return sum
}

// Working is how many of the model's servers are not left out.
func (m *Model) Working(now time.Time) (working, all int) {
	for _, s := range m.servers {
		if _, works := s.state(now); works {
			working++
		}
	}
	return working, len(m.servers)
}

const maxTimes = 10

// Report says how a request went. True: the server is left out from now on.
func (s *Server) Report(ok bool, now time.Time) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if ok {
		s.failures, s.times = 0, 0
		return false
	}
	s.failures++
	most := s.limits.Consecutive
	if most <= 0 {
		most = 5
	}
	// One that was left out has one request to show that it works again.
	if s.failures < most && s.times == 0 || now.Before(s.until) {
		return false
	}
	s.times = min(s.times+1, maxTimes)
	s.until = now.Add(s.limits.EjectionTime() * time.Duration(s.times))
	s.failures = 0
	return true
}
