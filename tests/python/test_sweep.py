"""Products of workloads, mechanisms and machines as pandas tables."""
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
