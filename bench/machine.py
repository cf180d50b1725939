"""The line that every benchmark prints: on what it was measured."""

import os
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]


def machine() -> str:
    """Processor, cores this process may use, memory, one-minute load average, kernel and commit."""
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    memory = next(int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemTotal"))
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return (f"{cpu}, {len(os.sched_getaffinity(0))} cores, {memory / 2**20:.0f} GiB, load {os.getloadavg()[0]:.1f}, "
            f"Linux {platform.release()}, commit {commit.stdout.strip() or '?'}")  # fmt: skip
