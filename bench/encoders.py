"""Load time, memory and milliseconds per text length of one checkpoint; see make_encoder_checkpoint.py.

    PYTHONPATH=build/bindings/python python bench/encoders.py build/models/modernbert-base [--lengths 32 128 512]

Texts are words of one token each, one text per call. "peak" is how much the process grew above what it held after a
first short text; "growth" is what each token more than in the line above adds to it: where memory is linear, it stays of
one size.
"""

import argparse
import pathlib
import statistics
import time

import vsr
from machine import machine


def status_mib(key, process="self"):
    line = next(line for line in open(f"/proc/{process}/status") if line.startswith(key + ":"))
    return int(line.split()[1]) / 1024


def reset_peak():
    pathlib.Path("/proc/self/clear_refs").write_text("5")


def text_of(tokens, specials):
    return " ".join(f"w{(7 * i) % 1000}" for i in range(tokens - specials))


def measure(model, text, seconds):
    """Milliseconds of repeated calls for about that long, at least three."""
    times = []
    while len(times) < 3 or (sum(times) < seconds * 1000 and len(times) < 200):
        start = time.perf_counter()
        model.embed([text])
        times.append((time.perf_counter() - start) * 1000)
    return times


def p95(times):
    return sorted(times)[int(0.95 * (len(times) - 1))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--lengths", type=int, nargs="+", default=[32, 128, 512, 2048, 8192])
    parser.add_argument("--seconds", type=float, default=3.0)
    arguments = parser.parse_args()
    before = status_mib("VmRSS")
    start = time.perf_counter()
    model = vsr.load(arguments.folder)
    print(machine())
    print(f"{arguments.folder}: load {time.perf_counter() - start:.2f} s, {status_mib('VmRSS') - before:.0f} MiB")
    specials = len(model.tokenize("").ids)
    model.embed([text_of(8, specials)])  # reads the weights in
    held = status_mib("VmRSS")
    print(f"{'tokens':>7} {'median ms':>10} {'p95 ms':>9} {'tokens/s':>9} {'peak MiB':>9} {'growth KiB/token':>17}")
    above = None
    for tokens in arguments.lengths:
        text = text_of(tokens, specials)
        found = model.tokenize(text)
        if found.windows != 1:
            print(f"{tokens:>7} beyond the model's limit")
            continue
        assert len(found.ids) == tokens
        reset_peak()
        model.embed([text])
        times = measure(model, text, arguments.seconds)
        peak = status_mib("VmHWM") - held
        median = statistics.median(times)
        growth = "" if above is None else f"{(peak - above[1]) * 1024 / (tokens - above[0]):.1f}"
        above = (tokens, peak)
        print(
            f"{tokens:>7} {median:>10.1f} {p95(times):>9.1f} {tokens / median * 1000:>9.0f} {peak:>9.1f} {growth:>17}",
            flush=True,
        )


if __name__ == "__main__":
    main()
