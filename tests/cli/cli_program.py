"""The program as a shell runs it. The binary is $VSR_CLI or build/bin/vsr, the real model $VSR_MINILM or
build/models/all-MiniLM-L6-v2; tiny models come from tests/goldens/models."""

import json
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("VSR_CLI", ROOT / "build/bin/vsr"))
TINY = ROOT / "tests/goldens/models"
MINILM = pathlib.Path(os.environ.get("VSR_MINILM", ROOT / "build/models/all-MiniLM-L6-v2"))


class Outcome:
    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    @property
    def text(self):
        return self.out.decode("utf-8")

    @property
    def objects(self):
        """The JSON lines of a command that succeeded."""
        assert self.code == 0, self.err
        return [json.loads(line) for line in self.text.splitlines()]

    def fails(self, code, *parts):
        """One line on standard error, with the exit code, that holds all parts."""
        message = self.err.decode("utf-8")
        assert self.code == code, (self.code, message)
        assert message.startswith("vsr: ") and message.count("\n") == 1 and message.endswith("\n"), message
        for part in parts:
            assert str(part) in message, (part, message)
        return message
