"""Heddle: a SIMT GPU simulator and a laboratory for control divergence.

    >>> import heddle
    >>> result = heddle.run("bfs", mechanism="tbc", size="tiny")
    >>> result.total["simd_efficiency"], result.counters["issue_slots"]

docs/python.md explains it.
"""
from . import _heddle
from .errors import (BadLaunch, BadProgram, CheckFailed, Deadlock, Error, Fault, Found, Host, Internal, Refused, Usage)
from .gpu import Gpu
from .result import Result
from .runs import compare, ptx_run, run, sweep

__version__ = _heddle.version()


def workloads() -> dict[str, str]:
    """Names, and what each is."""
    return _heddle.workloads()


def mechanisms() -> dict[str, str]:
    """Divergence mechanisms: names, and what each does."""
    return _heddle.mechanisms()


def schedulers() -> dict[str, str]:
    """Warp schedulers: names, and what each does."""
    return _heddle.schedulers()


def lanes() -> dict[str, str]:
    """Lane maps: names, and what each does."""
    return _heddle.lanes()


def presets() -> dict[str, str]:
    """Machines: names, and what each is."""
    return _heddle.presets()


def keys() -> dict[str, str]:
    """Keys of machines and mechanisms, for `set` and `vary`: names, and what each sets."""
    return _heddle.keys()


__all__ = ["BadLaunch", "BadProgram", "CheckFailed", "Deadlock", "Error", "Fault", "Found", "Gpu", "Host", "Internal",
           "Refused", "Result", "Usage", "compare", "keys", "lanes", "mechanisms", "presets", "ptx_run", "run", "schedulers",
           "sweep", "workloads"]
