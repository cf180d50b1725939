"""Facts and guards, with symbols alone: no model is needed."""

import json
import threading

import pytest
import vsr

FACTS = [
    "The monthly rent is GBP 1,350, payable on the first day of each month.",
    "The lease runs from 1 September 2024 to 31 August 2026.",
]
WRONG = "Größe: klein. The monthly rent is GBP 1,350. The deposit is GBP 9,975. The lease ends on 31 August 2026."


def stream(text: str) -> bytes:
    events = []
    for word in text.split(" "):
        chunk = {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": {"content": word + " "}, "finish_reason": None}],
        }
        events.append("data: " + json.dumps(chunk) + "\n\n")
    return ("".join(events) + "data: [DONE]\n\n").encode()


def run(guard: vsr.Guard, body: bytes, piece: int):
    forward, events, checked, ended = b"", [], 0, False
    steps = [guard.feed(body[i : i + piece]) for i in range(0, len(body), piece)] + [guard.finish()]
    for step in steps:
        assert step.checked >= checked
        forward, checked, ended = forward + step.forward, step.checked, step.ended
        events += step.events
    return forward, events, checked, ended


def test_check_gives_bytes_of_the_text():
    facts = vsr.Facts(FACTS)
    assert len(facts) == 2
    (event,) = [e for e in facts.check(WRONG, question="What is the deposit?") if "9,975" in e.claim]
    assert WRONG.encode()[event.start : event.end].decode() == event.text
    assert "9,975" in event.text
    assert event.kind in {"amount", "number"}
    assert event.fact is None or 0 <= event.fact < 2


@pytest.mark.parametrize("piece", [1, 5, 10_000])
@pytest.mark.parametrize("body", [stream(WRONG), WRONG.encode()])
def test_an_observed_stream_is_unchanged(piece, body):
    guard = vsr.Guard(vsr.Facts(FACTS))
    forward, events, checked, ended = run(guard, body, piece)
    assert forward == body
    assert any("9,975" in event.claim for event in events)
    assert not ended
    assert checked >= len(WRONG.encode())
    assert guard.info.claims >= 3
    assert "Guard('observe'" in repr(guard)


def test_policies_act():
    facts = vsr.Facts(FACTS)
    held, _, _, _ = run(vsr.Guard(facts, policy="replace", replacement="[gone]"), WRONG.encode(), 7)
    assert b"9,975" not in held and b"[gone]" in held
    cut, _, _, ended = run(vsr.Guard(facts, policy="terminate", hold=True), stream(WRONG), 7)
    assert ended and b"9,975" not in cut
    assert b'"content_filter"' in cut and cut.endswith(b"data: [DONE]\n\n")
    noted, _, _, _ = run(vsr.Guard(facts, policy="annotate"), stream(WRONG), 7)
    assert b"event: vsr.guard" in noted


def test_personal_data():
    forward, events, _, _ = run(
        vsr.Guard(vsr.Facts([]), "replace", grounding=False, pii=True, replacement="[x]"), b"Ask jane@example.com.", 4
    )
    assert forward == b"Ask [x]."
    assert [event.kind for event in events] == ["pii"]


def test_errors_name_the_argument():
    facts = vsr.Facts(FACTS)
    with pytest.raises(vsr.InvalidArgumentError, match="policy"):
        vsr.Guard(facts, policy="shout")
    with pytest.raises(vsr.InvalidArgumentError, match="on_overload"):
        vsr.Guard(facts, on_overload="ajar")
    with pytest.raises(vsr.Error):
        vsr.Guard(facts, jailbreak_task="none")
    guard = vsr.Guard(facts)
    guard.finish()
    with pytest.raises(vsr.Error):
        guard.feed(b"more")


def test_many_guards_share_facts():
    facts, body = vsr.Facts(FACTS), stream(WRONG)
    expected = run(vsr.Guard(facts, policy="warn"), body, 40)[0]
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(run(vsr.Guard(facts, policy="warn"), body, 40)[0]))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8
