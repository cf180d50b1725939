"""vsr.arrow: columns in, columns out, the same numbers as lists of texts give."""

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (hint: scripts/bootstrap.sh --tests)")
pd = pytest.importorskip("pandas", reason="pandas is not installed (hint: scripts/bootstrap.sh --tests)")

import vsr.arrow  # noqa: E402  (only with pyarrow)
from vsr import _vsr  # noqa: E402

TEXTS = ["where is my card?", "", "caf\u00e9 \u2615 " * 30, "book a flight"]
WITH_NULLS = [None, *TEXTS[:2], None, *TEXTS[2:], None]
KINDS = {
    "string": pa.string(),
    "large_string": pa.large_string(),
    "binary": pa.binary(),
    "large_binary": pa.large_binary(),
    "string_view": pa.string_view(),
    "dictionary": pa.dictionary(pa.int32(), pa.string()),
}


def column_of(texts, kind):
    if pa.types.is_dictionary(kind):
        return pa.array(texts, pa.string()).dictionary_encode()
    return pa.array(texts, pa.string()).cast(kind)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_embed_of_every_type_of_strings_is_that_of_the_list(embedder, kind):
    found = vsr.arrow.embed(embedder, column_of(TEXTS, kind))
    expected = embedder.embed(TEXTS)
    assert found.type == pa.list_(pa.float32(), expected.shape[1])
    np.testing.assert_array_equal(np.stack(found.to_numpy(zero_copy_only=False)), expected)


def test_slices_chunks_and_nulls_keep_their_rows(embedder):
    chunked = pa.chunked_array([pa.array(["x", *WITH_NULLS[:3]]).slice(1), pa.array([], pa.string()), WITH_NULLS[3:]])
    expected = iter(embedder.embed(TEXTS))
    for column in (chunked, pa.array(["a", "bb", *WITH_NULLS, "c"]).slice(2, len(WITH_NULLS))):
        found = vsr.arrow.embed(embedder, column)
        assert [row is None for row in found.to_pylist()] == [text is None for text in WITH_NULLS]
        expected = iter(embedder.embed(TEXTS))
        for row in found.to_pylist():
            if row is not None:
                np.testing.assert_array_equal(np.float32(row), next(expected))


@pytest.mark.parametrize("dtype", ["object", "str", "string[pyarrow]", "category"])
def test_pandas_series_are_columns(embedder, dtype):
    series = pd.Series(TEXTS, dtype=dtype)
    np.testing.assert_array_equal(
        np.stack(vsr.arrow.embed(embedder, series).to_numpy(zero_copy_only=False)), embedder.embed(TEXTS)
    )


def test_columns_without_texts_have_the_type_of_others(embedder, classifier):
    dimensions = embedder.info.hidden_size
    for column in (pa.array([], pa.string()), pa.array([None, None]), pa.array([None], pa.large_string())):
        found = vsr.arrow.embed(embedder, column)
        assert found.type == pa.list_(pa.float32(), dimensions)
        assert found.to_pylist() == [None] * len(column)
        labels = vsr.arrow.classify(classifier, column)
        assert labels.type == vsr.arrow.classify(classifier, ["a"]).type
        assert labels.to_pylist() == [None] * len(column)
        assert vsr.arrow.compress(column, 8).to_pylist() == [None] * len(column)


def test_classify_is_that_of_the_list(classifier):
    found = vsr.arrow.classify(classifier, WITH_NULLS)
    expected = iter(classifier.classify(TEXTS))
    for text, row in zip(WITH_NULLS, found.to_pylist()):
        if text is None:
            assert row is None
            continue
        one = next(expected)
        assert (row["label"], row["windows"]) == (one.label, one.windows)
        assert np.float32(row["score"]) == np.float32(one.score)
        np.testing.assert_array_equal(np.float32(row["scores"]), one.row)


def test_compress_is_that_of_each_text(vsr):
    text = "One sentence about cards. Another one about trains and tickets. The third is about Rome. " * 4
    found = vsr.arrow.compress([text, None, "short"], 20).to_pylist()
    assert found[1] is None
    for given, row in ((text, found[0]), ("short", found[2])):
        one = vsr.compress(given, 20)
        assert row == {
            "text": one.text,
            "tokens_before": one.tokens_before,
            "tokens_after": one.tokens_after,
            "estimated": one.estimated,
        }


def test_strings_are_not_copied(embedder):
    data = bytearray(b"where is my card?")
    column = _vsr.TextColumn(np.array([0, 17], np.int32).tobytes(), data, None, 0, 1, False)
    data[:] = b"book a flight now"
    options = vsr.arrow.embed_options(None, None, None, None, True, None, None, None)
    found = np.asarray(_vsr.embed(embedder._handle, column, options))
    np.testing.assert_array_equal(found, embedder.embed(["book a flight now"]))


def test_vectors_are_not_copied(embedder, monkeypatch):
    made = []
    monkeypatch.setattr(_vsr, "embed", lambda *args, call=_vsr.embed: made.append(call(*args)) or made[-1])
    found = vsr.arrow.embed(embedder, TEXTS)
    assert found.values.buffers()[1].address == np.asarray(made[0]).ctypes.data


def test_invalid_utf8_is_read_as_in_bytes(embedder):
    texts = [b"caf\xe9", b"\xff\xfe", b"ok"]
    found = vsr.arrow.embed(embedder, pa.array(texts, pa.binary()))
    np.testing.assert_array_equal(np.stack(found.to_numpy(zero_copy_only=False)), embedder.embed(texts))


def test_progress_and_options_reach_the_call(embedder):
    seen = []
    found = vsr.arrow.embed(embedder, TEXTS, dim=8, progress=lambda done, total: seen.append((done, total)))
    assert found.type.list_size == 8 and seen[-1] == (4, 4)
    with pytest.raises(vsr.DeadlineError):
        vsr.arrow.embed(embedder, TEXTS, deadline_ms=-1)


@pytest.mark.parametrize("column", ["text", pa.array([1, 2]), pa.array([["a"]])], ids=["str", "int64", "list"])
def test_what_is_no_column_of_strings_is_named(embedder, column):
    with pytest.raises(TypeError, match="^column (is str|has the type)"):
        vsr.arrow.embed(embedder, column)


def offsets(*values, kind=np.int32):
    return np.array(values, kind).tobytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((offsets(0, 4), b"abc", None, 0, 1, False), "row 0 lies outside its data"),
        ((offsets(0, 3, 1), b"abc", None, 0, 2, False), "row 1 lies outside its data"),
        ((offsets(-1, 3), b"abc", None, 0, 1, False), "row 0 lies outside its data"),
        ((offsets(0, 2**62, kind=np.int64), b"abc", None, 0, 1, True), "row 0 lies outside its data"),
        ((offsets(0, 1), b"abc", None, 0, 2, False), "fewer offsets than rows"),
        ((offsets(0, 1), b"abc", None, 2**63, 2**63, False), "fewer offsets than rows"),
        ((b"", b"", None, 0, 1, False), "fewer offsets than rows"),
        ((offsets(*range(10)), b"a" * 9, b"\xff", 0, 9, False), "bitmap is shorter"),
        ((np.zeros(2, np.int32), b"abc", None, 0, 1, False), "offsets is no flat buffer"),
        ((offsets(0, 1), np.zeros(8, np.uint8)[::2], None, 0, 1, False), "data is no flat buffer"),
    ],
)
def test_buffers_that_are_no_column_are_refused(arguments, message):
    with pytest.raises(vsr.InvalidArgumentError, match=message):
        _vsr.TextColumn(*arguments)
