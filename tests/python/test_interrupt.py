"""Ctrl-C ends what runs, and what is there stays usable."""
import os
import signal
import threading
import time

import numpy as np
import pytest
from conftest import FOR_EVER

import heddle

signal.signal(signal.SIGINT, signal.default_int_handler)  # who was started in the background ignores it


class CtrlC:
    """Sends SIGINT while the body runs, which the simulator must let another thread do: when a word is no longer 0.
    Without one after a second, in which a body should have begun; one that has not is interrupted all the same."""

    def __init__(self, word=None):
        self.word = word
        self.thread = threading.Thread(target=self.send)

    def send(self):
        time.sleep(0 if self.word is not None else 1)
        while self.word is not None and not self.word[0]:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.thread.join()


@pytest.mark.parametrize("timed", [False, True])
def test_a_kernel_without_end(timed, scale):
    with pytest.raises(KeyboardInterrupt), CtrlC():
        heddle.ptx_run(FOR_EVER, [np.zeros(1, np.uint64)], timed=timed)
    data = np.ones(32, np.float32)
    heddle.ptx_run(scale, [data, 2, 32], 32, timed=timed)
    assert (data == 2).all()


@pytest.mark.parametrize("timed", [False, True])
def test_a_gpu_goes_on(timed, scale):
    gpu = heddle.Gpu(timed=timed)
    gpu.load(FOR_EVER)
    gpu.load(scale, "scale.ptx")
    out, data = gpu.allocate(1, np.uint64), gpu.array(np.ones(32), np.float32)
    with pytest.raises(KeyboardInterrupt), CtrlC(out):  # when it is under way
        gpu.launch("k", 1, 1, [out])
    gpu.launch("scale", 1, 32, [data, 3, 32])
    np.testing.assert_array_equal(data, np.full(32, 3))
    assert gpu.result().kernels == ["k", "scale"]


def test_a_sweep_goes_on_from_what_was_measured(tmp_path):
    options = {"size": "tiny", "timed": False, "results": tmp_path}
    heddle.sweep("bfs", {"mechanism": ["pdom"]}, **options)
    with pytest.raises(KeyboardInterrupt), CtrlC():
        while True:  # as often as it takes
            heddle.sweep("bfs", {"mechanism": ["pdom"]}, size="small", jobs=1)
    kept = set(tmp_path.iterdir())
    assert len(heddle.sweep("bfs", {"mechanism": ["pdom", "tbc"]}, **options)) == 2
    assert kept < set(tmp_path.iterdir())


def test_other_threads_run_while_a_sweep_is_prepared():
    looks, done = [], threading.Event()

    def look():
        while not done.wait(0.005):
            looks.append(time.monotonic())

    def one_ran_in_the_middle():
        begun = time.monotonic()
        with pytest.raises(heddle.Usage, match="lcp"):  # which is known at the end of it
            heddle.sweep("bfs", {"max_cycles": range(10**6, 10**6 + 500), "lcp": [False, True]}, mechanism="capri")
        quarter = (time.monotonic() - begun) / 4
        return any(begun + quarter < each < begun + 3 * quarter for each in looks)

    other = threading.Thread(target=look)
    other.start()
    try:
        assert any(one_ran_in_the_middle() for _ in range(10))  # a busy machine may keep it waiting, but not each time
    finally:
        done.set()
        other.join()


def test_one_thread_at_a_time(scale):
    gpu = heddle.Gpu()
    gpu.load(FOR_EVER)
    out = gpu.allocate(1, np.uint64)
    refused = []

    def meanwhile():
        while not out[0]:  # until the kernel is under way
            pass
        try:
            gpu.result()
        except heddle.Usage as error:
            refused.append(str(error))
        os.kill(os.getpid(), signal.SIGINT)

    other = threading.Thread(target=meanwhile)
    with pytest.raises(KeyboardInterrupt):
        other.start()
        gpu.launch("k", 1, 1, [out])
    other.join()
    assert refused == ["this GPU is running a kernel for another thread"]
