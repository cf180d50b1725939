package flow

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vsr"
)

const policyFile = `routing:
  signals:
    keywords: [{name: private, keywords: [mail]}, {name: facts, keywords: [rent]}, {name: strict, keywords: [deposit]}]
  decisions:
    - name: masked
      priority: 3
      rules: {type: keyword, name: private}
      modelRefs: [{model: small}]
      plugins: [{type: pii_mask, configuration: {enabled: true}}]
    - name: grounded
      priority: 2
      rules: {type: keyword, name: facts}
      modelRefs: [{model: small}]
      plugins: [{type: hallucination, configuration: {enabled: true, hallucination_action: block, unverified_factual_action: header}}]
    - name: strict
      priority: 1
      rules: {type: keyword, name: strict}
      modelRefs: [{model: small}]
      plugins: [{type: hallucination, configuration: {enabled: true, hallucination_action: block, unverified_factual_action: block}}]
providers: {defaults: {default_model: small}, models: [{name: small}]}
vsr:
  passthrough: check
  signal_tasks: {pii: none}
  cache: {max_entries: 100}
`

func openPolicies(t *testing.T) *Flow {
	t.Helper()
	path := filepath.Join(t.TempDir(), "router.yaml")
	if err := os.WriteFile(path, []byte(policyFile), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(Config{Router: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

func TestStages_PersonalDataStaysHereInEveryForm(t *testing.T) {
	f := openPolicies(t)
	const address = "ann.lee@corp.example"
	for _, c := range []struct{ path, body, answer string }{
		{"/v1/chat/completions", `{"model":"auto","messages":[{"role":"user","content":"mail ` + address + `"}]}`,
			`{"choices":[{"index":0,"message":{"role":"assistant","content":"To %s now."},"finish_reason":"stop"}]}`},
		{"/v1/chat/completions", `{"model":"small","messages":[{"role":"user","content":"mail ` + address + `"}]}`,
			`{"choices":[{"index":0,"message":{"role":"assistant","content":"To %s now."},"finish_reason":"stop"}]}`},
		{"/v1/responses", `{"model":"auto","input":"mail ` + address + `"}`,
			`{"id":"r","object":"response","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"To %s now."}]}]}`},
		{"/v1/messages", `{"model":"auto","max_tokens":9,"messages":[{"role":"user","content":"mail ` + address + `"}]}`,
			`{"type":"message","role":"assistant","content":[{"type":"text","text":"To %s now."}],"stop_reason":"end_turn"}`},
	} {
		v := decide(t, f, c.path, "", c.body)
		if v.Action != Forward {
			t.Fatalf("%s: %+v, %v", c.path, v, v.Err)
		}
		_, after, _ := strings.Cut(string(v.Body), "mail ")
		placeholder, _, _ := strings.Cut(after, `"`)
		if strings.Contains(string(v.Body), address) || placeholder == "" {
			t.Fatalf("%s left as %s", c.path, v.Body)
		}
		out, summary := pass(t, v, "application/json", strings.Replace(c.answer, "%s", placeholder, 1), 3)
		if want := strings.Replace(c.answer, "%s", address, 1); out != want {
			t.Errorf("%s came back as %s, expected %s", c.path, out, want)
		}
		if summary.Stored {
			t.Errorf("%s: the answer to a masked request was kept", c.path)
		}
	}
}

func TestStages_ADecisionsOwnGuardHolds(t *testing.T) {
	f := openPolicies(t)
	const request = `{"model":"auto","messages":[{"role":"user","content":"What is the rent?"},` +
		`{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"1","content":"The monthly rent is GBP 1,350."}]}`
	stream := func(text string) string {
		return `data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"` + text + `"}}]}` +
			"\n\n" + `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
	}
	v := decide(t, f, "/v1/chat/completions", "", strings.Replace(request, `{"model"`, `{"stream":true,"model"`, 1))
	right := stream("The rent is GBP 1,350.")
	if out, summary := pass(t, v, "text/event-stream", right, 7); out != right || summary.Ended {
		t.Errorf("a right answer left as %q, %+v", out, summary)
	}
	other := strings.Replace(request, "What is the rent?", "What is the monthly rent?", 1) // the first is in the cache now
	v = decide(t, f, "/v1/chat/completions", "", strings.Replace(other, `{"model"`, `{"stream":true,"model"`, 1))
	out, summary := pass(t, v, "text/event-stream", stream("The rent is GBP 9,350."), 7)
	if strings.Contains(out, "9,350") || !strings.Contains(out, "content_filter") || !summary.Ended || len(summary.Events) == 0 {
		t.Errorf("a wrong answer left as %q, %+v", out, summary)
	}
	if _, err := v.Filter(Head{Status: 200, ContentType: "application/octet-stream"}); !errors.Is(err, ErrUnguarded) {
		t.Errorf("an answer that nobody can read: %v", err)
	}
}

func TestStages_AnswersWithoutFactsAreWhatTheDecisionSays(t *testing.T) {
	f := openPolicies(t)
	v := decide(t, f, "/v1/chat/completions", "", `{"model":"auto","messages":[{"role":"user","content":"What is the rent?"}]}`)
	found := false
	for _, header := range v.ResponseHeaders() {
		found = found || header.Name == "x-vsr-unverified"
	}
	if !found {
		t.Errorf("%+v", v.ResponseHeaders())
	}
	if v.Outcome != vsr.OutcomeForward {
		t.Errorf("outcome %v", v.Outcome)
	}
	v = decide(t, f, "/v1/chat/completions", "", `{"model":"auto","messages":[{"role":"user","content":"What is the deposit?"}]}`)
	if _, err := v.Filter(Head{Status: 200, ContentType: "application/json"}); !errors.Is(err, ErrUnverified) {
		t.Errorf("an answer that nothing can be held against: %v", err)
	}
}
