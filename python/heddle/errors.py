"""What can go wrong, one exception for each exit code of the program heddle (docs/exit-codes.md)."""
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .result import Result


class Error(Exception):
    """Something went wrong; the message is the one heddle prints."""

    exit_code = 70
    result: Result | None = None
    """What had been measured until then, if a kernel was launched."""


class CheckFailed(Error):
    """The program ran, its result is wrong."""

    exit_code = 1


class Usage(Error):
    """An option, a name, a file, a machine that contradicts itself."""

    exit_code = 2


class BadProgram(Error):
    """PTX that does not parse or uses what is not supported; an unknown kernel."""

    exit_code = 3


class BadLaunch(Error):
    """A launch that does not fit the kernel or the machine."""

    exit_code = 4


class Fault(Error):
    """A memory or execution fault inside a kernel."""

    exit_code = 5


class Deadlock(Error):
    """A barrier that can never complete, a loop that never ends; a launch that was given up."""

    exit_code = 6


class Refused(Error):
    """The mechanism cannot run this kernel."""

    exit_code = 7


class Found(Error):
    """A check found something."""

    exit_code = 9


class Internal(Error):
    """A bug in heddle."""

    exit_code = 70


class Host(Error):
    """This machine lacks what heddle needs: memory, files, processes. Nothing is said about the program."""

    exit_code = 71


_KINDS = {kind.exit_code: kind
          for kind in (CheckFailed, Usage, BadProgram, BadLaunch, Fault, Deadlock, Refused, Found, Host)}


def error_of(code: int, message: str) -> Error:
    """The exception of an exit code."""
    return _KINDS.get(code, Internal)(message)
