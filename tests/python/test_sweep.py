"""Products of workloads, mechanisms and machines as pandas tables."""
import os
import signal
import tempfile
import threading

import numpy as np
import pytest

import heddle


def test_every_run_is_that_of_the_program(program_json):
    frame = heddle.sweep(["bfs", "bitonic"], {"mechanism": ["pdom", "tbc"], "warp_size": [16, 32]}, size="tiny")
    assert list(frame.columns[:5]) == ["workload", "mechanism", "warp_size", "exit_code", "error"]
    assert len(frame) == 8 and set(frame["warp_size"]) == {16, 32} and not frame["exit_code"].any()
    for row in frame[frame["workload"] == "bfs"].to_dict("records"):
        total = program_json("run", "bfs", "--size", "tiny", "--mechanism", row["mechanism"], "--set",
                             f"warp_size={row['warp_size']}")["total"]
        assert {"cycles": row["cycles"], "l1": row["caches.l1.misses"]} == {"cycles": total["cycles"],
                                                                            "l1": total["caches"]["l1"]["misses"]}


def test_one_job_gives_what_many_give():
    options = {"size": "tiny", "timed": False}
    one, many = (heddle.compare(["bfs", "mum"], ["pdom", "its"], jobs=jobs, **options) for jobs in (1, 4))
    assert one.equals(many)


def test_what_goes_wrong_is_a_row():
    frame = heddle.sweep("nvrt", {"warp_size": [16, 32]}, size="tiny", timed=False)
    assert list(frame["exit_code"]) == [1, 0]
    assert frame["error"][0] and not frame["error"][1]


def test_values_that_contradict_each_other_are_rows_too():
    frame = heddle.sweep("bfs", {"warp_size": [8, 32], "simd_width": [8, 16]}, size="tiny", timed=True)
    impossible = frame[(frame["warp_size"] == 8) & (frame["simd_width"] == 16)]
    assert list(impossible["exit_code"]) == [2] and "cannot be" in impossible["error"].iloc[0]
    assert frame["cycles"].notna().sum() == 3


def test_what_cannot_be_swept_is_refused():
    with pytest.raises(heddle.Usage, match="nothing varies"):
        heddle.sweep("bfs")
    with pytest.raises(heddle.Usage, match="did you mean 'bfs'"):
        heddle.compare("bsf", ["pdom"])
    with pytest.raises(heddle.Usage, match="warp_siz"):
        heddle.sweep("bfs", {"warp_siz": [8]})


def test_a_key_that_varies_has_its_column_beside_the_counter_of_its_name():
    frame = heddle.sweep("bfs", {"launches": [1, 2]}, size="tiny")
    assert list(frame["launches"]) == [1, 2]
    assert set(frame["launches_counted"]) == {heddle.run("bfs", size="tiny").total["launches"]}


@pytest.mark.parametrize("values", [np.array([16, 32]), range(16, 33, 16), (np.int64(16), "32"), [16, 32, np.int32(16)]])
def test_numbers_are_whole_numbers_of_any_kind(values):
    frame = heddle.sweep("bitonic", {"warp_size": values}, size="tiny", timed=False)
    assert list(frame["warp_size"].astype(int)) == [16, 32] and frame["issue_slots"].nunique() == 2


def test_one_value_is_one():
    options = {"size": "tiny", "timed": False}
    one = heddle.compare("bfs", ["tbc"], **options)
    assert heddle.compare("bfs", "tbc", **options).equals(one)
    assert heddle.sweep("bfs", {"mechanism": "tbc", "warp_size": np.array(32)}, **options)["warp_size"].item() == 32
    assert list(heddle.sweep("bfs", {"lcp": np.bool_(True)}, **options)["lcp"]) == [True]


@pytest.mark.parametrize("vary", [{"warp_size": []}, {"mechanism": []}, {"mechanism": ["pdom"], "warp_size": []}])
def test_an_empty_list_of_values_is_refused(vary):
    with pytest.raises(heddle.Usage, match="has no value"):
        heddle.sweep("bfs", vary, size="tiny")


def test_no_folder_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    heddle.compare("bfs", "pdom", size="tiny", timed=False)
    for wrong in ({"warp_siz": 8}, {"warp_size": []}):
        with pytest.raises(heddle.Usage):
            heddle.sweep("bfs", wrong)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            heddle.sweep("bfs", {"mechanism": "pdom"}, jobs=1)
    assert not list(tmp_path.iterdir())
