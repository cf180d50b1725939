#!/usr/bin/env python3
"""Compares vsr's tokenizers with Hugging Face's, token by token and offset by offset: ids, types and offsets of single
texts and pairs, and decoding. Exits with 1 at any difference.

  compare_with_hf.py --dump PROGRAM [--data ../shared/data] [--sweep] TOKENIZER...

PROGRAM is tests/text/dump_tokens.cpp, built against the library. A TOKENIZER is a tokenizer.json or a folder with one.
With --sweep every code point goes through alone and between letters.
"""

import argparse
import json
import pathlib
import random
import struct
import subprocess
import sys

import numpy as np
from tokenizers import Tokenizer

MARKS = "\u0300\u0301\u0316\u0323\u0327\u0334\u0345\u05b0\u064b\u0651\u3099\u302a\U00016ff0"
POOLS = [
    "abcXYZ .,'!?-_09\n\t\r ",
    "àéîöüçñßÅøĀſİıŉǰ",
    MARKS + "aeiouAEkgн",
    "中文漢字かなカナ ハ゜が、。",
    "한국어각가각힣",
    "😀👍🏽👨‍👩‍👧🇩🇪🇫🇷❤️",
    "\u200b\u200c\u200d\ufeff\u00ad\u2028\u2029\u0000\u0001\u007f\u0085\ufffd",
    "क्षिนี้ทำكتابשָׁלוֹם",
    "▁▁ ##<s></s>[CLS][SEP][MASK]<unk>",
    "ﬁﷺ①½²㌀Ⅷ",
    "\U0001d400\U00020000\U000e0001\U0010ffff",
]


def data_texts(data):
    texts = json.loads((data / "texts/blns.json").read_text())
    texts += [json.loads(line)["text"] for line in (data / "texts/udhr.jsonl").open()]
    for name in ("qwen2.inp", "bert-bge.inp"):
        texts += (data / "tokenizers/llama.cpp" / name).read_text().split("\n__ggml_vocab_test__\n")
    prose = (data / "texts/war_and_peace.txt").read_text()
    texts += [prose[i : i + 4096] for i in range(0, len(prose), 4096)] + [prose[:300000]]
    return texts


