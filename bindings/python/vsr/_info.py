"""What is loaded, as a dict that reads like an object."""

from __future__ import annotations

from collections.abc import Mapping


class Info(dict):
    """A dict whose keys are attributes too."""

    def __init__(self, values: Mapping) -> None:
        super().__init__({key: _as_info(value) for key, value in values.items()})

    def __getattr__(self, name: str) -> object:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"{name!r} is none of {', '.join(self)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]


def _as_info(value: object) -> object:
    if isinstance(value, Mapping):
        return Info(value)
    return [_as_info(item) for item in value] if isinstance(value, list) else value
