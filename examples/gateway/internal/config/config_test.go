package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRead_SaysWhatIsWrong(t *testing.T) {
	for text, says := range map[string]string{
		"":                                        "router is missing",
		"router: r.yaml\nlisten_on: x\n":          "listen_on",
		"router: r.yaml\nlimits: {idle_ms: -1}":   "limits.idle_ms is -1",
		"router: r.yaml\nembeddings: {a: b}":      "need an engine",
		"router: r.yaml\nlive: {texts: true}":     "hint: keys",
		"router: r.yaml\nlive: {entries: 501}":    "live.entries is 501",
		"router: [":                               "yaml",
		"router: r.yaml\nguards: [{polcy: warn}]": "polcy",
	} {
		if _, err := Read(write(t, "gateway.yaml", text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestRead_ResolvesPathsAndFillsIn(t *testing.T) {
	path := write(t, "gateway.yaml", "router: r.yaml\nguards: [{facts: [a.txt, /b.txt]}]\nlimits: {idle_ms: 7}\n")
	g, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(path)
	if g.Router != folder+"/r.yaml" || g.Guards[0].Facts[0] != folder+"/a.txt" || g.Guards[0].Facts[1] != "/b.txt" ||
		g.Limits.IdleMS != 7 || g.Limits.BodyBytes != 8<<20 || g.Listen == "" {
		t.Errorf("%+v", g)
	}
}

func TestReadProviders_FindsServers(t *testing.T) {
	t.Setenv("SOME_KEY", "k")
	path := write(t, "router.yaml", `providers:
  models:
    - name: m
      provider_model_id: own
      external_model_ids: {vllm: other}
      backend_refs:
        - {endpoint: "host:8000", type: vllm, api_key_env: SOME_KEY}
        - {base_url: "https://api.example.com/v1", weight: 0}
    - {name: without}
`)
	models, _, err := ReadProviders(path)
	if err != nil {
		t.Fatal(err)
	}
	first, second := &models[0].Backends[0], &models[0].Backends[1]
	if first.URL.String() != "http://host:8000/v1" || first.APIKey != "k" || second.URL.Host != "api.example.com" || *second.Weight != 0 {
		t.Errorf("%+v", models)
	}
	if models[0].IDAt(first) != "other" || models[0].IDAt(second) != "own" || models[1].IDAt(&Backend{}) != "without" {
		t.Error("the names at the servers")
	}
	for text, says := range map[string]string{
		"{}":                        "neither an endpoint nor a base_url",
		"{base_url: 'ftp://x'}":     "no address",
		"{endpoint: x, weight: -1}": "weight is -1",
		"{endpoint: x, api_key_env: NOBODY_SETS_THIS}": "NOBODY_SETS_THIS",
	} {
		path := write(t, "router.yaml", "providers: {models: [{name: m, backend_refs: ["+text+"]}]}")
		if _, _, err := ReadProviders(path); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
