"""The whole recipe on a tiny base model: it runs, learns, and what it saves is what plain `peft` reads."""

import json
import subprocess
import sys

import pytest
from conftest import TRAINING


def run(*arguments):
    return subprocess.run([sys.executable, str(TRAINING / "train.py"), *map(str, arguments)], capture_output=True,
                          text=True, timeout=300, check=False)  # fmt: skip


def rows_of(task):
    """Rows whose label a word gives away."""
    for n in range(60):
        ask = n % 2 == 0
        text = f"{'please' if ask else 'the'} {'abcdefghij'[n % 10]} {'klmnopqrst'[n // 10]} {'uvw'[n % 3]}"
        if task == "token":
            yield {"text": text, "spans": [{"start": 0, "end": 6, "label": "WORD"}] if ask else []}
        elif task == "pair":
            yield {"text": text, "text_pair": "one two", "label": "ask" if ask else "tell"}
        else:
            yield {"text": text, "label": "ask" if ask else "tell"}


@pytest.fixture(scope="module", params=["sequence", "pair", "token"])
def trained(request, base, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    data = folder / "rows.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows_of(request.param)), encoding="utf-8")
    recipe = folder / "recipe.toml"
    recipe.write_text(
        "epochs = 12.0\nbatch_size = 8\nlearning_rate = 5e-3\nrank = 4\nlast_layers = 2\n"
        "held_out = 0.2\ncalibration = 0.2\n"
        f"train_pooler = {str(request.param != 'token').lower()}\n"
    )
    arguments = ["--base", base, "--data", data, "--recipe", recipe, "--task", request.param, "--threads", 1]
    done = run(*arguments, "--output", folder / "one")
    assert done.returncode == 0, done.stderr
    if request.param == "sequence":
        again = run(*arguments, "--output", folder / "two")
        assert again.returncode == 0, again.stderr
        recipe.write_text(recipe.read_text() + "refit = true\n")
        refitted = run(*arguments, "--output", folder / "refitted")
        assert refitted.returncode == 0, refitted.stderr
    return request.param, folder


def test_adapter_is_what_peft_reads(trained, base):
    import torch
    from peft import PeftConfig, PeftModel
    from safetensors.torch import load_file
    from transformers import AutoModelForSequenceClassification, AutoModelForTokenClassification

    task, folder = trained
    labels = json.loads((folder / "one" / "id2label.json").read_text("utf-8"))
    tensors = load_file(folder / "one" / "adapter_model.safetensors")
    assert {tensor.dtype for tensor in tensors.values()} == {torch.float16}
    assert PeftConfig.from_pretrained(folder / "one").layers_to_transform == [1, 2]
    assert not any(".layer.0." in name for name in tensors)
    assert any("pooler" in name for name in tensors) == (task != "token")
    made = AutoModelForTokenClassification if task == "token" else AutoModelForSequenceClassification
    model = PeftModel.from_pretrained(made.from_pretrained(base, num_labels=len(labels)), folder / "one").eval()
    for name, parameter in model.named_parameters():
        if ".classifier.modules_to_save.default.weight" in name:
            assert torch.equal(parameter, tensors["base_model.model.classifier.weight"].float())


def test_it_learns(trained):
    task, folder = trained
    held_out = json.loads((folder / "one" / "report.json").read_text("utf-8"))["held_out"]
    assert held_out["strict"]["f1"] > 0.5 if task == "token" else held_out["accuracy"] > 0.75


def test_the_same_seed_gives_the_same_files(trained):
    if trained[0] != "sequence":
        return
    for name in (
        "adapter_model.safetensors",
        "adapter_config.json",
        "id2label.json",
        "thresholds.json",
        "expected.json",
    ):
        one, two = ((trained[1] / folder / name).read_bytes() for folder in ("one", "two"))
        assert one == two, name


def test_refit_changes_what_is_saved_and_not_what_was_measured(trained):
    if trained[0] != "sequence":
        return
    one, refitted = (trained[1] / name for name in ("one", "refitted"))
    reports = [json.loads((folder / "report.json").read_text("utf-8")) for folder in (one, refitted)]
    assert reports[0]["held_out"] == reports[1]["held_out"] and reports[0]["rows"] == reports[1]["rows"]
    assert reports[1]["trained"]["windows"] == reports[0]["trained"]["windows"] + reports[0]["rows"]["held_out"]
    assert (one / "adapter_model.safetensors").read_bytes() != (refitted / "adapter_model.safetensors").read_bytes()
    assert "no text is left to measure it" in (refitted / "README.md").read_text("utf-8")


def test_thresholds_and_expected_answers(trained):
    task, folder = trained
    thresholds = json.loads((folder / "one" / "thresholds.json").read_text("utf-8"))
    assert thresholds["version"] == 1 and thresholds["task"] == task
    assert set(thresholds["labels"]) == ({"WORD"} if task == "token" else {"ask", "tell"})
    for entry in thresholds["labels"].values():
        assert entry["threshold"] is None or entry["precision"] >= thresholds["target_precision"]
    expected = json.loads((folder / "one" / "expected.json").read_text("utf-8"))
    assert expected["texts"] and all(text["windows"] == 1 for text in expected["texts"])
    for text in expected["texts"]:
        assert "entities" in text if task == "token" else abs(sum(text["probs"]) - 1) < 1e-5


@pytest.mark.parametrize(
    ("change", "parts"),
    [(["--base", "/no/such/model"], ["/no/such/model", "config.json"]), (["--data", "/no/rows.csv"], ["/no/rows.csv"]),
     (["--last-layers", "9"], ["last_layers", "9", "3 layers"]), (["--rank", "0"], ["rank"])],
)  # fmt: skip
def test_a_bad_argument_is_one_line(base, tmp_path, change, parts):
    data = TRAINING / "sample" / "sample.csv"
    done = run("--base", base, "--data", data, "--output", tmp_path / "out", *change)
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1 and all(part in done.stderr for part in parts), done.stderr
