#!/usr/bin/env python3
"""Tokenizer speed beside the PyPI tokenizers, in the same run and on the same documents, which both tokenize whole, with
offsets and without special tokens. Prints CPU milliseconds of the best round, which other load on the
machine does not change much, and the times to load. With two threads it prints the time that passes: vsr's threads
share the documents, tokenizers does so in encode_batch. "prompt" is one text of 100 words, in microseconds.

  python bench/tokenizer_speed.py --program build/bin/tokenizer_bench [--data ../shared/data] [--threads 2]
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

DOCUMENT = 4096
MEGABYTE = 1_000_000


def texts(data):
    """A megabyte of prose, of Chinese, and of code."""
    prose = (data / "texts/war_and_peace.txt").read_text()[:MEGABYTE]
    chinese = [json.loads(line)["text"] for line in (data / "texts/udhr.jsonl").open()]
    chinese = "".join(text for text in chinese if sum("\u4e00" <= c <= "\u9fff" for c in text) > len(text) / 2)
    code = "".join(
        path.read_text()
        for path in sorted(pathlib.Path(__file__).parent.parent.glob("src/**/*.cpp"))
        if path.name != "unicode_tables.cpp"
    )
    return {
        name: (text * (MEGABYTE // len(text.encode()) + 1)).encode()[:MEGABYTE].decode(errors="ignore")
        for name, text in (("English", prose), ("Chinese", chinese), ("code", code))
    }


def documents(text):
    data, parts = text.encode(), []
    while data:
        end = min(DOCUMENT, len(data))
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end += 1
        parts.append(data[:end].decode())
        data = data[end:]
    return parts


def prompts(text):
    """One prompt of a hundred words; many rounds over it are one measurement."""
    return [" ".join(text.split()[:100])]


def time_theirs(path, parts, rounds, threads):
    from tokenizers import Tokenizer

    clock = time.process_time if threads == 1 else time.perf_counter
    begin = time.process_time()
    tokenizer = Tokenizer.from_file(str(path / "tokenizer.json"))
    load = 1000 * (time.process_time() - begin)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    times = []
    for _ in range(rounds):
        begin = clock()
        if threads == 1:
            encoded = [tokenizer.encode(part, add_special_tokens=False) for part in parts]
        else:
            encoded = tokenizer.encode_batch(parts, add_special_tokens=False)
        times.append(1000 * (clock() - begin))
    return load, min(times), sum(len(e.ids) for e in encoded)


def time_ours(program, path, text, document, threads, rounds):
    with tempfile.NamedTemporaryFile("wb") as file:
        file.write(text.encode())
        file.flush()
        command = [program, str(path), file.name, str(document), str(threads), str(rounds)]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def compare(arguments, name, label, text):
    """Prints a line; false when the two make a different number of tokens."""
    path = arguments.data / "tokenizers" / name
    is_prompt = label == "prompt"
    parts = prompts(text) if is_prompt else documents(text)
    rounds = 2000 if is_prompt else arguments.rounds
    threads = 1 if is_prompt else arguments.threads
    load, theirs, tokens = time_theirs(path, parts, rounds, threads)
    ours = time_ours(
        arguments.program,
        path,
        parts[0] if is_prompt else text,
        len(text.encode()) if is_prompt else DOCUMENT,
        threads,
        rounds,
    )
    best = ours["best_ms"] if threads == 1 else ours["best_wall_ms"]
    if is_prompt:  # the CPU clock of the program ticks in microseconds
        theirs, best = 1000 * theirs, max(1000 * best, 1)
    same = ours["tokens"] == tokens
    speed = "" if is_prompt else f"{len(text.encode()) / 1000 / best:.1f}"
    print(
        f"{name:20} {label:8} {tokens:8} {theirs:10.1f} {best:8.1f} {speed:>9} {theirs / best:6.1f} "
        f"{load:12.0f} {ours['load_ms']:9.0f}" + ("" if same else f"  vsr gave {ours['tokens']} tokens"),
        flush=True,
    )
    return same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--tokenizers", nargs="+", default=["bert-base-uncased", "modernbert", "qwen3", "gemma2", "t5-small"]
    )
    arguments = parser.parse_args()
    os.environ["TOKENIZERS_PARALLELISM"] = "false" if arguments.threads == 1 else "true"
    os.environ["RAYON_NUM_THREADS"] = str(arguments.threads)
    import tokenizers

    kind = "CPU time of one thread" if arguments.threads == 1 else f"time that passes with {arguments.threads} threads"
    print(
        f"tokenizers {tokenizers.__version__}, {platform.processor() or platform.machine()}, {os.cpu_count()} cores, "
        f"documents of {DOCUMENT} bytes, {kind}, best of {arguments.rounds}"
    )
    print(
        f"{'tokenizer':20} {'text':8} {'tokens':>8} {'theirs ms':>10} {'vsr ms':>8} {'vsr MB/s':>9} {'times':>6} "
        f"{'load theirs':>12} {'load vsr':>9}"
    )
    inputs = texts(arguments.data)
    inputs["prompt"] = inputs["English"]
    lines = [compare(arguments, name, label, text) for name in arguments.tokenizers for label, text in inputs.items()]
    failed = not all(lines)
    sys.exit(failed)


if __name__ == "__main__":
    main()
