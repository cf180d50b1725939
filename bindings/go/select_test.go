//go:build cgo

package vsr

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func twoModels(t *testing.T) *Engine {
	t.Helper()
	absolute := func(name string) string { return must(filepath.Abs(tiny(name)))(t) }
	config := filepath.Join(t.TempDir(), "c.yaml")
	text := fmt.Sprintf("vsr:\n  models:\n    good: {path: %q, quality: 0.9, languages: [de]}\n    fast: {path: %q, quality: 0.2}\n",
		absolute("bert-embedding"), absolute("bert-no-pooler"))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	engine := must(Open(EngineOptions{ConfigPath: config}))(t)
	t.Cleanup(func() { engine.Close() })
	return engine
}

func TestSelectModel_PrioritiesAndLanguageDecide(t *testing.T) {
	engine, texts := twoModels(t), []string{"where is my card?", ""}
	for want, policy := range map[string]*EmbedPolicy{
		"good": {QualityPriority: 1}, "fast": {LatencyPriority: 1},
	} {
		if got := must(engine.SelectModel(texts, policy, nil))(t); got.Model != want {
			t.Errorf("%+v", got)
		}
	}
	got := must(engine.SelectModel(texts, &EmbedPolicy{LatencyPriority: 1, Language: "de-CH"}, nil))(t)
	good, fast := got.Candidates[0], got.Candidates[1]
	if got.Model != "good" || !good.Chosen || good.Rejected != "" || good.Tokens != 7 || good.Windows != 2 {
		t.Errorf("%+v", got)
	}
	if fast.Chosen || fast.Rejected != "lists no languages" || fast.Score != 0 {
		t.Errorf("%+v", fast)
	}
}

func TestEmbedSelect_EmbedsWithTheChosenModel(t *testing.T) {
	engine, texts := twoModels(t), []string{"where is my card?", ""}
	vectors, selection, err := engine.EmbedSelect(texts, &EmbedPolicy{LatencyPriority: 1}, nil)
	if err != nil || selection.Model != "fast" || vectors.Rows != 2 || len(vectors.Usage) != 2 {
		t.Fatalf("%v %+v %v", vectors, selection, err)
	}
	same := must(engine.Embed(texts, &EmbedOptions{Task: "fast"}))(t)
	for i, x := range vectors.Data {
		if !near(x, same.Data[i]) {
			t.Fatalf("value %d is %f, not %f", i, x, same.Data[i])
		}
	}
	_, _, err = engine.EmbedSelect(texts, nil, &EmbedOptions{Dim: 5})
	wantError(t, err, ErrNotFound, "no embedding model qualifies")
	_, err = engine.SelectModel(texts, &EmbedPolicy{QualityPriority: -1}, nil)
	wantError(t, err, ErrInvalidArgument, "quality_priority is -1")
	_, err = engine.SelectModel(texts, &EmbedPolicy{Language: "a\x00b"}, nil)
	wantError(t, err, ErrInvalidArgument, "Language holds a NUL")
}
