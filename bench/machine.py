"""On what a benchmark was measured."""

import os
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
UNITS = {"avx2": "AVX2", "avx512f": "AVX-512", "avx512_bf16": "AVX-512 bf16", "avx512_vnni": "VNNI", "amx_bf16": "AMX"}


def facts() -> dict:
    """Processor, cores this process may use, vector units, memory, kernel, commit and one-minute load average."""
    info = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    cpu = next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), "?")
    flags = next((line.split() for line in info if line.startswith("flags")), [])
    memory = next(int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemTotal"))
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return {
        "cpu": cpu, "cores": len(os.sched_getaffinity(0)), "units": [UNITS[flag] for flag in UNITS if flag in flags],
        "memory_gib": round(memory / 2**20), "system": f"Linux {platform.release()}",
        "commit": commit.stdout.strip() or "?", "load_at_start": round(os.getloadavg()[0], 1),
    }  # fmt: skip


def machine() -> str:
    """The same as the line that every benchmark prints."""
    of = facts()
    return (f"{of['cpu']}, {of['cores']} cores, {of['memory_gib']} GiB, load {of['load_at_start']}, {of['system']}, "
            f"commit {of['commit']}")  # fmt: skip
