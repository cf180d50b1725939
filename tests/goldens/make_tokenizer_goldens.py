#!/usr/bin/env python3
"""Writes tests/goldens/tokenizers.json: for each tokenizer of the shared data, how many tokens Hugging Face makes of the
naughty strings and of the declarations in 250 languages, and a digest of all ids and byte offsets.

  pip install tokenizers==0.23.3 && python tests/goldens/make_tokenizer_goldens.py [../shared/data]
"""

import json
import pathlib
import struct
import sys

from tokenizers import Tokenizer

OUTPUT = pathlib.Path(__file__).resolve().parent / "tokenizers.json"


def fnv1a(digest, data):
    for byte in data:
        digest = (digest ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return digest


def digest_of(tokenizer, texts):
    digest, tokens = 0xCBF29CE484222325, 0
    for text in texts:
        encoding = tokenizer.encode(text, add_special_tokens=False)
        starts = [0]
        for c in text:
            starts.append(starts[-1] + len(c.encode()))
        for token, (begin, end) in zip(encoding.ids, encoding.offsets):
            digest = fnv1a(digest, struct.pack("<iII", token, starts[begin], starts[end]))
        tokens += len(encoding.ids)
    return {"tokens": tokens, "digest": f"{digest:016x}"}


def main():
    data = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data")
    texts = {
        "blns": json.loads((data / "texts/blns.json").read_text()),
        "udhr": [json.loads(line)["text"] for line in (data / "texts/udhr.jsonl").open()],
    }
    goldens = {}
    for file in sorted(data.glob("tokenizers/*/tokenizer.json")):
        tokenizer = Tokenizer.from_file(str(file))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        goldens[file.parent.name] = {name: digest_of(tokenizer, inputs) for name, inputs in texts.items()}
    OUTPUT.write_text(json.dumps(goldens, indent=1) + "\n")


if __name__ == "__main__":
    main()
