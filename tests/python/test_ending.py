"""A process that ends while threads of it are inside heddle ends as any other."""
import signal
import subprocess
import sys

import pytest
from conftest import FOR_EVER

PRELUDE = f"""
import os, signal, sys, threading, time
import numpy as np
import heddle
signal.signal(signal.SIGINT, signal.default_int_handler)

gpu = heddle.Gpu()
gpu.load({FOR_EVER!r})
out = gpu.allocate(1, np.uint64)

def run():
    gpu.launch("k", 1, 1, [out])

def start(work, daemon=True):
    threading.Thread(target=work, daemon=daemon).start()
    while not out[0]:  # until the kernel is under way
        time.sleep(0.01)

def ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)
"""


def python(text):
    return subprocess.run([sys.executable, "-c", PRELUDE + text], capture_output=True, text=True, check=False,
                          timeout=600)  # in case it does not end at all


def test_a_daemon_thread_is_ended_without_a_word():
    ended = python("start(run)")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_exit_code_is_that_of_the_program():
    assert python("start(run)\nsys.exit(7)").returncode == 7


def test_a_thread_that_would_go_on_does_not():
    ended = python("""
def again():
    while True:
        try:
            run()
        except BaseException:
            time.sleep(0.001)

start(again)
""")
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("main", ["ctrl_c()", "threading.Timer(0.5, ctrl_c).start(); other.launch('k', 1, 1, [word])"])
def test_ctrl_c_in_the_main_thread_ends_the_others(main):
    ended = python(f"""
other = heddle.Gpu()
other.load({FOR_EVER!r})
word = other.allocate(1, np.uint64)
start(run)
{main}
""")
    assert ended.returncode == -signal.SIGINT
    assert ended.stderr.strip().endswith("KeyboardInterrupt") and "terminate" not in ended.stderr


def test_a_thread_that_python_waits_for_is_ended_by_a_second_ctrl_c():
    ended = python("""
def ctrl_c_again():
    while True:
        time.sleep(1)
        ctrl_c()

start(run, daemon=False)
threading.Thread(target=ctrl_c_again, daemon=True).start()
ctrl_c()
""")
    assert ended.returncode == -signal.SIGINT and "terminate" not in ended.stderr
