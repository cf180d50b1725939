"""vsr: semantic routing inside a program.

>>> import vsr
>>> model = vsr.load("path/to/all-MiniLM-L6-v2")
>>> model.embed(["where is my card?"]).shape
(1, 384)

Texts are str or bytes. Offsets count what Python counts: code points of a str, bytes of bytes. A lone surrogate in a
str, and whatever in bytes is not UTF-8, is read as U+FFFD and counted in `.replaced`. A single text means a list
of one. Calls release the GIL; models, engines, tokenizers and intents may be shared by threads.
"""

import importlib.util as _importlib_util
import sys as _sys

from . import _torch_guard

if _importlib_util.find_spec("numpy") is None:
    raise ImportError(
        f"vsr needs numpy, which {_sys.executable} does not have (hint: pip install numpy; in vsr's own "
        "project build/venv/bin/python3 has it)"
    )
_torch_guard.check_imported_torch()

from . import _vsr  # noqa: E402  (only after the check)

_torch_guard.watch_later_import()

from ._compress import Compressed, compress  # noqa: E402
from ._default_engine import default_engine, init, reload, shutdown  # noqa: E402
from ._engine import Engine, Model, load  # noqa: E402
from ._errors import (  # noqa: E402
    CancelledError,
    DeadlineError,
    Error,
    InternalError,
    InvalidArgumentError,
    IoError,
    LimitError,
    NotFoundError,
    OutOfMemoryError,
    ParseError,
    StateError,
    Status,
    UnsupportedError,
    WeightsError,
)
from ._generate import Generation, Verdict  # noqa: E402
from ._guard import AnswerPolicy, Facts, Guard, GuardEvent, GuardStep  # noqa: E402
from ._info import Info  # noqa: E402
from ._intents import Intents  # noqa: E402
from ._mask import Mask, Masked, mask  # noqa: E402
from ._multi import TaskResults  # noqa: E402
from ._results import Classification, Entity, Match, Neighbour  # noqa: E402
from ._router import Decision, Header, Router, Signal  # noqa: E402
from ._select import Candidate, Selected, Selection  # noqa: E402
from ._tokenizer import Encoding, Tokenizer, load_tokenizer  # noqa: E402
from ._vsr import Cancel  # noqa: E402

__version__: str = _vsr.VERSION
torch_version: str = _vsr.TORCH_VERSION

__all__ = [
    "AnswerPolicy",
    "Cancel",
    "CancelledError",
    "Candidate",
    "Classification",
    "Compressed",
    "DeadlineError",
    "Decision",
    "Encoding",
    "Engine",
    "Entity",
    "Error",
    "Facts",
    "Generation",
    "Guard",
    "GuardEvent",
    "GuardStep",
    "Header",
    "Info",
    "Intents",
    "InternalError",
    "InvalidArgumentError",
    "IoError",
    "LimitError",
    "Mask",
    "Masked",
    "Match",
    "Model",
    "Neighbour",
    "NotFoundError",
    "OutOfMemoryError",
    "ParseError",
    "Router",
    "Selected",
    "Selection",
    "Signal",
    "StateError",
    "Status",
    "TaskResults",
    "Tokenizer",
    "UnsupportedError",
    "Verdict",
    "WeightsError",
    "__version__",
    "compress",
    "default_engine",
    "init",
    "load",
    "load_tokenizer",
    "mask",
    "reload",
    "shutdown",
    "torch_version",
]
