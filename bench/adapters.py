"""One pass for N tasks against N passes of merged models and against peft: milliseconds and memory.

    python bench/make_encoder_checkpoint.py modernbert-base build/models/modernbert-base
    python bench/make_adapters.py build/models/modernbert-base build/models/adapters-last4 --layers 4
    PYTHONPATH=build/bindings/python python bench/adapters.py build/models/modernbert-base build/models/adapters-last4

The three take turns in one run, one text per call. "merged" is a model with the first adapter folded in, run N times:
models of one shape cost the same. peft runs if it, transformers and torch can be imported, in a process of its own,
with its adapters switched one after the other, which is what it offers for one text and many tasks. Memory is what a
process grew by once the weights were read.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import vsr
from encoders import status_mib, text_of
from machine import machine

PEFT = """
import sys, time, torch
from peft import PeftModel
from transformers import AutoModelForSequenceClassification
base, folder, adapters, threads = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
clock = getattr(time, sys.argv[5])
torch.set_num_threads(threads)
print("imported", flush=True)
sys.stdin.readline()
model = AutoModelForSequenceClassification.from_pretrained(base, num_labels=14, dtype=torch.float32)
model = PeftModel.from_pretrained(model, f"{folder}/task0", adapter_name="task0").eval()
for i in range(1, adapters):
    model.load_adapter(f"{folder}/task{i}", adapter_name=f"task{i}")
print("ready", flush=True)
for line in sys.stdin:
    tokens, count = (int(n) for n in line.split())
    ids = torch.tensor([[2, *((5 + 7 * i % 1000) for i in range(tokens - 2)), 3]])
    start = clock()
    with torch.inference_mode():
        for i in range(count):
            model.set_adapter(f"task{i}")
            model(input_ids=ids).logits
    print((clock() - start) * 1000, flush=True)
"""


class Peft:
    """peft in a process of its own; None where it cannot be imported."""

    def __init__(self, python, base, folder, adapters, clock):
        threads = len(os.sched_getaffinity(0))
        self.adapters = adapters
        command = [python, "-c", PEFT, base, folder, str(adapters), str(threads), clock]
        environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": str(threads)}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, env=environment)  # fmt: skip
        self.usable = self.process.stdout.readline().strip() == "imported"
        if self.usable:
            self.before = self.memory()
            self.usable = self.ask("load") == "ready"

    def memory(self):
        return status_mib("VmRSS", self.process.pid)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def milliseconds(self, tokens, count):
        return float(self.ask(f"{tokens} {count}"))


def milliseconds(call, clock):
    start = getattr(time, clock)()
    call()
    return (getattr(time, clock)() - start) * 1000


def compare(arguments, model, merged, peft, names):
    """A line per length and number of tasks: the best of the rounds, in which the three take turns."""
    print(
        f"{'tokens':>6} {'tasks':>5} {'one pass':>9} {'of 1 task':>9} {'merged':>9} {'ratio':>6} {'peft':>9} {'ratio':>6}"
    )
    for tokens in arguments.lengths:
        text, single = text_of(tokens, 2), None
        for count in arguments.counts:
            rows, with_peft = [], peft.usable and count <= arguments.peft_most
            for _ in range(arguments.rounds):
                ours = milliseconds(lambda: model.classify_all([text], tasks=names[:count]), arguments.clock)
                theirs = milliseconds(lambda: [merged.classify([text]) for _ in range(count)], arguments.clock)
                rows.append([ours, theirs] + ([peft.milliseconds(tokens, count)] if with_peft else []))
            best = [min(column) for column in zip(*rows)]
            single = single or best[0]
            peers = "".join(f" {other:9.1f} {other / best[0]:5.2f}x" for other in best[1:])
            print(f"{tokens:6} {count:5} {best[0]:9.1f} {best[0] / single:8.2f}x{peers}", flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("base")
    parser.add_argument("adapters")
    parser.add_argument("--counts", type=int, nargs="+", default=[1, 2, 4, 8, 16, 64])
    parser.add_argument("--lengths", type=int, nargs="+", default=[32, 128, 512])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peft-python", default=sys.executable, help="an interpreter that can import peft")
    parser.add_argument("--peft-most", type=int, default=4, help="the largest N that peft runs")
    parser.add_argument("--clock", choices=("perf_counter", "process_time"), default="perf_counter",
                        help="process_time where other work wants the cores: processor time, best with taskset -c 0")  # fmt: skip
    return parser.parse_args()


def main():
    arguments = parse()
    print(machine() + ("" if arguments.clock == "perf_counter" else ", milliseconds of processor time"))
    names = [f"task{i}" for i in range(max(arguments.counts))]
    before = status_mib("VmRSS")
    model = vsr.load(arguments.base, adapters={name: pathlib.Path(arguments.adapters, name) for name in names})
    own = [adapter.parameters - adapter.head_parameters for adapter in model.info.adapters]
    share = 100 * own[0] / model.info.parameters
    print(f"{len(names)} adapters of {own[0]:,} parameters besides the head, {share:.2f}% of the base's")
    switched = max((n for n in arguments.counts if n <= arguments.peft_most), default=1)
    peft = Peft(arguments.peft_python, arguments.base, arguments.adapters, switched, arguments.clock)
    if not peft.usable:
        print("peft: not measured, its packages cannot be imported by", arguments.peft_python)
    with tempfile.TemporaryDirectory() as folder:
        model.classify_all([text_of(8, 2)], tasks=names)  # reads the weights in
        loaded = status_mib("VmRSS")
        model.merge_adapter(pathlib.Path(arguments.adapters, "task0"), pathlib.Path(folder, "merged"))
        merging = status_mib("VmRSS")
        merged = vsr.load(pathlib.Path(folder, "merged"))
        merged.classify([text_of(8, 2)])
        with_merged = status_mib("VmRSS")
        compare(arguments, model, merged, peft, names)
        print(f"memory, MiB: base and {len(names)} adapters {loaded - before:.0f}; "
              f"each merged model {with_merged - merging:.0f}", end="")  # fmt: skip
    print(f"; peft, base and {peft.adapters} adapters {peft.memory() - peft.before:.0f}" if peft.usable else "")


if __name__ == "__main__":
    main()
