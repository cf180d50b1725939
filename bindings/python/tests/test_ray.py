"""vsr.ray on a local Ray of two workers: the same rows as without it, and output that can be resumed."""

import os
import pathlib

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed (hint: scripts/bootstrap.sh --tests)")
pytest.importorskip("ray.data", reason="Ray is not installed (hint: scripts/bootstrap.sh --tests)")

import pyarrow.dataset  # noqa: E402
import pyarrow.parquet  # noqa: E402
import ray  # noqa: E402
import vsr.ray  # noqa: E402

TEXTS = [None if i % 17 == 5 else f"question {i} about card number {i * i}" for i in range(120)]


@pytest.fixture(scope="module")
def cluster():
    """Ray on one machine, without its servers. CPUs are what it counts: two for workers, two for what reads beside them."""
    path = str(pathlib.Path(vsr.__file__).parents[1])
    environment = {"env_vars": {"PYTHONPATH": os.pathsep.join([path, os.environ.get("PYTHONPATH", "")])}}
    try:
        ray.init(num_cpus=4, include_dashboard=False, runtime_env=environment, object_store_memory=100 << 20)
    except (OSError, RuntimeError, TimeoutError) as error:  # too little memory or too few processes for its servers
        pytest.skip(f"Ray does not start here: {error}")
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.target_min_block_size, context.target_max_block_size = 1, 4096  # small texts, and still several tasks
    yield
    ray.shutdown()


@pytest.fixture()
def corpus(tmp_path):
    """Four Parquet files, as a reader finds them."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    for part in range(4):
        rows = range(part * 30, part * 30 + 30)
        table = pa.table({"id": list(rows), "text": pa.array([TEXTS[i] for i in rows], pa.string())})
        pyarrow.parquet.write_table(table, folder / f"{part}.parquet")
    return folder


def test_two_workers_embed_every_row_as_one_process_does(cluster, corpus, embedder, bert_path):
    made = vsr.ray.embed(ray.data.read_parquet(str(corpus)), bert_path, workers=2, batch_size=16)
    rows = {row["id"]: row for row in made.take_all()}
    assert sorted(rows) == list(range(120))
    for i, text in enumerate(TEXTS):
        assert rows[i]["text"] == text
        if text is None:
            assert rows[i]["embedding"] is None
        else:
            np.testing.assert_allclose(rows[i]["embedding"], embedder.embed([text])[0], atol=1e-6)


def test_output_is_resumed_where_a_run_ended(cluster, corpus, tmp_path, bert_path):
    target, counted = tmp_path / "out", tmp_path / "counted"
    counted.mkdir()

    def run(fails):
        def check(batch):
            ids = batch.column("id").to_pylist()
            if fails and any(target.rglob("*.parquet")):
                raise RuntimeError("this batch ends the run")
            for i in ids:
                with open(counted / str(i), "a", encoding="ascii") as file:
                    file.write("x")
            return batch

        # One block after the other; the run ends with the first that finds something written.
        dataset = ray.data.read_parquet(str(corpus), concurrency=1)
        dataset = vsr.ray.embed(dataset, bert_path, batch_size=30)
        dataset = dataset.map_batches(check, batch_format="pyarrow", concurrency=1, batch_size=30)
        return vsr.ray.write_parquet(dataset, target, "id", concurrency=1)

    with pytest.raises(Exception, match="this batch ends the run"):
        run(fails=True)
    written = {int(path.name) for path in counted.iterdir()}
    assert run(fails=False) == 120
    rows = pyarrow.dataset.dataset(target, format="parquet").to_table()
    assert sorted(rows.column("id").to_pylist()) == list(range(120))
    kept = [i for i in written if (counted / str(i)).read_text("ascii") == "x"]
    assert kept, "nothing of the first run was used"
    assert not (tmp_path / "out.checkpoint").exists() or not any((tmp_path / "out.checkpoint").iterdir())


def test_a_dataset_that_cannot_be_resumed_is_refused(cluster, tmp_path, bert_path):
    dataset = vsr.ray.embed(ray.data.from_items([{"id": 1, "text": "a"}]), bert_path)
    with pytest.raises(vsr.InvalidArgumentError, match="dataset begins with [A-Z][A-Za-z]+, which Ray cannot resume"):
        vsr.ray.write_parquet(dataset, tmp_path / "out", "id")


def test_classify_and_compress_add_structs(cluster, corpus, classifier, sequence_path):
    dataset = ray.data.read_parquet(str(corpus)).limit(20)
    made = vsr.ray.compress(vsr.ray.classify(dataset, sequence_path), 8, workers=1).take_all()
    assert len(made) == 20
    for row in made:
        if row["text"] is None:
            assert row["classification"] is None and row["compressed"] is None
            continue
        assert row["classification"]["label"] == classifier.classify(row["text"])[0].label
        assert row["compressed"]["text"] == vsr.compress(row["text"], 8).text


def test_wrong_arguments_are_named(cluster, corpus, bert_path):
    dataset = ray.data.read_parquet(str(corpus))
    with pytest.raises(vsr.InvalidArgumentError, match="workers is 0, expected"):
        vsr.ray.embed(dataset, bert_path, workers=0)
    with pytest.warns(RuntimeWarning, match="2 workers of 2 CPUs leave less than one of the cluster's 4 CPUs"):
        vsr.ray.embed(dataset, bert_path, workers=2, cpus=2)


def test_columns_that_do_not_fit_the_dataset_are_named():
    table = pa.table({"id": [1], "text": ["a"]})
    options = {"max_tokens": 8, "language": None, "tokenizer": None}
    with pytest.raises(vsr.InvalidArgumentError, match="column 'body' is not in the dataset: id, text"):
        vsr.ray._Worker("compress", None, "body", "short", options)(table)
    with pytest.raises(vsr.InvalidArgumentError, match="output 'id' is a column of the dataset already"):
        vsr.ray._Worker("compress", None, "text", "id", options)(table)


@pytest.fixture(scope="module")
def bert_path(golden_models):
    return str(golden_models / "bert-embedding")


@pytest.fixture(scope="module")
def sequence_path(golden_models):
    return str(golden_models / "bert-sequence")


@pytest.fixture(scope="module")
def golden_models():
    return pathlib.Path(__file__).resolve().parents[3] / "tests" / "goldens" / "models"
