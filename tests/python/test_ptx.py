"""Kernels of PTX texts with numpy's arrays, held against what numpy computes."""
import numpy as np
import pytest
from conftest import kernel

import heddle


def test_arrays_are_changed_in_place(scale):
    data = np.linspace(-3, 9, 1000, dtype=np.float32)
    expected = data * np.float32(1.7)
    heddle.ptx_run(scale, [data, 1.7, 1000], 256, 4)
    np.testing.assert_array_equal(data, expected)


def test_a_file_runs_as_its_text_and_as_the_program_runs_it(tmp_path, scale, program_json):
    data = np.arange(100, dtype=np.float32)
    (tmp_path / "argument0.bin").write_bytes(data.tobytes())
    file = tmp_path / "kernel.ptx"
    file.write_text(scale)
    ours = heddle.run(file, grid=(2, 1), block=64, args=[data, np.float32(3), np.uint32(100)], timed=True,
                      mechanism="its", preset="h200").json
    np.testing.assert_array_equal(data, 3 * np.arange(100, dtype=np.float32))
    theirs = program_json("run", "kernel.ptx", "--grid", "2,1", "--block", 64, "--arg", "file:argument0.bin", "--arg",
                          "f32:3", "--arg", "u32:100", "--mechanism", "its", "--preset", "h200", cwd=tmp_path)
    assert ours["kernels"] == theirs["kernels"]


def test_other_sizes_of_numbers():
    text = kernel(".param .u64 out, .param .u8 a, .param .s16 b, .param .u64 c, .param .f64 d, .param .b32 e", """
  .reg .f64 %x;
  ld.param.u64 %d1, [out];
  ld.param.u8 %h1, [a];
  cvt.u64.u16 %d2, %h1;
  st.global.u64 [%d1], %d2;
  ld.param.s16 %h1, [b];
  cvt.s64.s16 %d2, %h1;
  st.global.u64 [%d1+8], %d2;
  ld.param.u64 %d2, [c];
  st.global.u64 [%d1+16], %d2;
  ld.param.f64 %x, [d];
  st.global.f64 [%d1+24], %x;
  ld.param.b32 %r1, [e];
  cvt.s64.s32 %d2, %r1;
  st.global.u64 [%d1+32], %d2;
""")
    for values in ([200, -300, 2**64 - 1, 0.1, -5], [True, 7, 0, 3, 5], [np.uint8(9), np.int16(-1), 1, 1e300, np.int32(-7)]):
        out = np.zeros(5, np.int64)
        heddle.ptx_run(text, [out, *values])
        expected = [int(values[0]), int(values[1]), np.uint64(values[2]).astype(np.int64), int(values[4])]
        assert list(out[[0, 1, 2, 4]]) == expected
        assert out[3:4].view(np.float64)[0] == float(values[3])


def test_a_structure_by_value():
    text = kernel(".param .u64 out, .param .align 4 .b8 s[12]", """
  ld.param.u64 %d1, [out];
  ld.param.u32 %r1, [s];
  ld.param.f32 %f1, [s+8];
  st.global.u32 [%d1], %r1;
  st.global.f32 [%d1+4], %f1;
""")
    record = np.array([(7, 0, 2.5)], dtype=[("a", np.uint32), ("b", np.uint32), ("c", np.float32)])
    for given in (record[0], record.tobytes()):
        out = np.zeros(2, np.uint32)
        heddle.ptx_run(text, [out, given])
        assert out[0] == 7 and out[1:].view(np.float32)[0] == 2.5
    with pytest.raises(heddle.BadLaunch, match="has 12 bytes, 4 given"):
        heddle.ptx_run(text, [np.zeros(2, np.uint32), bytes(4)])
    with pytest.raises(TypeError, match="'s' is a structure of 12 bytes"):
        heddle.ptx_run(text, [np.zeros(2, np.uint32), 5])


def test_views_of_one_array_are_one_buffer(scale):
    whole = np.arange(64, dtype=np.float32)
    text = scale.replace("st.global.f32 [%rd3], %f2;", "st.global.f32 [%rd3+128], %f2;")
    # The buffer ends at 32; what is written behind it lies in the other argument's part of the same array.
    both = text.replace(".param .u32 n)", ".param .u32 n, .param .u64 other)")
    heddle.ptx_run(both, [whole[:32], 2, 32, whole[16:]], 32)
    np.testing.assert_array_equal(whole, np.concatenate([np.arange(32), 2 * np.arange(32)]).astype(np.float32))


def test_read_only_arrays_stay(scale):
    data = np.ones(32, np.float32)
    data.flags.writeable = False
    heddle.ptx_run(scale, [data, 2, 32], 32)
    assert (data == 1).all()


def test_an_array_with_gaps_is_refused(scale):
    with pytest.raises(ValueError, match="ascontiguousarray"):
        heddle.ptx_run(scale, [np.ones(64, np.float32)[::2], 2, 32], 32)
    for kind in (object, ">f4"):
        with pytest.raises(ValueError, match="is no buffer"):
            heddle.ptx_run(scale, [np.ones(64).astype(kind), 2, 32], 32)
    with pytest.raises(TypeError, match="is no argument"):
        heddle.ptx_run(scale, [[1, 2, 3], 2, 32], 32)


