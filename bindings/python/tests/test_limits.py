"""Calls that end early: deadlines, and a switch in another thread's hand."""

import threading

import pytest
import vsr
from conftest import tiny


@pytest.fixture(scope="module")
def model():
    return vsr.load(tiny("bert-embedding"))


def test_a_deadline_that_has_passed_is_an_error_of_its_own(model):
    for late in (-1, 0):
        with pytest.raises(vsr.DeadlineError, match="deadline"):
            model.embed("a", deadline_ms=late)
    assert issubclass(vsr.DeadlineError, TimeoutError)
    assert model.embed("a", deadline_ms=60_000).shape == (1, model.info.embedding["dim"])


def test_a_switch_ends_calls_that_run_and_those_that_follow(model):
    cancel = vsr.Cancel()
    timer = threading.Timer(0.05, cancel.trigger)
    timer.start()
    with pytest.raises(vsr.CancelledError):
        for _ in range(10_000):
            model.embed(["some text"] * 100, cancel=cancel)
    timer.join()
    with pytest.raises(vsr.CancelledError):
        model.embed("a", cancel=cancel)
    assert len(model.embed("a")) == 1


def test_every_call_takes_them():
    cancel = vsr.Cancel()
    cancel.trigger()
    classifier, tagger = vsr.load(tiny("bert-sequence")), vsr.load(tiny("bert-token"))
    for call in (classifier.classify, classifier.classify_all, tagger.entities, tagger.token_probs):
        with pytest.raises(vsr.CancelledError):
            call("a", cancel=cancel)
        with pytest.raises(vsr.DeadlineError):
            call("a", deadline_ms=-1)


def test_compression_and_intents_take_them(model):
    cancel = vsr.Cancel()
    cancel.trigger()
    intents = vsr.Intents(model)
    intents.add("card", ["where is my card?"], deadline_ms=60_000, cancel=vsr.Cancel())
    vectors = model.embed(["a", "b"])
    calls = (
        lambda **limits: vsr.compress("a text", 5, **limits),
        lambda **limits: intents.add("seat", ["a window seat"], **limits),
        lambda **limits: intents.route(["a"], **limits),
        lambda **limits: intents.route_vectors(vectors, **limits),
    )
    for call in calls:
        with pytest.raises(vsr.CancelledError):
            call(cancel=cancel)
        with pytest.raises(vsr.DeadlineError):
            call(deadline_ms=0)
    assert intents.labels == ["card"]
    assert len(intents.route_vectors(vectors, deadline_ms=60_000)) == 2


def test_generation_and_moderation_take_them():
    cancel = vsr.Cancel()
    cancel.trigger()
    writer, judge = vsr.load(tiny("qwen3-generate")), vsr.load(tiny("qwen3-guard"))
    for call in (writer.generate, judge.moderate):
        with pytest.raises(vsr.CancelledError):
            call("a", cancel=cancel)
        with pytest.raises(vsr.DeadlineError):
            call("a", deadline_ms=0)
        call("a", max_new_tokens=2, deadline_ms=60_000, cancel=vsr.Cancel())


def test_an_engine_bounds_what_waits():
    engine = vsr.Engine(models=tiny("bert-embedding"), max_queued_calls=7, max_queued_tokens=99)
    assert (engine.info.queue.max_calls, engine.info.queue.max_tokens) == (7, 99)
    with pytest.raises(OverflowError):
        vsr.Engine(models=tiny("bert-embedding"), max_queued_calls=-1)


def test_what_is_not_a_switch_is_refused(model):
    with pytest.raises((TypeError, RuntimeError)):
        model.embed("a", cancel=object())
