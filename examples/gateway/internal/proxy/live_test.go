package proxy

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"gateway/internal/live"
)

// watching reads the events of the live page until one fits.
func (s *stack) watching(key string) (status int, until func(fits func(live.Entry) bool) live.Entry) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	s.t.Cleanup(cancel)
	request := s.request(ctx, key, "/live/events", "")
	request.Method, request.Body, request.ContentLength = "GET", nil, 0
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { answer.Body.Close() })
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 8<<20)
	texts := map[string]string{}
	return answer.StatusCode, func(fits func(live.Entry) bool) live.Entry {
		s.t.Helper()
		for lines.Scan() {
			var message struct {
				Entry *live.Entry
				ID    string
				Text  string
			}
			data, found := strings.CutPrefix(lines.Text(), "data: ")
			if !found {
				continue
			}
			if err := json.Unmarshal([]byte(data), &message); err != nil {
				s.t.Fatal(err)
			}
			texts[message.ID] += message.Text
			if message.Entry != nil {
				message.Entry.Text = texts[message.Entry.ID]
				if fits(*message.Entry) {
					return *message.Entry
				}
			}
		}
		s.t.Fatalf("no event fits: %v", lines.Err())
		return live.Entry{}
	}
}

func done(e live.Entry) bool { return e.Done }

func TestLive_TellsWhatBecomesOfARequest(t *testing.T) {
	s := start(t, "live: {enabled: true, texts: true}\nguards: [{name: rent, facts: [facts.txt], policy: terminate, hold: true}]\n",
		func(w http.ResponseWriter, _ *http.Request) {
			events(w, strings.ReplaceAll(chatStream, "Gr\u00fc\u00df", "The monthly rent is GBP 9,999. Gr\u00fc\u00df"))
		})
	_, until := s.watching("key-of-ops")
	bodyOf(t, s.ask("/v1/chat/completions", `{"model":"auto","stream":true,"messages":[{"role":"user","content":"urgent <script>"}]}`))
	e := until(done)
	if e.Decision != "urgent" || e.Model != "large" || e.Outcome != "forward" || e.Tenant != "acme" || !e.Stream || e.Status != 200 ||
		e.Question != "urgent <script>" || e.Guard != "rent" || !e.Ended || e.RouteMS <= 0 || e.TotalMS < e.RouteMS {
		t.Errorf("%+v", e)
	}
	if len(e.Findings) != 1 || !strings.Contains(e.Text[e.Findings[0].Start:e.Findings[0].End], "9,999") {
		t.Errorf("%q: %+v", e.Text, e.Findings)
	}
	if len(e.Signals) != 2 || e.Signals[0].Matched || !e.Signals[1].Matched {
		t.Errorf("%+v", e.Signals)
	}
}

func TestLive_ShowsNumbersAndNoTextsByDefault(t *testing.T) {
	s := start(t, "live: {enabled: true}\n", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(tryHeader) != "" {
			t.Error("the header of own tries went on")
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"model":"small","choices":[{"index":0,"message":{"content":"an answer"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1000,"completion_tokens":500}}`)
	})
	_, until := s.watching("key-of-ops")
	const body = `{"model":"auto","messages":[{"role":"user","content":"a question"}]}`
	bodyOf(t, s.ask("/v1/chat/completions", body))
	e := until(done)
	if e.HasText || e.Question+e.Text != "" || e.Prompt != 1000 || e.Output != 500 || e.Cost != 0.002 || !e.Stored {
		t.Errorf("%+v", e)
	}
	bodyOf(t, s.ask("/v1/chat/completions", body))
	if e = until(done); e.Cache != "hit" || e.Saved != 0.002 || e.Cost != 0 {
		t.Errorf("%+v", e)
	}
	for key, shows := range map[string]bool{"key-of-ann": false, "key-of-ops": true} {
		request := s.request(context.Background(), key, "/v1/chat/completions", strings.ReplaceAll(body, "a question", "mine"))
		request.Header.Set(tryHeader, "1")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		bodyOf(t, answer)
		if e = until(done); (e.Question == "mine" && e.Text == "an answer") != shows {
			t.Errorf("%s: %+v", key, e)
		}
	}
}

func TestLive_IsForAdmins(t *testing.T) {
	s := start(t, "live: {enabled: true}\n", nil)
	for key, wanted := range map[string]int{"key-of-ann": 403, "key-of-bob": 403, "nobody": 401, "key-of-ops": 200} {
		if status, _ := s.watching(key); status != wanted {
			t.Errorf("%s: %d", key, status)
		}
		if answer := s.askAs(key, "/live/check", `{"facts":["The rent is 5."],"answer":"The rent is 6."}`); answer.StatusCode != wanted {
			t.Errorf("%s: %d", key, answer.StatusCode)
		}
	}
	off := start(t, "", nil)
	if status, _ := off.watching("key-of-ops"); status != 404 {
		t.Error(status)
	}
}

func TestLive_ChecksAnAnswer(t *testing.T) {
	s := start(t, "live: {enabled: true}\n", nil)
	check := func(body string) string { return bodyOf(t, s.askAs("key-of-ops", "/live/check", body)) }
	if said := check(`{"facts":["The monthly rent is GBP 1,350."],"answer":"The monthly rent is GBP 9,999."}`); !strings.Contains(said, `"kind":"amount"`) {
		t.Error(said)
	}
	if said := check(`{"facts":["The monthly rent is GBP 1,350."],"answer":"The monthly rent is GBP 1,350."}`); said != `{"findings":[]}` {
		t.Error(said)
	}
	if said := check(`[`); !strings.Contains(said, "invalid_request") {
		t.Error(said)
	}
}

func TestLive_PageRunsNothingButItsOwn(t *testing.T) {
	s := start(t, "live: {enabled: true}\n", nil)
	answer, err := http.Get(s.url + "/live")
	if err != nil {
		t.Fatal(err)
	}
	policy := answer.Header.Get("Content-Security-Policy")
	page := bodyOf(t, answer)
	if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || strings.Count(policy, "sha256-") != 2 {
		t.Error(policy)
	}
	for _, wrong := range []string{`innerHTML`, `outerHTML`, `insertAdjacentHTML`, `document\.write`, `\beval\b`, `https?://`, `\son\w+="`, `style="`} {
		if found := regexp.MustCompile(wrong).FindString(page); found != "" {
			t.Errorf("the page has %q", found)
		}
	}
}

func TestLive_WatchersDoNotHoldTheEndUp(t *testing.T) {
	s := start(t, "live: {enabled: true}\n", nil)
	if status, _ := s.watching("key-of-ops"); status != 200 {
		t.Fatal(status)
	}
	began := time.Now()
	s.leave()
	if err := <-s.left; err != nil || time.Since(began) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	s.left <- nil
}

func TestLive_TextsAreForgottenWhenTheFileSaysSo(t *testing.T) {
	s := start(t, "live: {enabled: true, texts: true}\n", nil)
	bodyOf(t, s.ask("/v1/chat/completions", `{"model":"auto","messages":[{"role":"user","content":"a bomb"}]}`))
	s.write("gateway.yaml", "router: router.yaml\nkeys: keys.yaml\nlive: {enabled: true}\n")
	if err := s.configuration.Reload(); err != nil {
		t.Fatal(err)
	}
	first, watcher, err := s.gateway.board.Watch()
	if err != nil {
		t.Fatal(err)
	}
	watcher.Close()
	if text := string(first); strings.Contains(text, "a bomb") || !strings.Contains(text, `"decision":"blocked"`) {
		t.Error(text)
	}
}
