"""What the tests of the command line ask for by name."""

import os
import subprocess

import pytest
from cli_program import BINARY, MINILM, TINY, Outcome


@pytest.fixture(scope="session")
def vsr():
    if not BINARY.exists():
        pytest.fail(f"{BINARY} is not there: build the project first, or set VSR_CLI")

    def run(*args, stdin=b"", env=None, **options):
        environment = {**os.environ, "NO_COLOR": "", **(env or {})}
        done = subprocess.run(
            [BINARY, *map(os.fspath, args)], input=stdin, capture_output=True, env=environment, timeout=300, **options
        )
        return Outcome(done)

    return run


@pytest.fixture(scope="session")
def minilm():
    if not (MINILM / "model.safetensors").exists():
        pytest.skip("all-MiniLM-L6-v2 is not there: scripts/bootstrap.sh fetches it, or set VSR_MINILM")
    return MINILM


@pytest.fixture(scope="session")
def tiny():
    def path(name):
        assert (TINY / name / "config.json").exists(), TINY / name
        return TINY / name

    return path
