"""Bad input: each a class, a code and a sentence that says what is wrong."""

import json
import struct

import numpy as np
import pytest
from conftest import tiny


@pytest.mark.parametrize(
    ("cls", "builtin"),
    [("InvalidArgumentError", ValueError), ("NotFoundError", LookupError), ("IoError", OSError),
     ("ParseError", ValueError), ("WeightsError", ValueError), ("UnsupportedError", NotImplementedError),
     ("StateError", RuntimeError), ("LimitError", ValueError), ("OutOfMemoryError", MemoryError),
     ("InternalError", RuntimeError), ("CancelledError", Exception)],
)  # fmt: skip
def test_classes(vsr, cls, builtin):
    cls = getattr(vsr, cls)
    assert issubclass(cls, vsr.Error) and issubclass(cls, builtin)
    made = __import__("vsr")._errors.from_status(int(cls.code), "why")
    assert type(made) is cls and str(made) == "why" and made.code is cls.code


def test_a_status_of_a_newer_library_is_an_error():
    from vsr import _errors

    made = _errors.from_status(99, "why")
    assert type(made) is _errors.Error and "99" in str(made)


def test_missing_files(vsr, copied):
    with pytest.raises(vsr.NotFoundError, match="/no/such/folder") as caught:
        vsr.load("/no/such/folder")
    assert caught.value.code == vsr.Status.NOT_FOUND
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        folder = copied("bert-sequence")
        (folder / name).unlink()
        with pytest.raises(vsr.NotFoundError, match=name.split(".")[0]):
            vsr.load(folder)
        __import__("shutil").rmtree(folder)


def test_damaged_config(vsr, copied):
    folder = copied("bert-sequence")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config)[:-20])
    with pytest.raises(vsr.ParseError, match="config.json"):
        vsr.load(folder)
    for key, value, cls, match in (
        ("hidden_size", "many", vsr.ParseError, "hidden_size"),
        ("hidden_size", 48, vsr.WeightsError, "48"),
        ("model_type", "llama-of-tomorrow", vsr.UnsupportedError, "llama-of-tomorrow"),
        ("hidden_act", "square", vsr.UnsupportedError, "square"),
    ):
        (folder / "config.json").write_text(json.dumps({**config, key: value}))
        with pytest.raises(cls, match=match):
            vsr.load(folder)


