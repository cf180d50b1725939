#!/usr/bin/env python3
"""Tokenizer speed beside the PyPI tokenizers, in the same run and on the same documents, which both tokenize whole, with
offsets and without special tokens. Prints CPU milliseconds of the best round, which other load on the
machine does not change much, and the times to load.

  python bench/tokenizer_speed.py --program build/bin/tokenizer_bench [--data ../shared/data]
"""
import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
DOCUMENT = 4096
MEGABYTE = 1_000_000


def texts(data):
    """A megabyte of prose, of Chinese, and of code."""
    prose = (data / "texts/war_and_peace.txt").read_text()[:MEGABYTE]
    chinese = [json.loads(line)["text"] for line in (data / "texts/udhr.jsonl").open()]
    chinese = "".join(text for text in chinese if sum("\u4e00" <= c <= "\u9fff" for c in text) > len(text) / 2)
    code = "".join(path.read_text() for path in sorted(pathlib.Path(__file__).parent.parent.glob("src/**/*.cpp"))
                   if path.name != "unicode_tables.cpp")
    return {name: (text * (MEGABYTE // len(text.encode()) + 1)).encode()[:MEGABYTE].decode(errors="ignore")
            for name, text in (("English", prose), ("Chinese", chinese), ("code", code))}


def documents(text):
    data, parts = text.encode(), []
    while data:
        end = min(DOCUMENT, len(data))
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end += 1
        parts.append(data[:end].decode())
        data = data[end:]
    return parts


def time_theirs(path, parts, rounds):
    from tokenizers import Tokenizer
    begin = time.process_time()
    tokenizer = Tokenizer.from_file(str(path / "tokenizer.json"))
    load = 1000 * (time.process_time() - begin)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        encoded = [tokenizer.encode(part, add_special_tokens=False) for part in parts]
        times.append(1000 * (time.process_time() - begin))
    return load, min(times), sum(len(e.ids) for e in encoded)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--tokenizers", nargs="+", default=["bert-base-uncased", "modernbert", "qwen3", "gemma2", "t5-small"])
    arguments = parser.parse_args()
    import tokenizers
    print(f"tokenizers {tokenizers.__version__}, {platform.processor() or platform.machine()}, {os.cpu_count()} cores, "
          f"documents of {DOCUMENT} bytes, CPU time of one thread, best of {arguments.rounds}")
    print(f"{'tokenizer':20} {'text':8} {'tokens':>8} {'theirs ms':>10} {'vsr ms':>8} {'vsr MB/s':>9} {'times':>6} "
          f"{'load theirs':>12} {'load vsr':>9}")
    failed = False
    for name in arguments.tokenizers:
        path = arguments.data / "tokenizers" / name
        for label, text in texts(arguments.data).items():
            parts = documents(text)
            load, theirs, tokens = time_theirs(path, parts, arguments.rounds)
            with tempfile.NamedTemporaryFile("wb") as file:
                file.write(text.encode())
                file.flush()
                ours = json.loads(subprocess.run([arguments.program, str(path), file.name, str(DOCUMENT), "1",
                                                  str(arguments.rounds)], check=True, stdout=subprocess.PIPE).stdout)
            failed |= ours["tokens"] != tokens
            speed = len(text.encode()) / 1000 / ours["best_ms"]
            print(f"{name:20} {label:8} {tokens:8} {theirs:10.1f} {ours['best_ms']:8.1f} {speed:9.1f} "
                  f"{theirs / ours['best_ms']:6.1f} {load:12.0f} {ours['load_ms']:9.0f}"
                  + ("" if ours["tokens"] == tokens else f"  vsr gave {ours['tokens']} tokens"), flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
