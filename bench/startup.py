#!/usr/bin/env python3
"""From the start of a process to its first all-MiniLM-L6-v2 vector, and the memory it peaks at.

Runs `vsr embed` with a warm file cache, and with --peer the same with sentence-transformers in that Python, in turns.
"cpu" is processor time of all threads, which other work on the machine changes less than the clock's.
Only the standard library is imported: a child's peak memory includes what its parent held when it was started.

    bench/startup.py [--runs 15] [--peer path/to/python]
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import time

from machine import machine

ROOT = pathlib.Path(__file__).resolve().parents[1]
TEXT = "where is my new card?"
PEER = """
import sys
from sentence_transformers import SentenceTransformer
model = SentenceTransformer(sys.argv[1], device="cpu")
print(model.encode([sys.argv[2]])[0].tolist(), flush=True)
"""


class Series:
    def __init__(self, name, command, environment=None):
        self.name, self.command = name, command
        self.environment = {**os.environ, **(environment or {})}
        self.first, self.whole, self.busy, self.memory = [], [], [], []

    def run(self, keep=True):
        start = time.perf_counter()
        process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment)
        output = os.read(process.stdout.fileno(), 1 << 20)
        first = time.perf_counter() - start
        while chunk := os.read(process.stdout.fileno(), 1 << 20):
            output += chunk
        message = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0 or not output:
            sys.exit(f"{' '.join(map(str, self.command))}: exit code {process.returncode}\n{message}")
        if keep:
            self.first.append(first)
            self.whole.append(time.perf_counter() - start)
            self.busy.append(usage.ru_utime + usage.ru_stime)
            self.memory.append(usage.ru_maxrss * 1024)

    def report(self):
        ms = lambda seconds: f"{seconds * 1e3:8.0f}"
        print(
            f"{self.name:42}{ms(min(self.first))}{ms(statistics.median(self.first))}{ms(statistics.median(self.whole))}"
            f"{ms(statistics.median(self.busy))}"
            f"{statistics.median(self.memory) / 1e6:10.0f}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vsr", default=os.environ.get("VSR_CLI", ROOT / "build/bin/vsr"))
    parser.add_argument("--model", default=os.environ.get("VSR_MINILM", ROOT / "build/models/all-MiniLM-L6-v2"))
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--peer", help="a Python that has sentence-transformers")
    arguments = parser.parse_args()

    vsr, model = str(arguments.vsr), str(arguments.model)
    series = [
        Series("vsr --version (program and libraries)", [vsr, "--version"]),
        Series("vsr embed", [vsr, "embed", "--model", model, "--json", TEXT]),
        Series("vsr embed --threads 1", [vsr, "embed", "--threads", "1", "--model", model, "--json", TEXT]),
    ]
    if arguments.peer:
        offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
        series.append(Series("sentence-transformers", [arguments.peer, "-c", PEER, model, TEXT], offline))
    for one in series:
        one.run(keep=False)  # fills the file cache
    for _ in range(arguments.runs):
        for one in series:
            one.run()
    print(f"{machine()}; {arguments.runs} runs, warm file cache\n")
    print(f"{'':42}{'first output, ms':>16}{'exit':>8}{'cpu, ms':>8}{'peak, MB':>10}")
    print(f"{'':42}{'min':>8}{'median':>8}{'median':>8}{'median':>8}{'median':>10}")
    for one in series:
        one.report()


if __name__ == "__main__":
    main()
