package flow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gateway/internal/api"
)

const routerFile = `version: v0.3
routing:
  signals:
    keywords: [{name: urgent, operator: OR, keywords: [urgent]}, {name: bomb, operator: OR, keywords: [bomb]}]
  decisions:
    - name: blocked
      priority: 200
      rules: {type: keyword, name: bomb}
      modelRefs: []
      plugins: [{type: fast_response, configuration: {message: "I cannot help with that."}}]
    - name: urgent
      priority: 100
      rules: {type: keyword, name: urgent}
      modelRefs: [{model: large}]
      plugins:
        - {type: header_mutation, configuration: {update: [{name: X-Lane, value: fast}]}}
        - {type: system_prompt, configuration: {enabled: true, mode: insert, system_prompt: Be quick.}}
        - {type: request_params, configuration: {max_tokens_limit: 64}}
providers:
  defaults: {default_model: small}
  models: [{name: small}, {name: large}]
vsr:
  cache: {max_entries: 100}
`

func open(t *testing.T, config Config) *Flow {
	t.Helper()
	config.Router = filepath.Join(t.TempDir(), "router.yaml")
	if err := os.WriteFile(config.Router, []byte(routerFile), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

func decide(t *testing.T, f *Flow, path, tenant, body string) *Verdict {
	t.Helper()
	v := f.Decide(context.Background(), &Request{Path: path, Body: []byte(body), Caller: Caller{Tenant: tenant}})
	t.Cleanup(v.Close)
	return v
}

// pass sends an answer through the filter in pieces of this size, and gives what left and the summary.
func pass(t *testing.T, v *Verdict, contentType, answer string, piece int) (string, Summary) {
	t.Helper()
	filter, err := v.Filter(Head{Status: 200, ContentType: contentType})
	if err != nil {
		t.Fatal(err)
	}
	defer filter.Close()
	var out []byte
	for i := 0; i < len(answer) && !filter.Ended(); i += piece {
		got, err := filter.Write([]byte(answer[i:min(i+piece, len(answer))]))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, got...)
	}
	rest, err := filter.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return string(append(out, rest...)), filter.Summary()
}

// One request of each form, with "urgent" in it, and where to find what the rewrite did.
var forms = []struct{ kind, path, body, rewritten string }{
	{"chat", "/v1/chat/completions", `{"model":"auto","messages":[{"role":"user","content":"urgent"}],"x": 1e2}`, `"content":"Be quick."`},
	{"completions", "/v1/completions", `{"model":"auto","prompt":"urgent"}`, `"prompt":"urgent"`},
	{"responses", "/v1/responses", `{"model":"auto","input":[{"role":"user","content":[{"type":"input_text","text":"urgent"}]},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"1"}]}`, `"instructions":"Be quick."`},
	{"messages", "/v1/messages", `{"model":"auto","max_tokens":500,"system":"Be kind.","messages":[{"role":"user","content":[{"type":"text","text":"urgent"}]}]}`, `"system":"Be quick.\n\nBe kind."`},
}

func TestDecide_ForwardsEveryForm(t *testing.T) {
	f := open(t, Config{})
	for _, form := range forms {
		v := decide(t, f, form.path, "", form.body)
		if v.Action != Forward || v.Model != "large" || v.Decision.Name != "urgent" || v.Cache != "miss" {
			t.Fatalf("%s: %+v, %v", form.kind, v, v.Err)
		}
		body := string(v.Body)
		if !strings.Contains(body, `"model":"large"`) || !strings.Contains(body, form.rewritten) {
			t.Errorf("%s became %s", form.kind, body)
		}
		if form.kind == "messages" && !strings.Contains(body, `"max_tokens":64`) {
			t.Errorf("the limit is not there: %s", body)
		}
		if len(v.Headers) != 1 || v.Headers[0].Name != "x-lane" {
			t.Errorf("%+v", v.Headers)
		}
	}
}

func TestDecide_AnswersItselfInEveryForm(t *testing.T) {
	f := open(t, Config{})
	for _, form := range forms {
		for _, stream := range []string{"", `"stream":true,`} {
			body := "{" + stream + strings.Replace(form.body[1:], "urgent", "bomb", 1)
			v := decide(t, f, form.path, "", body)
			if v.Action != Immediate || v.Status != 200 || !strings.Contains(string(v.Answer), "I cannot help with that.") {
				t.Fatalf("%s: %+v, %v", form.kind, v, v.Err)
			}
			if outcome := api.Judge(v.Kind, v.Stream, v.Answer); !outcome.Complete {
				t.Errorf("%s is not whole: %s", form.kind, v.Answer)
			}
		}
	}
}

func TestFilter_KeepsAnswersByFormAndTenant(t *testing.T) {
	f := open(t, Config{})
	for _, form := range forms {
		for _, stream := range []bool{false, true} {
			body := form.body
			if stream {
				body = `{"stream":true,` + body[1:]
			}
			first := decide(t, f, form.path, "acme", body)
			if first.Cache != "miss" {
				t.Fatalf("%s %v: %q", form.kind, stream, first.Cache)
			}
			answer := string(api.Answer(first.Kind, stream, "1", "large", "Yes. "+form.kind))
			if out, summary := pass(t, first, api.ContentType(stream), answer, 7); out != answer || !summary.Stored {
				t.Fatalf("%s %v: %+v\n%s", form.kind, stream, summary, out)
			}
			again := decide(t, f, form.path, "acme", body)
			if again.Cache != "hit" || string(again.Answer) != answer || again.Stream != stream {
				t.Errorf("%s %v: %q %s", form.kind, stream, again.Cache, again.Answer)
			}
			if other := decide(t, f, form.path, "rival", body); other.Cache != "miss" {
				t.Errorf("%s: another tenant got the answer", form.kind)
			}
		}
	}
}

func TestFilter_KeepsNothingThatBrokeOff(t *testing.T) {
	f := open(t, Config{})
	for _, form := range forms {
		body := `{"stream":true,` + form.body[1:]
		v := decide(t, f, form.path, "", body)
		answer := string(api.Answer(v.Kind, true, "1", "large", "Yes."))
		if _, summary := pass(t, v, "text/event-stream", answer[:len(answer)/2], 1000); summary.Stored || summary.Complete {
			t.Errorf("%s: half an answer was kept", form.kind)
		}
		filter, _ := v.Filter(Head{Status: 200, ContentType: "text/event-stream"})
		out, _ := filter.Write([]byte(answer[:len(answer)-4]))
		out = append(out, filter.Abort("upstream_failed", "the model's server broke off")...)
		if !strings.HasSuffix(string(out), "\n\n") || !strings.Contains(string(out), "broke off") ||
			strings.Contains(string(out), "\n\n\n") {
			t.Errorf("%s: %q", form.kind, out)
		}
		filter.Close()
		if decide(t, f, form.path, "", body).Cache != "miss" {
			t.Errorf("%s: an answer that broke off was kept", form.kind)
		}
	}
}

func TestFilter_GuardsEveryForm(t *testing.T) {
	facts := filepath.Join(t.TempDir(), "facts.txt")
	if err := os.WriteFile(facts, []byte("The monthly rent is GBP 1,350.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := open(t, Config{Guards: []GuardConfig{{Name: "lease", Facts: []string{facts}, Policy: "terminate", Hold: true, Decisions: []string{"urgent"}}}})
	for _, form := range forms {
		for _, stream := range []bool{false, true} {
			body := form.body
			if stream {
				body = `{"stream":true,` + body[1:]
			}
			var first string
			for _, piece := range []int{1, 13, 100000} {
				v := decide(t, f, form.path, "", body)
				if v.Guard != "lease" {
					t.Fatalf("guard %q", v.Guard)
				}
				answer := string(api.Answer(v.Kind, stream, "1", "large", "The monthly rent is GBP 9,999. More follows."))
				out, summary := pass(t, v, api.ContentType(stream), answer, piece)
				if strings.Contains(out, "9,999") || !summary.Ended || summary.Stored || len(summary.Events) == 0 {
					t.Errorf("%s %v: %+v\n%s", form.kind, stream, summary, out)
				}
				if first == "" {
					first = out
				} else if out != first {
					t.Errorf("%s: cut by %d it is another answer", form.kind, piece)
				}
			}
		}
	}
	v := decide(t, f, "/v1/chat/completions", "", forms[0].body)
	v.rule.Closed = true
	if _, err := v.Filter(Head{Status: 200, ContentType: "application/json", ContentEncoding: "gzip"}); !errors.Is(err, ErrUnguarded) {
		t.Errorf("a packed answer passed: %v", err)
	}
}

func TestFilter_ToolResultsAreFacts(t *testing.T) {
	f := open(t, Config{Guards: []GuardConfig{{ToolFacts: true, Policy: "observe"}}})
	body := `{"model":"auto","messages":[{"role":"user","content":"urgent: the rent?"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"rent","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"The monthly rent is GBP 1,350."}]}`
	for said, events := range map[string]int{"The monthly rent is GBP 1,350.": 0, "The monthly rent is GBP 9,999.": 1} {
		v := decide(t, f, "/v1/chat/completions", fmt.Sprint("tenant", events), body)
		answer := string(api.Answer(api.Chat, false, "1", "large", said))
		if out, summary := pass(t, v, "application/json", answer, 50); out != answer || len(summary.Events) != events {
			t.Errorf("%s: %+v, %v", said, summary, v.Err)
		}
	}
}

func TestDecide_RefusesInTheClientsForm(t *testing.T) {
	f := open(t, Config{Models: []string{"small", "large"}})
	for _, test := range []struct {
		path, body string
		status     int
		says       string
	}{
		{"/v1/chat/completions", `{"model":"auto"`, 400, `"error":{"code":"invalid_request"`},
		{"/v1/messages", `[]`, 400, `"type":"error"`},
		{"/v1/messages", `{"model":"auto","messages":[],"system":"x","System":"y"}`, 400, "given twice"},
		{"/v1/chat/completions", `{"model":"auto","messages":[]}`, 400, "messages is empty"},
		{"/v1/chat/completions", `{"model":"nobody","messages":[{"role":"user","content":"x"}]}`, 404, "model_not_found"},
		{"/v1/completions", `{"model":"auto","prompt":[1,2]}`, 400, "token ids"},
		{"/v1/responses", `{"model":"auto","input":"x","messages":[{"role":"user","content":"y"}]}`, 400, "does not belong"},
		{"/v1/chat/completions", "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"\xff\"}]}", 400, "UTF-8"},
		{"/v1/nothing", `{}`, 404, "no such path"},
	} {
		v := decide(t, f, test.path, "", test.body)
		if v.Action != Refuse || v.Status != test.status || !strings.Contains(string(v.Answer), test.says) {
			t.Errorf("%s %s: %d %s", test.path, test.body, v.Status, v.Answer)
		}
	}
}

func TestCurrent_FreesWhatNobodyUses(t *testing.T) {
	var current Current
	first := open(t, Config{})
	first.Hold() // the test's clean-up closes it, too
	current.Swap(first)
	f, done := current.Use()
	v := f.Decide(context.Background(), &Request{Path: forms[0].path, Body: []byte(forms[0].body)})
	done()
	current.Swap(nil)
	first.Release()
	if now, _ := current.Use(); now != nil {
		t.Error("there is still a flow")
	}
	if v.Action != Forward {
		t.Fatal(v.Err)
	}
	answer := string(api.Answer(api.Chat, false, "1", "large", "Yes."))
	if _, summary := pass(t, v, "application/json", answer, 10); !summary.Stored {
		t.Error("the answer was not kept: the flow is gone")
	}
	v.Close()
}
