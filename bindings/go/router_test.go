//go:build cgo

package vsr

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const routerConfig = `version: v0.3
routing:
  signals:
    keywords: [{name: urgent, operator: OR, keywords: [urgent]}]
    embeddings: [{name: card, threshold: 0.999, candidates: ["where is my card?"]}]
    role_bindings: [{name: admins, role: admin, subjects: [{kind: Group, name: staff}]}]
  decisions:
    - name: urgent
      priority: 100
      rules: {type: keyword, name: urgent}
      modelRefs: [{model: large}]
      plugins: [{type: header_mutation, configuration: {update: [{name: X-Lane, value: fast}]}}]
    - name: staff
      priority: 90
      rules: {type: authz, name: admin}
      modelRefs: [{model: large}]
    - name: card
      priority: 50
      rules: {type: embedding, name: card}
      modelRefs: [{model: small}]
providers:
  defaults: {default_model: small}
  models: [{name: small}, {name: large}]
vsr:
  cache: {threshold: 0.95}
`

func newRouter(t *testing.T, options *RouterOptions) *Router {
	t.Helper()
	path := filepath.Join(t.TempDir(), "router.yaml")
	if err := os.WriteFile(path, []byte(routerConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	router := must(NewRouter(path, options))(t)
	t.Cleanup(router.Close)
	return router
}

func TestNewRouter_ValidatesModels(t *testing.T) {
	newRouter(t, &RouterOptions{Engine: load(t, "bert-embedding"), ValidateModels: true})
	path := filepath.Join(t.TempDir(), "router.yaml")
	text := strings.Replace(routerConfig, "  cache:", "  models: {m: {path: /nowhere}}\n  cache:", 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := NewRouter(path, nil); !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "router.yaml:25:") {
		t.Errorf("got %v", err)
	}
}

func TestRouter_RoutesAndRewrites(t *testing.T) {
	router := newRouter(t, &RouterOptions{Engine: load(t, "bert-embedding")})
	d := must(router.Route([]byte(`{"messages": [{"role": "user", "content": "urgent"}], "x": 1e2}`), nil))(t)
	if d.Name != "urgent" || d.Model != "large" || d.Outcome != OutcomeForward || !strings.Contains(string(d.Request), `"x": 1e2`) {
		t.Errorf("got %+v", d)
	}
	if len(d.Headers) != 1 || d.Headers[0].Name != "x-lane" || *d.Headers[0].Value != "fast" {
		t.Errorf("headers %+v", d.Headers)
	}
	d = must(router.Route([]byte("where is my card?"), &RouteOptions{Explain: true}))(t)
	if d.Name != "card" || !json.Valid([]byte(d.Explanation)) {
		t.Errorf("got %+v", d)
	}
	d = must(router.Route([]byte("hello"), &RouteOptions{Groups: []string{"staff"}}))(t)
	if d.Name != "staff" {
		t.Errorf("got %q, want staff", d.Name)
	}
}

func TestRouter_Decides(t *testing.T) {
	router := newRouter(t, nil)
	d := must(router.Decide(map[string]float64{"embedding:card": 0.5}))(t)
	if d.Name != "card" || d.Confidence != 0.5 || d.Request != nil {
		t.Errorf("got %+v", d)
	}
	_, err := router.Decide(map[string]float64{"keyword:urgend": 1})
	wantError(t, err, ErrInvalidArgument, "keyword:urgent")
}

func TestRouter_StoresAnswers(t *testing.T) {
	router := newRouter(t, &RouterOptions{Engine: load(t, "bert-embedding")})
	first := must(router.Route([]byte("urgent"), nil))(t)
	if err := router.Store(first, []byte("answer")); err != nil {
		t.Fatal(err)
	}
	again := must(router.Route([]byte("urgent"), nil))(t)
	if again.Outcome != OutcomeCached || string(again.Response) != "answer" {
		t.Errorf("got %+v", again)
	}
	if err := router.Feedback(again, false); err != nil {
		t.Fatal(err)
	}
	if d := must(router.Route([]byte("urgent"), nil))(t); d.Outcome != OutcomeForward {
		t.Errorf("got outcome %d after a wrong answer", d.Outcome)
	}
	wantError(t, router.Feedback(&Decision{}, true), ErrInvalidArgument, "")
	if text := must(router.Metrics())(t); !strings.HasSuffix(text, "# EOF\n") {
		t.Errorf("metrics end with %q", text[len(text)-20:])
	}
}

func TestRouter_IsSharedByGoroutines(t *testing.T) {
	router := newRouter(t, &RouterOptions{Engine: load(t, "bert-embedding"), Log: func(LogLevel, string) {}})
	var group sync.WaitGroup
	for i := 0; i < 8; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for j := 0; j < 5; j++ {
				if d, err := router.Route([]byte("where is my card?"), nil); err != nil || d.Name != "card" {
					t.Errorf("got %+v, %v", d, err)
				}
			}
		}()
	}
	group.Wait()
	router.Close()
	_, err := router.Route([]byte("x"), nil)
	wantError(t, err, ErrState, "closed")
}

func TestCompress_KeepsTheQuestion(t *testing.T) {
	text := strings.Repeat("The road was long. ", 300) + "Which tax rate applies to machines?"
	c := must(Compress(text, 40, nil))(t)
	if c.TokensAfter > 40 || !c.Estimated || !strings.Contains(c.Text, "tax rate") || len(c.Kept) == 0 {
		t.Errorf("got %+v", c)
	}
	_, err := Compress(text, 0, nil)
	wantError(t, err, ErrInvalidArgument, "max_tokens")
}

func TestNewRouter_TakesTheDefaultEngine(t *testing.T) {
	Shutdown()
	path := filepath.Join(t.TempDir(), "router.yaml")
	if err := os.WriteFile(path, []byte(routerConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := NewRouter(path, &RouterOptions{Engine: Default()})
	wantError(t, err, ErrState, "")
	if err := Init(EngineOptions{Models: []ModelOptions{{Path: tiny("bert-embedding")}}}); err != nil {
		t.Fatal(err)
	}
	defer Shutdown()
	router := must(NewRouter(path, &RouterOptions{Engine: Default()}))(t)
	defer router.Close()
	if decision := must(router.Route([]byte("where is my card?"), nil))(t); decision.Name != "card" {
		t.Errorf("%+v", decision)
	}
}

func TestReload(t *testing.T) {
	const reloadConfig = `routing:
  signals: {keywords: [{name: k, keywords: [urgent]}]}
  decisions: [{name: urgent, rules: {type: keyword, name: k}, modelRefs: [{model: large}]}]
providers: {defaults: {default_model: small}, models: [{name: small}, {name: large}]}
`
	path := filepath.Join(t.TempDir(), "router.yaml")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(reloadConfig)
	router := must(NewRouter(path, nil))(t)
	defer router.Close()
	var routing sync.WaitGroup
	for range 4 {
		routing.Add(1)
		go func() {
			defer routing.Done()
			for range 50 {
				if d, err := router.Route([]byte("urgent"), nil); err != nil || d.Model == "" {
					t.Errorf("route: %v, %v", d, err)
				}
			}
		}()
	}
	write(strings.ReplaceAll(reloadConfig, "[urgent]", "[later]"))
	if err := router.Reload(); err != nil {
		t.Fatal(err)
	}
	routing.Wait()
	write("routing: [")
	wantError(t, router.Reload(), ErrParse, "router.yaml")
	if d := must(router.Route([]byte("do it later"), nil))(t); d.Model != "large" {
		t.Errorf("model %q after the reload", d.Model)
	}
}
