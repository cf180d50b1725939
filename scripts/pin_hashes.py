"""Writes the SHA-256 of every file that pip may install for a list of pinned requirements into that list, as
`pip install --require-hashes` wants them: of each version the wheels for Linux on x86-64 and arm64 and the Pythons below,
as pip itself reports them. Run it after a version was changed, and read what the change of hashes says.

Usage: build/venv/bin/python3 scripts/pin_hashes.py scripts/requirements.txt ...
"""

import json
import pathlib
import re
import subprocess
import sys

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
GLIBCS = [f"2_{minor}" for minor in range(5, 37)]  # Debian 12 has 2.36
MACHINES = ["x86_64", "aarch64"]


def reported(requirement, python, machine):
    """The hashes of what pip would install; none where there is no wheel for such a machine."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--no-deps", "--quiet"]
    command += ["--disable-pip-version-check", "--report", "-", "--target", "unused", "--only-binary=:all:"]
    command += ["--python-version", python, "--implementation", "cp"]
    for linux in ["2014", *(f"_{glibc}" for glibc in GLIBCS)]:  # pip does not take manylinux2014 for manylinux_2_17
        command += ["--platform", f"manylinux{linux}_{machine}"]
    done = subprocess.run([*command, requirement], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        if "No matching distribution" in done.stderr:
            return set()
        raise SystemExit(f"{requirement}: {done.stderr}")
    return {item["download_info"]["archive_info"]["hashes"]["sha256"] for item in json.loads(done.stdout)["install"]}


def pinned(line):
    requirement = re.sub(r"\s*\\$", "", line)
    name = requirement.split(";")[0].strip()
    hashes = set().union(*(reported(name, python, machine) for python in PYTHONS for machine in MACHINES))
    if not hashes:
        raise SystemExit(f"{name}: pip reports no file")
    return " \\\n".join([requirement, *(f"    --hash=sha256:{value}" for value in sorted(hashes))])


def main():
    for path in map(pathlib.Path, sys.argv[1:]):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("    --hash=")]
        lines = [pinned(line) if line[:1].isalpha() else line for line in lines]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


main()
