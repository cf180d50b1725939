#!/usr/bin/env python3
"""Forward passes of vsr and its peers side by side; bench/run.sh calls it.

Each competitor is a process of its own with the same number of threads. They are asked in turns, one pass at a time, so
that a slow moment of the machine hits all alike. Reported are the least and the median time of each, and how many times
longer each peer takes than vsr's best.

    bench/compare.py --model modernbert-base=build/models/modernbert-base --lengths 32 128 --output bench/results
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PEERS = ROOT / "bench/peers"
# Name, worker, data type, and whether it is vsr.
COMPETITORS = [
    ("vsr f32", "vsr_worker.py", "float32", True),
    ("vsr bf16", "vsr_worker.py", "bfloat16", True),
    ("vsr int8", "vsr_worker.py", "int8", True),
    ("PyTorch f32", "torch_worker.py", "float32", False),
    ("PyTorch bf16", "torch_worker.py", "bfloat16", False),
    ("ONNX Runtime f32", "ort_worker.py", "float32", False),
    ("ONNX Runtime int8", "ort_worker.py", "int8", False),
    ("GEMMs alone f32", "gemm_worker.py", "float32", False),
    ("GEMMs alone bf16", "gemm_worker.py", "bfloat16", False),
]


def machine():
    info = pathlib.Path("/proc/cpuinfo").read_text()
    cpu = next((line.split(":", 1)[1].strip() for line in info.splitlines() if line.startswith("model name")), "?")
    flags = next((line.split() for line in info.splitlines() if line.startswith("flags")), [])
    units = [name for flag, name in [("avx2", "AVX2"), ("avx512f", "AVX-512"), ("avx512_bf16", "AVX-512 bf16"),
                                     ("avx512_vnni", "VNNI"), ("amx_bf16", "AMX")] if flag in flags]  # fmt: skip
    memory = next(int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemTotal"))
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return {
        "cpu": cpu, "cores": len(os.sched_getaffinity(0)), "units": units, "memory_gib": round(memory / 2**20),
        "system": f"Linux {platform.release()}", "commit": commit.stdout.strip() or "?",
        "load_at_start": round(os.getloadavg()[0], 1),
    }  # fmt: skip


class Competitor:
    def __init__(self, name, worker, dtype, is_vsr, folder, threads, pythons):
        self.name, self.is_vsr, self.times = name, is_vsr, {}
        python, path = pythons["vsr" if is_vsr else "peers"]
        environment = {**os.environ, "PYTHONPATH": path, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": str(threads)}
        self.process = subprocess.Popen(
            [python, PEERS / worker, folder, str(threads), dtype], env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
        self.skipped = self.hear().get("skip")

    def hear(self):
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        message = self.process.stderr.read().strip().splitlines()
        return {"skip": "the worker ended: " + (message[-1] if message else "without a message")}

    def run(self, shape):
        self.process.stdin.write(json.dumps({"tokens": shape[0], "batch": shape[1]}) + "\n")
        self.process.stdin.flush()
        answer = self.hear()
        if "skip" in answer:
            self.skipped = answer["skip"]
        else:
            self.times.setdefault(shape, []).append(answer["ms"])

    def close(self):
        self.process.kill()
        self.process.wait()


def measure(competitors, shape, seconds):
    """In turns, at least three each, until every one had about that many seconds or the slowest did."""
    start = time.perf_counter()
    for turn in range(200):
        live = [one for one in competitors if not one.skipped]
        for one in live:
            one.run(shape)
            time.sleep(0.01)  # threads that wait by spinning go to sleep
        if turn >= 2 and time.perf_counter() - start > seconds * len(live):
            return


def rows_of(model, competitors, shapes):
    rows = []
    for shape in shapes:
        own = [min(one.times[shape]) for one in competitors if one.is_vsr and shape in one.times]
        for one in competitors:
            if shape not in one.times:
                continue
            rows.append({"model": model, "tokens": shape[0], "batch": shape[1], "competitor": one.name,
                         "min_ms": min(one.times[shape]), "median_ms": statistics.median(one.times[shape]),
                         "runs": len(one.times[shape]),
                         "times_vsr": min(one.times[shape]) / min(own) if own else None})  # fmt: skip
    return rows


def table(title, rows):
    lines = [f"### {title}", "", "| tokens x texts | " + " | ".join(["", "min ms", "median ms", "times vsr's best"]) + " |",
             "| ---: | --- | ---: | ---: | ---: |"]  # fmt: skip
    for row in rows:
        ratio = "" if row["times_vsr"] is None else f"{row['times_vsr']:.2f}"
        lines.append(f"| {row['tokens']} x {row['batch']} | {row['competitor']} | {row['min_ms']:.1f} | "
                     f"{row['median_ms']:.1f} | {ratio} |")  # fmt: skip
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model", action="append", required=True, metavar="NAME=FOLDER")
    parser.add_argument("--lengths", type=int, nargs="+", default=[32, 128, 512])
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seconds", type=float, default=2.0, help="for each competitor and length")
    parser.add_argument("--only", help="competitors whose names hold this")
    parser.add_argument("--peer-python", default=sys.executable, help="a Python that has torch, transformers, onnxruntime")
    parser.add_argument("--vsr-python", default=str(ROOT / "build/venv/bin/python3"))
    parser.add_argument("--output", type=pathlib.Path, help="folder for NAME.json and NAME.md")
    parser.add_argument("--name", default=platform.machine(), help="of the machine, for the files")
    arguments = parser.parse_args()
    pythons = {"vsr": (arguments.vsr_python, str(ROOT / "build/bindings/python")), "peers": (arguments.peer_python, "")}
    report = {"machine": machine(), "threads": arguments.threads, "rows": [], "skipped": []}
    parts = []
    for pair in arguments.model:
        name, folder = pair.split("=", 1)
        wanted = [one for one in COMPETITORS if not arguments.only or arguments.only in one[0]]
        competitors = [Competitor(*one, folder, arguments.threads, pythons) for one in wanted]
        shapes = [(length, arguments.batch) for length in arguments.lengths]
        for shape in shapes:
            measure(competitors, shape, arguments.seconds)
        for one in competitors:
            one.close()
            if one.skipped:
                report["skipped"].append({"model": name, "competitor": one.name, "why": one.skipped})
        rows = rows_of(name, competitors, shapes)
        report["rows"] += rows
        parts.append(table(name, rows))
        print(parts[-1], flush=True)
    skipped = "".join(f"- {one['model']}, {one['competitor']}: {one['why']}\n" for one in report["skipped"])
    text = "".join(f"{key}: {value}  \n" for key, value in report["machine"].items())
    text += f"threads: {report['threads']}\n\n" + "\n".join(parts) + (f"\nNot measured:\n{skipped}" if skipped else "")
    print(f"Not measured:\n{skipped}" if skipped else "", json.dumps(report["machine"]))
    if arguments.output:
        arguments.output.mkdir(parents=True, exist_ok=True)
        (arguments.output / f"{arguments.name}.json").write_text(json.dumps(report, indent=1) + "\n")
        (arguments.output / f"{arguments.name}.md").write_text(text)


if __name__ == "__main__":
    main()
