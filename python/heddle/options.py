"""What a run is asked for, as the simulator takes it. What cannot be is refused under the argument's name."""
from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Mapping
from reprlib import repr
from typing import Any, SupportsIndex, Union

import numpy as np

from . import _heddle
from .errors import Usage

Size = Union[SupportsIndex, Iterable[SupportsIndex]]
"""Of a grid or a block: a number, or up to three."""

Word = Union[str, SupportsIndex, np.bool_, os.PathLike[str]]

Setting = Union[Word, Iterable[Word]]
"""The value of a key of the machine."""

Names = Union[str, Iterable[str]]

MOST_32 = 2**32 - 1
MOST_64 = 2**64 - 1


def several(value: object) -> list[Any]:
    """Of what may be one or some; a string is one."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return [value[()]]
    return list(value) if isinstance(value, Iterable) and not isinstance(value, (str, bytes)) else [value]


def text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name}: a string is needed, not {repr(value)}")
    return value


def path(name: str, value: object) -> str:
    return text(name, os.fspath(value) if isinstance(value, os.PathLike) else value)


def integer(name: str, value: Any, needed: str = "a whole number") -> int:
    try:
        return int(operator.index(value))
    except TypeError:
        raise TypeError(f"{name}: {needed} is needed, not {repr(value)}") from None


def count(name: str, value: object, most: int) -> int:
    number = integer(name, value)
    if not 0 <= number <= most:
        raise Usage(f"{name}: {number} is not from 0 to {most}")
    return number


def mapping(name: str, value: object) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"{name}: a dict is needed, not {repr(value)}")
    return value


def arguments(value: object) -> list[Any]:
    if not isinstance(value, Iterable):
        raise TypeError(f"args: a list is needed, not {repr(value)}")
    return list(value)


def written(name: str, value: Setting) -> str:
    """As the command line writes it."""
    return ",".join(_word(name, each) for each in several(value))


def _word(name: str, value: object) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        return path(name, value)
    return str(integer(name, value, "a whole number, a bool or a string"))


def size(name: str, value: Size) -> str:
    return ",".join(str(integer(name, each)) for each in several(value))


def machine(spec: _heddle.Spec, *, preset: str | os.PathLike[str], mechanism: str, lanes: str, schedule: str,
            timed: bool, set: Mapping[str, Setting] | None, check: Names = "", watch: Names = (),
            sample: SupportsIndex = 0) -> None:
    """Puts the machine, and what is watched, into the description of a run."""
    spec.preset, spec.mechanism = path("preset", preset), text("mechanism", mechanism)
    spec.lanes, spec.schedule, spec.timed = text("lanes", lanes), text("schedule", schedule), bool(timed)
    settings = mapping("set", {} if set is None else set)
    spec.settings = [f"{text('set', key)}={written(key, value)}" for key, value in settings.items()]
    if checks := ",".join(text("check", each) for each in several(check)):
        spec.check(checks)
    for name in several(watch):
        spec.watch(text("watch", name), 0)
    if interval := count("sample", sample, MOST_64):
        spec.watch("sample", interval)
