"""Runs: workloads, kernels of PTX, products of them."""
from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _heddle
from .errors import Usage
from .options import Setting, Size, machine, size as _size, written
from .result import Result, flat, result_of

if TYPE_CHECKING:
    import pandas


def _refuse(program: str, what: str, **given: object) -> None:
    for name, value in given.items():
        if value is not None:
            raise Usage(f"{name} does not go with {program}, which is {what}")


def run(program: str | os.PathLike[str], *, mechanism: str = "pdom", preset: str = "default", lanes: str = "none",
        schedule: str = "", timed: bool = True, set: Mapping[str, Setting] | None = None, check: str = "",
        watch: Iterable[str] = (), sample: int = 0, kernel: str = "", size: str | None = None,
        compiler: str | None = None, grid: Size | None = None, block: Size | None = None,
        args: Sequence[Any] | None = None, shared: int | None = None, cooperative: bool | None = None) -> Result:
    """Runs a workload (`heddle.workloads()`), which checks its result, or a kernel of a PTX file.

    timed: cycle by cycle; False: emulation, which is many times faster and has no clock.
    set: keys of the machine or the mechanism (`heddle.keys()`), which the run must read.
    check: what to look for, `"race,sync,init,leak"` or `"all"`; what it finds is raised as `Found`.
    watch: of `"taint"`, `"scores"`, `"branches"`; sample: cycles of an interval of the time series.
    size, compiler: of a workload, `"tiny"`, `"small"` or `"paper"`, and `"nvcc"`, `"clang"` or `"era"`.
    grid, block, args, shared, cooperative: of a kernel of a PTX file, as for `ptx_run`.
    """
    spec = _heddle.Spec()
    spec.set_program(os.fspath(program))
    machine(spec, preset=preset, mechanism=mechanism, lanes=lanes, schedule=schedule, timed=timed, set=set, check=check,
            watch=watch, sample=sample)
    spec.kernel = kernel
    if spec.is_workload:
        _refuse(os.fspath(program), "a workload", grid=grid, block=block, args=args, shared=shared,
                cooperative=cooperative)
        spec.size = size or spec.size
        spec.compiler = compiler or spec.compiler
        return result_of(_heddle.run(spec))
    _refuse(os.fspath(program), "a PTX file", size=size, compiler=compiler)
    spec.set_launch(_size(grid or ()), _size(block or ()), shared or 0, bool(cooperative))
    return result_of(_heddle.run_kernel(spec, list(args or ())))


def ptx_run(text: str, args: Sequence[Any] = (), block: Size = 1, grid: Size = 1, shared: int = 0, *, kernel: str = "",
            cooperative: bool = False, mechanism: str = "pdom", preset: str = "default", lanes: str = "none",
            schedule: str = "", timed: bool = False, set: Mapping[str, Setting] | None = None, check: str = "",
            watch: Iterable[str] = (), sample: int = 0, name: str = "kernel.ptx") -> Result:
    """Runs a kernel of a PTX text, on a GPU of its own.

    args: numpy arrays, which the kernel is given the addresses of and which are changed in place (also where it ends
    in an error; read-only ones stay as they are); numbers, as the kernel's parameters say; numpy scalars; bytes or
    numpy records for structures; None for a null pointer. Arrays that overlap do so on the GPU.
    """
    spec = _heddle.Spec()
    spec.set_text(name, text)
    machine(spec, preset=preset, mechanism=mechanism, lanes=lanes, schedule=schedule, timed=timed, set=set, check=check,
            watch=watch, sample=sample)
    spec.kernel = kernel
    spec.set_launch(_size(grid), _size(block), shared, cooperative)
    return result_of(_heddle.run_kernel(spec, list(args)))


def sweep(workloads: str | Iterable[str] = (), vary: Mapping[str, Iterable[str | int | bool]] | None = None, *,
          mechanism: str = "pdom", preset: str = "default", lanes: str = "none", schedule: str = "", timed: bool = True,
          set: Mapping[str, Setting] | None = None, size: str = "small", compiler: str = "nvcc", jobs: int = 0,
          results: str | os.PathLike[str] | None = None) -> pandas.DataFrame:
    """Runs the product of workloads (all without any) and values; a pandas table with a row for each run.

    vary: values by name: a key of the machine or the mechanism, or mechanism, lanes, schedule, preset, size, compiler.
    jobs: runs at once; 0: one per core of the host.
    results: a folder in which results are kept, so that nothing is run twice and what was interrupted goes on.

    A run that goes wrong is a row too: `exit_code` and `error` say how, its counters are those until then, or missing.
    """
    import pandas

    if not vary:
        raise Usage("nothing varies: vary={'mechanism': ['pdom', 'tbc']}")
    axes = {name: {written(value): value for value in values} for name, values in vary.items()}
    base = _heddle.Spec()
    machine(base, preset=preset, mechanism=mechanism, lanes=lanes, schedule=schedule, timed=timed, set=set)
    base.size, base.compiler = size, compiler
    names = [workloads] if isinstance(workloads, str) else list(workloads) or list(_heddle.workloads())
    with tempfile.TemporaryDirectory(prefix="heddle-") as folder:
        rows = json.loads(_heddle.sweep(base, names, [(name, list(values)) for name, values in axes.items()], jobs,
                                        os.fspath(results) if results is not None else folder))
    return pandas.DataFrame([_row(axes, row) for row in rows])


def _row(axes: Mapping[str, Mapping[str, str | int | bool]], row: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: known[text] for (name, known), text in zip(axes.items(), row["values"])}
    counters = {name: value for name, value in flat(row["total"]) if not isinstance(value, list)}
    return {"workload": row["workload"], **values, "exit_code": row["exit_code"], "error": row["error"], **counters}


def compare(workloads: str | Iterable[str], mechanisms: Iterable[str], **options: Any) -> pandas.DataFrame:
    """`sweep` over mechanisms alone."""
    return sweep(workloads, {"mechanism": mechanisms}, **options)
