//go:build cgo

package vsr

import (
	"encoding/json"
	"regexp"
	"testing"
)

func TestAbi_OtherVersionIsRefused(t *testing.T) {
	if err := checkABI(); err != nil {
		t.Fatal(err)
	}
	if err := abiError(7, 7); err != nil {
		t.Error(err)
	}
	wantError(t, abiError(2, 1), ErrUnsupported, "libvsr has ABI version 2, this package was built for 1")
}

func TestVersion_IsTheLibrarys(t *testing.T) {
	version := regexp.MustCompile(`^\d+\.\d+\.\d+`)
	if !version.MatchString(Version()) || !version.MatchString(TorchVersion()) {
		t.Errorf("versions are %q and %q", Version(), TorchVersion())
	}
}

func TestOpen_ModelsByName(t *testing.T) {
	engine := must(Open(EngineOptions{Models: []ModelOptions{
		{Name: "embed", Path: tiny("bert-embedding")}, {Name: "sort", Path: tiny("bert-sequence")},
	}, MaxQueuedCalls: 7, MaxQueuedTokens: 99}))(t)
	defer engine.Close()
	var described struct {
		Models []struct{ Name string }
		Queue  struct {
			MaxCalls  int `json:"max_calls"`
			MaxTokens int `json:"max_tokens"`
		}
	}
	if err := json.Unmarshal([]byte(must(engine.Describe())(t)), &described); err != nil {
		t.Fatal(err)
	}
	if len(described.Models) != 2 || described.Models[1].Name != "sort" || described.Queue.MaxCalls != 7 ||
		described.Queue.MaxTokens != 99 {
		t.Errorf("%+v", described)
	}
	must(engine.Embed([]string{"a"}, &EmbedOptions{Task: "embed"}))(t)
	must(engine.Classify([]string{"a"}, &ClassifyOptions{Task: "sort"}))(t)
}

func TestOpen_BadOptions(t *testing.T) {
	_, err := Open(EngineOptions{})
	wantError(t, err, ErrInvalidArgument, "model")
	_, err = Open(EngineOptions{Models: []ModelOptions{{}}})
	wantError(t, err, ErrInvalidArgument, "models[0].path")
	_, err = Open(EngineOptions{Models: []ModelOptions{{Path: "a\x00b"}}})
	wantError(t, err, ErrInvalidArgument, "Path holds a NUL")
	_, err = Open(EngineOptions{ConfigPath: "/nowhere/vsr.yaml"})
	wantError(t, err, ErrNotFound, "/nowhere/vsr.yaml")
	_, err = LoadModel("/nowhere/model", nil)
	wantError(t, err, ErrNotFound, "/nowhere/model")
	_, err = LoadModel("", nil)
	wantError(t, err, ErrInvalidArgument, "path is empty")
	_, err = LoadModel(tiny("bert-embedding")+"\x00", nil)
	wantError(t, err, ErrInvalidArgument, "path holds a NUL")
	_, err = LoadModel(tiny("bert-embedding"), &ModelOptions{Device: "abacus"})
	wantError(t, err, ErrUnsupported, "abacus")
}

func TestEngine_CloseIsIdempotentAndFinal(t *testing.T) {
	model := must(LoadModel(tiny("bert-embedding"), nil))(t)
	tokenizer := must(model.Tokenizer(""))(t)
	defer tokenizer.Close()
	for range [3]int{} {
		if err := model.Close(); err != nil {
			t.Error(err)
		}
	}
	_, err := model.Embed([]string{"a"}, nil)
	wantError(t, err, ErrState, "engine is closed")
	_, err = model.Describe()
	wantError(t, err, ErrState, "engine is closed")
	if got := must(tokenizer.Encode("my card", nil))(t); len(got.IDs) != 4 {
		t.Errorf("%+v", got)
	}
	var none *Engine
	if err := none.Close(); err != nil {
		t.Error(err)
	}
	_, err = none.Embed([]string{"a"}, nil)
	wantError(t, err, ErrInvalidArgument, "nil")
	_, err = new(Engine).Embed([]string{"a"}, nil)
	wantError(t, err, ErrInvalidArgument, "nil")
}

func TestDefault_LifeCycle(t *testing.T) {
	defer Shutdown()
	engine := Default()
	_, err := engine.Embed([]string{"a"}, nil)
	wantError(t, err, ErrState, "vsr_init")
	one := EngineOptions{Models: []ModelOptions{{Path: tiny("bert-embedding")}}}
	other := EngineOptions{Models: []ModelOptions{{Path: tiny("bert-sequence")}}}
	wantError(t, Reload(one), ErrState, "")
	if err := Init(one); err != nil {
		t.Fatal(err)
	}
	if err := Init(one); err != nil {
		t.Error(err)
	}
	wantError(t, Init(other), ErrState, "bert-sequence")
	must(engine.Embed([]string{"a"}, nil))(t)
	if err := engine.Close(); err != nil {
		t.Error(err)
	}
	if err := Reload(other); err != nil {
		t.Fatal(err)
	}
	must(engine.Classify([]string{"a"}, nil))(t)
	Shutdown()
	_, err = engine.Classify([]string{"a"}, nil)
	wantError(t, err, ErrState, "")
}
