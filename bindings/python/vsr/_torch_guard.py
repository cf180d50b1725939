"""One process holds one LibTorch: `import torch` and `import vsr` go together when their versions are equal.

The dynamic linker takes a second library of the same name to be the first, so with other versions it would bind code
to the wrong functions and crash. Both orders of import are checked, each before anything is loaded.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import re
import sys
from importlib import metadata
from pathlib import Path

from ._build import TORCH_VERSION


def _release(version: str) -> str:
    """2.13.0 of 2.13.0+cu130: what follows the plus is how it was built."""
    return str(version).partition("+")[0]


def _refusal(torch_version: str) -> ImportError:
    return ImportError(
        f"vsr was built with LibTorch {TORCH_VERSION} and this environment has torch {torch_version}: one process "
        f"cannot hold both (hint: pip install torch=={TORCH_VERSION}, or build vsr with the torch you use)"
    )


def check_imported_torch() -> None:
    """Refuses to load libvsr beside an imported torch of another version."""
    torch = sys.modules.get("torch")
    version = getattr(torch, "__version__", None)
    if version is not None and _release(version) != TORCH_VERSION:
        raise _refusal(version)


def _version_of(spec: importlib.machinery.ModuleSpec) -> str | None:
    """The version of a torch that is not imported yet, from the file that it would take it from."""
    if spec.origin is not None:
        source = Path(spec.origin).with_name("version.py")
        if source.is_file():
            found = re.search(r"^__version__\s*(?::[^=]*)?=\s*['\"]([^'\"]+)", source.read_text("utf-8"), re.MULTILINE)
            if found:
                return found.group(1)
    try:
        return metadata.version("torch")
    except metadata.PackageNotFoundError:
        return None


class _TorchFinder(importlib.abc.MetaPathFinder):
    """Finds nothing itself; refuses a torch of another version that is about to be imported."""

    def find_spec(self, fullname, path=None, target=None):  # noqa: ANN001, ANN201
        if fullname == "torch" and path is None:
            spec = importlib.machinery.PathFinder.find_spec("torch")
            version = None if spec is None else _version_of(spec)
            if version is not None and _release(version) != TORCH_VERSION:
                raise _refusal(version)
        return None


def watch_later_import() -> None:
    """From now on `import torch` is checked before it loads anything."""
    if not any(isinstance(finder, _TorchFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _TorchFinder())
