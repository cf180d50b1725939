"""One pass for N tasks against N passes of merged models and against peft: milliseconds and memory.

    python bench/make_encoder_checkpoint.py modernbert-base build/models/modernbert-base
    python bench/make_adapters.py build/models/modernbert-base build/models/adapters-last4 --layers 4
    PYTHONPATH=build/bindings/python python bench/adapters.py build/models/modernbert-base build/models/adapters-last4

The three take turns in one run, one text per call. "merged" is a model with the first adapter folded in, run N times:
models of one shape cost the same. peft runs if it, transformers and torch can be imported, in a process of its own,
with its adapters switched one after the other, which is what it offers for one text and many tasks.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import vsr
from encoders import machine, status_mib, text_of

PEFT = """
import os, sys, time, torch
from peft import PeftModel
from transformers import AutoModelForSequenceClassification
base, folder, counts, threads = sys.argv[1], sys.argv[2], [int(n) for n in sys.argv[3].split(",")], int(sys.argv[4])
torch.set_num_threads(threads)
model = AutoModelForSequenceClassification.from_pretrained(base, num_labels=14, dtype=torch.float32)
model = PeftModel.from_pretrained(model, f"{folder}/task0", adapter_name="task0").eval()
for i in range(1, max(counts)):
    model.load_adapter(f"{folder}/task{i}", adapter_name=f"task{i}")
print("ready", flush=True)
for line in sys.stdin:
    tokens, count = (int(n) for n in line.split())
    ids = torch.tensor([[2, *((5 + 7 * i % 1000) for i in range(tokens - 2)), 3]])
    start = time.perf_counter()
    with torch.inference_mode():
        for i in range(count):
            model.set_adapter(f"task{i}")
            model(input_ids=ids).logits
    print((time.perf_counter() - start) * 1000, flush=True)
"""


class Peft:
    """peft in a process of its own; None where it cannot be imported."""

    def __init__(self, python, base, folder, counts, threads):
        command = [python, "-c", PEFT, base, folder, ",".join(map(str, counts)), str(threads)]
        environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": str(threads)}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, env=environment)  # fmt: skip
        self.usable = self.process.stdout.readline().strip() == "ready"

    def milliseconds(self, tokens, count):
        self.process.stdin.write(f"{tokens} {count}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def milliseconds(call):
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("base")
    parser.add_argument("adapters")
    parser.add_argument("--counts", type=int, nargs="+", default=[1, 2, 4, 8, 16, 64])
    parser.add_argument("--lengths", type=int, nargs="+", default=[32, 128, 512])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peft-python", default=sys.executable, help="an interpreter that can import peft")
    parser.add_argument("--peft-most", type=int, default=4, help="the largest N that peft runs")
    arguments = parser.parse_args()
    print(machine())

    names = [f"task{i}" for i in range(max(arguments.counts))]
    before = status_mib("VmRSS")
    model = vsr.load(arguments.base, adapters={name: pathlib.Path(arguments.adapters, name) for name in names})
    adapters = model.info["adapters"]
    own = [adapter["parameters"] - adapter["head_parameters"] for adapter in adapters]
    share = own[0] / model.info["models"][0]["parameters"] if "models" in model.info else own[0] / model.info["parameters"]
    print(f"{len(names)} adapters of {own[0]:,} parameters, {100 * share:.2f}% of the base's")
    peft = Peft(arguments.peft_python, arguments.base, arguments.adapters,
                [n for n in arguments.counts if n <= arguments.peft_most], os.cpu_count())  # fmt: skip
    if not peft.usable:
        print("peft: not measured, its packages cannot be imported by", arguments.peft_python)
    with tempfile.TemporaryDirectory() as folder:
        model.merge_adapter(pathlib.Path(arguments.adapters, "task0"), pathlib.Path(folder, "merged"))
        merged = vsr.load(pathlib.Path(folder, "merged"))
        print(f"{'tokens':>6} {'tasks':>5} {'one pass':>9} {'of 1 task':>9} {'merged':>9} {'ratio':>6} {'peft':>9} {'ratio':>6}")
        for tokens in arguments.lengths:
            text = text_of(tokens, 2)
            single = None
            for count in arguments.counts:
                rows = []
                for _ in range(arguments.rounds):
                    ours = milliseconds(lambda: model.classify_all([text], tasks=names[:count]))
                    theirs = milliseconds(lambda: [merged.classify([text]) for _ in range(count)])
                    with_peft = peft.usable and count <= arguments.peft_most
                    rows.append((ours, theirs, peft.milliseconds(tokens, count) if with_peft else float("nan")))
                best = [min(column) for column in zip(*rows)]
                single = single or best[0]
                print(f"{tokens:6} {count:5} {best[0]:9.1f} {best[0] / single:8.2f}x {best[1]:9.1f} {best[1] / best[0]:5.2f}x "
                      f"{best[2]:9.1f} {best[2] / best[0]:5.2f}x", flush=True)  # fmt: skip
        print(f"memory: {status_mib('VmRSS') - before:.0f} MiB for base, {len(names)} adapters and one merged model")


if __name__ == "__main__":
    main()
