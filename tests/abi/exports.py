"""Checks that libvsr exports what its headers declare, and that both are what exports.txt lists.

Usage: exports.py <project folder> <libvsr.so>. With --update in front, writes exports.txt from the headers.
"""

import pathlib
import re
import subprocess
import sys

NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|^\s*#[^\n]*", re.DOTALL | re.MULTILINE)
DECLARATION = re.compile(r"\bVSR_API\b[^;({]*?\b(\w+)\s*\(")


def declared(root):
    """Functions that the headers mark VSR_API."""
    names = set()
    for header in sorted((root / "include" / "vsr").glob("*.h")):
        names.update(DECLARATION.findall(NOT_CODE.sub("", header.read_text(encoding="utf-8"))))
    return names


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
    update = sys.argv[1] == "--update"
    root = pathlib.Path(sys.argv[2 if update else 1])
    golden_path = root / "tests" / "abi" / "exports.txt"
    headers = declared(root)
    if update:
        golden_path.write_text("".join(f"{name}\n" for name in sorted(headers)), encoding="utf-8")
        return 0
    golden = set(golden_path.read_text(encoding="utf-8").split())
    checks = [
        list(differences(headers, "include/vsr", golden, "tests/abi/exports.txt")),
        list(differences(exported(sys.argv[2]), "libvsr", golden, "tests/abi/exports.txt")),
    ]
    for lines in checks:
        for line in lines:
            print(line)
    failed = sum(bool(lines) for lines in checks)
    if failed:
        print("hint: after a deliberate change, tests/abi/exports.py --update . and a line in CHANGELOG.md under ABI")
    print(f"cases: {len(checks) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


sys.exit(main())
