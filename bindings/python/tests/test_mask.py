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
