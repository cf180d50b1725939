//go:build cgo

package vsr

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"
)

// tiny is the folder of one of the tiny seeded models.
func tiny(name string) string { return "../../tests/goldens/models/" + name }

func load(t testing.TB, name string) *Model {
	t.Helper()
	model, err := LoadModel(tiny(name), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { model.Close() })
	return model
}

func minilm(t *testing.T) *Model {
	t.Helper()
	path := os.Getenv("VSR_MINILM")
	if path == "" {
		t.Skip("VSR_MINILM is not set (hint: scripts/test.sh sets it)")
	}
	model, err := LoadModel(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { model.Close() })
	return model
}

func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// wantError checks code and message; part may be empty.
func wantError(t testing.TB, err error, code Status, part string) {
	t.Helper()
	var typed *Error
	if !errors.As(err, &typed) || !errors.Is(err, code) || !strings.Contains(typed.Message, part) {
		t.Errorf("got %v, want %v with %q", err, code, part)
	}
}

func near(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-5 }
