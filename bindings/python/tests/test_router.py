"""Routing of chat requests, and compression."""

import json
import re

import pytest
from conftest import tiny

CONFIG = """version: v0.3
routing:
  modelCards: [{name: small}, {name: large, loras: [{name: card-lora}]}]
  signals:
    keywords: [{name: urgent, operator: OR, keywords: [urgent]}]
    embeddings: [{name: card, threshold: 0.999, candidates: ["where is my card?"]}]
    role_bindings: [{name: admins, role: admin, subjects: [{kind: Group, name: staff}, {kind: User, name: ann}]}]
  decisions:
    - name: urgent
      priority: 100
      rules: {type: keyword, name: urgent}
      modelRefs: [{model: large, use_reasoning: true, reasoning_effort: high}]
    - name: staff
      priority: 90
      rules: {type: authz, name: admin}
      modelRefs: [{model: large}]
    - name: card
      priority: 50
      rules: {type: embedding, name: card}
      modelRefs: [{model: large, lora_name: card-lora, use_reasoning: false}]
providers:
  defaults:
    default_model: small
    reasoning_families: {qwen3: {type: chat_template_kwargs, parameter: enable_thinking}}
  models: [{name: small, reasoning_family: qwen3}, {name: large, reasoning_family: qwen3}]
vsr:
  models: {tiny: {path: %s}}
  cache: {threshold: 0.95}
"""

METADATA = """version: v0.3
routing:
  modelCards: [{name: small}]
  signals:
    metadata: [{name: team, key: x-team, predicate: {exists: true}}]
  decisions:
    - {name: team, rules: {type: metadata, name: team}, modelRefs: [{model: small}]}
providers: {defaults: {default_model: small}, models: [{name: small}]}
"""


@pytest.fixture()
def path(tmp_path):
    path = tmp_path / "router.yaml"
    path.write_text(CONFIG % tiny("bert-embedding"))
    return path


@pytest.fixture()
def router(vsr, path):
    return vsr.Router(path)


def chat(text, **more):
    return {"model": "auto", "messages": [{"role": "user", "content": text}], **more}


def test_a_request_is_decided_and_rewritten(router):
    d = router.route(chat("urgent: no card", temperature=0.25, x={"é": None}))
    assert (d.name, d.model, d.outcome, d.reasoning, d.effort) == ("urgent", "large", "forward", True, "high")
    assert d.request == {
        **chat("urgent: no card", temperature=0.25, x={"é": None}),
        "model": "large",
        "chat_template_kwargs": {"enable_thinking": True},
    }
    assert d.signals["keyword:urgent"].matched and "embedding:card" not in d.signals
    assert d.explanation is None and "urgent" in repr(d) and "keyword:urgent" in d._repr_html_()


def test_models_are_validated_on_demand(vsr, path, tmp_path):
    assert vsr.Router(path, validate_models=True).route("where is my card?").name == "card"
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(
        CONFIG.replace("tiny:", "m:").replace("cache: {", "signal_tasks: {embedding: tiny}\n  cache: {")
        % tiny("bert-embedding")
    )
    with pytest.raises(vsr.NotFoundError, match=r'wrong.yaml:19:\d+: signal "embedding:card": task "tiny"'):
        vsr.Router(wrong)
    assert "tiny" in vsr.Router(wrong, lenient=True).info.warnings[-1]


def test_json_text_and_plain_text_are_requests_too(router):
    assert router.route(json.dumps(chat("urgent"))).name == "urgent"
    assert router.route(b"urgent").name == "urgent"
    assert router.route("urgent").request["messages"] == [{"role": "user", "content": "urgent"}]
    passed = router.route(chat("urgent", model="mine"))
    assert (passed.outcome, passed.name, passed.model) == ("passthrough", None, "mine")


def test_signals_of_models_and_loras(router):
    d = router.route("where is my card?", explain=True)
    assert (d.name, d.model, d.lora) == ("card", "large", "card-lora")
    assert d.request["model"] == "card-lora" and d.reasoning is False
    assert d.explanation.decision == "card"
    assert [s["name"] for s in d.explanation.skipped] == []
    assert router.route("something else").name is None
    assert router.route("something else").model == "small"


def test_who_asks(router):
    assert router.route("hello", user="ann").name == "staff"
    assert router.route("hello", groups=["staff"]).name == "staff"
    assert router.route(chat("hello", user="ann")).name is None  # what the body says proves nothing


