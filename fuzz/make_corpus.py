#!/usr/bin/env python3
"""Writes the binary seeds of the fuzzers into fuzz/corpus: containers of device code, ELF files, messages."""
import pathlib
import struct

HERE = pathlib.Path(__file__).parent / "corpus"
PTX = b""".version 8.0
.target sm_80
.address_size 64
.global .u32 total;
.visible .entry k(.param .u64 out, .param .u32 n) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r2, [n];
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd2, %r1, 4, %rd1;
  st.global.u32 [%rd2], %r2;
  ret;
}
"""


def lz4(text):  # one block of literals
    rest = len(text) - 15
    return b"\xf0" + b"\xff" * (rest // 255) + bytes([rest % 255]) + text


def zstd(text):  # one frame with one raw block
    return struct.pack("<IBHI", 0xFD2FB528, 0x60, len(text) - 256, len(text) << 3 | 1)[:-1] + text


def entry(kind, payload, flags=0x11, unpacked=0, architecture=80):
    padded = payload + bytes(-len(payload) % 8)
    return struct.pack("<HHIQIIHHIIIQQQ", kind, 0x101, 64, len(padded), len(payload) if unpacked else 0, 0, 0, 8,
                       architecture, 0, 0, flags, 0, unpacked) + padded


def fat_binary(*entries):
    body = b"".join(entries)
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body


def elf():
    strings = b"\0libcudart.so.12\0libc.so.6\0"
    names = b"\0.dynstr\0.dynamic\0.nv_fatbin\0.shstrtab\0"
    dynamic = struct.pack("<qQqQqQ", 1, 1, 1, 17, 0, 0)
    parts, at, places = [strings, dynamic, b"fat!", names], 64, []
    for part in parts:
        places.append((at, len(part)))
        at += len(part)
    sections = [(b"", 0, 0), (b".dynstr", 3, 0), (b".dynamic", 6, 1), (b".nv_fatbin", 1, 0), (b".shstrtab", 3, 0)]
    table = b""
    for i, (name, kind, link) in enumerate(sections):
        offset, size = places[i - 1] if i else (0, 0)
        table += struct.pack("<IIQQQQIIQQ", names.find(name) if name else 0, kind, 0, 0, offset, size, link, 0, 8, 0)
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 3, 183, 1, 0, 0, at, 0, 64, 56, 0, 64, len(sections), 4)
    return header + b"".join(parts) + table


def text(value):
    return struct.pack("<I", len(value)) + value


def message(kind, payload=b""):
    return struct.pack("<II", kind, len(payload)) + payload


def session():
    base = 0x10_0000_0000
    launch = struct.pack("<I8I", 0, 2, 1, 1, 4, 1, 1, 0, 0) + text(struct.pack("<QII", base, 7, 0))
    return (message(1, text(fat_binary(entry(1, PTX))) + struct.pack("<I", 0)) +
            message(2, struct.pack("<I", 0) + text(b"k")) + message(3, struct.pack("<I", 0) + text(b"total")) +
            message(4, struct.pack("<Q", 64) + text(b"out")) + message(6, launch) + message(7, struct.pack("<Q", 5)) +
            message(8, struct.pack("<Q", 5)) + message(9, struct.pack("<III", 0, 32, 0)) + message(10) +
            message(5, struct.pack("<Q", base)) + message(11))


def linked():
    binary = text(fat_binary(entry(1, PTX)))
    return message(1, binary + struct.pack("<I", 2) + binary + text(fat_binary(entry(2, b"code")))) + message(10)


def driver():
    code = text(PTX)
    return (message(1, code + struct.pack("<I", 0)) + message(20, struct.pack("<I", 0)) +
            message(19, struct.pack("<I", 2) + code + code))


SEEDS = {
    "fat_binary/plain": fat_binary(entry(2, b"code"), entry(1, PTX)),
    "fat_binary/lz4": fat_binary(entry(1, lz4(PTX), 0x2011, len(PTX))),
    "fat_binary/zstd": fat_binary(entry(1, zstd(PTX), 0x8011, len(PTX), 75), entry(1, PTX, architecture=90)),
    "executable/program": elf(),
    "executable/script": b"#!/bin/sh\nexit 0\n",
    "session/whole": session(),
    "session/linked": linked(),
    "session/driver": driver(),
}
for name, content in SEEDS.items():
    path = HERE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
