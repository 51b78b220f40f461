"""What there is: the same names as the program lists, in its order."""
import pytest

import heddle


@pytest.mark.parametrize("what", ["workloads", "mechanisms", "schedulers", "lanes", "presets", "keys"])
def test_names_are_those_of_heddle_list(program, what):
    words = ["list", what] + (["--no-measure"] if what == "workloads" else [])
    lines = program(*words).stdout.splitlines()[1:]
    listed = [line.split()[0] for line in lines if line[0] not in "#(" and not line[0].isspace()]
    names = getattr(heddle, what)()
    assert list(names) == listed
    assert all(names.values())


def test_version_is_that_of_the_program(program):
    assert heddle.__version__ in program("--version").stdout.split()
