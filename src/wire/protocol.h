// What a CUDA program and the simulator say to each other.
//
// The program loads a libcudart.so or libcuda.so.1 of ours, which is thin: it keeps the tables a CUDA program needs
// (streams, events, allocations, errors), and asks the simulator, in the process of `heddle exec`, for the rest, over a
// socket. GPU memory is one file that both processes map, the program at the addresses kernels use, so that copies move
// no bytes over the socket and managed memory is memory. Requests are answered in order. Those that CUDA calls
// asynchronous (launch, copy, record, release) have no answer: what goes wrong in them is in the answer to the next
// Synchronize.
//
// A message is a Header, then its payload: plain values one after another, texts as a u32 length and bytes.
#pragma once

#include <cstdint>

namespace heddle::runtime {

inline constexpr uint32_t kProtocol = 7;
inline constexpr const char* kSocketVariable = "HEDDLE_EXEC_SOCKET";  // in the program's environment

enum class Request : uint32_t {
  Hello,       // u32 kProtocol, u64 base, text program → Machine; the memory's descriptor comes with it
  Load,        // text: a fat binary or PTX, u32 count, as many texts of those to be linked to it, u32 count,
               // (text name, u64 address) each of variables that have their place → u32 module; where that fails, the
               // answer is a text for a person
  FindKernel,  // u32 module, text name → u32 kernel, KernelFacts, u32 count, (u32 offset, u32 bytes) each
  FindSymbol,  // u32 module, text name → u64 address, u64 bytes
  Allocate,    // u64 bytes, text label → u64 address
  Release,     // u64 address; no answer
  Launch,      // u64 stream, u32 kernel, LaunchFacts, text parameters; no answer
  Copy,        // u64 stream, CopyFacts; no answer. Both ends are GPU memory
  Fill,        // u64 stream, FillFacts; no answer
  Record,      // u64 stream, u64 event; no answer
  Wait,        // u64 stream, u64 event; no answer
  EventTime,   // u64 event → double: milliseconds
  Occupancy,   // u32 kernel, u32 threads, u32 dynamic shared bytes → u32 blocks
  Synchronize,  // WaitFor, u64 stream or event → text: what kernels printed
  Wrote,        // u64 address, u64 bytes; no answer. The program has written there (Wants::Writes)
  Fetched,      // u64 address, u64 bytes → nothing. The program has read there (Wants::Reads)
  Made,         // u64 handle, text what; no answer. A stream, an event … (Wants::Objects)
  Gone,         // u64 handle; no answer. It was destroyed
  Reset,        // frees what was allocated, variables are as in the beginning → nothing
  Link,         // u32 count, as many texts, each as Load takes them → text: PTX; or, as of Load, what is wrong
  ListKernels,  // u32 module → u32 count, a text each
};

// What the simulator wants to hear of, which costs time.
enum Wants : uint32_t { kWantsWrites = 1, kWantsReads = 2, kWantsObjects = 4 };

enum class WaitFor : uint32_t { All, Stream, Event };

inline constexpr uint64_t kDefaultStream = 0;
inline constexpr uint64_t kNonBlocking = uint64_t{1}
                                         << 63;  // in a stream's number: the default stream is nothing to it

struct Header {
  uint32_t kind = 0;   // a Request; in an answer, the CUDA error: 0 is none
  uint32_t bytes = 0;  // of the payload
};

// What a program can ask about the machine.
struct Machine {
  uint64_t memory_capacity = 0;  // addresses, from the base on
  uint64_t memory_bytes = 0;     // what a program is told there is
  char name[256] = "";
  uint32_t capability = 0;  // 75
  uint32_t cores = 0, warp_size = 0, core_threads = 0, core_blocks = 0, core_registers = 0, core_shared = 0;
  uint32_t shared_reserved = 0;               // of core_shared, for each block
  uint32_t core_clock = 0, memory_clock = 0;  // MHz
  uint32_t memory_bus_bits = 0, l2_bytes = 0;
  uint32_t timed = 0;
  uint32_t launches = 1;  // in flight at once
  uint32_t wants = 0;     // Wants
};

struct KernelFacts {
  uint32_t parameter_bytes = 0, static_shared = 0, max_threads = 0, registers = 0, local_bytes = 0, constant_bytes = 0;
  uint32_t architecture = 0, language = 0;  // 75; 90 for PTX 9.0
};

struct CopyFacts {
  uint64_t to, to_pitch, to_slice, from, from_pitch, from_slice;
  uint64_t width, height, depth;
};

struct FillFacts {
  uint64_t to, pitch, slice;
  uint64_t width, height, depth;    // width in elements
  uint32_t value = 0, element = 1;  // bytes of an element
};

struct LaunchFacts {
  uint32_t grid[3], block[3];
  uint32_t dynamic_shared = 0, cooperative = 0;
};

}  // namespace heddle::runtime
