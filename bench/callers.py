#!/usr/bin/env python3
"""How throughput and latency change with the number of callers, by `vsr bench`, in turns.

    bench/callers.py --model build/models/modernbert-base [--seconds 5] [--rounds 3]

Two questions. Do two callers on two cores get twice what one caller gets on one core? And do 64 callers that each ask
for one text of 16 to 512 tokens get what one caller gets who packs 64 of them into each call?
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from machine import ROOT, facts  # noqa: E402

MIX = "16,32,64,128,256,512"
SERIES = {
    "1 caller, 1 thread": ["--threads", "1", "--lengths", "128"],
    "1 caller, 2 threads": ["--threads", "2", "--lengths", "128"],
    "2 callers, 2 threads": ["--threads", "2", "--callers", "2", "--lengths", "128"],
    "64 texts a call": ["--batch", "64", "--lengths", MIX, "--mixed"],
    "64 callers": ["--callers", "64", "--lengths", MIX, "--mixed"],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--vsr", default=str(ROOT / "build/bin/vsr"))
    parser.add_argument("--seconds", default="5")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    found = {name: [] for name in SERIES}
    print(json.dumps(facts()))
    for _ in range(arguments.rounds):
        for name, options in SERIES.items():
            command = [arguments.vsr, "bench", "--model", arguments.model, "--seconds", arguments.seconds, "--json"]
            out = subprocess.run([*command, *options], check=True, capture_output=True, text=True).stdout
            found[name].append(json.loads(out))
    print(f"{'':22}{'tokens/s':>10}{'median ms':>11}{'p99 ms':>10}{'p99 / median':>14}   medians of {arguments.rounds}")
    median = {}
    for name, runs in found.items():
        median[name] = statistics.median(run["tokens_per_second"] for run in runs)
        half, late = (statistics.median(run[key] for run in runs) for key in ("median_ms", "p99_ms"))
        print(f"{name:22}{median[name]:>10.0f}{half:>11.1f}{late:>10.1f}{late / half:>14.2f}")
    print(f"2 callers on 2 cores / 1 on 1: {median['2 callers, 2 threads'] / median['1 caller, 1 thread']:.2f}")
    print(f"64 callers / hand-made batches: {median['64 callers'] / median['64 texts a call']:.2f}")


if __name__ == "__main__":
    main()
