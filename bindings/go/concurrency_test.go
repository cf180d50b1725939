//go:build cgo

package vsr

import (
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func inParallel(n int, f func(i int)) {
	var group sync.WaitGroup
	for i := range n {
		group.Add(1)
		go func() {
			defer group.Done()
			f(i)
		}()
	}
	group.Wait()
}

func TestEngine_ManyGoroutines(t *testing.T) {
	model := load(t, "bert-embedding")
	intents := twoIntents(t, model)
	want := must(model.Embed([]string{"where is my card?"}, nil))(t)
	inParallel(16, func(i int) {
		for range 20 {
			got, err := model.Embed([]string{"where is my card?", "another"}, nil)
			if err != nil || !near(got.Data[0], want.Data[0]) {
				t.Errorf("%v %v", got, err)
				return
			}
			if i == 0 {
				if err := errors.Join(intents.Add("seat", []string{"a window seat"}, nil), intents.Remove("seat")); err != nil {
					t.Error(err)
				}
				continue
			}
			if matches, err := intents.Route([]string{"book a flight"}); err != nil || matches[0].Label != "travel" {
				t.Errorf("%v %v", matches, err)
			}
		}
	})
}

func TestEngine_CloseWhileInUse(t *testing.T) {
	for range 10 {
		model := must(LoadModel(tiny("bert-embedding"), nil))(t)
		inParallel(8, func(i int) {
			if i == 0 {
				model.Close()
				return
			}
			for range 5 {
				if _, err := model.Embed([]string{"where is my card?"}, nil); err != nil && !errors.Is(err, ErrState) {
					t.Error(err)
				}
			}
		})
	}
}

func TestDefault_InitAndReloadRace(t *testing.T) {
	defer Shutdown()
	options := func(name string) EngineOptions { return EngineOptions{Models: []ModelOptions{{Path: tiny(name)}}} }
	first := make(chan struct{})
	inParallel(16, func(i int) {
		if i > 0 {
			<-first // so that no Init comes after a Reload to another model
		}
		if i == 0 {
			inParallel(4, func(int) {
				if err := Init(options("bert-sequence")); err != nil {
					t.Error(err)
				}
			})
			close(first)
		}
		for k := range 10 {
			if i == 1 {
				name := []string{"bert-token", "bert-sequence"}[k%2]
				if err := Reload(options(name)); err != nil {
					t.Error(err)
				}
			}
			got, err := Default().Classify([]string{"where is my card?"}, nil)
			if err == nil && len(got[0].Probs) != 3 || err != nil && !errors.Is(err, ErrUnsupported) {
				t.Errorf("%v %v", got, err)
			}
		}
	})
}

// residentKB is this process's resident memory; 0 where the kernel does not say.
func residentKB() int {
	text, err := os.ReadFile("/proc/self/statm")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize() / 1024
}

// grows runs f until memory has settled and then many times more, and says by how many kB the process grew.
func grows(t *testing.T, times int, f func()) int {
	t.Helper()
	if residentKB() == 0 {
		t.Skip("/proc/self/statm is not there")
	}
	for range times / 2 {
		f()
	}
	runtime.GC()
	before := residentKB()
	for range times {
		f()
	}
	runtime.GC()
	return residentKB() - before
}

func TestCalls_DoNotLeak(t *testing.T) {
	model := load(t, "bert-embedding")
	sequence := load(t, "bert-sequence")
	tokenizer := must(model.Tokenizer(""))(t)
	defer tokenizer.Close()
	intents := twoIntents(t, model)
	large := strings.Repeat("card ", 200)
	grown := grows(t, 1000, func() {
		must(model.Embed([]string{"where is my card?"}, &EmbedOptions{Progress: func(int, int) bool { return false }}))(t)
		must(sequence.Classify([]string{"where is my card?"}, nil))(t)
		must(tokenizer.Encode(large, nil))(t)
		must(intents.Route([]string{"book a flight"}))(t)
		if _, err := model.Embed([]string{large}, &EmbedOptions{Task: "no such task"}); err == nil {
			t.Fatal("an unknown task is an error")
		}
	})
	if grown > 16<<10 {
		t.Errorf("1000 rounds of calls grew the process by %d kB", grown)
	}
}

func TestHandles_DoNotLeak(t *testing.T) {
	model := load(t, "bert-embedding")
	round := func(closed bool) {
		tokenizer := must(LoadTokenizer(tiny("bert-embedding")))(t)
		intents := must(NewIntents(model, nil))(t)
		other := must(LoadModel(tiny("bert-embedding"), nil))(t)
		if closed {
			tokenizer.Close()
			intents.Close()
			other.Close()
		} else {
			runtime.GC() // finalizers are the safety net
		}
	}
	for _, closed := range []bool{true, false} {
		if grown := grows(t, 100, func() { round(closed) }); grown > 24<<10 {
			t.Errorf("100 rounds of handles (closed: %t) grew the process by %d kB", closed, grown)
		}
	}
}