def test_sizes_are_whole_numbers_of_any_kind(scale):
    for grid, block in ((np.int64(2), np.int64(64)), (np.array([2, 1]), np.array(64)), ([2], (np.uint8(64), 1, True))):
        data = np.ones(128, np.float32)
        heddle.ptx_run(scale, [data, 2, 128], block, grid)
        assert (data == 2).all()


@pytest.mark.parametrize("kind, fits, beyond", [
    ("f32", 3.4028235e38, 1e300), ("f32", -3.4028235e38, -3.5e38), ("f32", 2**127, 2**128), ("f16", 65519, 65520),
    ("f16", 65504.0, 1e9), ("f64", 2**53 + 1, 10**400),
], ids=["f32", "a negative f32", "an int", "what rounds to the largest f16", "f16", "f64"])
def test_a_number_that_only_infinity_is_near_to_is_refused(kind, fits, beyond):
    text = kernel(f".param .{kind} a", "")
    for value in (fits, float("inf"), float("-inf"), float("nan")):
        heddle.ptx_run(text, [value])
    with pytest.raises(heddle.Usage, match=rf"parameter 'a': .* is beyond what a .{kind} can be"):
        heddle.ptx_run(text, [beyond])


def test_a_negative_number_is_signed_whatever_the_parameter_says():
    text = kernel(".param .u64 out, .param .u8 a", """
  ld.param.u64 %d1, [out];
  ld.param.u8 %h1, [a];
  st.global.u8 [%d1], %h1;
""")
    out = np.zeros(1, np.uint8)
    heddle.ptx_run(text, [out, -1])
    assert out[0] == 255
    with pytest.raises(heddle.Usage, match="expected a number from -128 to 127"):
        heddle.ptx_run(text, [out, -129])


@pytest.mark.parametrize("parameter", [".f64 a", ".f32 a", ".u32 a", ".align 8 .b8 a[8]"])
def test_none_is_no_number(parameter):
    with pytest.raises(TypeError, match="parameter 'a' is no address, which None is"):
        heddle.ptx_run(kernel(f".param {parameter}", ""), [None])
    gpu = heddle.Gpu()
    gpu.load(kernel(f".param {parameter}", ""))
    with pytest.raises(TypeError, match="parameter 'a' is no address, which None is"):
        gpu.launch("k", 1, 1, [None])


def test_none_is_an_address_of_32_bits_where_addresses_are():
    heddle.ptx_run(kernel(".param .u32 a", "").replace(".address_size 64", ".address_size 32"), [None])


def test_none_is_a_null_pointer(scale):
    with pytest.raises(heddle.Fault, match="0x0"):
        heddle.ptx_run(scale, [None, 2, 32], 32)


def test_a_fault_leaves_what_was_written_and_measured(scale):
    data = np.ones(64, np.float32)
    with pytest.raises(heddle.Fault, match=r"0 bytes past the end of 'argument 0'") as raised:
        heddle.ptx_run(scale, [data, 3, 1000], 64, 2)
    np.testing.assert_array_equal(data, np.full(64, 3, np.float32))
    assert raised.value.result.total["blocks"] >= 1


def test_shared_memory_grids_of_three_dimensions_and_printf():
    text = kernel(".param .u64 out", """
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %tid.y;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mov.u32 %r5, %ctaid.z;
  mov.u32 %r6, %nctaid.y;
  mov.u32 %r7, %ctaid.y;
  mad.lo.u32 %r8, %r5, %r6, %r7;
  shl.b32 %r9, %r4, 2;
  mov.u32 %r10, buffer;
  add.u32 %r10, %r10, %r9;
  st.shared.u32 [%r10], %r8;
  bar.sync 0;
  ld.shared.u32 %r11, [%r10];
  ld.param.u64 %d1, [out];
  mad.lo.u32 %r12, %r8, 8, %r4;
  mul.wide.u32 %d2, %r12, 4;
  add.u64 %d1, %d1, %d2;
  st.global.u32 [%d1], %r11;
""", before=".extern .shared .align 4 .b8 buffer[];")
    out = np.zeros((6, 8), np.uint32)
    heddle.ptx_run(text, [out], (4, 2), (1, 2, 3), 32)
    np.testing.assert_array_equal(out, np.repeat(np.arange(6)[:, None], 8, axis=1))
    with pytest.raises(heddle.Fault):
        heddle.ptx_run(text, [out], (4, 2), (1, 2, 3), 28)


def test_the_kernel_is_chosen_by_name_where_there_are_several(scale):
    two = scale + scale.split(".address_size 64")[1].replace("entry scale", "entry other").replace("mul.f32", "add.f32")
    data = np.full(32, 5, np.float32)
    heddle.ptx_run(two, [data, 2, 32], 32, kernel="other")
    assert (data == 7).all()
    with pytest.raises(heddle.Usage, match="2 kernels"):
        heddle.ptx_run(two, [data, 2, 32], 32)


def test_kernels_that_cannot_run_are_a_warning(scale):
    broken = scale + ".visible .entry bad() {\n  .reg .b32 %r;\n  nosuch.b32 %r, %r;\n  ret;\n}\n"
    with pytest.warns(RuntimeWarning, match="nosuch"):
        heddle.ptx_run(broken, [np.ones(32, np.float32), 2, 32], 32, kernel="scale")
