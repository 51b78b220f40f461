"""Runs of workloads, held against the program heddle."""
import pathlib

import numpy as np
import pytest

import heddle

RUNS = [
    ("bfs", {}, []),
    ("bfs", {"mechanism": "tbc", "lanes": "balanced"}, ["--mechanism", "tbc", "--lanes", "balanced"]),
    ("bitonic", {"mechanism": "dwf", "timed": False, "set": {"warp_size": 16}},
     ["--mechanism", "dwf", "--emulate", "--set", "warp_size=16"]),
    ("mum", {"preset": "tbc-hpca11", "schedule": "gto", "sample": 1000, "watch": ["taint", "branches"]},
     ["--preset", "tbc-hpca11", "--schedule", "gto", "--sample", "1000", "--taint", "--branches"]),
    ("bfs", {"compiler": "clang", "timed": False, "check": "all", "kernel": "expand_frontier"},
     ["--compiler", "clang", "--emulate", "--check", "all", "--kernel", "expand_frontier"]),
]


@pytest.mark.parametrize("workload, options, words", RUNS)
def test_a_run_counts_what_the_program_counts(program_json, workload, options, words):
    ours = heddle.run(workload, size="tiny", **options).json
    theirs = program_json("run", workload, "--size", "tiny", *words)
    del ours["host"], theirs["host"]  # this machine's time
    assert ours == theirs


def test_counters_are_arrays_by_launch():
    result = heddle.run("bfs", size="tiny")
    launches = result.json["kernels"]
    assert len(launches) > 2
    assert result.counters["cycles"].dtype == np.int64
    assert result.counters["simd_efficiency"].dtype == np.float64
    assert result.counters["active_threads"].shape == (len(launches), 32)
    for name in ("issue_slots", "cycles", "breakdown.W0_Mem", "caches.l1.misses"):
        assert result.counters[name].sum() == dict(heddle.result.flat(result.total))[name]
    # Every slot of some thread is in the histogram, and its threads are those that executed something.
    histogram = result.counters["active_threads"]
    np.testing.assert_array_equal(histogram.sum(axis=1), result.counters["issue_slots"])
    np.testing.assert_array_equal(histogram @ np.arange(1, 33), result.counters["thread_instructions"])


def test_frames_have_a_row_for_each_launch_and_each_branch():
    result = heddle.run("bfs", size="tiny", timed=False)
    frame = result.to_frame()
    assert list(frame["kernel"]) == result.kernels == [launch["name"] for launch in result.json["kernels"]]
    assert list(frame["issue_slots"]) == [launch["issue_slots"] for launch in result.json["kernels"]]
    assert result.branches()["diverged"].sum() == result.total["divergent_branches"]


def test_a_result_prints_the_table_of_the_program(program):
    def lines(text):
        return [line for line in text.splitlines() if "per second" not in line]  # that is the host's time

    ours = lines(str(heddle.run("bfs", size="tiny", timed=False)))
    assert "bfs" in ours[0]
    assert ours == lines(program("run", "bfs", "--size", "tiny", "--emulate").stdout)


def test_two_runs_at_a_time_do_not_know_of_each_other():
    from concurrent.futures import ThreadPoolExecutor

    def slots(mechanism):
        return heddle.run("bfs", size="tiny", timed=False, mechanism=mechanism).total["issue_slots"]

    names = ["pdom", "tbc", "its", "dwf"]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(slots, names)) == [slots(name) for name in names]


def test_what_does_not_go_together_is_refused(tmp_path, scale):
    with pytest.raises(heddle.Usage, match="grid does not go with bfs, which is a workload"):
        heddle.run("bfs", grid=1)
    file = tmp_path / "scale.ptx"
    file.write_text(scale)
    with pytest.raises(heddle.Usage, match="size does not go with .*, which is a PTX file"):
        heddle.run(file, size="tiny")
    with pytest.raises(heddle.Usage, match="emulation has no clock"):
        heddle.run("bfs", timed=False, sample=100)
    with pytest.raises(heddle.Usage, match="did you mean 'taint'"):
        heddle.run("bfs", watch=["tain"])


def test_names_may_be_one_or_some_and_numbers_numpys(tmp_path):
    one = heddle.run("bfs", size="tiny", timed=False, watch="taint", check="race,init", set={"warp_size": 16})
    some = heddle.run("bfs", size="tiny", timed=False, watch=["taint"], check=["race", "init"],
                      set={"warp_size": np.int64(16)})
    del one.json["host"], some.json["host"]
    assert one.json == some.json and "checks" in one.json
    assert heddle.run("bfs", size="tiny", timed=False, set={"lcp": np.bool_(True)}).json["config"]["lcp"] in (True, 1)


def test_a_preset_may_be_a_path():
    file = pathlib.Path(__file__).resolve().parents[2] / "configs/teaching.toml"
    given = [heddle.run("bfs", size="tiny", preset=preset).total for preset in (file, "teaching")]
    assert given[0] == given[1]
    assert len(heddle.sweep("bfs", {"preset": file}, size="tiny", timed=False)) == 1
