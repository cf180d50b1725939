//go:build cgo

package vsr

import (
	"context"
	"testing"
	"time"
)

func TestContext_EndsCalls(t *testing.T) {
	model := load(t, "bert-embedding")
	done, cancel := context.WithCancel(context.Background())
	must(model.Embed([]string{"a"}, &EmbedOptions{Context: done}))(t)
	cancel()
	_, err := model.Embed([]string{"a"}, &EmbedOptions{Context: done})
	wantError(t, err, ErrCancelled, "cancelled")

	late, release := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer release()
	_, err = model.Embed([]string{"a"}, &EmbedOptions{Context: late})
	wantError(t, err, ErrDeadline, "deadline")

	running, stop := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, stop)
	for err = nil; err == nil; {
		_, err = model.Embed(make([]string, 100), &EmbedOptions{Context: running})
	}
	wantError(t, err, ErrCancelled, "cancelled")
}

func TestContext_EndsEveryKindOfCall(t *testing.T) {
	late, release := context.WithTimeout(context.Background(), -time.Second)
	defer release()
	_, err := load(t, "bert-sequence").Classify([]string{"a"}, &ClassifyOptions{Context: late})
	wantError(t, err, ErrDeadline, "")
	_, err = load(t, "bert-sequence").ClassifyAll([]string{"a"}, nil, &MultiOptions{Context: late})
	wantError(t, err, ErrDeadline, "")
	_, err = newRouter(t, nil).Route([]byte("hello"), &RouteOptions{Context: late})
	wantError(t, err, ErrDeadline, "")
	_, err = load(t, "qwen3-generate").Generate("a", &GenerateOptions{Context: late})
	wantError(t, err, ErrDeadline, "")
	_, err = load(t, "qwen3-guard").Moderate("a", &ModerateOptions{Context: late})
	wantError(t, err, ErrDeadline, "")
	intents := twoIntents(t, load(t, "bert-embedding"))
	unit := Matrix{Rows: 1, Cols: 32, Data: make([]float32, 32)}
	unit.Data[0] = 1
	_, err = intents.RouteVectorsContext(late, &unit)
	wantError(t, err, ErrDeadline, "")
	_, err = Compress("a text", 5, &CompressOptions{Context: late})
	wantError(t, err, ErrDeadline, "")
	_, err = intents.RouteContext(late, []string{"a"})
	wantError(t, err, ErrDeadline, "")
	wantError(t, intents.AddContext(late, "seat", []string{"a window seat"}, nil), ErrDeadline, "")
	must(intents.RouteContext(context.Background(), []string{"a"}))(t)
}
