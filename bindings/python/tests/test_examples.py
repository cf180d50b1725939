"""The example and the notebook run, and say what they should."""

import json
import os
import subprocess
import sys

from conftest import ROOT

EXAMPLES = ROOT / "examples" / "python"


def test_route_example(minilm_path):
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "route.py"), str(minilm_path), "Where did my card go?", "qwerty asdf"],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "lost_card" in next(line for line in lines if "card go" in line)
    assert "none of these" in next(line for line in lines if "qwerty" in line)


def test_route_example_says_what_is_missing():
    command = [sys.executable, str(EXAMPLES / "route.py"), "/no/such/model"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1 and "/no/such/model" in done.stderr


def test_notebook_runs(minilm_path, monkeypatch):
    notebook = json.loads((EXAMPLES / "notebook.ipynb").read_text("utf-8"))
    monkeypatch.setenv("VSR_MINILM", str(minilm_path))
    monkeypatch.chdir(EXAMPLES)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) > 3
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    names = {"__name__": "__main__"}
    for cell in code:
        exec(compile("".join(cell["source"]), "notebook.ipynb", "exec"), names)  # noqa: S102
    assert os.path.isdir(names["path"])
    assert names["matches"][0].label == "lost_card"
