"""What each command prints, against the goldens that the reference implementation made."""

import json
import math
import pathlib
import pty
import os
import re
import select
import subprocess

import pytest

from conftest import BINARY, ROOT


def golden(name):
    return json.loads((ROOT / "tests/goldens" / f"{name}.json").read_text())


def test_missing_and_broken_models_are_named(vsr, tiny, tmp_path):
    vsr("embed", "-m", tmp_path / "nowhere", "hello").fails(1, "nowhere")
    vsr("inspect", tmp_path).fails(1, "config.json")
    (tmp_path / "config.json").write_text('{"model_type": "mamba\\n2"}')
    vsr("inspect", tmp_path).fails(1, "mamba")
    vsr("classify", "-m", tiny("bert-embedding"), "hello").fails(1)
    vsr("entities", "-m", tiny("bert-sequence"), "hello").fails(1)
    vsr("embed", "-m", tiny("bert-embedding"), "--task", "nothing", "hello").fails(1, "nothing")


def test_embed_prints_whole_vectors_for_programs(vsr, tiny):
    (one,) = vsr("embed", "-m", tiny("bert-embedding"), "--json", "hello world").objects
    assert set(one) == {"text", "embedding", "tokens", "windows", "dropped", "replaced"}
    assert math.isclose(sum(x * x for x in one["embedding"]), 1, rel_tol=1e-5)
    (half,) = vsr("embed", "-m", tiny("bert-embedding"), "--json", "--dim", "16", "hello world").objects
    scale = math.sqrt(sum(x * x for x in one["embedding"][:16]))
    assert half["embedding"] == pytest.approx([x / scale for x in one["embedding"][:16]], abs=1e-6)
    vsr("embed", "-m", tiny("bert-embedding"), "--dim", "33", "hello").fails(1, "33")


def test_embed_shows_people_the_ends_of_a_vector(vsr, tiny):
    lines = vsr("embed", "-m", tiny("bert-embedding"), "hello world").text.splitlines()
    assert lines[0] == "hello world" and "\u2026" in lines[1] and "32 values, length 1.000" in lines[2]


def test_classify_gives_the_probabilities_of_all_labels(vsr, tiny):
    (one,) = vsr("classify", "-m", tiny("bert-sequence"), "--json", "the cat sat").objects
    assert list(one)[:4] == ["text", "label", "score", "probs"]
    assert sum(one["probs"].values()) == pytest.approx(1, abs=1e-5)
    assert one["score"] == max(one["probs"].values()) == one["probs"][one["label"]]
    config = json.loads((tiny("bert-sequence") / "config.json").read_text())
    assert list(one["probs"]) == [config["id2label"][str(i)] for i in range(len(config["id2label"]))]


def test_classify_prints_aligned_columns(vsr, tiny):
    lines = vsr("classify", "-m", tiny("bert-sequence"), "the cat", "\u6211\u60f3\u9884\u8ba2").text.splitlines()
    assert lines[0].split() == ["text", "label", "score", "runner-up", "score"]
    column = lines[0].index("label")
    # The second text is four characters in eight cells.
    assert lines[2][column - 1] == " " and lines[2][column] != " "
    assert lines[3][column - 5] == " " and lines[3][column - 4] != " "


def test_entities_have_byte_offsets_into_the_text(vsr, tiny):
    text = "\u00e9 hello world the cat sat"
    (one,) = vsr("entities", "-m", tiny("bert-token"), "--json", "--threshold", "0.0001", text).objects
    assert one["entities"], "a threshold near 0 keeps what the model finds"
    for entity in one["entities"]:
        assert text.encode()[entity["start"]:entity["end"]].decode() == entity["text"]
        assert 0 < entity["score"] <= 1 and entity["label"]
    shown = vsr("entities", "-m", tiny("bert-token"), "--threshold", "0.0001", text).text
    assert all(entity["label"] in shown for entity in one["entities"])


def test_tokenize_needs_no_weights(vsr, tiny, tmp_path):
    file = tmp_path / "any.json"
    file.write_bytes((tiny("bert-token") / "tokenizer.json").read_bytes())
    (one,) = vsr("tokenize", "-m", file, "--json", "hello cat").objects
    assert len(one["ids"]) == len(one["tokens"]) == len(one["offsets"]) == len(one["sides"])
    assert one["tokens"][0] == "[CLS]" and one["sides"][0] == -1 and one["tokens"][-1] == "[SEP]"
    (bare,) = vsr("tokenize", "-m", file, "--json", "--no-special-tokens", "hello cat").objects
    assert bare["ids"] == one["ids"][1:-1]
    (pair,) = vsr("tokenize", "-m", file, "--json", "hello", "--pair", "cat").objects
    assert 1 in pair["sides"] and 1 in pair["type_ids"]
    assert "special" in vsr("tokenize", "-m", file, "hello", "--pair", "cat").text


def test_inspect_says_what_config_json_says(vsr, tiny):
    config = json.loads((tiny("bert-sequence") / "config.json").read_text())
    (one,) = vsr("inspect", tiny("bert-sequence"), "--json").objects
    (model,) = one["models"]
    assert model["layers"] == config["num_hidden_layers"] and model["hidden_size"] == config["hidden_size"]
    shown = vsr("inspect", tiny("bert-sequence")).text
    for part in ["bert", "layers", "pooling", "max tokens", "parameters", "bytes in memory", *config["id2label"].values()]:
        assert part in shown
    assert vsr("inspect", "--model", tiny("bert-sequence")).text == shown


def test_a_config_file_names_models_and_tasks(vsr, tiny, tmp_path):
    config = tmp_path / "vsr.yaml"
    config.write_text(f"vsr:\n  models:\n    a: {{path: {tiny('bert-sequence')}}}\n    b: {{path: {tiny('bert-token')}}}\n"
                      "  tasks:\n    topic: {model: a}\n")
    (direct,) = vsr("classify", "-m", tiny("bert-sequence"), "--json", "the cat").objects
    assert vsr("classify", "-c", config, "-t", "topic", "--json", "the cat").objects == [direct]
    assert "bert-token" in vsr("inspect", "-c", config).text
    vsr("tokenize", "-c", config, "the cat").fails(1)
    assert vsr("tokenize", "-c", config, "-t", "b", "--json", "the cat").objects
    config.write_text("vsr:\n  modles: {}\n")
    vsr("inspect", "-c", config).fails(1, config, "modles")


def on_terminal(*args, **environment):
    """The output of the program on a terminal of its own."""
    leader, follower = pty.openpty()
    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    process = subprocess.Popen([BINARY, *map(os.fspath, args)], stdout=follower, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, env={**env, "TERM": "xterm", **environment})
    os.close(follower)
    output = b""
    while select.select([leader], [], [], 60)[0]:
        try:
            output += os.read(leader, 65536)
        except OSError:
            break
    assert process.wait(60) == 0
    return output


def test_colour_only_on_a_terminal_that_wants_it(vsr, tiny):
    command = ["classify", "-m", tiny("bert-sequence"), "the cat"]
    assert b"\x1b[" not in vsr(*command).out
    assert b"\x1b[" in on_terminal(*command)
    assert b"\x1b[" not in on_terminal(*command, NO_COLOR="1")
    assert b"\x1b[" not in on_terminal(*command, TERM="dumb")


def test_a_text_cannot_steer_the_terminal(vsr, tiny):
    done = vsr("tokenize", "-m", tiny("bert-token"), "\x1b[2J\u202ehello")
    assert done.code == 0 and b"\x1b" not in done.out and "\u202e" not in done.text
