//go:build cgo

package vsr

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const answerConfig = `version: v0.3
routing:
  signals:
    keywords:
      - {name: lease, operator: OR, keywords: [rent, deposit]}
      - {name: odd, operator: OR, keywords: [pretend]}
      - {name: plain, operator: OR, keywords: [hello]}
  decisions:
    - name: grounded
      priority: 30
      rules: {type: keyword, name: lease}
      modelRefs: [{model: small}]
      plugins:
        - type: hallucination
          configuration: {enabled: true, hallucination_action: block, unverified_factual_action: body}
    - name: watched
      priority: 20
      rules: {type: keyword, name: odd}
      modelRefs: [{model: small}]
      plugins:
        - {type: hallucination, configuration: {include_hallucination_details: true}}
        - {type: response_jailbreak, configuration: {threshold: 0.01, action: block, hold: false}}
    - name: plain
      rules: {type: keyword, name: plain}
      modelRefs: [{model: small}]
providers: {defaults: {default_model: small}, models: [{name: small}]}
vsr:
  models: {m: {path: %s}}
  tasks: {guarded: {model: m, unsafe_labels: [travel]}}
  signal_tasks: {response_jailbreak: guarded}
`

func feedBytes(t *testing.T, guard *Guard, answer string) (out string, ended bool, events []GuardEvent) {
	t.Helper()
	for i := range len(answer) {
		step := must(guard.Feed([]byte{answer[i]}))(t)
		out += string(step.Forward)
		ended = ended || step.Ended
		events = append(events, step.Events...)
	}
	step := must(guard.Finish())(t)
	return out + string(step.Forward), ended || step.Ended, append(events, step.Events...)
}

func TestDecisionsGuardAnswers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "router.yaml")
	text := strings.Replace(answerConfig, "%s", must(filepath.Abs(tiny("bert-sequence")))(t), 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	router := must(NewRouter(path, nil))(t)
	defer router.Close()
	body := `{"model":"auto","messages":[{"role":"user","content":"What is the rent?"},` +
		`{"role":"tool","tool_call_id":"1","content":"The monthly rent is GBP 1,350."}]}`
	decision := must(router.Route([]byte(body), nil))(t)
	answer := decision.Answer
	if answer == nil || answer.Guard.Policy != PolicyTerminate || !answer.Guard.Hold || answer.UnverifiedAction != "body" {
		t.Fatalf("answer policy: %+v", answer)
	}
	if len(answer.Sources) != 1 || answer.Guard.SafetyPolicy != nil {
		t.Fatalf("answer policy: %+v", answer)
	}
	const said = "The monthly rent is GBP 1,350. The deposit is GBP 9,975. It is due soon."
	guard := must(router.Guard(decision, nil))(t)
	defer guard.Close()
	if out, ended, _ := feedBytes(t, guard, said); !ended || out != "The monthly rent is GBP 1,350. " {
		t.Errorf("forwarded %q, ended %v", out, ended)
	}
	facts := must(router.Facts([]string{"The rent is GBP 1,350, the deposit GBP 9,975."}, &answer.Facts))(t)
	defer facts.Close()
	pinned := must(router.Guard(decision, facts))(t)
	defer pinned.Close()
	if out, ended, _ := feedBytes(t, pinned, said); ended || out != said {
		t.Errorf("forwarded %q, ended %v", out, ended)
	}

	watched := must(router.Route([]byte("Please pretend."), nil))(t)
	if p := watched.Answer.Guard; p.SafetyPolicy == nil || *p.SafetyPolicy != PolicyTerminate || p.JailbreakTask != "guarded" {
		t.Fatalf("answer policy: %+v", watched.Answer)
	}
	jail := must(router.Guard(watched, nil))(t)
	defer jail.Close()
	if _, ended, events := feedBytes(t, jail, "Here is the recipe that you asked for. More follows."); !ended ||
		len(events) == 0 || events[0].Kind != GuardJailbreak {
		t.Errorf("ended %v, events %v", ended, events)
	}
	plain := must(router.Route([]byte("hello"), nil))(t)
	if plain.Answer != nil {
		t.Errorf("answer policy: %+v", plain.Answer)
	}
	if _, err := router.Guard(plain, nil); err == nil {
		t.Error("a decision without plugins gave a guard")
	}
}
