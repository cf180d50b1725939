"""Throughput of vsr.ray with one worker and with two, each of one thread, over the same Parquet files.

Usage: PYTHONPATH=build/bindings/python build/venv/bin/python3 bench/corpora.py MODEL [rows] [rounds]
Rounds alternate, after one that is not counted; the time of a round has no start of actors in it: it is from the first to the last batch as
workers see them. A machine with other work shows it in the load that is printed.
"""

import os
import pathlib
import sys
import tempfile
import time

import pyarrow as pa
import pyarrow.parquet
import ray
import vsr
import vsr.ray

MODEL = str(pathlib.Path(sys.argv[1]).resolve())
ROWS = int(sys.argv[2]) if len(sys.argv) > 2 else 4096
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 3
SENTENCE = (
    "The customer of order {} asks when the parcel will arrive and whether the address can still be changed today. "
)


class Timed(vsr.ray._Worker):
    """A worker that tells when each batch began and ended, and the CPU time of its process."""

    def __call__(self, batch):
        began, cpu = time.time(), time.process_time()
        found = super().__call__(batch)
        rows = len(found)
        told = {"began": [began], "ended": [time.time()], "cpu": [time.process_time() - cpu], "rows": [rows]}
        return pa.table(told | {"pid": [os.getpid()]})


def run(folder, workers):
    vsr.ray._Worker = Timed
    rows = vsr.ray.embed(ray.data.read_parquet(folder), MODEL, workers=workers, batch_size=64).take_all()
    wall = max(r["ended"] for r in rows) - min(r["began"] for r in rows)
    assert sum(r["rows"] for r in rows) == ROWS
    cpu = sum(r["cpu"] for r in rows)
    return ROWS / wall, 1000 * cpu / ROWS, len({r["pid"] for r in rows})


with tempfile.TemporaryDirectory() as folder:
    for part in range(16):
        texts = [SENTENCE.format(part * ROWS // 16 + i) for i in range(ROWS // 16)]
        pyarrow.parquet.write_table(pa.table({"text": texts}), f"{folder}/{part}.parquet")
    ray.init(num_cpus=(os.cpu_count() or 2) + 2, include_dashboard=False, object_store_memory=200 << 20)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.target_min_block_size, context.target_max_block_size = 1, 64 << 10
    print(f"vsr {vsr.__version__}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {ROWS} texts", flush=True)
    for turn in range(ROUNDS + 1):
        for workers in (1, 2):
            speed, cpu, pids = run(folder, workers)
            if turn > 0:
                print(
                    f"workers {workers} ({pids} processes): {speed:.0f} texts/s, {cpu:.2f} ms CPU per text", flush=True
                )
    print(f"load at the end {os.getloadavg()[0]:.1f}")
    ray.shutdown()
