#!/usr/bin/env python3
"""Forward passes of vsr and its peers side by side; bench/run.sh calls it.

Each competitor is a process of its own with the same number of threads. They are asked in turns, one pass at a time, so
that a slow moment of the machine hits all alike. All get the same texts, and their vectors are compared with those of
PyTorch in float32: who computes something else is not ranked. Reported are the least and the median time of each, and how
many times longer each takes than vsr's best, and than vsr in the same data type.

    bench/compare.py --model modernbert-base=build/models/modernbert-base --lengths 32 128 --output bench/results
"""

import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

from compare_report import markdown, rows_of, table
from competitor import COMPETITORS, PEERS, ROOT, Competitor
from machine import facts
from peer_inputs import inputs_of, limit_of

SLOW_SECONDS = 20  # a pass that takes longer is measured once
ANSWER_SECONDS = 60  # and one that would take longer than this is not asked for
SHAPE_SECONDS = 60  # after that long no further turn begins


def prepare(competitors, shape, inputs):
    """First passes. Returns who goes on: those that are quick enough to be asked again."""
    ready = []
    for one in competitors:
        expected = 0  # seconds, from the last shape: they grow at least with the number of tokens
        for at, seconds in one.seconds.items():
            expected = seconds * shape[0] * shape[1] / (at[0] * at[1])
        if expected > ANSWER_SECONDS:
            one.missing[shape] = f"would take {expected:.0f} s a pass or more"
            continue
        first = one.prepare(shape, inputs, 2 * ANSWER_SECONDS)
        if first and one.seconds[shape] > SLOW_SECONDS:
            one.times[shape] = [first]
        elif first:
            ready.append(one)
    return ready


def measure(competitors, shape, inputs, seconds):
    """In turns, at least three each, until every one had about that many seconds or the slowest did."""
    ready = prepare([one for one in competitors if not one.stopped], shape, inputs)
    start = time.perf_counter()
    for turn in range(200):
        for one in ready:
            one.run(shape, 2 * ANSWER_SECONDS)
            time.sleep(0.01)  # threads that wait by spinning go to sleep
        ready = [one for one in ready if not one.stopped and shape not in one.missing]
        spent = time.perf_counter() - start
        if spent > SHAPE_SECONDS or (turn >= 2 and spent > seconds * len(ready)):
            return


def export(folder, python, path):
    """ONNX Runtime's files of a model; what it prints when there can be none."""
    environment = {**os.environ, "PYTHONPATH": path, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run([python, PEERS / "export_onnx.py", folder], env=environment, capture_output=True, text=True)
    return (done.stderr.strip().splitlines() or [""])[-1] if done.returncode else ""


def compare(name, folder, arguments, pythons):
    """Rows and reasons of one model."""
    wanted = [one for one in COMPETITORS if any(word in one[0] for word in arguments.only or [""])]
    competitors = [Competitor(*one, arguments.clock) for one in wanted]
    why = export(folder, *pythons["peers"]) if any("ONNX" in one.name for one in competitors) else ""
    # In float32, with what was read from the file beside it.
    memory_needed = 1.7 * 4 * parameters_of(folder)
    for one in competitors:
        one.start(folder, arguments.threads, pythons, memory_needed)
        if one.stopped and why and "ONNX" in one.name:
            one.stopped = f"export: {why}"
    shapes = [(length, arguments.batch) for length in arguments.lengths if length <= limit_of(folder)]
    for shape in shapes:
        measure(competitors, shape, inputs_of(folder, *shape), arguments.seconds)
    for one in competitors:
        one.close()
    skipped = []
    for one in competitors:
        if one.stopped and not one.times:
            skipped.append({"model": name, "competitor": one.name, "tokens": None, "why": one.stopped})
            continue
        skipped += [{"model": name, "competitor": one.name, "tokens": shape[0], "why": one.missing.get(shape, one.stopped)}
                    for shape in shapes if shape not in one.times]  # fmt: skip
    return rows_of(name, competitors, shapes), skipped


def parameters_of(folder):
    """By the header of the checkpoint."""
    with (pathlib.Path(folder) / "model.safetensors").open("rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    sizes = [
        tensor["data_offsets"][1] - tensor["data_offsets"][0] for key, tensor in header.items() if key != "__metadata__"
    ]
    bytes_each = 2 if any(tensor.get("dtype") == "BF16" for tensor in header.values()) else 4
    return sum(sizes) / bytes_each


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", action="append", required=True, metavar="NAME=FOLDER")
    parser.add_argument("--lengths", type=int, nargs="+", default=[32, 128, 512])
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seconds", type=float, default=2.0, help="for each competitor and length")
    parser.add_argument("--clock", choices=["wall", "process_time"], default="wall",
                        help="process_time adds up all threads, for --threads 1 on a machine with other work")  # fmt: skip
    parser.add_argument("--only", action="append", help="competitors whose names hold this")
    parser.add_argument(
        "--peer-python", default=sys.executable, help="a Python that has torch, transformers, onnxruntime"
    )
    parser.add_argument("--peer-path", default=str(ROOT / "build/peers/packages"), help="its PYTHONPATH")
    parser.add_argument("--vsr-python", default=str(ROOT / "build/venv/bin/python3"))
    parser.add_argument("--vsr-path", default=str(ROOT / "build/bindings/python"), help="the folder of vsr's module")
    parser.add_argument("--output", type=pathlib.Path, help="folder for NAME.json and NAME.md")
    parser.add_argument("--name", default=platform.machine(), help="of the machine, for the files")
    return parser.parse_args()


def main():
    arguments = read_arguments()
    pythons = {"vsr": (arguments.vsr_python, arguments.vsr_path), "peers": (arguments.peer_python, arguments.peer_path)}
    report = {"machine": facts(), "threads": arguments.threads, "clock": arguments.clock, "rows": [], "skipped": []}
    print(json.dumps(report["machine"]), flush=True)
    for pair in arguments.model:
        name, folder = pair.split("=", 1)
        rows, skipped = compare(name, folder, arguments, pythons)
        report["rows"] += rows
        report["skipped"] += skipped
        print(table(name, rows, skipped), flush=True)
    if arguments.output:
        arguments.output.mkdir(parents=True, exist_ok=True)
        (arguments.output / f"{arguments.name}.json").write_text(json.dumps(report, indent=1) + "\n")
        (arguments.output / f"{arguments.name}.md").write_text(markdown(report))


if __name__ == "__main__":
    main()
