"""The notebook gives what it shows."""
import json
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = [sys.executable, ROOT / "tools/run-notebook"]
NOTEBOOK = ROOT / "examples/divergence.ipynb"


def test_the_example_is_current():
    pytest.importorskip("matplotlib")
    ended = subprocess.run([*TOOL, "--check", NOTEBOOK], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    outputs = [output for cell in json.loads(NOTEBOOK.read_text())["cells"] for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs)


def test_one_that_is_stale_is_found(tmp_path):
    def cell(source):
        return {"cell_type": "code", "execution_count": None, "id": "a", "metadata": {}, "outputs": [], "source": [source]}

    notebook = tmp_path / "some.ipynb"
    notebook.write_text(json.dumps({"cells": [cell("x = 2\nprint(x)\nx + 1")], "metadata": {}, "nbformat": 4}))
    assert subprocess.run([*TOOL, "--check", notebook], capture_output=True, check=False).returncode == 1
    subprocess.run([*TOOL, notebook], check=True)
    assert [output.get("text", output.get("data")) for output in json.loads(notebook.read_text())["cells"][0]["outputs"]] == [
        ["2\n"], {"text/plain": ["3"]}]
    assert subprocess.run([*TOOL, "--check", notebook], capture_output=True, check=False).returncode == 0
    (tmp_path / "wrong.ipynb").write_text(notebook.read_text().replace('"3"', '"4"'))
    assert subprocess.run([*TOOL, "--check", tmp_path / "wrong.ipynb"], capture_output=True, check=False).returncode == 1
