"""Every exit code has its exception, with the message of the program."""
import pathlib
import tempfile

import numpy as np
import pytest
from conftest import kernel

import heddle

NO_END = kernel("", """
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bar.sync 0, 64;
""")

OF_WORKLOADS = [
    (heddle.CheckFailed, "nvrt", {"set": {"warp_size": 16}}, ["--set", "warp_size=16"]),
    (heddle.Usage, "bsf", {}, []),
    (heddle.Usage, "bfs", {"mechanism": "capri", "set": {"lcp": True}}, ["--mechanism", "capri", "--set", "lcp=true"]),
    (heddle.Usage, "bfs", {"preset": "nosuch"}, ["--preset", "nosuch"]),
    (heddle.Usage, "bfs", {"kernel": "", "check": "rase"}, ["--check", "rase"]),
    (heddle.BadProgram, "bfs", {"kernel": "nosuch"}, ["--kernel", "nosuch"]),
    (heddle.BadLaunch, "bfs", {"set": {"core_threads": 64}}, ["--set", "core_threads=64"]),
    (heddle.Deadlock, "bfs", {"set": {"max_cycles": 1000}}, ["--set", "max_cycles=1000"]),
    (heddle.Refused, "indirect", {"mechanism": "pomp"}, ["--mechanism", "pomp"]),
]


@pytest.mark.parametrize("kind, workload, options, words", OF_WORKLOADS)
def test_what_goes_wrong_is_said_as_the_program_says_it(program, kind, workload, options, words):
    ended = program("run", workload, "--size", "tiny", "--quiet", *words)
    with pytest.raises(kind) as raised:
        heddle.run(workload, size="tiny", **options)
    assert type(raised.value) is kind and isinstance(raised.value, heddle.Error)
    assert raised.value.exit_code == ended.returncode
    assert f"heddle: error: {raised.value}".strip() == ended.stderr.strip()


@pytest.mark.parametrize("kind, text", [
    (heddle.BadProgram, "x"),
    (heddle.BadProgram, kernel("", "nosuch.b32 %r1, %r2;")),
    (heddle.Fault, kernel("", "trap;")),
    (heddle.Deadlock, NO_END),
])
def test_so_is_what_goes_wrong_in_a_kernel(program, tmp_path, kind, text):
    (tmp_path / "kernel.ptx").write_text(text)
    ended = program("run", "kernel.ptx", "--grid", 1, "--block", 64, "--emulate", "--quiet", cwd=tmp_path)
    with pytest.raises(kind) as raised:
        heddle.ptx_run(text, block=64)
    assert raised.value.exit_code == ended.returncode
    assert f"heddle: error: {raised.value}".strip() == ended.stderr.strip()


def test_what_a_check_finds_is_raised_with_the_result(program_json):
    with pytest.raises(heddle.Found) as raised:
        heddle.run("nvrt", size="tiny", timed=False, check="race")
    theirs = program_json("run", "nvrt", "--size", "tiny", "--emulate", "--check", "race")
    assert raised.value.exit_code == 9
    assert raised.value.result.json["checks"] == theirs["checks"]
    assert "race" in str(raised.value)


