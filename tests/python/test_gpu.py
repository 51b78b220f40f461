"""A GPU that stays: its memory, its modules, its launches."""
import gc

import numpy as np
import pytest
from conftest import kernel

import heddle


@pytest.fixture(params=[False, True], ids=["emulation", "cycles"])
def gpu(request, scale):
    gpu = heddle.Gpu("tbc-hpca11", "tbc", timed=request.param)
    assert gpu.load(scale, "scale.ptx") == ["scale"]
    return gpu


def test_launches_go_on_from_where_the_last_one_ended(gpu):
    data = gpu.array(np.arange(100), np.float32)
    for _ in range(3):
        gpu.launch("scale", 4, 32, [data, 2, 100])
    np.testing.assert_array_equal(data, 8 * np.arange(100, dtype=np.float32))
    data[:] = 1  # the host writes into GPU memory
    gpu.launch("scale", 4, 32, [data, 5, 50])
    np.testing.assert_array_equal(data, np.repeat([5, 1], 50))
    result = gpu.result()
    assert list(result.counters["threads"]) == [128] * 4
    assert result.json["command"] is None


def test_arrays_lie_in_gpu_memory(gpu):
    data = gpu.allocate((10, 20), np.float32)
    assert data.shape == (10, 20) and not data.any() and data.flags.writeable and not data.flags.owndata
    assert gpu.address(data[3:]) - gpu.address(data) == data[3:].ctypes.data - data.ctypes.data == 3 * 80
    data[...] = 1
    gpu.launch("scale", 1, 32, [data[3:5], 7, 30])  # a part of it
    expected = np.ones(200)
    expected[60:90] = 7
    np.testing.assert_array_equal(data.ravel(), expected)


def test_shapes_are_whole_numbers_of_any_kind(gpu):
    for shape, expected in (([2, 3], (2, 3)), (np.int64(3), (3,)), (np.array([4, 1]), (4, 1)), ((), ()), (0, (0,))):
        assert gpu.allocate(shape, np.int16).shape == expected


def test_arrays_of_elsewhere_are_refused(gpu):
    other = heddle.Gpu().allocate(32)
    for array in (np.ones(32, np.float32), other):
        with pytest.raises(ValueError, match="not in this GPU's memory"):
            gpu.launch("scale", 1, 32, [array, 2, 32])
    with pytest.raises(ValueError, match="is no buffer"):
        gpu.allocate(3, object)


def test_memory_is_freed_with_the_last_array_that_sees_it(gpu):
    data = gpu.allocate(32, label="short-lived")
    part, address = data[16:], gpu.address(data)
    pointer = np.uint64(address)
    del data
    gc.collect()
    gpu.launch("scale", 1, 32, [pointer, 2, 32])  # still there, for the part
    del part
    gc.collect()
    with pytest.raises(heddle.Fault, match="short-lived.*freed|freed.*short-lived"):
        gpu.launch("scale", 1, 32, [pointer, 2, 32])


def test_arrays_outlive_the_gpu(scale):
    gpu = heddle.Gpu()
    gpu.load(scale)
    data = gpu.array([1, 2, 3], np.float32)
    gpu.launch("scale", 1, 32, [data, 2, 3])
    del gpu
    gc.collect()
    np.testing.assert_array_equal(data, [2, 4, 6])


def test_it_goes_on_after_a_fault(gpu):
    data = gpu.array(np.ones(10, np.float32), label="short")
    with pytest.raises(heddle.Fault, match="past the end of 'short'"):
        gpu.launch("scale", 1, 32, [data, 2, 32])
    data[:] = 1
    gpu.launch("scale", 1, 32, [data, 3, 10])
    np.testing.assert_array_equal(data, np.full(10, 3))


def test_variables_of_modules_are_arrays():
    gpu = heddle.Gpu()
    gpu.load(kernel("", """
  ld.global.u32 %r1, [table+4];
  add.u32 %r1, %r1, 1;
  st.global.u32 [table], %r1;
""", before=".visible .global .align 4 .u32 table[2] = {5, 6};"), "table.ptx")
    table = gpu.symbol("table", np.uint32)
    assert list(table) == [5, 6]
    table[1] = 41
    gpu.launch("k", 1, 1)
    assert list(table) == [42, 41]
    with pytest.raises(heddle.BadProgram, match="no variable 'tabel'"):
        gpu.symbol("tabel")


def test_kernels_of_several_modules(scale):
    gpu = heddle.Gpu()
    with pytest.raises(heddle.Usage, match="no module"):
        gpu.launch("scale", 1, 1)
    gpu.load(scale)
    gpu.load(scale.replace("entry scale", "entry add").replace("mul.f32", "add.f32"), "add.ptx")
    data = gpu.array([1, 2], np.float32)
    gpu.launch("scale", 1, 2, [data, 10, 2])
    gpu.launch("add", 1, 2, [data, 5, 2])
    np.testing.assert_array_equal(data, [15, 25])
    assert gpu.result().kernels == ["scale", "add"]
    with pytest.raises(heddle.BadProgram, match="did you mean 'scale'"):
        gpu.launch("sclae", 1, 1, [data, 5, 2])


def test_what_kernels_print_is_kept(program_json, tmp_path):
    text = kernel("", """
  .local .align 8 .b8 depot[8];
  .reg .b64 %s<3>;
  mov.u64 %s1, depot;
  cvta.local.u64 %s2, %s1;
  mov.u32 %r1, %tid.x;
  st.local.u32 [%s1], %r1;
  mov.u64 %d1, format;
  cvta.global.u64 %d2, %d1;
  {
  .param .b64 a;
  st.param.b64 [a], %d2;
  .param .b64 b;
  st.param.b64 [b], %s2;
  .param .b32 c;
  call.uni (c), vprintf, (a, b);
  }
""", before=""".extern .func (.param .b32 c) vprintf (.param .b64 a, .param .b64 b);
.global .align 1 .b8 format[8] = {105, 32, 37, 100, 10, 0, 0, 0};""")
    assert heddle.ptx_run(text, block=3).printed == "i 0\ni 1\ni 2\n"
    gpu = heddle.Gpu()
    gpu.load(text)
    gpu.launch("k", 1, 2)
    assert gpu.result().printed == "i 0\ni 1\n"