def random_texts(count, seed):
    rng = random.Random(seed)
    texts = ["", " ", "  ", "\n", "a"]
    for _ in range(count):
        pools = rng.sample(POOLS, rng.randint(1, 3))
        texts.append("".join(rng.choice(rng.choice(pools)) for _ in range(rng.randint(1, 60))))
    for _ in range(count // 2):
        points = [rng.choice([rng.randrange(0x110000), rng.randrange(0x3000), rng.randrange(0x250)]) for _ in range(12)]
        texts.append("".join(chr(c) for c in points if not 0xD800 <= c < 0xE000))
    for _ in range(count // 4):
        texts.append(rng.randbytes(rng.randint(1, 40)).decode("utf-8", errors="replace"))
    return texts


def added_texts(tokenizer, count, seed):
    rng = random.Random(seed)
    contents = [t.content for t in tokenizer.get_added_tokens_decoder().values()] or ["<s>"]
    glue = ["", " ", "  ", "\n", "a", " a", "a ", "é", "中", "\u0301", "_", "\t x"]
    return [
        "".join(
            rng.choice(contents) + rng.choice(glue) if rng.random() < 0.6 else rng.choice(glue)
            for _ in range(rng.randint(1, 8))
        )
        for _ in range(count)
    ]


def sweep_texts():
    points = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    yield points
    yield ["a" + c + "b" for c in points]
    yield [" " + c + " A" + c + c for c in points]


class Dump:
    """Runs the dump program once over a list of requests."""

    def __init__(self, program, path):
        self.command = [program, path]

    def run(self, requests):
        answer = subprocess.run(self.command, input=b"".join(requests), stdout=subprocess.PIPE, check=True).stdout
        position = 0
        while position < len(answer):
            (n,) = struct.unpack_from("<I", answer, position)
            position += 4
            yield n, answer, position
            position += self.size * n

    def encode(self, requests):
        self.size = 20
        for n, answer, at in self.run(requests):
            yield np.frombuffer(answer, dtype="<i4", count=5 * n, offset=at).reshape(n, 5)

    def decode(self, requests):
        self.size = 1
        for n, answer, at in self.run(requests):
            yield answer[at : at + n].decode()


def block(data):
    return struct.pack("<I", len(data)) + data


def byte_offsets(text):
    """The byte at which each character begins, and the end."""
    if text.isascii():
        return np.arange(len(text) + 1)
    points = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    sizes = 1 + (points >= 0x80) + (points >= 0x800) + (points >= 0x10000)
    return np.concatenate([[0], np.cumsum(sizes)])


def expected_rows(encoding, sides):
    ids = np.array(encoding.ids, dtype=np.int64)
    offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
    which = np.array([-1 if s is None else s for s in encoding.sequence_ids], dtype=np.int64)
    for side, text in enumerate(sides):
        own = which == side
        offsets[own] = byte_offsets(text)[offsets[own]]
    return np.column_stack([ids, encoding.type_ids, which, offsets]).astype(np.int64).reshape(-1, 5)


def report(name, text, got, want):
    rows = next((i for i, (a, b) in enumerate(zip(got, want)) if list(a) != list(b)), min(len(got), len(want)))
    print(f"{name}: differs at token {rows} of {len(want)} (we give {len(got)}): {text[:80]!r}")
    print("   ours  ", got[max(0, rows - 1) : rows + 3].tolist())
    print("   theirs", want[max(0, rows - 1) : rows + 3].tolist())


def compare_encoding(name, dump, tokenizer, inputs, specials):
    requests = []
    for item in inputs:
        sides = item if isinstance(item, tuple) else (item,)
        requests.append(
            (b"p" if len(sides) == 2 else b"t")
            + (b"1" if specials else b"0")
            + b"".join(block(side.encode()) for side in sides)
        )
    differences = tokens = 0
    theirs = tokenizer.encode_batch(inputs, add_special_tokens=specials)
    for item, got, encoding in zip(inputs, dump.encode(requests), theirs, strict=True):
        sides = item if isinstance(item, tuple) else (item,)
        want = expected_rows(encoding, sides)
        tokens += len(want)
        if got.shape != want.shape or (got != want).any():
            differences += 1
            if differences <= 5:
                report(name, " ||| ".join(sides), got, want)
    return differences, tokens


def compare_decoding(name, dump, tokenizer, texts):
    ids = [e.ids for e in tokenizer.encode_batch(texts)]
    rng = random.Random(5)
    size = tokenizer.get_vocab_size()
    ids += [[rng.randrange(size) for _ in range(rng.randint(1, 20))] for _ in range(2000)]
    differences = 0
    for skip in (False, True):
        requests = [b"d" + (b"1" if skip else b"0") + block(np.array(x, dtype="<i4").tobytes()) for x in ids]
        for x, got in zip(ids, dump.decode(requests), strict=True):
            want = tokenizer.decode(x, skip_special_tokens=skip)
            if got != want:
                differences += 1
                if differences <= 5:
                    print(f"{name}: decode {x[:12]}\n   ours   {got[:200]!r}\n   theirs {want[:200]!r}")
    return differences


def compare(path, arguments):
    file = path / "tokenizer.json" if path.is_dir() else path
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    dump = Dump(arguments.dump, str(path))
    name = f"{path.parent.name}/{path.name}" if path.is_file() else path.name
    texts = data_texts(arguments.data) + random_texts(arguments.random, 1) + added_texts(tokenizer, 3000, 2)
    pairs = list(zip(texts[:800], texts[400:1200]))
    total = 0
    for label, inputs, specials in (
        ("texts", texts, False),
        ("with specials", texts[:3000], True),
        ("pairs", pairs, True),
        ("bare pairs", pairs, False),
    ):
        differences, tokens = compare_encoding(name, dump, tokenizer, inputs, specials)
        print(f"{name}: {label}: {len(inputs)} inputs, {tokens} tokens, {differences} differences", flush=True)
        total += differences
    differences = compare_decoding(name, dump, tokenizer, texts[:4000])
    print(f"{name}: decoding: {differences} differences", flush=True)
    total += differences
    if arguments.sweep:
        for number, inputs in enumerate(sweep_texts()):
            for begin in range(0, len(inputs), 100000):
                total_part, _ = compare_encoding(name, dump, tokenizer, inputs[begin : begin + 100000], False)
                total += total_part
            print(f"{name}: sweep {number}: {total} differences so far", flush=True)
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dump", required=True)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--random", type=int, default=8000)
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("tokenizers", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    total = sum(compare(path, arguments) for path in arguments.tokenizers)
    print("no differences" if total == 0 else f"{total} differences")
    sys.exit(total != 0)


if __name__ == "__main__":
    main()
