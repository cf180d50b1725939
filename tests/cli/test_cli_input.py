"""Texts from arguments, files and standard input, whatever bytes they hold."""

import json
import os
import subprocess

import pytest
from cli_program import BINARY


def embedded(vsr, tiny, *args, **options):
    return vsr("embed", "--model", tiny("bert-embedding"), "--json", *args, **options).objects


def test_arguments_file_and_stdin_give_the_same_vectors(vsr, tiny, tmp_path):
    file = tmp_path / "texts.txt"
    file.write_bytes(b"hello world\nthe cat\n")
    from_arguments = embedded(vsr, tiny, "hello world", "the cat")
    assert [o["text"] for o in from_arguments] == ["hello world", "the cat"]
    assert embedded(vsr, tiny, "--file", file) == from_arguments
    assert embedded(vsr, tiny, stdin=b"hello world\nthe cat") == from_arguments
    assert embedded(vsr, tiny, "--file", "-", stdin=b"hello world\r\nthe cat\r\n") == from_arguments
    assert embedded(vsr, tiny, "--null", stdin=b"hello world\0the cat\0") == from_arguments
    assert embedded(vsr, tiny, "--jsonl", stdin=b'{"text": "hello world"}\n\n{"text": "the cat"}\n') == from_arguments


def test_arguments_come_before_files(vsr, tiny, tmp_path):
    file = tmp_path / "texts.jsonl"
    file.write_text('{"text": "b", "id": 7}\n')
    assert [o["text"] for o in embedded(vsr, tiny, "a", "--file", file, "-f", file)] == ["a", "b", "b"]


def test_no_texts_give_no_lines(vsr, tiny):
    assert embedded(vsr, tiny, stdin=b"") == []


def test_an_empty_line_is_a_text(vsr, tiny):
    assert [o["text"] for o in embedded(vsr, tiny, stdin=b"\na\n")] == ["", "a"]
    assert [o["text"] for o in embedded(vsr, tiny, "")] == [""]


@pytest.mark.parametrize("text", ["[a, b]", "[]", "{}", "[", "\x01[a]", "embed", "intents", "a,b", "%%", "'\"", "-"])
def test_arguments_arrive_byte_for_byte(vsr, tiny, text):
    assert [o["text"] for o in embedded(vsr, tiny, text, text)] == [text, text]
    assert [o["text"] for o in embedded(vsr, tiny, "--", "--json", text)] == ["--json", text]


def test_nul_inside_a_line_is_part_of_the_text(vsr, tiny):
    (one,) = embedded(vsr, tiny, stdin=b"cat\0dog\n")
    assert one["text"] == "cat\0dog" and one["replaced"] == 0


def test_invalid_utf8_is_read_as_replacement_and_counted(vsr, tiny):
    (one,) = embedded(vsr, tiny, stdin=b"cat \xff\xfe dog\n")
    assert one["text"] == "cat \ufffd\ufffd dog" and one["replaced"] == 2
    done = vsr("embed", "--model", tiny("bert-embedding"), b"cat \xff".decode("utf-8", "surrogateescape"))
    assert done.code == 0 and "not UTF-8" in done.text and "cat \ufffd" in done.text


def test_ten_megabytes_are_read_in_windows(vsr, tiny):
    text = (b"where is my lost card " + b"x" * 400 + b" ") * (10_000_000 // 423)
    (one,) = embedded(vsr, tiny, "--threads", "1", stdin=text)
    assert len(one["text"]) == len(text) and one["windows"] > 10_000 and one["dropped"] == 0
    done = vsr("embed", "--model", tiny("bert-embedding"), "--threads", "1", stdin=text)
    assert done.code == 0 and len(done.out) < 10_000 and "1 text was longer" in done.text


def test_dtype_is_that_of_the_model(vsr, tiny):
    plain, rounded = (embedded(vsr, tiny, "--dtype", dtype, stdin=b"lost card\n")[0]["embedding"]
                      for dtype in ("float32", "int8"))  # fmt: skip
    assert plain != rounded and sum(a * b for a, b in zip(plain, rounded)) > 0.99
    vsr("embed", "--model", tiny("bert-embedding"), "--dtype", "int4", stdin=b"card\n").fails(1, '"int4"')


def test_max_tokens_rejects_instead(vsr, tiny):
    vsr("embed", "--model", tiny("bert-embedding"), "--max-tokens", "5", stdin=b"the card " * 9).fails(1, "5")


@pytest.mark.parametrize(
    "bytes_, part",
    [
        (b'{"text": "a"}\n{"text": 3}\n', ':2: "text" is number'),
        (b'{"text": "a"}\n\n{"txt": "a"}\n', ':3: "text" is missing'),
        (b'["a"]\n', ":1: expected an object"),
        (b'{"text": "a"\n', ":1:"),
        (b'{"text": "\xff"}\n', "not valid JSON"),
        (b'{"text": "a", "pair": "b"}\n', '"pair"'),
        (b"[" * 1_000_000, "not valid JSON"),
    ],
)
def test_json_lines_that_are_wrong_are_named(vsr, tiny, tmp_path, bytes_, part):
    file = tmp_path / "texts.jsonl"
    file.write_bytes(bytes_)
    vsr("embed", "--model", tiny("bert-embedding"), "--file", file).fails(1, file, part)


def test_files_that_cannot_be_read_are_named(vsr, tiny, tmp_path):
    vsr("embed", "--model", tiny("bert-embedding"), "--file", tmp_path / "none.txt").fails(1, "none.txt")
    vsr("embed", "--model", tiny("bert-embedding"), "--file", tmp_path).fails(1, tmp_path)
    vsr("embed", "--model", tiny("bert-embedding"), "--file", "").fails(2, "name of a file is empty")


def test_closed_standard_input_is_an_error(tiny):
    command = f"exec {BINARY} embed --model {tiny('bert-embedding')} <&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60)
    assert done.returncode == 1 and done.stderr.startswith(b"vsr: standard input: ")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_output_that_is_lost_is_an_error(tiny):
    command = f"exec {BINARY} embed --model {tiny('bert-embedding')} hello > /dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60)
    assert done.returncode == 1 and done.stderr.startswith(b"vsr: standard output: ")


def test_a_pair_for_each_text(vsr, tiny, tmp_path):
    model = tiny("bert-sequence")
    from_arguments = vsr("classify", "-m", model, "--json", "the cat", "a dog", "--pair", "[x]", "--pair", "").objects
    assert [o["pair"] for o in from_arguments] == ["[x]", ""]
    file = tmp_path / "pairs.jsonl"
    file.write_text("".join(json.dumps({"text": o["text"], "pair": o["pair"]}) + "\n" for o in from_arguments))
    assert vsr("classify", "-m", model, "--json", "--file", file).objects == from_arguments
    with file.open("a") as more:
        more.write('{"text": "alone"}\n')
    vsr("classify", "-m", model, "--json", "--file", file).fails(1, "text 3 has no pair")
