"""What a run leaves: its counters, as numbers, arrays and tables."""
from __future__ import annotations

import json as _json
import warnings
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _heddle
from .errors import error_of

if TYPE_CHECKING:
    import pandas


def flat(counters: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Numbers and lists of numbers of nested objects, under names with dots: `caches.l1.misses`."""
    for name, value in counters.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{name}.")
        elif isinstance(value, (int, float)) or (isinstance(value, list) and all(isinstance(each, int) for each in value)):
            yield prefix + name, value


class Result:
    """A run that has ended. `print(result)` shows the table of `heddle run`."""

    json: dict[str, Any]
    """Everything, as `heddle run --json` writes it (docs/json.md)."""
    printed: str
    """What kernels printed."""

    def __init__(self, outcome: _heddle.Outcome) -> None:
        self.json = _json.loads(outcome.json) if outcome.json else {"kernels": [], "total": {}}
        self.printed = outcome.printed
        self._text = outcome.text

    @property
    def kernels(self) -> list[str]:
        """The kernel of each launch, in their order."""
        return [launch["name"] for launch in self.json["kernels"]]

    @property
    def total(self) -> dict[str, Any]:
        """The counters of all launches together."""
        total: dict[str, Any] = self.json["total"]
        return total

    @property
    def counters(self) -> dict[str, np.ndarray[Any, Any]]:
        """Each counter as an array with an entry for each launch; of `active_threads` and other lists, a row for each.

        Those of objects have names with dots: `caches.l1.misses`, `breakdown.W0_Mem`. A counter that only some
        launches have is not there.
        """
        launches = [dict(flat(launch)) for launch in self.json["kernels"]]
        if not launches:
            return {}
        common = [name for name in launches[0] if all(name in launch for launch in launches)]
        columns = {name: [launch[name] for launch in launches] for name in common}
        return {name: np.array(column) for name, column in columns.items() if _is_even(column)}

    def to_frame(self) -> pandas.DataFrame:
        """A pandas table with a row for each launch: its kernel, and its counters that are single numbers."""
        import pandas

        columns: dict[str, Any] = {"kernel": self.kernels}
        columns.update((name, column) for name, column in self.counters.items() if column.ndim == 1)
        return pandas.DataFrame(columns)

    def branches(self) -> pandas.DataFrame:
        """A pandas table with a row for each branch that was executed: where it is, how often threads diverged."""
        import pandas

        return pandas.DataFrame(self.total.get("branch_records", []))

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<heddle.Result of {self.json.get('program', 'nothing')}: {len(self.kernels)} launches>"


def _is_even(column: list[Any]) -> bool:
    lengths = {len(value) if isinstance(value, list) else -1 for value in column}
    return len(lengths) == 1 and lengths != {0}


def result_of(outcome: _heddle.Outcome) -> Result:
    """The result; raises what went wrong, with the result in it."""
    for text in outcome.warnings:
        warnings.warn(text, RuntimeWarning, stacklevel=3)
    result = Result(outcome)
    if outcome.code != 0:
        error = error_of(outcome.code, outcome.message)
        error.result = result if outcome.json else None
        raise error
    return result
