"""What the tests share: the program heddle, which the package is held against, and small kernels."""
import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("HEDDLE_PROGRAM", str(ROOT / "build/release/heddle"))


def heddle_program(*words, **options):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False, **options)


@pytest.fixture
def program():
    """Runs the program; the process that has ended."""
    return heddle_program


@pytest.fixture
def program_json():
    """What `--json -` writes."""
    return lambda *words, **options: json.loads(heddle_program(*words, "--json", "-", **options).stdout)


@pytest.fixture
def scale():
    """data[i] = factor * data[i], for i < n: u64, f32, u32."""
    return (ROOT / "examples/scale.ptx").read_text()


def kernel(parameters, body, before=""):
    """A module with one kernel k."""
    return f""".version 6.4
.target sm_50
.address_size 64
{before}
.visible .entry k({parameters}) {{
  .reg .pred %p<4>;
  .reg .b16 %h<8>;
  .reg .b32 %r<16>;
  .reg .b64 %d<16>;
  .reg .f32 %f<8>;
{body}
  ret;
}}
"""


FOR_EVER = kernel(".param .u64 out", """
  ld.param.u64 %d1, [out];
  mov.u64 %d2, 0;
again:
  add.u64 %d2, %d2, 1;
  st.global.u64 [%d1], %d2;
  setp.ne.u64 %p1, %d2, 0;
  @%p1 bra again;
""")