def test_damaged_weights(vsr, copied):
    folder = copied("bert-sequence")
    weights = folder / "model.safetensors"
    whole = weights.read_bytes()
    damaged = {
        "truncated": whole[: len(whole) // 2],
        "empty": b"",
        "a header longer than the file": struct.pack("<Q", 1 << 60) + whole[8:],
        "no header": b"\0" * 64,
    }
    for data in damaged.values():
        weights.write_bytes(data)
        with pytest.raises((vsr.WeightsError, vsr.ParseError), match="model.safetensors"):
            vsr.load(folder)


def test_wrong_types_name_the_argument(embedder, classifier, tagger):
    with pytest.raises(TypeError, match=r"texts\[1\] is int, expected str or bytes"):
        embedder.embed(["hello", 3])
    with pytest.raises(TypeError, match="texts is NoneType"):
        embedder.embed(None)
    with pytest.raises(TypeError, match=r"texts\[0\] is float"):
        classifier.classify([1.5])
    with pytest.raises(TypeError, match=r"texts\[1\] is no pair, texts\[0\] is one"):
        classifier.classify([("a", "b"), "c"])
    with pytest.raises(TypeError, match=r"texts\[1\] is a pair, texts\[0\] is not"):
        classifier.classify(["c", ("a", "b")])
    with pytest.raises(TypeError, match=r"texts\[0\]\[1\] is int"):
        classifier.classify([("a", 1)])
    with pytest.raises(TypeError, match="text is list"):
        tagger.token_probs(["a"])
    with pytest.raises(TypeError, match="candidates"):
        embedder.nearest("a", [None])


def test_values_out_of_range(vsr, embedder, tagger):
    for options in ({"dim": -1}, {"dim": 0}, {"dim": 33}, {"dim": 1 << 70}, {"layer": 0}, {"layer": 4}, {"layer": -2}):
        with pytest.raises(vsr.InvalidArgumentError, match=next(iter(options))):
            embedder.embed(["hello"], **options)
    with pytest.raises(vsr.NotFoundError, match="nothing"):
        embedder.embed(["hello"], prompt="nothing")
    with pytest.raises(vsr.InvalidArgumentError, match="prompt"):
        embedder.embed(["hello"], prompt="query", instruction="find: ")
    with pytest.raises(vsr.InvalidArgumentError, match="instruction has a NUL"):
        embedder.embed(["hello"], instruction="a\0")
    for threshold in (-0.5, 1.5, float("nan")):
        with pytest.raises(vsr.InvalidArgumentError, match="threshold"):
            tagger.entities(["hello"], threshold=threshold)
    with pytest.raises(vsr.InvalidArgumentError, match="k is 0"):
        embedder.nearest("a", ["b"], k=0)
    for top_k in (0, -1, 5000):
        with pytest.raises(vsr.InvalidArgumentError, match="top_k"):
            vsr.Intents(embedder, top_k=top_k)


def test_limits_are_kept(vsr, embedder, classifier):
    with pytest.raises(vsr.LimitError, match="max_tokens|4"):
        embedder.embed(["where is my card"], max_tokens=4)
    assert embedder.embed(["where is my card"], max_tokens=6).shape == (1, 32)
    with pytest.raises(vsr.LimitError):
        classifier.classify([("hello world " * 30, "hello world " * 30)])


def test_what_a_model_cannot_do(vsr, embedder, classifier, tagger):
    with pytest.raises(vsr.Error, match="sequence|classification"):
        embedder.classify(["hello"])
    with pytest.raises(vsr.Error, match="token"):
        classifier.entities(["hello"])
    with pytest.raises(vsr.NotFoundError, match="weather"):
        tagger.entities(["hello"], task="weather")


def test_what_this_version_cannot_do(vsr):
    with pytest.raises(vsr.Error, match="float8"):
        vsr.load(tiny("bert-sequence"), dtype="float8")
    with pytest.raises(vsr.Error, match="abacus"):
        vsr.load(tiny("bert-sequence"), device="abacus")
    with pytest.raises(TypeError, match="made by vsr.load"):
        vsr.Model()


def test_decoding_refuses_unknown_ids(vsr):
    tokenizer = vsr.load_tokenizer(tiny("bert-embedding"))
    with pytest.raises(vsr.InvalidArgumentError, match=r"ids\[1\] is 999999"):
        tokenizer.decode([5, 999999])
    with pytest.raises(vsr.InvalidArgumentError, match=r"ids\[0\] is -1"):
        tokenizer.decode([-1])
    with pytest.raises(vsr.InvalidArgumentError, match=r"ids\[1\] is 1180591620717411303424"):
        tokenizer.decode([5, 1 << 70])
    with pytest.raises(TypeError):
        tokenizer.decode(["a"])
    assert tokenizer.decode(np.array([], np.int32)) == ""


def test_damaged_tokenizer(vsr, copied):
    folder = copied("bert-embedding")
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(vsr.ParseError, match="tokenizer.json"):
        vsr.load(folder)
    with pytest.raises(vsr.NotFoundError, match="nowhere"):
        vsr.load_tokenizer(folder / "nowhere")
    with pytest.raises(TypeError, match="path is int"):
        vsr.load_tokenizer(3)


def test_engine_arguments(vsr):
    with pytest.raises(vsr.InvalidArgumentError, match="model"):
        vsr.Engine()
    with pytest.raises(vsr.InvalidArgumentError, match="bert-sequence"):
        vsr.Engine([tiny("bert-sequence"), tiny("bert-sequence")])
    with pytest.raises(vsr.NotFoundError, match="nowhere.yaml"):
        vsr.Engine("/nowhere.yaml")


def test_use_after_close(vsr):
    model = vsr.load(tiny("bert-embedding"))
    model.close()
    model.close()
    calls = [lambda: model.embed(["a"]), lambda: model.info, lambda: model.tokenize("a"), lambda: vsr.Intents(model)]
    for call in calls:
        with pytest.raises(vsr.StateError, match="close"):
            call()
    assert repr(model) == "Model(closed)"


def test_default_engine_life(vsr):
    engine = vsr.default_engine()
    with pytest.raises(vsr.StateError):
        engine.embed(["hello"])
    with pytest.raises(vsr.StateError):
        vsr.reload([tiny("bert-sequence")])
    try:
        assert vsr.init([tiny("bert-embedding")]).embed(["hello"]).shape == (1, 32)
        vsr.init([tiny("bert-embedding")])
        with pytest.raises(vsr.StateError, match="bert-sequence"):
            vsr.init([tiny("bert-sequence")])
        vsr.reload([tiny("bert-sequence")])
        assert len(engine.classify(["hello"])) == 1
        with pytest.raises(vsr.NotFoundError):
            vsr.reload(["/no/such/folder"])
        assert len(engine.classify(["hello"])) == 1
    finally:
        vsr.shutdown()
    vsr.shutdown()
    with pytest.raises(vsr.StateError):
        engine.classify(["hello"])
