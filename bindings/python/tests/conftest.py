"""Where the tests find the module's models and data. What is not there makes a test skip with a reason."""

import json
import os
import pathlib
import shutil

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
GOLDENS = ROOT / "tests" / "goldens"


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes more than a few seconds")


def golden_names(kind=None):
    """Names of the committed golden models, all or of one kind."""
    names = []
    for path in sorted(GOLDENS.glob("*.json")):
        golden = json.loads(path.read_text("utf-8"))
        if "model" in golden and kind in (None, golden["kind"]):  # others are of tokenizers alone
            names.append(path.stem)
    return names


def load_golden(name):
    return json.loads((GOLDENS / f"{name}.json").read_text("utf-8"))


def tiny(name):
    """The folder of a tiny golden model."""
    return GOLDENS / "models" / name


@pytest.fixture(scope="session")
def vsr():
    import vsr

    return vsr


@pytest.fixture(scope="session")
def embedder(vsr):
    return vsr.load(tiny("bert-embedding"))


@pytest.fixture(scope="session")
def classifier(vsr):
    return vsr.load(tiny("bert-sequence"))


@pytest.fixture(scope="session")
def tagger(vsr):
    return vsr.load(tiny("bert-token"))


@pytest.fixture(scope="session")
def minilm_path():
    path = pathlib.Path(os.environ.get("VSR_MINILM") or ROOT / "build" / "models" / "all-MiniLM-L6-v2")
    if not (path / "config.json").is_file():
        pytest.skip(f"{path} is not there (hint: run scripts/bootstrap.sh, or set VSR_MINILM)")
    return path


@pytest.fixture(scope="session")
def minilm(vsr, minilm_path):
    return vsr.load(minilm_path)


@pytest.fixture()
def copied(tmp_path):
    """A copy of a tiny model that a test may damage."""

    def copy(name):
        return pathlib.Path(shutil.copytree(tiny(name), tmp_path / name))

    return copy
