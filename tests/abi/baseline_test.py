"""Checks that baseline.py finds what breaks programs and lets pass what does not, on changed copies of the headers.

Usage: baseline_test.py <project folder> <C compiler>
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent


def append(struct):
    """An edit that appends a field."""
    return rf"^\}} {struct};", f"  uint64_t later;\n}} {struct};"


# (what, whether programs still run, header, [(pattern, its place is taken by)])
CHANGES = [
    ("nothing", True, "result.h", []),
    (
        "a function is added",
        True,
        "engine.h",
        [(r"^VSR_API void vsr_shutdown", r"VSR_API void vsr_pause(void);\n\g<0>")],
    ),
    ("a field is appended to options", True, "infer.h", [append("vsr_embed_options")]),
    ("a field is appended to what the library gives", True, "intents.h", [append("vsr_match")]),
    ("vsr_str grows", False, "types.h", [append("vsr_str")]),
    ("a function is gone", False, "engine.h", [(r"^VSR_API void vsr_shutdown\(void\);\n", "")]),
    ("a parameter has another type", False, "result.h", [(r"size_t col\)", "int32_t col)")]),
    ("a field is inserted", False, "intents.h", [(r"^  float runner_up_score;", r"  float other;\n\g<0>")]),
    ("a field has another type of the same size", False, "result.h", [(r"^  float score;", "  int32_t score;")]),
    ("a field has another name", False, "result.h", [(r"^  size_t text;", "  size_t index;")]),
    ("a callback takes another type", False, "router.h", [(r"_callback\)\(int32_t level", "_callback)(int64_t level")]),
    (
        "a field is appended and another renamed",
        False,
        "result.h",
        [(r"^  size_t text;", "  size_t index;"), append("vsr_entity")],
    ),
]


def passes(root, compiler, header, edits):
    """Whether baseline.py accepts the headers of a copy with these edits."""
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(name)
        shutil.copytree(root / "include", copy / "include")
        (copy / "tests" / "abi").mkdir(parents=True)
        shutil.copy(HERE / "baseline.abi", copy / "tests" / "abi")
        path = copy / "include" / "vsr" / header
        text = path.read_text(encoding="utf-8")
        for pattern, replacement in edits:
            text, count = re.subn(pattern, replacement, text, count=1, flags=re.MULTILINE)
            if count != 1:
                raise SystemExit(f"{header} has no {pattern}")
        path.write_text(text, encoding="utf-8")
        command = [sys.executable, HERE / "baseline.py", copy, compiler]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if "cases:" not in run.stdout or "skipped:" in run.stdout:
            raise SystemExit(run.stdout + run.stderr)
        return run.returncode == 0


def main():
    root, compiler = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    if shutil.which("abidw") is None:
        print("skipped: abidw is not here (hint: apt-get install abigail-tools)\ncases: 0 passed, 0 failed, 1 skipped")
        return 0
    failed = 0
    for what, expected, header, edits in CHANGES:
        if passes(root, compiler, header, edits) != expected:
            print(f"{what}: {'refused' if expected else 'accepted'}")
            failed += 1
    print(f"cases: {len(CHANGES) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


sys.exit(main())
