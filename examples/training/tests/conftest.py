"""Makes the recipe importable, and gives the tests a small base model."""

import importlib.util
import pathlib
import sys

import pytest

TRAINING = pathlib.Path(__file__).resolve().parents[1]
ROOT = TRAINING.parents[1]
sys.path.insert(0, str(TRAINING))
NEEDED = ("numpy", "peft", "safetensors", "torch", "transformers")
MISSING = [package for package in NEEDED if importlib.util.find_spec(package) is None]
REASON = f"{', '.join(MISSING)} not installed: pip install -r examples/training/requirements.txt"


def pytest_collection_modifyitems(items):
    """Without its packages the recipe cannot run; tests of its plain parts do."""
    for item in items:
        if MISSING and "base" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.skip(reason=REASON))


@pytest.fixture(scope="session")
def base():
    """A BERT of three layers with random weights: nothing to learn from, everything to run through."""
    return ROOT / "tests" / "goldens" / "models" / "bert-embedding"
