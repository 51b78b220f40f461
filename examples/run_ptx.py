"""A kernel of a PTX text on the simulator, from Python, with ctypes alone:

    python3 run_ptx.py [libheddle.so]

`Heddle` is all that a test suite needs: run() takes the text, the sizes and the arguments, and gives the counters.
"""
import ctypes as c
import json
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

VALUE, IN, OUT, IN_OUT = range(4)


class Argument(c.Structure):
    _fields_ = [("kind", c.c_int), ("data", c.c_void_p), ("bytes", c.c_size_t)]


class Launch(c.Structure):
    _fields_ = [("ptx", c.c_char_p), ("kernel", c.c_char_p), ("grid", c.c_uint * 3), ("block", c.c_uint * 3),
                ("shared_bytes", c.c_uint), ("arguments", c.POINTER(Argument)), ("argument_count", c.c_size_t),
                ("options", c.POINTER(c.c_char_p))]


class HeddleError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Heddle:
    def __init__(self, path="libheddle.so.0"):
        self.heddle = c.CDLL(path)
        self.heddle.heddle_run.argtypes = [c.POINTER(Launch), c.POINTER(c.c_void_p)]
        self.heddle.heddle_release.argtypes = [c.c_void_p]
        for name in ("error", "warnings", "printed", "json"):
            function = getattr(self.heddle, f"heddle_{name}")
            function.argtypes, function.restype = [c.c_void_p], c.c_char_p

    def run(self, ptx, grid, block, arguments, kernel=None, shared=0, **options):
        """Arguments: ctypes numbers by value; arrays, or (kind, array), as buffers."""
        def sizes(size):
            return (c.c_uint * 3)(*(tuple(size) + (1, 1, 1))[:3])

        def argument(given):
            kind, data = given if isinstance(given, tuple) else (IN_OUT if isinstance(given, c.Array) else VALUE, given)
            return Argument(kind, c.addressof(data), c.sizeof(data))

        placed = (Argument * len(arguments))(*map(argument, arguments))
        words = [f"{key}={value}".encode() for key, value in options.items()]
        launch = Launch(ptx.encode(), kernel.encode() if kernel else None, sizes(grid), sizes(block), shared, placed,
                        len(arguments), (c.c_char_p * (len(words) + 1))(*words, None))
        result = c.c_void_p()
        code = self.heddle.heddle_run(c.byref(launch), c.byref(result))
        try:
            if code != 0:
                raise HeddleError(code, self.heddle.heddle_error(result).decode())
            return json.loads(self.heddle.heddle_json(result))
        finally:
            self.heddle.heddle_release(result)


def main():
    heddle = Heddle(*sys.argv[1:])
    ptx = (pathlib.Path(__file__).parent / "scale.ptx").read_text()

    def scaled(factor, **options):
        data = (c.c_float * 1000)(*range(1000))
        counters = heddle.run(ptx, [4], [256], [data, c.c_float(factor), c.c_uint(1000)], **options)
        assert list(data) == [factor * i for i in range(1000)], "wrong numbers"
        return counters["total"]

    print("SIMD efficiency", scaled(2.5, mechanism="its")["simd_efficiency"])
    print("cycles", scaled(0.5, level="cycle", preset="tbc-hpca11", mechanism="tbc")["cycles"])
    with ThreadPoolExecutor(4) as threads:  # a call lets go of Python's lock
        slots = {total["issue_slots"] for total in threads.map(scaled, range(8))}
    print("issue slots", slots)
    assert len(slots) == 1
    try:  # a buffer that is too short: said where
        heddle.run(ptx, [4], [256], [(IN, (c.c_float * 10)()), c.c_float(1), c.c_uint(1000)])
        raise AssertionError("not refused")
    except HeddleError as error:
        assert error.code == 5, error.code
        print(error)


if __name__ == "__main__":
    main()
