"""Checks that each public header compiles alone, in strict C11 and C++17, with every compiler at hand.

Usage: headers.py <include folder> <C compiler> <C++ compiler>
"""

import pathlib
import shutil
import subprocess
import sys

STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-Wno-pragma-once-outside-header", "-fsyntax-only"]


def compiles(compiler, language, standard, include, header):
    """Whether a file of nothing but this include compiles; prints what the compiler says if not."""
    line = f"#include <{header.relative_to(include)}>\n"
    program = f"{line}{line}int main(void) {{ return 0; }}\n"  # twice: guarded against it
    command = [compiler, "-x", language, f"-std={standard}", *STRICT, f"-I{include}", "-"]
    run = subprocess.run(command, input=program, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        print(f"{header}: {' '.join(command)}\n{run.stderr}")
    return run.returncode == 0


def main():
    include, c_compiler, cpp_compiler = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    c_compilers = [c_compiler, *filter(None, [shutil.which("clang")])]
    cpp_compilers = [cpp_compiler, *filter(None, [shutil.which("clang++")])]
    results = []
    for header in sorted((include / "vsr").rglob("*.h")):
        results += [compiles(c, "c", "c11", include, header) for c in c_compilers]
        results += [compiles(c, "c++", "c++17", include, header) for c in cpp_compilers]
    for header in sorted((include / "vsr").rglob("*.hpp")):
        results += [compiles(c, "c++", "c++17", include, header) for c in cpp_compilers]
    print(f"cases: {results.count(True)} passed, {results.count(False)} failed, 0 skipped")
    return 0 if results and all(results) else 1


sys.exit(main())
