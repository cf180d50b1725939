"""What scripts install by themselves: every version has hashes, every pip is told to demand them, and those of the model
are there.

Usage: pins.py <project folder>
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
LISTS = [*ROOT.glob("scripts/requirements*.txt"), ROOT / "bench" / "requirements-exporter.txt"]
SCRIPTS = [*ROOT.glob("scripts/*.sh"), *ROOT.glob("bench/*.sh"), *ROOT.glob("examples/**/*.sh")]


def problems():
    for path in LISTS:
        requirements = re.sub(r"\\\n", " ", path.read_text(encoding="utf-8")).splitlines()
        for line in (line for line in requirements if line and not line.startswith("#")):
            if not re.match(r"[A-Za-z0-9_.-]+==\S+(; [^#]*?)?( +--hash=sha256:[0-9a-f]{64})+$", line):
                yield f"{path}: {line.split()[0]} is not pinned, or has no hash"
    for path in SCRIPTS:
        for line in re.sub(r"\\\n", " ", path.read_text(encoding="utf-8")).splitlines():
            if re.search(r"\bpip3? install\b", line) and "--require-hashes" not in line and not line.startswith("#"):
                yield f"{path}: pip without --require-hashes: {line.strip()}"
    model = (ROOT / "scripts" / "all-MiniLM-L6-v2.sha256").read_text(encoding="utf-8")
    for name in ("model.safetensors", "tokenizer.json"):
        if not re.search(rf"^[0-9a-f]{{64}}  {re.escape(name)}$", model, re.MULTILINE):
            yield f"scripts/all-MiniLM-L6-v2.sha256 has no line for {name}"


def main():
    found = list(problems())
    print("\n".join(found))
    print(f"cases: {0 if found else 1} passed, {1 if found else 0} failed, 0 skipped")
    return 1 if found else 0


sys.exit(main())
