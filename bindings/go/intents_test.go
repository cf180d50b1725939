//go:build cgo

package vsr

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func twoIntents(t testing.TB, model *Model) *Intents {
	t.Helper()
	intents := must(NewIntents(model, &IntentsOptions{Threshold: -1}))(t)
	t.Cleanup(func() { intents.Close() })
	for label, examples := range map[string][]string{
		"card": {"where is my card?", "my card is lost"}, "travel": {"book a flight", "a hotel in Paris"},
	} {
		if err := intents.Add(label, examples, nil); err != nil {
			t.Fatal(err)
		}
	}
	return intents
}

func TestIntents_RouteSaveLoad(t *testing.T) {
	model := load(t, "bert-embedding")
	intents := twoIntents(t, model)
	texts := []string{"where is my card?", "book a flight"}
	matches := must(intents.Route(texts))(t)
	if len(matches) != 2 || matches[0].Label != "card" || matches[1].Label != "travel" || !near(matches[0].Score, 1) ||
		matches[0].Nearest != "card" {
		t.Errorf("%+v", matches)
	}
	path := filepath.Join(t.TempDir(), "set")
	if err := intents.Save(path); err != nil {
		t.Fatal(err)
	}
	loaded := must(LoadIntents(model, path, ""))(t)
	defer loaded.Close()
	if again := must(loaded.Route(texts))(t); again[1] != matches[1] {
		t.Errorf("%+v, saved was %+v", again[1], matches[1])
	}
	one := float32(1)
	if err := intents.Add("travel", []string{"a train to Berlin"}, &one); err != nil {
		t.Fatal(err)
	}
	if json := must(intents.Describe())(t); !strings.Contains(json, "travel") {
		t.Error(json)
	}
	if err := intents.Remove("travel"); err != nil {
		t.Error(err)
	}
	if left := must(intents.Route(texts))(t); left[1].Nearest != "card" || left[1].RunnerUp != "" {
		t.Errorf("%+v", left)
	}
}

func TestIntents_BadArguments(t *testing.T) {
	model := load(t, "bert-embedding")
	_, err := NewIntents(model, &IntentsOptions{Rule: 9})
	wantError(t, err, ErrInvalidArgument, "rule is 9")
	intents := must(NewIntents(model, nil))(t)
	wantError(t, intents.Add("", []string{"a"}, nil), ErrInvalidArgument, "label")
	wantError(t, intents.Add("a\x00b", []string{"a"}, nil), ErrInvalidArgument, "label holds a NUL")
	wantError(t, intents.Remove("x"), ErrNotFound, "x")
	wantError(t, intents.Save("/nowhere/set"), ErrNotFound, "/nowhere/set")
	_, err = LoadIntents(model, "/nowhere/set", "")
	wantError(t, err, ErrNotFound, "/nowhere/set")
	if empty := must(intents.Route([]string{"a"}))(t); empty[0] != (Match{}) {
		t.Errorf("%+v", empty)
	}
	intents.Close()
	intents.Close()
	_, err = intents.Route([]string{"a"})
	wantError(t, err, ErrState, "intents is closed")
}

func TestIntents_OutliveTheirEngine(t *testing.T) {
	model := load(t, "bert-embedding")
	intents := twoIntents(t, model)
	model.Close()
	if matches := must(intents.Route([]string{"book a flight"}))(t); matches[0].Label != "travel" {
		t.Errorf("%+v", matches)
	}
}

func TestMiniLM_RoutesRealQuestions(t *testing.T) {
	intents := must(NewIntents(minilm(t), &IntentsOptions{Threshold: 0.4}))(t)
	defer intents.Close()
	for label, examples := range map[string][]string{
		"card":     {"where is my card?", "my card has not arrived", "when will I get my new card?"},
		"exchange": {"what is the exchange rate?", "how many euros for ten pounds?", "dollar rate today"},
		"travel":   {"book a flight to Rome", "I need a hotel", "find me a train to Berlin"},
	} {
		if err := intents.Add(label, examples, nil); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{
		"still no card in my letter box":      "card",
		"what's the current dollar euro rate": "exchange",
		"a plane to Madrid, please":           "travel",
		"why is the sky blue?":                "",
	}
	for text, label := range want {
		if got := must(intents.Route([]string{text}))(t)[0]; got.Label != label {
			t.Errorf("%q: %+v, want %q", text, got, label)
		}
	}
}

func TestReadIntents_YAMLAndCSV(t *testing.T) {
	model, folder := load(t, "bert-embedding"), t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	yaml := write("i.yaml", "rule: best\nintents:\n  card: [\"where is my card?\"]\n  trip: [book a flight]\n")
	csv := write("i.csv", "text,label\nwhere is my card?,card\nbook a flight,trip\n")
	for _, path := range []string{yaml, csv} {
		intents := must(ReadIntents(model, path, &IntentsFileOptions{Context: context.Background()}))(t)
		if match := must(intents.Route([]string{"book a flight"}))(t)[0]; match.Label != "trip" || !near(match.Score, 1) {
			t.Errorf("%s: %+v", path, match)
		}
		intents.Close()
	}
	beyond := float32(1.5)
	_, err := ReadIntents(model, yaml, &IntentsFileOptions{Threshold: &beyond})
	wantError(t, err, ErrInvalidArgument, "1.5")
	_, err = ReadIntents(model, write("bad.yaml", "intents: {a: [x]}\ntop-k: 3\n"), nil)
	wantError(t, err, ErrParse, "bad.yaml:2:1")
	late, release := context.WithTimeout(context.Background(), -time.Second)
	defer release()
	_, err = ReadIntents(model, yaml, &IntentsFileOptions{Context: late})
	wantError(t, err, ErrDeadline, "")
}
