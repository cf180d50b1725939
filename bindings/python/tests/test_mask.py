"""Personal data out of requests and back into answers."""

import json

import pytest
import vsr

MAIL = "jane.doe@example.com"


def test_a_text_is_masked_and_restored():
    masked = vsr.mask(f"Write to {MAIL}.", key="k", tenant="t")
    assert MAIL not in masked.text
    assert masked == vsr.Mask("k", "t").text(f"Write to {MAIL}.")
    assert masked.restore(masked.text) == f"Write to {MAIL}."


@pytest.mark.parametrize("piece", [1, 3, 10_000])
def test_a_stream_is_restored(piece):
    mask = vsr.Mask()
    request = json.loads(mask.request({"messages": [{"role": "user", "content": f"I am {MAIL}"}]}))
    said = request["messages"][0]["content"]
    assert MAIL not in said
    chunks = [{"choices": [{"index": 0, "delta": {"content": c}, "finish_reason": None}]} for c in said]
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks).encode() + b"data: [DONE]\n\n"
    stream = mask.stream()
    steps = [stream.feed(body[i : i + piece]) for i in range(0, len(body), piece)] + [stream.finish()]
    events = b"".join(step.forward for step in steps).split(b"\n\n")
    texts = [json.loads(e[6:])["choices"][0]["delta"]["content"] for e in events if e.startswith(b"data: {")]
    assert "".join(texts) == f"I am {MAIL}"
    assert mask.info.masked == 1


def test_unknown_placeholders_stay_or_end_the_answer():
    unknown = b"hello [PERSON_aaaaaaaaaaaa] there"
    assert vsr.Mask().stream().feed(unknown).forward + b"" != b""
    step = vsr.Mask(unknown="fail").stream("text").feed(unknown)
    assert step.ended
    assert step.forward == b"hello "
    with pytest.raises(vsr.InvalidArgumentError, match="unknown"):
        vsr.Mask(unknown="perhaps")


def test_a_routed_request_leaves_masked(tmp_path):
    config = tmp_path / "r.yaml"
    config.write_text(
        "providers: {defaults: {default_model: m}, models: [{name: m}]}\n"
        "routing:\n"
        "  signals: {keywords: [{name: k, keywords: [write]}]}\n"
        "  decisions:\n"
        "    - {name: d, rules: {type: keyword, name: k}, plugins: [{type: pii_mask, configuration: {}}]}\n"
        "vsr: {signal_tasks: {pii: none}}\n"
    )
    router = vsr.Router(config)
    decision = router.route({"model": "auto", "messages": [{"role": "user", "content": f"write to {MAIL}"}]})
    said = decision.request["messages"][0]["content"]
    assert MAIL not in said
    assert decision.mask.restore(said) == f"write to {MAIL}"
    assert router.route("hello").mask is None
