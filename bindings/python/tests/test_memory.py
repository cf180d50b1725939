"""Lifetimes, threads and leaks."""

import gc
import os
import pathlib
import signal
import threading
import time

import numpy as np
import pytest
from conftest import tiny

TEXTS = ["where is my card", "hello 🙂 world", "你好", ""]


def resident():
    """Bytes of memory that the process holds."""
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_arrays_are_views_that_hold_the_result(vsr):
    model = vsr.load(tiny("bert-embedding"))
    vectors = model.embed(TEXTS)
    assert vectors.dtype == np.float32 and vectors.flags.c_contiguous and not vectors.flags.owndata
    expected = vectors.copy()
    row = vectors[2]
    model.close()
    del model, vectors
    gc.collect()
    again = vsr.load(tiny("bert-embedding"))
    for _ in range(20):
        again.embed(TEXTS * 5)
    assert np.array_equal(row, expected[2])


def test_arrays_may_be_written(embedder):
    vectors = embedder.embed(TEXTS)
    before = embedder.embed(TEXTS)
    vectors *= 2
    np.testing.assert_allclose(vectors, 2 * before)
    np.testing.assert_array_equal(embedder.embed(TEXTS), before)


def test_probabilities_outlive_the_model(vsr):
    model = vsr.load(tiny("bert-sequence"))
    made = model.classify(["hello"])[0]
    expected = dict(made.probs)
    model.close()
    del model
    gc.collect()
    assert made.probs == expected


def labels_of(found):
    return [[entity.label for entity in of_text] for of_text in found]


def test_threads_share_a_model(embedder, classifier, tagger):
    expected = embedder.embed(TEXTS), [c.probs for c in classifier.classify(TEXTS)], tagger.entities(TEXTS)
    failures = []

    def work():
        try:
            for _ in range(15):
                np.testing.assert_allclose(embedder.embed(TEXTS), expected[0], atol=1e-6)
                for made, probs in zip(classifier.classify(TEXTS), expected[1]):
                    assert made.probs == pytest.approx(probs, abs=1e-6)
                assert labels_of(tagger.entities(TEXTS)) == labels_of(expected[2])
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]


def test_closing_lets_running_calls_end(vsr):
    model = vsr.load(tiny("bert-embedding"))
    begun, made = threading.Event(), []

    def embed():
        def report(done, total):
            begun.set()

        made.append(model.embed(["where is my card"] * 2000, progress=report))

    thread = threading.Thread(target=embed)
    thread.start()
    assert begun.wait(30)
    model.close()
    thread.join()
    assert made[0].shape == (2000, 32)


def test_reload_races_with_use(vsr):
    engine = vsr.init([tiny("bert-embedding")])
    failures, stop = [], threading.Event()

    def work():
        try:
            while not stop.is_set():
                assert engine.embed(["hello"]).shape == (1, 32)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work) for _ in range(4)]
    try:
        for thread in threads:
            thread.start()
        for name in ("bert-no-pooler", "bert-embedding") * 5:
            vsr.reload([tiny(name)])
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        vsr.shutdown()
    assert not failures, failures[0]


def test_calls_release_the_gil(embedder):
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    embedder.embed(["where is my card"] * 64)  # warm
    before = counted[0]
    began = time.monotonic()
    embedder.embed(["where is my card and how can i pay " * 30] * 40)
    elapsed = time.monotonic() - began
    stop.set()
    thread.join()
    # Held, the other thread would have counted once or twice in all; a busy machine slows it a lot.
    assert counted[0] - before > max(5, elapsed * 10)


@pytest.fixture()
def interruptible():
    """A shell starts what runs in its background with SIGINT ignored, and Python leaves it so."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_interrupt_ends_a_long_call(embedder, interruptible):
    texts = ["where is my card and how can i pay " * 40] * 20_000
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    began = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        embedder.embed(texts)
    assert time.monotonic() - began < 20
    assert embedder.embed(["hello"]).shape == (1, 32)


@pytest.mark.slow
def test_nothing_leaks(vsr, embedder, classifier, tagger):
    intents = vsr.Intents(embedder)
    intents.add("card", ["my card"])
    tokenizer = embedder.tokenizer()
    surrogate = "hello \ud83d " * 100

    def everything():
        embedder.embed([*TEXTS, surrogate])
        classifier.classify([(t, surrogate) for t in TEXTS])[0].probs
        tagger.entities([*TEXTS, surrogate])[0]._repr_html_()
        tagger.token_probs(surrogate)
        made = tokenizer.encode(surrogate, "hello")
        made.ids, made.tokens, made.offsets
        tokenizer.decode(made.ids)
        intents.route(TEXTS)
        intents.add("more", ["hello world"])
        intents.remove("more")
        embedder.info, intents.info
        embedder.nearest("hello", TEXTS)
        embedder.similarity_matrix(TEXTS)
        with pytest.raises(TypeError):
            embedder.embed(["a", 1])
        with pytest.raises(vsr.Error):
            embedder.embed(["a"], dim=99)
        with pytest.raises(vsr.Error):
            vsr.load("/nowhere")

    for _ in range(30):
        everything()
    gc.collect()
    before = resident()
    for _ in range(300):
        everything()
    gc.collect()
    assert resident() - before < 12_000_000


@pytest.mark.slow
def test_loading_does_not_leak(vsr):
    def load():
        with vsr.load(tiny("bert-sequence")) as model:
            model.classify(["hello"])

    for _ in range(20):
        load()
    gc.collect()
    before = resident()
    for _ in range(200):
        load()
    gc.collect()
    # A leaked model would be 100 kB each time, its tokenizer more.
    assert resident() - before < 12_000_000
