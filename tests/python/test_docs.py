"""The Python of the README and of docs/python.md runs."""
import pathlib
import re

import numpy
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page, blocks", [("README.md", 1), ("docs/python.md", 2)])
def test_what_a_page_shows(page, blocks, scale):
    names = {"numpy": numpy, "text": scale}
    found = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.S | re.M)
    assert len(found) == blocks
    for block in found:
        exec(compile(block, page, "exec"), names)
