"""What each command prints, against the goldens that the reference implementation made."""

import json
import math
import os
import pty
import select
import shutil
import subprocess

import pytest
from cli_program import BINARY, ROOT


def golden_cases(name):
    return json.loads((ROOT / "tests/goldens" / f"{name}.json").read_text())["cases"]


def as_json_lines(cases):
    lines = ({key: case[key] for key in ("text", "pair") if key in case} for case in cases)
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def near(values):
    return pytest.approx(values, abs=1e-5)


def test_embed_equals_the_reference(vsr, tiny):
    cases = golden_cases("bert-embedding")
    found = vsr("embed", "-m", tiny("bert-embedding"), "--jsonl", "--json", stdin=as_json_lines(cases)).objects
    assert [o["text"] for o in found] == [case["text"] for case in cases]
    for one, case in zip(found, cases, strict=True):
        assert one["embedding"] == near(case["embedding"]), case["text"]
        assert (one["tokens"], one["windows"]) == (len(case["ids"]), case["windows"])


def test_classify_equals_the_reference_alone_and_in_pairs(vsr, tiny):
    cases = golden_cases("bert-sequence")
    for group in ([c for c in cases if "pair" not in c], [c for c in cases if "pair" in c]):
        assert group
        found = vsr("classify", "-m", tiny("bert-sequence"), "--jsonl", "--json", stdin=as_json_lines(group)).objects
        for one, case in zip(found, group, strict=True):
            assert list(one["probs"].values()) == near(case["probs"]), case["text"]


def test_entities_equal_the_reference(vsr, tiny):
    cases = golden_cases("bert-token")
    found = vsr("entities", "-m", tiny("bert-token"), "--jsonl", "--json", stdin=as_json_lines(cases)).objects
    for one, case in zip(found, cases, strict=True):
        assert [(e["label"], e["start"], e["end"]) for e in one["entities"]] == [
            (e["label"], e["start"], e["end"]) for e in case["entities_0.5"]
        ], case["text"]
        for entity in one["entities"]:
            assert case["text"].encode()[entity["start"] : entity["end"]].decode() == entity["text"]


def test_tokenize_equals_the_reference(vsr, tiny):
    cases = golden_cases("bert-sequence")
    for group in ([c for c in cases if "pair" not in c], [c for c in cases if "pair" in c]):
        found = vsr("tokenize", "-m", tiny("bert-sequence"), "--jsonl", "--json", stdin=as_json_lines(group)).objects
        for one, case in zip(found, group, strict=True):
            for key in ("ids", "tokens", "offsets", "type_ids", "sides"):
                assert one[key] == case[key], (key, case["text"])


def test_missing_and_broken_models_are_named(vsr, tiny, tmp_path):
    vsr("embed", "-m", tmp_path / "nowhere", "hello").fails(1, "nowhere")
    vsr("inspect", tmp_path).fails(1, "config.json")
    model = tmp_path / "model"
    shutil.copytree(tiny("bert-embedding"), model)
    config = json.loads((model / "config.json").read_text())
    (model / "config.json").write_text(json.dumps({**config, "model_type": "mamba\n2"}))
    vsr("inspect", model).fails(1, "config.json", "mamba")
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
    (one,) = vsr("classify", "-m", tiny("bert-sequence"), "--json", "where is my card?").objects
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


def test_entities_stand_below_their_text(vsr, tiny):
    text = "\u4f60\u597d\u4e16\u754c means hello world"
    (one,) = vsr("entities", "-m", tiny("bert-token"), "--json", text).objects
    lines = vsr("entities", "-m", tiny("bert-token"), text).text.splitlines()
    assert lines[0] == text and len(lines) == 1 + len(one["entities"]) > 1
    for entity, line in zip(one["entities"], lines[1:]):
        assert line.split()[0] == entity["label"] and f"bytes {entity['start']}-{entity['end']}" in line
    assert len(vsr("entities", "-m", tiny("bert-token"), "--threshold", "1", text).text.splitlines()) == 2  # "none"
    vsr("entities", "-m", tiny("bert-token"), "--threshold", "1.5", text).fails(1, "1.5")


