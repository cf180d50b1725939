"""Errors: one class per status of the C ABI, each also of the built-in kind that a caller may expect."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """What a call of the C ABI returns; the names are those of vsr/types.h without VSR_ and VSR_ERR_."""

    OK = 0
    INVALID_ARGUMENT = 1
    NOT_FOUND = 2
    IO = 3
    PARSE = 4
    WEIGHTS = 5
    UNSUPPORTED = 6
    STATE = 7
    LIMIT = 8
    OUT_OF_MEMORY = 9
    CANCELLED = 10
    INTERNAL = 11
    DEADLINE = 12


class Error(Exception):
    """A call did not succeed; the message names the file, key or argument. `code` says what kind of failure it is."""

    code: Status = Status.INTERNAL


class InvalidArgumentError(Error, ValueError):
    """An argument is out of range, or contradicts another."""

    code = Status.INVALID_ARGUMENT


class NotFoundError(Error, LookupError):
    """A file, task, label or token that was named does not exist."""

    code = Status.NOT_FOUND


class IoError(Error, OSError):
    """A file exists and cannot be read or written."""

    code = Status.IO


class ParseError(Error, ValueError):
    """A file's text is not what its format demands."""

    code = Status.PARSE


class WeightsError(Error, ValueError):
    """Tensors are missing, superfluous, misshapen or not finite."""

    code = Status.WEIGHTS


class UnsupportedError(Error, NotImplementedError):
    """Well formed, and not something this build runs."""

    code = Status.UNSUPPORTED


class StateError(Error, RuntimeError):
    """Not now: before init(), after shutdown() or close(), or already initialised otherwise."""

    code = Status.STATE


class LimitError(Error, ValueError):
    """Longer or larger than the limit that the caller or the model sets."""

    code = Status.LIMIT


class OutOfMemoryError(Error, MemoryError):
    """No memory is left."""

    code = Status.OUT_OF_MEMORY


class CancelledError(Error):
    """A progress callback asked to stop, or a Cancel was triggered."""

    code = Status.CANCELLED


class InternalError(Error, RuntimeError):
    """A defect of vsr; the message helps to report it."""

    code = Status.INTERNAL


class DeadlineError(Error, TimeoutError):
    """The deadline of the call passed before it was done."""

    code = Status.DEADLINE


_CLASSES = {cls.code: cls for cls in Error.__subclasses__()}


def from_status(code: int, message: str) -> Error:
    """The exception of a status; called by the extension. A status of a newer library is a plain Error."""
    try:
        return _CLASSES[Status(code)](message)
    except ValueError:
        return Error(f"{message} (status {code})")
