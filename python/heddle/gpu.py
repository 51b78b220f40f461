"""A GPU that stays, with memory that numpy sees."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _heddle
from .options import Setting, Size, machine, size
from .result import Result, result_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike


class Gpu:
    """A simulated GPU: load PTX, put arrays into its memory, launch kernels, one after another.

    Its arrays are numpy arrays that lie in GPU memory: nothing is copied, and what kernels write is there when launch()
    returns. Their memory is freed with the last array that looks at it.

    One thread at a time may use it.
    """

    def __init__(self, preset: str = "default", mechanism: str = "pdom", *, timed: bool = False, lanes: str = "none",
                 schedule: str = "", set: Mapping[str, Setting] | None = None, check: str = "",
                 watch: Iterable[str] = (), sample: int = 0) -> None:
        spec = _heddle.Spec()
        machine(spec, preset=preset, mechanism=mechanism, lanes=lanes, schedule=schedule, timed=timed, set=set,
                check=check, watch=watch, sample=sample)
        self._device = _heddle.Device(spec)

    def load(self, text: str, name: str = "kernel.ptx") -> list[str]:
        """A module of PTX text; the names of its kernels."""
        return self._device.load(text, name)

    def allocate(self, shape: int | tuple[int, ...], dtype: DTypeLike = np.float32,
                 label: str = "array") -> np.ndarray[Any, Any]:
        """An array of zeros in GPU memory; messages call it by its label."""
        kind = np.dtype(dtype)
        if kind.hasobject:
            raise ValueError(f"an array of {kind} is no buffer")
        count = int(np.prod(shape, dtype=np.int64))
        return self._device.allocate(count * kind.itemsize, label).view(kind).reshape(shape)

    def array(self, values: ArrayLike, dtype: DTypeLike = None, label: str = "array") -> np.ndarray[Any, Any]:
        """A copy of values in GPU memory."""
        given = np.asarray(values, dtype)
        placed = self.allocate(given.shape, given.dtype, label)
        placed[...] = given
        return placed

    def symbol(self, name: str, dtype: DTypeLike = np.uint8) -> np.ndarray[Any, Any]:
        """A .global or .const variable of a loaded module, as an array in GPU memory."""
        return self._device.symbol(name).view(dtype)

    def address(self, array: np.ndarray[Any, Any]) -> int:
        """Where kernels see an array of this GPU."""
        return self._device.address(array)

    def launch(self, kernel: str, grid: Size, block: Size, args: Sequence[Any] = (), shared: int = 0, *,
               cooperative: bool = False) -> None:
        """Runs a kernel to its end.

        args: arrays of this GPU, or parts of them without gaps, as addresses; the rest as for `ptx_run`.
        """
        self._device.shape(size(grid), size(block), shared, cooperative)
        self._device.launch(kernel, list(args))

    def result(self) -> Result:
        """What all launches until now have counted; raises `Found` if a check has found something."""
        return result_of(self._device.outcome())
