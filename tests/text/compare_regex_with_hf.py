#!/usr/bin/env python3
"""Compares how vsr and Hugging Face cut texts at regular expressions: those of known tokenizers, and small ones that try
each construct. Exits with 1 at any difference.

  compare_regex_with_hf.py --dump PROGRAM [--data ../shared/data]
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from compare_with_hf import Dump, block, byte_offsets, data_texts, random_texts
from tokenizers import Tokenizer

CL100K = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
EXPRESSIONS = [
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    CL100K,
    CL100K.replace("{1,3}", ""),
    # The same through the general matcher: a group more keeps them from being recognised.
    "(?:" + CL100K + ")",
    r"(?:'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+",
    "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
    r" ?[^(\s|[.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c])]+",
    r"\s+",
    r" {2,}",
    r"\d{1,3}(?=(?:\d{3})*\b)".replace(r"\b", r"(?!\d)"),
    r"\w+|[^\w\s]+",
    r"(?<!\S)a",
    r"(?<=\d)[a-z]",
    r"a+?b",
    r"[a-z]{2,4}?",
    r"(?>a+)b|c",
    r"a++b|(?:ab)*+c",
    r"^a|b$",
    r".b",
    r"(?i)[a-k]s+",
    r"[^a-z\d]",
    r"[\d-]",
    r"(ab|a)(c|bcd)",
    r"\x41|\x{e9}|\u4e2d",
    r"\P{L}\p{^N}",
    r"(a|b(?:c|d){1,2})+e?",
]
SAMPLES = [
    "aaab ab b",
    "xxabcabc ababc",
    "abcd abcbcd",
    "a\nb\na",
    "It'S we'LL 'ſ don't",
    "12345 1a2b",
    "ASSss \u212as kS",
    "bcbdbe abcde",
    "A\u00e9\u4e2d",
    "-1-2",
    "1234567,890",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dump", required=True)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    arguments = parser.parse_args()
    texts = SAMPLES + data_texts(arguments.data)[:1500] + random_texts(1500, 7)
    requests = [b"t0" + block(text.encode()) for text in texts]
    differences = 0
    for expression in EXPRESSIONS:
        for behavior, invert in (
            ("Isolated", False),
            ("Removed", True),
            ("MergedWithPrevious", False),
            ("MergedWithNext", False),
            ("Contiguous", False),
        ):
            split = {"type": "Split", "pattern": {"Regex": expression}, "behavior": behavior, "invert": invert}
            model = {"type": "WordLevel", "vocab": {"?": 0}, "unk_token": "?"}
            content = json.dumps({"version": "1.0", "added_tokens": [], "pre_tokenizer": split, "model": model})
            reference = Tokenizer.from_str(content)
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                file.write(content)
                file.flush()
                try:
                    answers = list(Dump(arguments.dump, file.name).encode(requests))
                except subprocess.CalledProcessError:
                    print("refused:", expression)
                    differences += 1
                    break
            for text, got, want in zip(texts, answers, reference.encode_batch(texts), strict=True):
                offsets = byte_offsets(text)
                cut = [(int(offsets[a]), int(offsets[b])) for a, b in want.offsets]
                if [tuple(row) for row in got[:, 3:].tolist()] != cut:
                    differences += 1
                    if differences < 20:
                        print(
                            f"{expression} {behavior}: {text[:60]!r}\n  ours   {got[:, 3:].tolist()[:12]}\n  theirs {cut[:12]}"
                        )
    print(f"{len(EXPRESSIONS)} expressions, {len(texts)} texts, {differences} differences")
    sys.exit(differences != 0)


if __name__ == "__main__":
    main()
