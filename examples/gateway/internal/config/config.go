// Package config reads the gateway's file, and of the router's file what is the gateway's.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"gopkg.in/yaml.v3"

	"gateway/internal/flow"
)

// Gateway is the gateway's file. Paths in it are relative to it.
type Gateway struct {
	Listen         string             `yaml:"listen"`          // host:port
	MetricsListen  string             `yaml:"metrics_listen"`  // host:port for /metrics alone; "": with the rest
	Router         string             `yaml:"router"`          // the router's YAML
	Engine         string             `yaml:"engine"`          // a YAML with a `vsr:` section whose models answer everything; "": the router's own
	Lenient        bool               `yaml:"lenient"`         // skip what the router's file uses and vsr does not run
	ValidateModels bool               `yaml:"validate_models"` // load models before listening
	Keys           string             `yaml:"keys"`            // who may call; "": everybody, as the tenant ""
	Guards         []flow.GuardConfig `yaml:"guards"`
	Embeddings     map[string]string  `yaml:"embeddings"` // names that clients use: the engine's models
	Limits         Limits             `yaml:"limits"`
	LogLevel       string             `yaml:"log_level"`   // debug, info (default), warn, error
	LogPrompts     bool               `yaml:"log_prompts"` // write bodies of requests to the log
	Live           Live               `yaml:"live"`
}

// Live is the page that shows what becomes of requests.
type Live struct {
	Enabled bool `yaml:"enabled"`
	Entries int  `yaml:"entries"` // requests that it shows; 100
	Texts   bool `yaml:"texts"`   // it shows questions and answers, too
}

const maxLiveEntries = 500

func (l *Live) check(path string, keys bool) error {
	if l.Entries == 0 {
		l.Entries = 100
	}
	if l.Entries < 0 || l.Entries > maxLiveEntries {
		return fmt.Errorf("%s: live.entries is %d, expected 1 to %d", path, l.Entries, maxLiveEntries)
	}
	if l.Texts && !keys {
		return fmt.Errorf("%s: live.texts shows what people ask, and without keys everybody may look (hint: keys)", path)
	}
	return nil
}

// Limits bound what a client or an upstream can make the gateway hold or wait for. None is on the whole time of an
// answer. Zero means the default.
type Limits struct {
	BodyBytes    int64 `yaml:"body_bytes"`     // of a request; 8 MiB
	HeaderBytes  int   `yaml:"header_bytes"`   // 64 KiB
	Requests     int64 `yaml:"requests"`       // at a time; 2,048
	AnswerBytes  int64 `yaml:"answer_bytes"`   // of an answer that is no stream; 64 MiB
	RouteMS      int64 `yaml:"route_ms"`       // deciding; 10 s
	ConnectMS    int64 `yaml:"connect_ms"`     // to an upstream; 5 s
	FirstByteMS  int64 `yaml:"first_byte_ms"`  // until an upstream begins to answer; 5 minutes
	IdleMS       int64 `yaml:"idle_ms"`        // between two pieces of an answer; 1 minute
	ClientIdleMS int64 `yaml:"client_idle_ms"` // between two pieces of a request, or of an answer that the client takes; 30 s
	ShutdownMS   int64 `yaml:"shutdown_ms"`    // that answers in flight have at the end; 30 s
}

// Milliseconds as a duration.
func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

func (l Limits) RouteTime() time.Duration  { return ms(l.RouteMS) }
func (l Limits) Connect() time.Duration    { return ms(l.ConnectMS) }
func (l Limits) FirstByte() time.Duration  { return ms(l.FirstByteMS) }
func (l Limits) Idle() time.Duration       { return ms(l.IdleMS) }
func (l Limits) ClientIdle() time.Duration { return ms(l.ClientIdleMS) }
func (l Limits) Shutdown() time.Duration   { return ms(l.ShutdownMS) }

// Read reads and checks the gateway's file.
func Read(path string) (*Gateway, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	g := &Gateway{}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(g); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if g.Router == "" {
		return nil, fmt.Errorf("%s: router is missing, expected the path of a router's file", path)
	}
	if len(g.Embeddings) > 0 && g.Engine == "" {
		return nil, fmt.Errorf("%s: embeddings need an engine", path)
	}
	folder := filepath.Dir(path)
	resolve := func(path *string) {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(folder, *path)
		}
	}
	for _, path := range []*string{&g.Router, &g.Engine, &g.Keys} {
		resolve(path)
	}
	for i := range g.Guards {
		for j := range g.Guards[i].Facts {
			resolve(&g.Guards[i].Facts[j])
		}
	}
	g.defaults()
	if err := g.Live.check(path, g.Keys != ""); err != nil {
		return nil, err
	}
	return g, g.Limits.check(path)
}

func (g *Gateway) defaults() {
	if g.Listen == "" {
		g.Listen = "127.0.0.1:8080"
	}
	l := &g.Limits
	for _, limit := range []struct {
		value *int64
		least int64
	}{{&l.BodyBytes, 8 << 20}, {&l.Requests, 2048}, {&l.AnswerBytes, 64 << 20}, {&l.RouteMS, 10_000}, {&l.ConnectMS, 5_000},
		{&l.FirstByteMS, 300_000}, {&l.IdleMS, 60_000}, {&l.ClientIdleMS, 30_000}, {&l.ShutdownMS, 30_000}} {
		if *limit.value == 0 {
			*limit.value = limit.least
		}
	}
	if l.HeaderBytes == 0 {
		l.HeaderBytes = 64 << 10
	}
}

func (l Limits) check(path string) error {
	for name, value := range map[string]int64{"body_bytes": l.BodyBytes, "header_bytes": int64(l.HeaderBytes), "requests": l.Requests,
		"answer_bytes": l.AnswerBytes, "route_ms": l.RouteMS, "connect_ms": l.ConnectMS, "first_byte_ms": l.FirstByteMS,
		"idle_ms": l.IdleMS, "client_idle_ms": l.ClientIdleMS, "shutdown_ms": l.ShutdownMS} {
		if value < 0 {
			return fmt.Errorf("%s: limits.%s is %d, expected more than 0", path, name, value)
		}
	}
	return nil
}

// Files are those whose change means another configuration.
func (g *Gateway) Files(own string) []string {
	files := []string{own, g.Router}
	for _, path := range []string{g.Engine, g.Keys} {
		if path != "" {
			files = append(files, path)
		}
	}
	for _, guard := range g.Guards {
		files = append(files, guard.Facts...)
	}
	return files
}
