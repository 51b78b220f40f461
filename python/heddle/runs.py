"""Runs: workloads, kernels of PTX, products of them."""
from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, SupportsIndex

from . import _heddle
from .errors import Usage
from .options import (MOST_32, Names, Setting, Size, arguments, count, machine, mapping, path, several, size as _size,
                      text as _text, written)
from .result import Result, flat, result_of

if TYPE_CHECKING:
    import pandas


def _refuse(program: str, what: str, **given: object) -> None:
    for name, value in given.items():
        if value is not None:
            raise Usage(f"{name} does not go with {program}, which is {what}")


def run(program: str | os.PathLike[str], *, mechanism: str = "pdom", preset: str | os.PathLike[str] = "default",
        lanes: str = "none", schedule: str = "", timed: bool = True, set: Mapping[str, Setting] | None = None,
        check: Names = "", watch: Names = (), sample: SupportsIndex = 0, kernel: str = "", size: str | None = None,
        compiler: str | None = None, grid: Size | None = None, block: Size | None = None,
        args: Iterable[Any] | None = None, shared: SupportsIndex | None = None,
        cooperative: bool | None = None) -> Result:
    """Runs a workload (`heddle.workloads()`), which checks its result, or a kernel of a PTX file.

    timed: cycle by cycle; False: emulation, which is many times faster and has no clock.
    set: keys of the machine or the mechanism (`heddle.keys()`), which the run must read.
    check: what to look for, of `"race"`, `"sync"`, `"init"`, `"leak"`, or `"all"`; what it finds is raised as `Found`.
    watch: of `"taint"`, `"scores"`, `"branches"`; sample: cycles of an interval of the time series.
    size, compiler: of a workload, `"tiny"`, `"small"` or `"paper"`, and `"nvcc"`, `"clang"` or `"era"`.
    grid, block, args, shared, cooperative: of a kernel of a PTX file, as for `ptx_run`.
    """
    spec = _heddle.Spec()
    program = path("program", program)
    spec.set_program(program)
    machine(spec, preset=preset, mechanism=mechanism, lanes=lanes, schedule=schedule, timed=timed, set=set, check=check,
            watch=watch, sample=sample)
    spec.kernel = _text("kernel", kernel)
    if spec.is_workload:
        _refuse(program, "a workload", grid=grid, block=block, args=args, shared=shared, cooperative=cooperative)
        spec.size = spec.size if size is None else _text("size", size)
        spec.compiler = spec.compiler if compiler is None else _text("compiler", compiler)
        return result_of(_heddle.run(spec))
    _refuse(program, "a PTX file", size=size, compiler=compiler)
    spec.set_launch(_size("grid", () if grid is None else grid), _size("block", () if block is None else block),
                    count("shared", 0 if shared is None else shared, MOST_32), bool(cooperative))
    return result_of(_heddle.run_kernel(spec, arguments(() if args is None else args)))


def ptx_run(text: str, args: Iterable[Any] = (), block: Size = 1, grid: Size = 1, shared: SupportsIndex = 0, *,
            kernel: str = "", cooperative: bool = False, mechanism: str = "pdom",
            preset: str | os.PathLike[str] = "default", lanes: str = "none", schedule: str = "", timed: bool = False,
            set: Mapping[str, Setting] | None = None, check: Names = "", watch: Names = (), sample: SupportsIndex = 0,
            name: str = "kernel.ptx") -> Result:
    """Runs a kernel of a PTX text, on a GPU of its own.

    args: numpy arrays, which the kernel is given the addresses of and which are changed in place (also where it ends
    in an error; read-only ones stay as they are); numbers, as the kernel's parameters say; numpy scalars; bytes or
    numpy records for structures; None for a null pointer. Arrays that overlap do so on the GPU.
    """
    spec = _heddle.Spec()
    spec.set_text(_text("name", name), _text("text", text))
    machine(spec, preset=preset, mechanism=mechanism, lanes=lanes, schedule=schedule, timed=timed, set=set, check=check,
            watch=watch, sample=sample)
    spec.kernel = _text("kernel", kernel)
    spec.set_launch(_size("grid", grid), _size("block", block), count("shared", shared, MOST_32), bool(cooperative))
    return result_of(_heddle.run_kernel(spec, arguments(args)))


def sweep(workloads: Names = (), vary: Mapping[str, Setting | Iterable[Setting]] | None = None, *,
          mechanism: str = "pdom", preset: str | os.PathLike[str] = "default", lanes: str = "none", schedule: str = "",
          timed: bool = True, set: Mapping[str, Setting] | None = None, size: str = "small", compiler: str = "nvcc",
          jobs: SupportsIndex = 0, results: str | os.PathLike[str] | None = None) -> pandas.DataFrame:
    """Runs the product of workloads (all without any) and values; a pandas table with a row for each run.

    vary: values, or one, by name: a key of the machine or the mechanism, or mechanism, lanes, schedule, preset, size,
    compiler. The column of a counter that has the name of such a key is called `…_counted`.
    jobs: runs at once; 0: one per core of the host.
    results: a folder in which results are kept, so that nothing is run twice and what was interrupted goes on.

    A run that goes wrong is a row too: `exit_code` and `error` say how, its counters are those until then, or missing.
    """
    import pandas

    if not vary:
        raise Usage("nothing varies: vary={'mechanism': ['pdom', 'tbc']}")
    axes = {_text("vary", name): {written(name, value): value for value in several(values)}
            for name, values in mapping("vary", vary).items()}
    base = _heddle.Spec()
    machine(base, preset=preset, mechanism=mechanism, lanes=lanes, schedule=schedule, timed=timed, set=set)
    base.size, base.compiler = _text("size", size), _text("compiler", compiler)
    names = [_text("workloads", each) for each in several(workloads)] or list(_heddle.workloads())
    rows = _heddle.sweep(base, names, [(name, list(values)) for name, values in axes.items()],
                         count("jobs", jobs, MOST_32), None if results is None else path("results", results),
                         tempfile.gettempdir())
    return pandas.DataFrame([_row(axes, row) for row in json.loads(rows)])


def _row(axes: Mapping[str, Mapping[str, Any]], row: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: known[text] for (name, known), text in zip(axes.items(), row["values"])}
    counters = {f"{name}_counted" if name in values else name: value
                for name, value in flat(row["total"]) if not isinstance(value, list)}
    return {"workload": row["workload"], **values, "exit_code": row["exit_code"], "error": row["error"], **counters}


def compare(workloads: Names, mechanisms: Names, **options: Any) -> pandas.DataFrame:
    """`sweep` over mechanisms alone."""
    return sweep(workloads, {"mechanism": mechanisms}, **options)
