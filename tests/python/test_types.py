"""The types that the package says it has are those it has."""
import pathlib
import subprocess
import sys

import pytest

import heddle

PACKAGE = pathlib.Path(heddle.__file__).parent
CONFIG = pathlib.Path(__file__).resolve().parents[2] / "pyproject.toml"

GOOD = '''import pathlib
import numpy as np
import heddle

def scaled(gpu: heddle.Gpu, text: str) -> int:
    gpu.load(text)
    data = gpu.array([1.0], np.float32)
    gpu.launch("scale", (1, 1), 32, [data, 2.0, 1])
    gpu.launch("scale", np.int64(1), np.array([32, 1]), [gpu.allocate([2, 3]), gpu.allocate(np.int64(3)), 1])
    heddle.run("bfs", preset=pathlib.Path("machine.toml"), watch="taint", check=["race"],
               set={"warp_size": np.int64(16), "lcp": np.bool_(True)})
    heddle.sweep("bfs", {"mechanism": "pdom", "warp_size": np.array([8, 32]), "l1_bytes": [np.int64(1), 2], "lcp": [True]})
    result: heddle.Result = gpu.result()
    return len(result.kernels)
'''
BAD = '''import heddle
heddle.run("bfs", mechanism=5)
'''
# What pybind11 does to every class.
OF_PYBIND = r"""heddle\._heddle\.(Device|Outcome|Spec)
heddle\._heddle\.Outcome\.__init__
"""


def said_by(*words):
    pytest.importorskip("mypy")
    ended = subprocess.run([sys.executable, "-m", *map(str, words)], cwd=PACKAGE.parent, capture_output=True, text=True,
                           check=False)
    return ended.stdout + ended.stderr


def test_the_package_and_who_uses_it(tmp_path):
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(GOOD)
    bad.write_text(BAD)
    text = said_by("mypy", "--config-file", CONFIG, "--cache-dir", tmp_path / "cache", PACKAGE, good, bad)
    first, last = text.splitlines()
    assert first.startswith(f"{bad}:2: error:") and 'incompatible type "int"; expected "str"' in first
    assert last.startswith("Found 1 error")


def test_the_stubs_of_the_module(tmp_path):
    (tmp_path / "allowed").write_text(OF_PYBIND)
    text = said_by("mypy.stubtest", "--mypy-config-file", CONFIG, "--allowlist", tmp_path / "allowed", "heddle._heddle")
    assert text.startswith("Success"), text
