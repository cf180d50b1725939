"""`import torch` and `import vsr` in one process, with a pretended torch and, where there is one, the real one."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import textwrap

import pytest
import vsr as package
from conftest import ROOT

PACKAGE_ROOT = pathlib.Path(package.__file__).parents[1]


def run(code, *paths, python=sys.executable):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, [PACKAGE_ROOT, *paths]))}
    environment.pop("LD_LIBRARY_PATH", None)
    command = [python, "-c", textwrap.dedent(code)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture()
def pretended(tmp_path):
    """A package that says it is torch of some version."""

    def make(version):
        folder = tmp_path / "torch"
        folder.mkdir()
        (folder / "version.py").write_text(f"__version__ = '{version}'\n")
        (folder / "__init__.py").write_text("from .version import __version__\nloaded = True\n")
        return tmp_path

    return make


@pytest.mark.parametrize("order", ["import torch, vsr", "import vsr, torch"])
def test_another_version_is_refused_in_both_orders(pretended, order):
    done = run(order, pretended("1.2.3+cpu"))
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError") and "1.2.3" in last and package.torch_version in last


@pytest.mark.parametrize("order", ["import torch, vsr", "import vsr, torch"])
def test_the_same_version_is_let_through(pretended, order):
    done = run(order + "; print(torch.loaded, vsr.__version__)", pretended(package.torch_version + "+cu999"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["True", package.__version__]


def test_other_modules_are_imported_as_ever():
    done = run("import vsr, json.decoder, importlib.util; print(importlib.util.find_spec('torch_nowhere'))")
    assert done.stdout.strip() == "None", done.stderr


def test_no_library_path_is_needed():
    assert run("import vsr; print(vsr.torch_version)").stdout.strip() == package.torch_version


def full_torch():
    """A Python with a torch that can be imported: this one, or $VSR_TORCH_PYTHON."""
    return os.environ.get("VSR_TORCH_PYTHON") or (sys.executable if importlib.util.find_spec("torch") else None)


@pytest.mark.parametrize("order", ["import torch, vsr", "import vsr, torch"])
def test_real_torch_works_beside_vsr(order):
    python = full_torch()
    if python is None:
        pytest.skip("no torch here (hint: set VSR_TORCH_PYTHON to a Python that has one)")
    probe = run("import torch, numpy; print(torch.__version__)", python=python)
    if probe.returncode != 0:
        pytest.skip(f"torch of {python} cannot be imported: {probe.stderr.strip().splitlines()[-1]}")
    if probe.stdout.strip().partition("+")[0] != package.torch_version:
        pytest.skip(f"torch of {python} is {probe.stdout.strip()}, vsr was built with {package.torch_version}")
    model = ROOT / "tests" / "goldens" / "models" / "bert-embedding"
    code = f"""
        {order}
        model = vsr.load({str(model)!r})
        vectors = torch.from_numpy(model.embed(["where is my card", "hello world"]))
        product = vectors @ vectors.T
        assert torch.allclose(product.diagonal(), torch.ones(2), atol=1e-5), product
        loss = torch.nn.Linear(32, 1)(vectors).sum()
        loss.backward()
        print("both")
    """
    done = run(code, python=python)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "both"
