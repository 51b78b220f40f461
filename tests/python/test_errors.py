"""Every exit code has its exception, with the message of the program."""
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
