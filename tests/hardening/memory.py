#!/usr/bin/env python3
"""Bytes of memory per byte of input of the router, the tokenizer and compression, each measurement in a process of its own.

  PYTHONPATH=build/bindings/python tests/hardening/memory.py [--sizes 1,8,10,60] [--only route|tokenize|compress]
      [--tokenizer PATH] [--name SUBSTRING] [--most BYTES]

Exits with 1 when a route takes more than --most bytes (12) per byte beyond a constant of 48 MB.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import nasty_texts

CONSTANT = 48 << 20
MEGABYTE = 1 << 20
CONFIG = """
vsr:
  limits: {request_bytes: 67108864}
  compression: {max_tokens: 512, above_tokens: 1024}
  signal_tasks: {pii: none}
  cache: {max_entries: 100}
providers:
  defaults: {default_model: m}
  models: [{name: m, backend_refs: []}]
routing:
  signals:
    keywords:
      - {name: words, operator: OR, keywords: [enthalpy, "needle in a haystack"]}
      - {name: pattern, operator: OR, method: regex, keywords: ["needle.*hay", "[0-9]{7}"]}
      - {name: near, operator: OR, method: fuzzy, keywords: [enthalpy], fuzzy_match: true}
      - {name: grams, operator: OR, method: ngram, keywords: [enthalpy]}
      - {name: ranked, operator: OR, method: bm25, keywords: [enthalpy of combustion]}
    structure:
      - {name: count, feature: {type: count, source: {type: regex, pattern: "a(.*b)?"}}, predicate: {gte: 100000}}
      - {name: set, feature: {type: count, source: {type: keyword_set, keywords: [a, "1", "."]}}, predicate: {gte: 1}}
    language: [{name: de}]
    context: [{name: long, min_tokens: 1000, max_tokens: 100K}]
    pii: [{name: personal, threshold: 0.5}]
  decisions:
    - name: any
      priority: 1
      rules:
        operator: OR
        conditions: [CONDITIONS]
      modelRefs: [{model: m}]
"""
SIGNALS = (
    "keyword:words",
    "keyword:pattern",
    "keyword:near",
    "keyword:grams",
    "keyword:ranked",
    "structure:set",
    "language:de",
    "context:long",
    "pii:personal",
)


def config(folder, signals=SIGNALS):
    conditions = ", ".join("{type: %s, name: %s}" % tuple(signal.split(":")) for signal in signals)
    path = pathlib.Path(folder) / "router.yaml"
    path.write_text(CONFIG.replace("CONDITIONS", conditions))
    return str(path)


def resident(field):
    """VmRSS: now; VmHWM: the most since the mark was reset."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(field))


def reset_peak():
    pathlib.Path("/proc/self/clear_refs").write_text("5")


def measure(job, name, size, tokenizer):
    """In a child: prints bytes beyond what the process had before, and what came of it."""
    import vsr

    outcome = "ok"
    with tempfile.TemporaryDirectory() as folder:
        if job == "route":
            body = nasty_texts.requests(size)[name]()
            router = vsr.Router(config(folder))
            router.route("a short question")
            run = lambda: router.route(body, evaluate_all=True)
        else:
            body = nasty_texts.texts(size)[name]()
            loaded = vsr.load_tokenizer(tokenizer) if job == "tokenize" else None
            run = (lambda: loaded.encode(body)) if loaded else (lambda: vsr.compress(body, 512))
        reset_peak()
        before = resident("VmRSS")
        try:
            kept = run()
        except vsr.Error as error:
            kept, outcome = None, str(error).split(" (")[0][:70]
        del kept
    print(resident("VmHWM") - before, len(body), outcome, sep="\t")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1,8,10,60")
    parser.add_argument("--only")
    parser.add_argument("--name", default="")
    parser.add_argument("--most", type=float, default=12)
    parser.add_argument("--tokenizer", default=os.environ.get("VSR_MINILM", "build/models/all-MiniLM-L6-v2"))
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        job, name, size = options.measure
        return measure(job, name, int(size), options.tokenizer)
    failed = 0
    for job in [options.only] if options.only else ["route", "tokenize", "compress"]:
        names = nasty_texts.requests(64) if job == "route" else nasty_texts.texts(64)
        for megabytes in options.sizes.split(","):
            for name in (n for n in names if options.name in n):
                size = int(float(megabytes) * MEGABYTE)
                command = [
                    sys.executable,
                    __file__,
                    "--tokenizer",
                    options.tokenizer,
                    "--measure",
                    job,
                    name,
                    str(size),
                ]
                child = subprocess.run(command, capture_output=True, text=True, timeout=600)
                if child.returncode != 0:
                    print(f"{job:9}{megabytes:>4} MB  {name:32} FAILED {child.stderr.strip().splitlines()[-1:]}")
                    failed += 1
                    continue
                taken, given, outcome = child.stdout.strip().split("\t")
                taken, given = int(taken), int(given)
                too_much = job == "route" and taken > options.most * given + CONSTANT
                failed += too_much
                print(
                    f"{job:9}{megabytes:>4} MB  {name:32}{taken / given:7.1f} bytes per byte  {outcome}"
                    f"{'  TOO MUCH' if too_much else ''}",
                    flush=True,
                )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
