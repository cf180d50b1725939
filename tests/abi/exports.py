"""Checks that libvsr exports what exports.txt lists, which generate.py writes from the headers.

Usage: exports.py <project folder> <libvsr.so>
"""

import pathlib
import subprocess
import sys


def exported(library):
    """Symbols that the dynamic linker sees, with their version if they have one."""
    table = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in table.splitlines()}


def differences(a, a_name, b, b_name):
    for name in sorted(a - b):
        yield f"{name}: in {a_name}, not in {b_name}"
    for name in sorted(b - a):
        yield f"{name}: in {b_name}, not in {a_name}"


def main():
    listed = set((pathlib.Path(sys.argv[1]) / "tests" / "abi" / "exports.txt").read_text(encoding="utf-8").split())
    lines = list(differences(exported(sys.argv[2]), "libvsr", listed, "tests/abi/exports.txt"))
    for line in lines:
        print(line)
    print(f"cases: {int(not lines)} passed, {int(bool(lines))} failed, 0 skipped")
    return 1 if lines else 0


sys.exit(main())
