"""One competitor of compare.py: its process, what it was asked, and what it took."""

import json
import os
import pathlib
import select
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PEERS = ROOT / "bench/peers"
CANDLE = ROOT / "build/candle/release/candle_peer"
# Name, worker, data type.
COMPETITORS = [
    ("vsr f32", "vsr_worker.py", "float32"),
    ("vsr bf16", "vsr_worker.py", "bfloat16"),
    ("vsr int8", "vsr_worker.py", "int8"),
    ("PyTorch f32", "torch_worker.py", "float32"),
    ("PyTorch bf16", "torch_worker.py", "bfloat16"),
    ("ONNX Runtime f32", "ort_worker.py", "float32"),
    ("ONNX Runtime int8", "ort_worker.py", "int8"),
    ("candle f32", CANDLE, "float32"),
    ("GEMMs alone f32", "gemm_worker.py", "float32"),
    ("GEMMs alone bf16", "gemm_worker.py", "bfloat16"),
]
REFERENCE = "PyTorch f32"
# The least cosine with the reference's vectors at which a competitor still does the same work.
LEAST_COSINE = {"float32": 0.9999, "bfloat16": 0.99, "int8": 0.9}
LOAD_SECONDS = 300


def memory_left():
    """Bytes that a new process can have."""
    return 1024 * next(int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemAvailable"))


class Competitor:
    """A shape is (tokens, texts). `times[shape]` are milliseconds by `clock`, of which the first pass, which warms up, is no
    part; `missing[shape]` says why there are none; `vectors[shape]` are what it computed; `seconds[shape]` is the least
    wall time of any pass."""

    def __init__(self, name, worker, dtype, clock):
        self.name, self.worker, self.dtype, self.clock = name, worker, dtype, clock
        self.is_vsr = worker == "vsr_worker.py"
        self.times, self.vectors, self.missing, self.seconds = {}, {}, {}, {}
        self.stopped = None  # why it answers no more
        self.process = None

    def start(self, folder, threads, pythons, memory_needed):
        """`pythons`: the interpreter and its PYTHONPATH, of "vsr" and of "peers"."""
        if memory_left() < memory_needed:
            self.stopped = (
                f"{memory_left() / 2**30:.1f} GiB of memory are left, it may need {memory_needed / 2**30:.1f}"
            )
            return
        if self.worker == CANDLE and not CANDLE.exists():
            self.stopped = "not built: bench/run.sh builds it where there is cargo"
            return
        python, path = pythons["vsr" if self.is_vsr else "peers"]
        program = [CANDLE] if self.worker == CANDLE else [python, PEERS / self.worker]
        environment = {**os.environ, "PYTHONPATH": path, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": str(threads)}
        self.errors = tempfile.TemporaryFile("w+")  # a pipe that nobody reads would stop a talkative worker
        self.process = subprocess.Popen([*program, folder, str(threads), self.dtype], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)  # fmt: skip
        self.stopped = self.hear(LOAD_SECONDS).get("skip")
        if self.stopped:
            self.close()

    def prepare(self, shape, inputs, seconds):
        """The first pass. Returns its milliseconds by the clock, or None if there was none."""
        answer = self.ask({"prepare": inputs}, shape, seconds)
        self.vectors[shape] = answer.get("vectors")
        return answer.get("ms")

    def run(self, shape, seconds):
        answer = self.ask({"run": True}, shape, seconds)
        if "ms" in answer:
            self.times.setdefault(shape, []).append(answer["ms"])

    def ask(self, question, shape, seconds):
        try:
            before = self.processor_seconds()
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            answer = self.hear(seconds)
        except OSError:
            answer = self.hear(seconds)  # the worker's last words
        if "skip" in answer:
            self.missing[shape] = answer["skip"]
        else:
            self.seconds[shape] = min(answer["ms"] / 1e3, self.seconds.get(shape, answer["ms"]))
            if self.clock == "process_time":
                answer["ms"] = (self.processor_seconds() - before) * 1e3
        if self.process.poll() is not None:
            self.stopped = answer.get("skip", "the worker ended")
        return answer

    def processor_seconds(self):
        """Of all threads of the worker; its id gives the clock, see clock_getcpuclockid(3)."""
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def hear(self, seconds):
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            self.close()
            return {"skip": f"no answer within {seconds:.0f} s"}
        line = self.process.stdout.readline()
        if line:
            return json.loads(line)
        self.process.wait()
        self.errors.seek(0)
        message = self.errors.read().strip().splitlines()
        return {"skip": f"the worker ended ({self.process.returncode}): " + (message[-1] if message else "no message")}

    def close(self):
        if self.process:
            self.process.kill()
            self.process.wait()
