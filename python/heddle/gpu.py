"""A GPU that stays, with memory that numpy sees."""
from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from . import _heddle
from .options import MOST_32, MOST_64, Names, Setting, Size, arguments, count, machine, several, size, text as _text
from .result import Result, result_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike


def _kind(dtype: DTypeLike) -> np.dtype[Any]:
    kind = np.dtype(dtype)
    if kind.hasobject or kind.subdtype or not kind.itemsize:
        raise ValueError(f"dtype: an array of {kind!r} is no buffer")
    return kind


class Gpu:
    """A simulated GPU: load PTX, put arrays into its memory, launch kernels, one after another.

    Its arrays are numpy arrays that lie in GPU memory: nothing is copied, and what kernels write is there when launch()
    returns. Their memory is freed with the last array that looks at it.

    One thread at a time may use it.
    """

    def __init__(self, preset: str | os.PathLike[str] = "default", mechanism: str = "pdom", *, timed: bool = False,
                 lanes: str = "none", schedule: str = "", set: Mapping[str, Setting] | None = None, check: Names = "",
                 watch: Names = (), sample: SupportsIndex = 0) -> None:
        spec = _heddle.Spec()
        machine(spec, preset=preset, mechanism=mechanism, lanes=lanes, schedule=schedule, timed=timed, set=set,
                check=check, watch=watch, sample=sample)
        self._device = _heddle.Device(spec)

    def load(self, text: str, name: str = "kernel.ptx") -> list[str]:
        """A module of PTX text; the names of its kernels."""
        return self._device.load(_text("text", text), _text("name", name))

    def allocate(self, shape: Size, dtype: DTypeLike = np.float32, label: str = "array") -> np.ndarray[Any, Any]:
        """An array of zeros in GPU memory; messages call it by its label."""
        kind = _kind(dtype)
        lengths = [count("shape", each, MOST_64) for each in several(shape)]
        total = count("bytes of the array", math.prod(lengths) * kind.itemsize, MOST_64)
        return self._device.allocate(total, _text("label", label)).view(kind).reshape(lengths)

    def array(self, values: ArrayLike, dtype: DTypeLike = None, label: str = "array") -> np.ndarray[Any, Any]:
        """A copy of values in GPU memory."""
        given = np.asarray(values, dtype)
        placed = self.allocate(given.shape, given.dtype, label)
        placed[...] = given
        return placed

    def symbol(self, name: str, dtype: DTypeLike = np.uint8) -> np.ndarray[Any, Any]:
        """A .global or .const variable of a loaded module, as an array in GPU memory."""
        return self._device.symbol(_text("name", name)).view(_kind(dtype))

    def address(self, array: np.ndarray[Any, Any]) -> int:
        """Where kernels see an array of this GPU."""
        if not isinstance(array, np.ndarray):
            raise TypeError(f"array: a numpy array is needed, not {array!r}")
        return self._device.address(array)

    def launch(self, kernel: str, grid: Size, block: Size, args: Iterable[Any] = (),
               shared: SupportsIndex = 0, *, cooperative: bool = False) -> None:
        """Runs a kernel to its end.

        args: arrays of this GPU, or parts of them without gaps, as addresses; the rest as for `ptx_run`.
        """
        self._device.shape(size("grid", grid), size("block", block), count("shared", shared, MOST_32),
                           bool(cooperative))
        self._device.launch(_text("kernel", kernel), arguments(args))

    def result(self) -> Result:
        """What all launches until now have counted; raises `Found` if a check has found something."""
        return result_of(self._device.outcome())
