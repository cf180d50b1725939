package proxy

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const observed = "guards: [{name: watch, facts: [facts.txt], policy: observe}]\n"

// The upstream cuts its stream where the header X-Cut says.
func cutting(w http.ResponseWriter, r *http.Request) {
	for _, form := range forms {
		if form.path == r.URL.Path {
			cut, _ := strconv.Atoi(r.Header.Get("X-Cut"))
			events(w, form.stream[:cut])
			events(w, form.stream[cut:])
		}
	}
}

func TestStream_IsTheSameBytesHoweverItIsCut(t *testing.T) {
	for _, settings := range []string{"", observed} {
		s := start(t, settings, cutting)
		for _, form := range forms {
			for cut := 0; cut <= len(form.stream); cut++ {
				request := s.request(context.Background(), "key-of-ann", form.path, strings.Replace(form.body, "MODEL", "small", 1))
				request.Header.Set("X-Cut", strconv.Itoa(cut))
				answer, err := http.DefaultClient.Do(request)
				if err != nil {
					t.Fatal(err)
				}
				if got := bodyOf(t, answer); got != form.stream || answer.StatusCode != 200 {
					t.Fatalf("%s cut at %d: %d %q", form.path, cut, answer.StatusCode, got)
				}
			}
		}
	}
}

func TestStream_HitsOfTheCacheAreTheWholeStream(t *testing.T) {
	var asked atomic.Int64
	s := start(t, "", func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		cutting(w, r)
	})
	for i, form := range forms {
		body := strings.Replace(form.body, "MODEL", "auto", 1)
		for repeat, cache := range []string{"miss", "hit", "hit"} {
			answer := s.ask(form.path, body)
			if got := bodyOf(t, answer); got != form.stream || answer.Header.Get("x-vsr-cache") != cache ||
				!strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
				t.Fatalf("%s, %d: %v %q", form.path, repeat, answer.Header, got)
			}
		}
		if answer := s.askAs("key-of-bob", form.path, body); answer.Header.Get("x-vsr-cache") != "miss" {
			t.Errorf("%s: bob got what ann asked", form.path)
		} else {
			bodyOf(t, answer)
		}
		if want := int64(2 * (i + 1)); asked.Load() != want {
			t.Errorf("the upstream was asked %d times, want %d", asked.Load(), want)
		}
	}
}

func TestStream_SaysSoWhenTheUpstreamBreaksOff(t *testing.T) {
	for _, clean := range []bool{false, true} {
		s := start(t, "", func(w http.ResponseWriter, r *http.Request) {
			for _, form := range forms {
				if form.path == r.URL.Path {
					events(w, form.stream[:len(form.stream)*2/3])
				}
			}
			if !clean {
				breakOff()
			}
		})
		for _, form := range forms {
			answer := s.ask(form.path, strings.Replace(form.body, "MODEL", "auto", 1))
			got := bodyOf(t, answer)
			last := got[strings.LastIndex(strings.TrimSpace(got), "\n\n")+2:]
			wanted := `"error"`
			if !strings.Contains(last, wanted) || !strings.Contains(last, "upstream_failed") || !strings.HasSuffix(got, "\n\n") {
				t.Errorf("%s, clean %v: ends with %q", form.path, clean, last)
			}
			if answer := s.ask(form.path, strings.Replace(form.body, "MODEL", "auto", 1)); answer.Header.Get("x-vsr-cache") != "miss" {
				t.Errorf("%s: half an answer came from the cache", form.path)
			} else {
				bodyOf(t, answer)
			}
		}
	}
}

func TestStream_SaysSoWhenTheUpstreamFallsSilent(t *testing.T) {
	s := start(t, "limits: {idle_ms: 150}\n", func(w http.ResponseWriter, r *http.Request) {
		events(w, chatStream[:300])
		<-r.Context().Done()
	})
	if got := bodyOf(t, s.ask(forms[0].path, strings.Replace(forms[0].body, "MODEL", "auto", 1))); !strings.Contains(got, "upstream_timeout") {
		t.Errorf("%q", got)
	}
}