def test_tokenize_needs_no_weights(vsr, tiny, tmp_path):
    file = tmp_path / "any.json"
    file.write_bytes((tiny("bert-token") / "tokenizer.json").read_bytes())
    (one,) = vsr("tokenize", "-m", file, "--json", "hello card").objects
    assert len(one["ids"]) == len(one["tokens"]) == len(one["offsets"]) == len(one["sides"])
    assert one["tokens"][0] == "[CLS]" and one["sides"][0] == -1 and one["tokens"][-1] == "[SEP]"
    (bare,) = vsr("tokenize", "-m", file, "--json", "--no-special-tokens", "hello card").objects
    assert bare["ids"] == one["ids"][1:-1]
    (pair,) = vsr("tokenize", "-m", file, "--json", "hello", "--pair", "card").objects
    assert 1 in pair["sides"] and 1 in pair["type_ids"]
    assert "special" in vsr("tokenize", "-m", file, "hello", "--pair", "card").text


def test_inspect_says_how_layers_attend_and_where_the_limit_is_from(vsr, tiny):
    (one,) = vsr("inspect", tiny("gemma3-embedding"), "--json").objects
    (model,) = one["models"]
    assert (model["attention_heads"], model["key_value_heads"], model["head_dim"]) == (4, 1, 20)
    assert model["max_tokens_source"] == "tokenizer_config.json: model_max_length"
    rope = {"type": "default", "factor": 1.0}
    assert model["attention"] == [
        {"type": "sliding_attention", "layers": 4, "causal": False, "window": 4, "rope": {**rope, "theta": 10000.0}}
    ]
    assert model["embedding"]["modules"] == ["Transformer", "Pooling", "Dense to 48", "Dense to 24", "Normalize"]
    lines = vsr("inspect", tiny("gemma3-embedding")).text.splitlines()
    assert any(
        line.split() == "attention 4 layers sliding, 4 tokens to both sides, rope theta 10000".split() for line in lines
    ), lines
    yarn = vsr("inspect", tiny("mmbert-embedding")).text
    assert "rope theta 160000, yarn by 3" in yarn
    assert "96 (config.json: max_position_embeddings)" in yarn
    causal = vsr("inspect", tiny("qwen3-text")).text
    assert "3 layers full, all back, rope theta 1000000" in causal
    assert "1 layer full" not in causal and "learned positions" in vsr("inspect", tiny("bert-token")).text
    assert "left out of the pooling" in vsr("inspect", tiny("bert-embedding-prompt-left-out")).text


def test_inspect_says_what_config_json_says(vsr, tiny):
    config = json.loads((tiny("bert-sequence") / "config.json").read_text())
    (one,) = vsr("inspect", tiny("bert-sequence"), "--json").objects
    (model,) = one["models"]
    assert model["layers"] == config["num_hidden_layers"] and model["hidden_size"] == config["hidden_size"]
    shown = vsr("inspect", tiny("bert-sequence")).text
    for part in [
        "bert",
        "layers",
        "pooling",
        "max tokens",
        "parameters",
        "bytes in memory",
        *config["id2label"].values(),
    ]:
        assert part in shown
    assert vsr("inspect", "--model", tiny("bert-sequence")).text == shown


def test_a_config_file_names_models_and_tasks(vsr, tiny, tmp_path):
    config = tmp_path / "vsr.yaml"
    config.write_text(
        f"vsr:\n  models:\n    a: {{path: {tiny('bert-sequence')}}}\n    b: {{path: {tiny('bert-token')}}}\n"
        "  tasks:\n    topic: {model: a}\n"
    )
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
    process = subprocess.Popen(
        [BINARY, *map(os.fspath, args)],
        stdout=follower,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        env={**env, "TERM": "xterm", **environment},
    )
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