def test_decide(router, vsr):
    d = router.decide({"embedding:card": 0.7, "keyword:urgent": 0.4})
    assert (d.name, d.confidence, d.request) == ("urgent", pytest.approx(0.4), None)
    assert router.decide({}).model == "small"
    with pytest.raises(vsr.Error, match="keyword:urgent"):
        router.decide({"keyword:urgnt": 1})


def test_the_cache_answers_its_tenants(router, vsr):
    first = router.route("urgent: where is it?", tenant="a")
    router.store(first, b"\x00answer")
    again = router.route("urgent: where is it?", tenant="a")
    assert (again.outcome, again.response) == ("cached", b"\x00answer")
    assert router.route("urgent: where is it?", tenant="b").outcome == "forward"
    router.feedback(again, right=False)
    assert router.route("urgent: where is it?", tenant="a").outcome == "forward"
    with pytest.raises(vsr.InvalidArgumentError):
        router.feedback(first, right=True)
    assert re.search(r'vsr_cache_hits\{tier="exact"\} 1', router.metrics())


def test_what_a_router_says_of_itself(router, vsr):
    assert [d.name for d in router.info.decisions] == ["urgent", "staff", "card"]
    assert "complexity" in json.dumps(vsr.Router.schema())
    assert "3 decisions" in repr(router)


def test_errors_name_the_place(vsr, tmp_path, path):
    bad = tmp_path / "bad.yaml"
    bad.write_text(path.read_text().replace("keywords: [urgent]", "keyword: [urgent]"))
    with pytest.raises(vsr.ParseError, match=r"bad\.yaml:5:\d+: .*keywords"):
        vsr.Router(bad)
    bad.write_text(path.read_text() + "\nglobal: {stores: {memory: {enabled: true}}}\n")
    with pytest.raises(vsr.UnsupportedError, match="the store of memories"):
        vsr.Router(bad)
    lines = []
    assert vsr.Router(bad, lenient=True, log=lambda level, line: lines.append((level, line))).info.skipped
    assert any(level == "warning" and "the store of memories" in line for level, line in lines)


def test_calls_end_early(router, vsr):
    cancel = vsr.Cancel()
    assert router.route("hello", deadline_ms=60_000, cancel=cancel).outcome == router.route("hello").outcome
    cancel.trigger()
    with pytest.raises(vsr.CancelledError):
        router.route("hello", cancel=cancel)
    with pytest.raises(vsr.DeadlineError):
        router.route("hello", deadline_ms=0)


def test_an_engine_may_stand_in(vsr, tmp_path, path):
    bare = tmp_path / "bare.yaml"
    bare.write_text(path.read_text().split("vsr:")[0])
    with pytest.raises(vsr.NotFoundError, match="vsr.models"):
        vsr.Router(bare).route("where is my card?")
    with vsr.load(tiny("bert-embedding")) as model:
        assert vsr.Router(bare, engine=model).route("where is my card?").name == "card"
    with pytest.raises(vsr.StateError, match="vsr_init|vsr.init"):
        vsr.Router(bare, engine=vsr.default_engine())
    vsr.init([tiny("bert-embedding")])
    try:
        assert vsr.Router(bare, engine=vsr.default_engine()).route("where is my card?").name == "card"
    finally:
        vsr.shutdown()


def test_compress_keeps_parts_of_the_text(vsr):
    text = "Größe zählt. " * 300 + "Welcher Steuersatz gilt für Maschinen?"
    c = vsr.compress(text, 40)
    assert c.tokens_after <= 40 < c.tokens_before and c.estimated
    assert "Steuersatz" in c.text
    assert all(text[start:end] in c.text for start, end in c.kept)
    tokenizer = vsr.load_tokenizer(tiny("bert-embedding"))
    assert vsr.compress(text, 40, "de", tokenizer=tokenizer).tokens_after <= 40
    assert vsr.compress("short", 40).text == "short"
    assert vsr.compress(b"\xff short", 40).text == "\ufffd short"
    with pytest.raises(vsr.InvalidArgumentError):
        vsr.compress(text, 0)


def test_headers_and_metadata_may_hold_any_bytes(vsr, tmp_path):
    path = tmp_path / "router.yaml"
    path.write_text(METADATA)
    router = vsr.Router(path)
    for given in ({"headers": {"X-Team": b"caf\xe9 \xff"}}, {"metadata": {"x-team": b"caf\xe9 \xff"}}):
        d = router.route(chat("hello"), explain=True, **given)
        assert d.name == "team"
        assert "caf\ufffd \ufffd" in d.signals["metadata:team"].detail
        assert "caf\ufffd \ufffd" in str(d.explanation)
