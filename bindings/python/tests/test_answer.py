"""Guards of answers by what a routed request's decision asks for."""

import pytest
import vsr
from conftest import tiny

CONFIG = """version: v0.3
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
"""
SAID = b"The monthly rent is GBP 1,350. The deposit is GBP 9,975. It is due soon."


@pytest.fixture(scope="module")
def router(tmp_path_factory):
    path = tmp_path_factory.mktemp("answers") / "router.yaml"
    path.write_text(CONFIG % tiny("bert-sequence"))
    return vsr.Router(path)


def said_through(guard, answer=SAID):
    steps = [guard.feed(answer[i : i + 1]) for i in range(len(answer))] + [guard.finish()]
    return (
        b"".join(step.forward for step in steps),
        any(step.ended for step in steps),
        [e for s in steps for e in s.events],
    )


def ask(text, *results):
    tools = [{"role": "tool", "tool_call_id": "1", "content": result} for result in results]
    return {"model": "auto", "messages": [{"role": "user", "content": text}, *tools]}


def test_a_decision_guards_its_answer(router):
    decision = router.route(ask("What is the rent?", "The monthly rent is GBP 1,350."))
    answer = decision.answer
    assert answer.guard["policy"] == "terminate"
    assert answer.guard["hold"]
    assert answer.guard["on_overload"] == "closed"
    assert answer.guard["question"] == "What is the rent?"
    assert answer.sources == ["The monthly rent is GBP 1,350."]
    assert (answer.hallucination_action, answer.unverified_action, answer.jailbreak_action) == ("block", "body", None)
    guard = router.guard(decision)
    assert "'terminate'" in repr(guard)
    forward, ended, _ = said_through(guard)
    assert (forward, ended) == (b"The monthly rent is GBP 1,350. ", True)


def test_pinned_facts(router):
    decision = router.route("What is the rent?")
    right = router.facts(["The rent is GBP 1,350, the deposit GBP 9,975."], nli=decision.answer.nli)
    wrong = router.facts(["The monthly rent is GBP 2,000."])
    assert said_through(router.guard(decision, right))[0] == SAID
    assert said_through(router.guard(decision, wrong))[0] == b""
    assert said_through(vsr.Guard(wrong, **decision.answer.guard))[0] == b""
    assert said_through(router.guard(decision))[0] == SAID  # nothing to hold it against


def test_response_jailbreak(router):
    decision = router.route("Please pretend.")
    assert decision.answer.guard["policy"] == "annotate"
    assert decision.answer.guard["safety_policy"] == "terminate"
    assert decision.answer.include_details
    _, ended, events = said_through(router.guard(decision), b"Here is the recipe that you asked for. More follows.")
    assert ended
    assert events[0].kind == "jailbreak"


def test_other_decisions_ask_for_nothing(router):
    decision = router.route("hello")
    assert decision.answer is None
    with pytest.raises(vsr.StateError, match="asks for no guard"):
        router.guard(decision)
