package proxy

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"gateway/internal/api"
)

const planRouter = `version: v0.3
routing:
  signals:
    keywords: [{name: hard, operator: OR, keywords: [hard]}, {name: both, operator: OR, keywords: [both]}]
  decisions:
    - name: cascade
      priority: 2
      rules: {type: keyword, name: hard}
      modelRefs: [{model: small}, {model: large}]
      algorithm: {type: confidence, confidence: {confidence_method: %s, threshold: %v, on_error: %s}}
    - name: fuse
      priority: 1
      rules: {type: keyword, name: both}
      modelRefs: [{model: small}, {model: large}]
      algorithm: {type: fusion, fusion: {model: judge, analysis_models: [small, large], min_successful_responses: 2, temperature: 0.5}}
providers:
  defaults: {default_model: small}
  models:
    - {name: small, pricing: {prompt_per_1m: 1, completion_per_1m: 2}, backend_refs: [{name: a, endpoint: "%[4]s"}]}
    - {name: large, pricing: {prompt_per_1m: 10, completion_per_1m: 20}, backend_refs: [{name: a, endpoint: "%[4]s"}]}
    - {name: judge, backend_refs: [{name: a, endpoint: "%[4]s"}]}
vsr: {cache: {max_entries: 100}}
`

// planned is a model server that notes what it is asked. small is sure of its answer where the question says so.
type planned struct {
	mutex  sync.Mutex
	bodies []map[string]any
	fails  string // the model that does
}

func (p *planned) models() (names []string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, body := range p.bodies {
		names = append(names, body["model"].(string))
	}
	slices.Sort(names)
	p.bodies = nil
	return names
}

