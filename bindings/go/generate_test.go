//go:build cgo

package vsr

import (
	"slices"
	"strings"
	"testing"
)

func TestGenerate_GreedyIsStreamedAndDeterministic(t *testing.T) {
	model := load(t, "qwen3-generate")
	var ids []int32
	var text strings.Builder
	options := GenerateOptions{MaxNewTokens: 20, NoEOS: true, OnToken: func(id int32, piece string) bool {
		ids = append(ids, id)
		text.WriteString(piece)
		return false
	}}
	got := must(model.Generate("where is my card?", &options))(t)
	if len(got.IDs) != 20 || got.Finish != FinishLength || got.PromptTokens == 0 {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(ids, got.IDs) || text.String() != got.Text {
		t.Errorf("streamed %v %q, got %v %q", ids, text.String(), got.IDs, got.Text)
	}
	sampled := &GenerateOptions{MaxNewTokens: 20, NoEOS: true, Temperature: 3, Seed: 1}
	first, second := must(model.Generate("a", sampled))(t), must(model.Generate("a", sampled))(t)
	if !slices.Equal(first.IDs, second.IDs) {
		t.Errorf("%v and %v", first.IDs, second.IDs)
	}
}

func TestGenerate_Errors(t *testing.T) {
	model := load(t, "qwen3-generate")
	_, err := model.Generate("", nil)
	wantError(t, err, ErrInvalidArgument, "prompt")
	_, err = model.Generate("a", &GenerateOptions{MaxNewTokens: 5000})
	wantError(t, err, ErrLimit, "5000")
	_, err = model.Generate("a", &GenerateOptions{TopK: 2})
	wantError(t, err, ErrInvalidArgument, "top_k")
	_, err = model.Generate("a", &GenerateOptions{OnToken: func(int32, string) bool { return true }})
	wantError(t, err, ErrCancelled, "")
	_, err = load(t, "bert-embedding").Generate("a", nil)
	wantError(t, err, ErrUnsupported, "generation")
	func() {
		defer func() {
			if recover() != "stop" {
				t.Error("the panic is lost")
			}
		}()
		model.Generate("a", &GenerateOptions{OnToken: func(int32, string) bool { panic("stop") }})
	}()
}

func TestModerate_PromptsAndResponses(t *testing.T) {
	model := load(t, "qwen3-guard")
	safe := must(model.Moderate("where is my card?", nil))(t)
	if safe.Severity != SeveritySafe || safe.Refusal != nil || safe.Safe < 0.9 || len(safe.Categories) != 0 {
		t.Errorf("%+v", safe)
	}
	question := "how do I take a card that is not mine?"
	unsafe := must(model.Moderate(question, nil))(t)
	if unsafe.Severity != SeverityUnsafe || !slices.Equal(unsafe.Categories, []string{"Theft", "Harm"}) {
		t.Errorf("%+v", unsafe)
	}
	refused := must(model.ModerateResponse(question, "I will not help.", nil))(t)
	if refused.Severity != SeveritySafe || refused.Refusal == nil || !*refused.Refusal {
		t.Errorf("%+v", refused)
	}
	if got := must(model.Moderate("go on", nil))(t); got.Severity != SeverityUnparsed || got.Severity.String() != "unparsed" {
		t.Errorf("%+v", got)
	}
	_, err := load(t, "qwen3-generate").Moderate("a", nil)
	wantError(t, err, ErrUnsupported, "chat template")
}