func TestStream_CancellationReachesTheUpstream(t *testing.T) {
	left := make(chan struct{})
	s := start(t, "", func(w http.ResponseWriter, r *http.Request) {
		events(w, chatStream[:300])
		<-r.Context().Done()
		close(left)
	})
	ctx, cancel := context.WithCancel(context.Background())
	answer, err := http.DefaultClient.Do(s.request(ctx, "key-of-ann", forms[0].path, strings.Replace(forms[0].body, "MODEL", "auto", 1)))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.ReadFull(answer.Body, make([]byte, 20))
	cancel()
	within(t, 5*time.Second, "the upstream goes on", left)
}

func TestStream_CancellationBeforeTheFirstByte(t *testing.T) {
	left, came := make(chan struct{}), make(chan struct{})
	s := start(t, "", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		close(came)
		<-r.Context().Done()
		close(left)
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-came
		cancel()
	}()
	if _, err := http.DefaultClient.Do(s.request(ctx, "key-of-ann", forms[0].path, strings.Replace(forms[0].body, "MODEL", "auto", 1))); err == nil {
		t.Error("there was an answer")
	}
	within(t, 5*time.Second, "the upstream goes on", left)
}

func TestStream_SlowClientIsLeft(t *testing.T) {
	left := make(chan struct{})
	s := start(t, "limits: {client_idle_ms: 200}\n", func(w http.ResponseWriter, r *http.Request) {
		defer close(left)
		w.Header().Set("Content-Type", "text/event-stream")
		line := "data: " + strings.Repeat("x", 10_000) + "\n\n"
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, line); err != nil {
				return
			}
		}
	})
	answer := s.ask(forms[0].path, strings.Replace(forms[0].body, "MODEL", "auto", 1))
	defer answer.Body.Close() // and never reads it
	within(t, 10*time.Second, "the upstream sends for nobody", left)
}

func TestStream_EndlessLinesPass(t *testing.T) {
	const lines = 200
	line := strings.Repeat("x", 50_000)
	s := start(t, "", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: ")
		for i := 0; i < lines; i++ {
			if _, err := io.WriteString(w, line); err != nil {
				return
			}
		}
	})
	answer := s.ask(forms[0].path, strings.Replace(forms[0].body, "MODEL", "auto", 1))
	if got := bodyOf(t, answer); len(got) != len("data: ")+lines*len(line) {
		t.Errorf("%d bytes came", len(got))
	}
}

func TestStream_GuardEndsTheAnswerAndTheUpstream(t *testing.T) {
	left := make(chan struct{})
	s := start(t, "guards: [{name: lease, facts: [facts.txt], policy: terminate, hold: true}]\n", func(w http.ResponseWriter, r *http.Request) {
		chunk := "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%q},\"finish_reason\":null}]}\n\n"
		for _, text := range []string{"The monthly rent is ", "GBP 1,350. ", "The monthly rent is GBP 9,975. ", strings.Repeat("The rest of the answer goes on for a while. ", 5)} {
			events(w, fmt.Sprintf(chunk, text))
		}
		<-r.Context().Done()
		close(left)
	})
	answer := s.ask(forms[0].path, strings.Replace(forms[0].body, "MODEL", "auto", 1))
	got := bodyOf(t, answer)
	if strings.Contains(got, "9,975") || !strings.Contains(got, "GBP 1,350.") || !strings.Contains(got, "content_filter") ||
		!strings.HasSuffix(got, "data: [DONE]\n\n") || answer.Header.Get("x-vsr-guard") != "lease" {
		t.Errorf("%v %q", answer.Header, got)
	}
	within(t, 5*time.Second, "the upstream goes on", left)
	if text := s.get("/metrics"); !strings.Contains(text, `vsr_gateway_guard_ended_total{guard="lease"} 1`) {
		t.Error("it was not counted")
	}
}

func TestStream_GuardGivesHeldTextUpInTime(t *testing.T) {
	s := start(t, "guards: [{name: lease, facts: [facts.txt], policy: terminate, hold: true, max_hold_ms: 300}]\n",
		func(w http.ResponseWriter, r *http.Request) {
			events(w, "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a claim without an end\"},\"finish_reason\":null}]}\n\n")
			<-r.Context().Done()
		})
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	answer, err := http.DefaultClient.Do(s.request(ctx, "key-of-ann", forms[0].path, strings.Replace(forms[0].body, "MODEL", "auto", 1)))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.ReadFull(answer.Body, make([]byte, 50)); err != nil {
		t.Errorf("nothing came while the upstream was silent: %v", err)
	}
}
