//go:build !cgo

package vsr

import (
	"context"
	"errors"
	"testing"
)

func TestStub_FailsClosed(t *testing.T) {
	engine, intents, tokenizer, texts := Default(), &Intents{}, &Tokenizer{}, []string{"a"}
	calls := map[string]func() error{
		"Open":             func() error { _, err := Open(EngineOptions{}); return err },
		"LoadModel":        func() error { _, err := LoadModel("x", nil); return err },
		"Init":             func() error { return Init(EngineOptions{}) },
		"Reload":           func() error { return Reload(EngineOptions{}) },
		"Describe":         func() error { _, err := engine.Describe(); return err },
		"Embed":            func() error { _, err := engine.Embed(texts, nil); return err },
		"SelectModel":      func() error { _, err := engine.SelectModel(texts, nil, nil); return err },
		"EmbedSelect":      func() error { _, _, err := engine.EmbedSelect(texts, nil, nil); return err },
		"EmbedInto":        func() error { _, err := engine.EmbedInto(nil, nil, nil); return err },
		"Classify":         func() error { _, err := engine.Classify(texts, nil); return err },
		"ClassifyPairs":    func() error { _, err := engine.ClassifyPairs(texts, texts, nil); return err },
		"TokenProbs":       func() error { _, err := engine.TokenProbs("a", nil); return err },
		"Entities":         func() error { _, err := engine.Entities(texts, nil); return err },
		"TokenProbsOfPair": func() error { _, err := engine.TokenProbsOfPair("a", "b", nil); return err },
		"EntitiesOfPairs":  func() error { _, err := engine.EntitiesOfPairs(texts, texts, nil); return err },
		"Similarity":       func() error { _, err := engine.Similarity(texts, texts, nil); return err },
		"SimilarityMatrix": func() error { _, err := engine.SimilarityMatrix(texts, texts, nil); return err },
		"Nearest":          func() error { _, err := engine.Nearest("a", texts, 1, nil); return err },
		"Generate":         func() error { _, err := engine.Generate("a", nil); return err },
		"Moderate":         func() error { _, err := engine.Moderate("a", nil); return err },
		"ModerateResponse": func() error { _, err := engine.ModerateResponse("a", "b", nil); return err },
		"Tokenizer":        func() error { _, err := engine.Tokenizer(""); return err },
		"LoadTokenizer":    func() error { _, err := LoadTokenizer("x"); return err },
		"Encode":           func() error { _, err := tokenizer.Encode("a", nil); return err },
		"Decode":           func() error { _, err := tokenizer.Decode(nil, false); return err },
		"NewIntents":       func() error { _, err := NewIntents(engine, nil); return err },
		"LoadIntents":      func() error { _, err := LoadIntents(engine, "x", ""); return err },
		"ReadIntents":      func() error { _, err := ReadIntents(engine, "x.yaml", nil); return err },
		"Add":              func() error { return intents.Add("x", texts, nil) },
		"Remove":           func() error { return intents.Remove("x") },
		"Route":            func() error { _, err := intents.Route(texts); return err },
		"Intents.Describe": func() error { _, err := intents.Describe(); return err },
		"LoadAdapter":      func() error { return engine.LoadAdapter(AdapterOptions{}, false) },
		"UnloadAdapter":    func() error { return engine.UnloadAdapter("x") },
		"ClassifyAll":      func() error { _, err := engine.ClassifyAll(texts, nil, nil); return err },
		"ClassifyAllPairs": func() error { _, err := engine.ClassifyAllPairs(texts, texts, nil, nil); return err },
		"RouteVectors":     func() error { _, err := intents.RouteVectors(&Matrix{}); return err },
		"RouteVectorsContext": func() error {
			_, err := intents.RouteVectorsContext(context.Background(), &Matrix{})
			return err
		},
		"Save": func() error { return intents.Save("x") },
	}
	for name, call := range calls {
		err := call()
		var typed *Error
		if !errors.Is(err, ErrNoCgo) || !errors.Is(err, ErrUnsupported) || !errors.As(err, &typed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	Shutdown()
	for name, err := range map[string]error{
		"engine": engine.Close(), "intents": intents.Close(), "tokenizer": tokenizer.Close(),
	} {
		if err != nil {
			t.Errorf("closing %s: %v", name, err)
		}
	}
}