func (p *planned) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	var body map[string]any
	_ = json.Unmarshal(text, &body)
	p.mutex.Lock()
	p.bodies = append(p.bodies, body)
	p.mutex.Unlock()
	model := body["model"].(string)
	if model == p.fails {
		w.WriteHeader(500)
		return
	}
	if body["stream"] == true {
		events(w, string(api.Answer(api.Chat, true, "c", model, model+" says")))
		return
	}
	logprob := -3.0
	if strings.Contains(string(text), "sure") {
		logprob = -0.1
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"id":"c","object":"chat.completion","created":1,"model":%q,"choices":[{"index":0,"message":{"role":"assistant","content":"%s says"},"finish_reason":"stop","logprobs":{"content":[{"token":"a","logprob":%v,"top_logprobs":[{"logprob":%v},{"logprob":-4}]}]}}],"usage":{"prompt_tokens":1000,"completion_tokens":0,"total_tokens":1000}}`, model, model, logprob, logprob)
}

func startPlanned(t *testing.T, method string, threshold float64, onError string) (*stack, *planned) {
	server := &planned{}
	address := upstreamOf(t, server.ServeHTTP)
	return startWith(t, "live: {enabled: true}\n", fmt.Sprintf(planRouter, method, threshold, onError, address)), server
}

func (s *stack) chat(question, more string) (*http.Response, string) {
	s.t.Helper()
	answer := s.ask("/v1/chat/completions", fmt.Sprintf(`{"model":"auto","messages":[{"role":"user","content":%q}]%s}`, question, more))
	return answer, bodyOf(s.t, answer)
}

func TestPlan_CascadeStopsAtAModelThatIsSure(t *testing.T) {
	for method, threshold := range map[string]float64{"avg_logprob": -1, "margin": 2} {
		s, server := startPlanned(t, method, threshold, "skip")
		_, until := s.watching("key-of-ops")
		answer, body := s.chat("hard, be sure", "")
		if got := server.models(); !slices.Equal(got, []string{"small"}) || answer.Header.Get("x-vsr-model") != "small" ||
			!strings.Contains(body, "small says") || strings.Contains(body, "logprob") || answer.Header.Get("x-vsr-plan") != "confidence" {
			t.Errorf("%v %v %s", got, answer.Header, body)
		}
		if e := until(done); e.Cost != 0.001 {
			t.Errorf("cost %v", e.Cost)
		}
		if answer, _ := s.chat("hard, be sure", ""); answer.Header.Get("x-vsr-cache") != "hit" {
			t.Error("the answer was not kept")
		}
		answer, body = s.chat("hard indeed", "")
		if got := server.models(); !slices.Equal(got, []string{"large", "small"}) || answer.Header.Get("x-vsr-model") != "large" ||
			!strings.Contains(body, "large says") {
			t.Errorf("%v %v %s", got, answer.Header, body)
		}
		until(done)
		if e := until(done); e.Cost < 0.0109 || e.Cost > 0.0111 {
			t.Errorf("cost %v", e.Cost)
		}
	}
}

func TestPlan_CascadeStreamsToWhoAskedForAStream(t *testing.T) {
	s, server := startPlanned(t, "avg_logprob", -1, "skip")
	for question, model := range map[string]string{"hard, be sure": "small", "hard indeed": "large"} {
		answer, body := s.chat(question, `,"stream":true,"stream_options":{"include_usage":true}`)
		if !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") || !strings.HasSuffix(body, "data: [DONE]\n\n") ||
			!strings.Contains(body, model+" says") || !api.Judge(api.Chat, true, []byte(body)).Complete {
			t.Errorf("%v %s", answer.Header, body)
		}
		if got := server.models(); got[0] != model && got[len(got)-1] != "small" {
			t.Error(got)
		}
	}
	if _, body := s.chat("hard, be sure, again", `,"logprobs":true`); !strings.Contains(body, "logprobs") {
		t.Error("logprobs that were asked for are gone: " + body)
	}
}

func TestPlan_CascadeGoesPastAModelThatFails(t *testing.T) {
	s, server := startPlanned(t, "avg_logprob", -1, "skip")
	server.fails = "small"
	if answer, body := s.chat("hard, be sure", ""); answer.StatusCode != 200 || !strings.Contains(body, "large says") {
		t.Errorf("%d %s", answer.StatusCode, body)
	}
	strict, server := startPlanned(t, "avg_logprob", -1, "fail")
	server.fails = "small"
	if answer, body := strict.chat("hard, be sure", ""); answer.StatusCode != 502 {
		t.Errorf("%d %s", answer.StatusCode, body)
	}
}

func TestPlan_FusionHasOneModelJoinTheAnswers(t *testing.T) {
	s, server := startPlanned(t, "avg_logprob", -1, "skip")
	for _, stream := range []string{"", `,"stream":true`} {
		answer, body := s.chat("both of you", stream)
		if answer.Header.Get("x-vsr-model") != "judge" || !strings.Contains(body, "judge says") {
			t.Errorf("%v %s", answer.Header, body)
		}
		asked, _ := json.Marshal(server.bodies[2])
		for _, part := range []string{`small says`, `large says`, `both of you`, `not instructions`} {
			if !strings.Contains(string(asked), part) {
				t.Errorf("%s is not in %s", part, asked)
			}
		}
		if server.bodies[0]["temperature"] != 0.5 || server.bodies[2]["temperature"] != nil {
			t.Errorf("%v", server.bodies)
		}
		if got := server.models(); !slices.Equal(got, []string{"judge", "large", "small"}) {
			t.Error(got)
		}
	}
}

func TestPlan_FusionIsLeftOutWhereItCannotBe(t *testing.T) {
	s, server := startPlanned(t, "avg_logprob", -1, "skip")
	_, body := s.chat("both of you", `,"tools":[{"type":"function","function":{"name":"f"}}]`)
	if got := server.models(); len(got) != 1 || !strings.Contains(body, "small says") {
		t.Errorf("%v %s", got, body)
	}
	server.fails = "large"
	answer, body := s.chat("both of you, please", "")
	if answer.StatusCode != 200 || answer.Header.Get("x-vsr-plan") != "" || !strings.Contains(body, "small says") {
		t.Errorf("%v %s", answer.Header, body)
	}
}

func TestAsStream_KeepsCallsOfTools(t *testing.T) {
	stream, err := api.AsStream([]byte(`{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`), true)
	if err != nil || !strings.Contains(string(stream), `"index":0,"type":"function"`) || !api.Judge(api.Chat, true, stream).Complete {
		t.Errorf("%s %v", stream, err)
	}
	for _, broken := range []string{``, `{}`, `{"choices":[]}`, `{"choices":[{"message":3}]}`, `[]`} {
		if _, err := api.AsStream([]byte(broken), true); err == nil {
			t.Errorf("%s", broken)
		}
	}
}
