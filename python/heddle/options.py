"""What a run is asked for, as the simulator takes it."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Union

from . import _heddle

Size = Union[int, Iterable[int]]
"""Of a grid or a block: a number, or up to three."""

Setting = Union[str, int, bool, Iterable[Union[str, int]]]
"""The value of a key of the machine."""


def written(value: Setting) -> str:
    """As the command line writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int)):
        return str(value)
    return ",".join(map(str, value))


def size(value: Size) -> str:
    return str(value) if isinstance(value, int) else ",".join(str(int(each)) for each in value)


def machine(spec: _heddle.Spec, *, preset: str, mechanism: str, lanes: str, schedule: str, timed: bool,
            set: Mapping[str, Setting] | None, check: str = "", watch: Iterable[str] = (), sample: int = 0) -> None:
    """Puts the machine, and what is watched, into the description of a run."""
    spec.preset, spec.mechanism, spec.lanes, spec.schedule, spec.timed = preset, mechanism, lanes, schedule, timed
    spec.settings = [f"{key}={written(value)}" for key, value in (set or {}).items()]
    if check:
        spec.check(check)
    for name in watch:
        spec.watch(name, 0)
    if sample:
        spec.watch("sample", sample)