def test_what_this_machine_lacks_says_nothing_of_the_program(monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nosuch")
    with pytest.raises(heddle.Host, match="/nosuch/heddle-.*No such file") as raised:
        heddle.sweep("bfs", {"mechanism": "pdom"}, size="tiny")
    assert raised.value.exit_code == 71


def test_errors_are_errors_of_python_too():
    with pytest.raises(TypeError):
        heddle.run("bfs", nosuch=1)
    with pytest.raises(heddle.Usage, match="no PTX text"):
        heddle.ptx_run("")
    with pytest.raises(heddle.Usage, match="--block 0"):
        heddle.ptx_run(kernel("", ""), block=0)
    with pytest.raises(heddle.BadLaunch, match="takes 0 arguments, 1 given"):
        heddle.ptx_run(kernel("", ""), [np.ones(1)])
    with pytest.raises(heddle.Usage, match="expected a number from 0 to 255"):
        heddle.ptx_run(kernel(".param .u8 a", ""), [256])


GPU = heddle.Gpu()
OF_ONE_ARGUMENT = [
    (TypeError, "mechanism: a string is needed, not None", lambda: heddle.run("bfs", mechanism=None)),
    (TypeError, "lanes: a string", lambda: heddle.run("bfs", lanes=1)),
    (TypeError, "preset: a string", lambda: heddle.Gpu(preset=3)),
    (TypeError, "kernel: a string", lambda: heddle.run("bfs", kernel=None)),
    (TypeError, "program: a string", lambda: heddle.run(None)),
    (TypeError, "text: a string", lambda: heddle.ptx_run(None)),
    (TypeError, "text: a string", lambda: heddle.ptx_run(pathlib.Path("kernel.ptx"))),
    (TypeError, "text: a string", lambda: GPU.load(None)),
    (TypeError, "size: a string", lambda: heddle.sweep("bfs", {"warp_size": 8}, size=None)),
    (TypeError, "workloads: a string", lambda: heddle.sweep(None, {"warp_size": 8})),
    (TypeError, "results: a string", lambda: heddle.sweep("bfs", {"warp_size": 8}, results=5)),
    (TypeError, "vary: a dict", lambda: heddle.sweep("bfs", ["warp_size"])),
    (TypeError, "set: a dict", lambda: heddle.run("bfs", set="warp_size=16")),
    (TypeError, "check: a string", lambda: heddle.run("bfs", check=[1])),
    (TypeError, "watch: a string", lambda: heddle.run("bfs", watch=None)),
    (TypeError, "args: a list", lambda: heddle.ptx_run(kernel("", ""), 5)),
    (TypeError, "array: a numpy array", lambda: GPU.address([1])),
    (TypeError, "sample: a whole number is needed, not 0.5", lambda: heddle.run("bfs", sample=0.5)),
    (TypeError, "jobs: a whole number", lambda: heddle.sweep("bfs", {"warp_size": 8}, jobs=None)),
    (TypeError, "warp_size: a whole number, a bool or a string is needed, not 8.5",
     lambda: heddle.run("bfs", set={"warp_size": 8.5})),
    (TypeError, "warp_size: .* not 8.5", lambda: heddle.sweep("bfs", {"warp_size": [8.5]})),
    (TypeError, "grid: a whole number is needed, not 2.0", lambda: heddle.ptx_run(kernel("", ""), grid=2.0)),
    (TypeError, "block: a whole number is needed, not 64.7", lambda: heddle.ptx_run(kernel("", ""), block=(64.7, 1))),
    (TypeError, "block: a whole number is needed, not '64'", lambda: GPU.launch("k", 1, "64")),
    (heddle.Usage, "shared: -1 is not from 0 to 4294967295", lambda: heddle.ptx_run(kernel("", ""), shared=-1)),
    (heddle.Usage, "shared: -1 is not", lambda: GPU.launch("k", 1, 1, shared=-1)),
    (heddle.Usage, "sample: -1 is not", lambda: heddle.run("bfs", sample=-1)),
    (heddle.Usage, "jobs: -1 is not", lambda: heddle.sweep("bfs", {"warp_size": 8}, jobs=-1)),
    (heddle.Usage, "shape: -1 is not", lambda: GPU.allocate(-1)),
    (heddle.Usage, "bytes of the array: ", lambda: GPU.allocate([2**60, 2**60])),
    (ValueError, "dtype: .* is no buffer", lambda: GPU.allocate(3, ("f4", (2,)))),
    (ValueError, "dtype: .* is no buffer", lambda: GPU.allocate(3, "S")),
]


@pytest.mark.parametrize("kind, message, call", OF_ONE_ARGUMENT)
def test_what_an_argument_cannot_be_is_said_under_its_name(kind, message, call):
    with pytest.raises(kind, match="^" + message):
        call()
