package live

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

func snapshot(t *testing.T, b *Board) []Entry {
	t.Helper()
	first, w, err := b.Watch()
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	var all struct{ Entries []Entry }
	if err := json.Unmarshal(first, &all); err != nil {
		t.Fatal(err)
	}
	return all.Entries
}

func TestBoard_KeepsTheLastAndBoundsEach(t *testing.T) {
	b := NewBoard(3)
	for i := range 5 {
		r := b.Begin(Entry{ID: fmt.Sprint(i), Path: strings.Repeat("/", 9999), HasText: true, Question: strings.Repeat("é", 9999)})
		for range 3 {
			r.Say(strings.Repeat("é", maxText/4+1))
		}
		r.Change(func(e *Entry) { e.Findings = make([]Finding, 999) })
	}
	all := snapshot(t, b)
	if len(all) != 3 || all[0].ID != "2" || all[2].ID != "4" {
		t.Fatalf("%d entries", len(all))
	}
	e := all[0]
	if len(e.Path) > maxName || len(e.Question) > maxQuestion || len(e.Text) > maxText || !e.Cut || len(e.Findings) != maxFindings ||
		!utf8.ValidString(e.Text) || strings.ContainsRune(e.Text+e.Question, utf8.RuneError) {
		t.Errorf("path %d, question %d, text %d, cut %v", len(e.Path), len(e.Question), len(e.Text), e.Cut)
	}
}

func TestBoard_KeepsNoTextThatMayNotBeShown(t *testing.T) {
	b := NewBoard(3)
	quiet := b.Begin(Entry{ID: "a", Question: "secret"})
	quiet.Say("secret")
	open := b.Begin(Entry{ID: "b", HasText: true, Question: "secret"})
	open.Say("secret")
	b.ForgetTexts()
	open.Say("secret")
	open.Change(func(e *Entry) { e.Question = "secret" })
	first, w, err := b.Watch()
	if err != nil || strings.Contains(string(first), "secret") {
		t.Errorf("%s, %v", first, err)
	}
	w.Close()
}

func TestBoard_EndsWhoDoesNotKeepUp(t *testing.T) {
	b := NewBoard(3)
	_, slow, _ := b.Watch()
	_, quick, _ := b.Watch()
	var wait sync.WaitGroup
	wait.Add(1)
	got := 0
	seen := make(chan struct{}, maxBehind+10)
	go func() {
		defer wait.Done()
		for range quick.Messages() {
			got++
			seen <- struct{}{}
		}
	}()
	r := b.Begin(Entry{HasText: true})
	<-seen
	for range maxBehind {
		r.Say("x")
		<-seen
	}
	quick.Close()
	quick.Close()
	wait.Wait()
	count := 0
	for range slow.Messages() {
		count++
	}
	if count != maxBehind || got != maxBehind+1 {
		t.Errorf("the slow one got %d, the quick one %d", count, got)
	}
}

func TestBoard_BoundsWatchersAndCloses(t *testing.T) {
	b := NewBoard(1)
	var last *Watcher
	for range maxWatchers {
		_, w, err := b.Watch()
		if err != nil {
			t.Fatal(err)
		}
		last = w
	}
	if _, _, err := b.Watch(); err != ErrTooMany {
		t.Error(err)
	}
	b.Close()
	if _, more := <-last.Messages(); more {
		t.Error("a watcher goes on after the end")
	}
	last.Close()
	if _, _, err := b.Watch(); err == nil {
		t.Error("a closed board is watched")
	}
	var none *Record
	none.Say("x")
	none.Change(nil)
}
