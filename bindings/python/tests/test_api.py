"""The interface: what calls take and give."""

import ast
import html
import pathlib
import pickle
import re

import numpy as np
import pytest
import vsr as package
from conftest import ROOT, tiny
from vsr import _vsr


def test_exported_names_exist():
    assert sorted(package.__all__) == package.__all__
    for name in package.__all__:
        assert hasattr(package, name), name
    assert package.__version__ == re.search(r"project\(vsr VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def test_stub_and_extension_agree():
    stub = ast.parse((pathlib.Path(package.__file__).parent / "_vsr.pyi").read_text())
    functions = {n.name: [a.arg for a in n.args.args] for n in stub.body if isinstance(n, ast.FunctionDef)}
    bodies = {n.name: n.body for n in stub.body if isinstance(n, ast.ClassDef)}
    classes = {name: {f.name for f in body if isinstance(f, ast.FunctionDef)} for name, body in bodies.items()}
    values = {n.target.id for n in stub.body if isinstance(n, ast.AnnAssign)}
    public = {name for name in dir(_vsr) if not name.startswith("_")}
    assert public == set(functions) | set(classes) | values
    for name, arguments in functions.items():
        signature = getattr(_vsr, name).__doc__.splitlines()[0]
        assert re.findall(r"(\w+): ", signature) == arguments, name
    for name, methods in classes.items():
        made = {m for m in vars(getattr(_vsr, name)) if not m.startswith("_")}
        assert made == {m for m in methods if not m.startswith("_")}, name


def test_statuses_equal_the_header():
    header = (ROOT / "include" / "vsr" / "types.h").read_text()
    found = re.findall(r"^\s+(VSR_(?:OK|ERR_\w+)) = (\d+)", header, re.MULTILINE)
    values = {name: int(number) for name, number in found}
    assert len(values) == 13
    assert _vsr.STATUSES == values
    assert {("VSR_OK" if s == 0 else "VSR_ERR_" + s.name): int(s) for s in package.Status} == values


def test_info_by_attribute_and_key(classifier):
    info = classifier.info
    assert info.layers == info["layers"] == 2
    assert info.architecture.startswith("Bert")
    assert info.labels == ["banking", "travel", "chit_chat"]
    assert info.bytes_in_memory > 50_000
    with pytest.raises(AttributeError, match="colour"):
        info.colour


def test_one_text_is_a_batch_of_one(embedder, classifier):
    assert embedder.embed("hello").shape == (1, 32)
    assert len(classifier.classify("hello")) == 1
    assert len(classifier.classify(("hello", "world"))) == 2
    assert len(classifier.classify([("hello", "world")])) == 1


def test_empty_lists_give_empty_results(embedder, classifier, tagger):
    assert embedder.embed([]).shape == (0, 32)
    assert classifier.classify([]) == []
    assert tagger.entities([]) == []
    assert embedder.similarity([], []).shape == (0,)
    assert embedder.similarity_matrix([], ["a"]).shape == (0, 1)
    assert embedder.nearest("a", []) == []


def test_texts_may_be_any_iterable(embedder):
    texts = ["where is my card", "hello world"]
    expected = embedder.embed(texts)
    for given in (tuple(texts), np.array(texts), np.array(texts, dtype=object), iter(texts), (t for t in texts)):
        assert np.array_equal(embedder.embed(given), expected)


def test_similarity(embedder):
    a, b = ["hello world", "my card"], ["where is my card", "hello"]
    va, vb = embedder.embed(a), embedder.embed(b)
    np.testing.assert_allclose(embedder.similarity_matrix(a, b), va @ vb.T, atol=1e-5)
    np.testing.assert_allclose(embedder.similarity_matrix(a), va @ va.T, atol=1e-5)
    np.testing.assert_allclose(embedder.similarity(a, b), np.sum(va * vb, axis=1), atol=1e-5)
    assert isinstance(embedder.similarity(a[0], b[0]), float)
    with pytest.raises(package.InvalidArgumentError, match="a has 2 texts, b has 1"):
        embedder.similarity(a, b[:1])


def test_nearest(embedder):
    candidates = ["my card", "hello world", "flight to paris", "hello world"]
    found = embedder.nearest("hello world", candidates, k=3)
    assert [n.index for n in found[:2]] == [1, 3]
    assert found[0].score == pytest.approx(1, abs=1e-5)
    assert found[0].text == "hello world"
    assert len(found) == 3
    assert len(embedder.nearest("hello", candidates, k=100)) == 4


def test_classification_fields(classifier):
    one = classifier.classify(["where is my card?"])[0]
    assert sum(one.probs.values()) == pytest.approx(1, abs=1e-5)
    assert one.probs[one.label] == one.score == max(one.probs.values())
    assert (one.tokens, one.windows, one.dropped, one.replaced) == (7, 1, 0, 0)
    assert one.label in repr(one) and "score=" in repr(one)
    again = pickle.loads(pickle.dumps(one))
    assert (again.label, again.probs) == (one.label, one.probs)


def test_html_escapes_what_it_shows(classifier, tagger, embedder):
    text = "<b>&\"'</b> hello world"
    entities = tagger.entities([text], threshold=0)[0]
    shown = entities._repr_html_()
    assert "<b>" not in shown
    # Without what marks them, the words are the text again.
    words = re.sub(r"<sub.*?</sub>", "", shown)
    assert html.unescape(re.sub(r"<[^>]*>", "", words)) == text
    assert entities and all(f">{e.label}</sub>" in shown for e in entities)
    intents = package.Intents(embedder)
    intents.add("<i>", ["hello"])
    matches = intents.route([text])
    assert "<b>" not in matches._repr_html_() and "<i>" not in matches._repr_html_()
    assert "&lt;i&gt;" in matches[0]._repr_html_()
    assert "banking" in classifier.classify(["hello"])[0]._repr_html_()
    assert "<table>" in classifier.classify(["hello", "a"])._repr_html_()
    assert "hidden_size" in classifier._repr_html_()
    assert "hello" in embedder.tokenize("hello <b>")._repr_html_()


def test_reprs_say_what_it_is(embedder, vsr):
    assert "bert-embedding" in repr(embedder)
    assert "vocab_size=" in repr(embedder.tokenizer())
    assert "tokens" in repr(embedder.tokenize("hello"))
    assert "Intents(0 intents" in repr(vsr.Intents(embedder))


def test_progress_function_is_called(embedder):
    seen = []
    embedder.embed(["hello world"] * 300, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (300, 300)
    assert seen == sorted(seen)


def test_progress_bar_goes_to_standard_error(embedder, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tqdm", None)
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    embedder.embed(["hello world"] * 300, progress=True)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "300/300" in captured.err and captured.err.endswith("\n")


def test_exceptions_of_the_progress_function_come_through(embedder):
    def stop(done, total):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        embedder.embed(["hello"] * 300, progress=stop)
    with pytest.raises(TypeError):
        embedder.embed(["hello"], progress=3 and (lambda: None))


def test_engine_of_several_models(vsr):
    models = {"topic": tiny("bert-sequence"), "safety": tiny("bert-sequence-sharded"), "pii": tiny("bert-token")}
    with vsr.Engine(models) as engine:
        assert {m.name for m in engine.info.models} == set(models)
        assert engine.classify(["hello"], task="safety")[0].label in ("unsafe", "safe")
        assert list(engine.classify(["hello"], "topic")[0].probs) == ["banking", "travel", "chit_chat"]
        assert engine.token_probs("hello", "pii").shape == (3, 5)
        assert engine.tokenize("hello", model="pii").tokens == ["[CLS]", "hello", "[SEP]"]
        with pytest.raises(vsr.NotFoundError, match="weather"):
            engine.classify(["hello"], task="weather")
        assert "safety" in repr(engine)
    assert repr(engine) == "Engine(closed)"


def test_engine_from_a_config_file(vsr, tmp_path):
    config = tmp_path / "vsr.yaml"
    config.write_text(f"vsr:\n  models:\n    topic:\n      path: {tiny('bert-sequence')}\n")
    engine = vsr.Engine(config)
    assert "topic" in engine.tasks
    assert len(engine.classify(["hello"], task="topic")) == 1


def test_tokenizers(vsr, embedder, tmp_path):
    folder = tiny("bert-embedding")
    for path in (folder, folder / "tokenizer.json", tiny("bert-no-pooler") / "vocab.txt"):
        tokenizer = vsr.load_tokenizer(path)
        made = tokenizer.encode("where is my card?")
        assert made.tokens == ["[CLS]", "where", "is", "my", "card", "?", "[SEP]"]
        assert made.windows == 1
        assert tokenizer.decode(made.ids) == "where is my card?"
        assert "[CLS]" in tokenizer.decode(np.array(made.ids, np.int64), skip_special_tokens=False)
        assert tokenizer.encode("card", add_special_tokens=False).tokens == ["card"]
        assert [len(e) for e in tokenizer.encode_batch(["card", ("card", "my card")])] == [3, 6]
    assert vsr.load_tokenizer(str(tiny("bert-embedding"))).vocab_size == embedder.info.vocab_size


def test_tokenizer_outlives_its_engine(vsr):
    tokenizer = vsr.load(tiny("bert-embedding")).tokenizer()
    assert tokenizer.encode("hello").tokens == ["[CLS]", "hello", "[SEP]"]
