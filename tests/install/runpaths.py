"""Where the programs and libraries of a folder look for libraries. An empty or relative element is the current folder's:
whoever can write there would have his code run.

Usage: runpaths.py <build folder>
"""

import os
import pathlib
import re
import subprocess
import sys

# Not built here: packages of others, and what the build system links to try the compiler.
FOREIGN = {"venv", "CMakeFiles"}


def elf_files(root):
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in FOREIGN]
        for path in (pathlib.Path(folder, name) for name in files):
            if path.is_file() and not path.is_symlink() and path.suffix not in {".o", ".a"}:
                with path.open("rb") as file:
                    if file.read(4) == b"\x7fELF":
                        yield path


def elements(path):
    dynamic = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    for found in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", dynamic):
        yield from found.split(":")


def is_safe(element):
    return element.startswith("/") or re.match(r"\$ORIGIN(/|$)", element) is not None


def unsafe(root):
    """One line for each element that is empty or relative; how many files were read."""
    lines, count = [], 0
    for path in elf_files(root):
        count += 1
        lines += [f"{path}: RUNPATH has the element {e!r}" for e in elements(path) if not is_safe(e)]
    return lines, count


def main():
    lines, count = unsafe(sys.argv[1])
    print("\n".join(lines))
    failed = bool(lines) or count == 0
    print(f"{count} files read")
    print(f"cases: {0 if failed else 1} passed, {1 if failed else 0} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
