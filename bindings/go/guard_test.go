//go:build cgo

package vsr

import (
	"strings"
	"testing"
)

var leaseFacts = []string{
	"The monthly rent is GBP 1,350, payable on the first day of each month.",
	"The lease runs from 1 September 2024 to 31 August 2026.",
}

const leaseAnswer = "The monthly rent is GBP 1,350. The deposit is GBP 9,975. The lease ends on 31 August 2026."

func runGuard(t *testing.T, options *GuardOptions, piece int) (string, []GuardEvent, bool) {
	t.Helper()
	facts := must(NewFacts(nil, leaseFacts, nil))(t)
	defer facts.Close()
	guard := must(NewGuard(facts, options))(t)
	defer guard.Close()
	var forward strings.Builder
	var events []GuardEvent
	ended := false
	take := func(step *GuardStep) {
		forward.Write(step.Forward)
		events = append(events, step.Events...)
		ended = step.Ended
	}
	for i := 0; i < len(leaseAnswer); i += piece {
		take(must(guard.Feed([]byte(leaseAnswer[i:min(i+piece, len(leaseAnswer))])))(t))
	}
	take(must(guard.Finish())(t))
	if _, err := guard.Feed([]byte("more")); err == nil {
		t.Error("fed after its end")
	}
	return forward.String(), events, ended
}

func TestGuard_ObservedStreamIsUnchanged(t *testing.T) {
	for _, piece := range []int{1, 7, 1000} {
		forward, events, ended := runGuard(t, nil, piece)
		if forward != leaseAnswer || ended || len(events) != 1 {
			t.Fatalf("%q, %v, %v", forward, events, ended)
		}
		if e := events[0]; leaseAnswer[e.Start:e.End] != e.Text || e.Claim != "The deposit is GBP 9,975." ||
			e.Kind.String() == "" {
			t.Errorf("%+v", e)
		}
	}
}

func TestGuard_PoliciesAct(t *testing.T) {
	forward, _, _ := runGuard(t, &GuardOptions{Policy: PolicyReplace, Replacement: "[gone]"}, 9)
	if strings.Contains(forward, "9,975") || !strings.Contains(forward, "[gone]") {
		t.Error(forward)
	}
	forward, _, ended := runGuard(t, &GuardOptions{Policy: PolicyTerminate, Hold: true}, 9)
	if !ended || forward != "The monthly rent is GBP 1,350. " {
		t.Error(forward)
	}
}

func TestFacts_Check(t *testing.T) {
	facts := must(NewFacts(nil, leaseFacts, nil))(t)
	defer facts.Close()
	if events := must(facts.Check(leaseAnswer, &GuardOptions{Question: "What is the deposit?"}))(t); len(events) != 1 {
		t.Error(events)
	}
	if _, err := NewGuard(facts, &GuardOptions{Policy: 9}); err == nil {
		t.Error("a policy that is none")
	}
}
