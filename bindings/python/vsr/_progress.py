"""The progress bar of long calls."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

Report = Callable[[int, int], object]


class _Bar:
    """One line on standard error, drawn again at most ten times a second."""

    WIDTH = 30

    def __init__(self, what: str) -> None:
        self._what = what
        self._begun = time.monotonic()
        self._drawn = float("-inf")

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._drawn < 0.1 and done < total:
            return
        self._drawn = now
        filled = self.WIDTH * done // max(total, 1)
        rate = done / max(now - self._begun, 1e-9)
        bar = "#" * filled + "." * (self.WIDTH - filled)
        sys.stderr.write(f"\r{self._what} [{bar}] {done:,}/{total:,} {rate:,.0f} texts/s ")
        sys.stderr.flush()

    def close(self) -> None:
        if self._drawn > float("-inf"):
            sys.stderr.write("\n")


class _Tqdm:
    """The same on tqdm, which also draws in notebooks."""

    def __init__(self, what: str, tqdm: Callable) -> None:
        self._bar = tqdm(desc=what, unit="text", total=0)

    def __call__(self, done: int, total: int) -> None:
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        self._bar.close()


class Progress:
    """What `progress=` means: True shows a bar, a function is called with (done, total), False is nothing."""

    def __init__(self, progress: bool | Report, what: str) -> None:
        self._bar: _Bar | _Tqdm | None = None
        self.report: Report | None = None
        if callable(progress):
            self.report = progress
        elif progress:
            self._bar = self.report = _make_bar(what)

    def __enter__(self) -> Report | None:
        return self.report

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def _make_bar(what: str) -> _Bar | _Tqdm:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Bar(what)
    return _Tqdm(what, tqdm)
