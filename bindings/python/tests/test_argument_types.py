"""Arguments of wrong types and numbers out of range: errors that name the argument."""

import numpy as np
import pytest
import vsr
from conftest import tiny

CONFIG = """
routing:
  modelCards: [{name: a}, {name: b}]
  signals:
    keywords: [{name: k, keywords: [x]}]
    role_bindings: [{name: rb, role: admin, subjects: [{kind: Group, name: s}]}]
  decisions:
  - {name: admins, rules: {type: authz, name: admin}, modelRefs: [{model: b}]}
providers: {defaults: {default_model: a}}
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("types") / "router.yaml"
    path.write_text(CONFIG)
    return path


@pytest.fixture(scope="module")
def router(path):
    return vsr.Router(path)


@pytest.fixture(scope="module")
def model():
    return vsr.load(tiny("bert-embedding"))


@pytest.mark.parametrize(
    "name, value",
    [
        ("deadline_ms", 5.5),
        ("deadline_ms", "5"),
        ("explain", "yes"),
        ("evaluate_all", "no"),
        ("cancel", "x"),
        ("groups", "ops"),
        ("headers", 3),
        ("headers", [("a", "b")]),
        ("metadata", "x"),
    ],
)
def test_wrong_types_of_route_name_the_argument(router, name, value):
    with pytest.raises(TypeError, match=f"^{name} is "):
        router.route("x", **{name: value})


def test_groups_are_never_the_letters_of_one_name(router):
    assert router.route("x", groups=["s"]).name == "admins"
    for group in ("s", b"s"):
        with pytest.raises(TypeError, match="^groups is (str|bytes), expected a list of str"):
            router.route("x", groups=group)


def test_confidences_and_the_log_are_checked(router, path):
    with pytest.raises(TypeError, match="^keyword:k is str, expected a number"):
        router.decide({"keyword:k": "0.5"})
    for log in (5, "x"):
        with pytest.raises(TypeError, match="^log is "):
            vsr.Router(path, log=log)


def test_numbers_beyond_64_bits_are_overflows(router, model):
    for call in (lambda n: router.route("x", deadline_ms=n), lambda n: model.embed(["a"], deadline_ms=n)):
        for number in (2**63, 10**30, -(10**30)):
            with pytest.raises(OverflowError, match="^deadline_ms has more than 64 bits"):
                call(number)


def test_wrong_types_of_embed_name_the_argument(model):
    for options in ({"deadline_ms": 1.5}, {"deadline_ms": "10"}, {"dim": 1.5}, {"normalize": "x"}, {"cancel": 1}):
        with pytest.raises(TypeError, match=f"^{next(iter(options))} is "):
            model.embed(["a"], **options)
    assert model.embed(["a"], deadline_ms=np.int64(60_000)).shape[0] == 1


@pytest.mark.parametrize("name", ["threads", "max_queued_calls", "max_queued_tokens"])
def test_limits_of_an_engine_are_whole_numbers(name):
    with pytest.raises(TypeError, match=f"^{name} is str, expected an int"):
        vsr.Engine(models={"m": tiny("bert-embedding")}, **{name: "2"})
    with pytest.raises(OverflowError, match=f"^{name} is below 0"):
        vsr.Engine(models={"m": tiny("bert-embedding")}, **{name: -1})


def test_answers_are_stored_for_decisions_only(router):
    for call in (lambda: router.store("x", "answer"), lambda: router.feedback(None, True)):
        with pytest.raises(TypeError, match="^decision is (str|NoneType), expected a vsr.Decision"):
            call()


@pytest.mark.parametrize(
    "name, value",
    [
        ("deadline_ms", "5"),
        ("max_hold_ms", 1.5),
        ("threshold", "x"),
        ("safety_threshold", None),
        ("hold", "yes"),
        ("pii", "no"),
    ],
)
def test_wrong_types_of_a_guard_name_the_argument(name, value):
    with pytest.raises(TypeError, match=f"^{name} is "):
        vsr.Guard(vsr.Facts(["The rent is 9."]), **{name: value})


def test_a_guard_needs_facts_and_facts_an_engine():
    with pytest.raises(TypeError, match="^facts is str, expected vsr.Facts"):
        vsr.Guard("The rent is 9.")
    with pytest.raises(TypeError, match="^model is str, expected an Engine or None"):
        vsr.Facts(["The rent is 9."], "model")


def test_measurements_are_numbers(router):
    for name in ("ttft_ms", "tpot_ms", "in_flight"):
        with pytest.raises(TypeError, match=f"^{name} is str, expected "):
            router.measure("a", **{name: "1"})
    with pytest.raises(TypeError, match="^model is int, expected "):
        router.measure(3)
