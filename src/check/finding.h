// What a check found: values only. One finding stands for all that happened at the same lines, with their number and
// the first of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::check {

struct Finding {
  enum class Kind : uint8_t {  // of races the worst first
    Race,                      // two accesses in no order, one of them a write
    WarpSynchronous,           // the same, of threads of one warp: in order only where a warp goes in lockstep
    SameValue,                 // the same, but both write, and the second changes nothing
    DivergentBarrier,
    LeftBarrier,     // threads have exited before a barrier for all
    NeverMet,        // a barrier or warp-wide instruction for which others never came
    CallerNotNamed,  // a member mask without the thread itself
    MasksDiffer,     // threads that meet name different members
    UnwrittenRegister,
    UnwrittenMemory,
    Leak,
  };
  struct Access {        // what one thread did
    std::string what;    // "write of 4 bytes"
    std::string thread;  // "block (1,0,0), thread (3,0,0)"
    std::string where;   // "file.ptx:12:5 (kernel.cu:7)"
    std::string text;    // the PTX
    bool operator==(const Access&) const = default;
  };
  Kind kind = Kind::Race;
  std::string kernel;            // as a person wrote it; empty of what no kernel did
  std::string what;              // "shared memory, byte 0x40"; "4096 bytes of 'levels' (allocation 3)"
  std::vector<Access> accesses;  // the later one first
  uint64_t count = 1;

  bool operator==(const Finding&) const = default;
  // Nothing to mend: it is shown, and does not make a run fail.
  bool harmless() const { return kind == Kind::SameValue; }
};
using Findings = std::vector<Finding>;

enum class Check : uint8_t { Race, Sync, Init, Leak };
Check check_of(Finding::Kind kind);
std::string_view name_of(Check check);          // "race"
std::string_view name_of(Finding::Kind kind);   // in JSON: "warp-synchronous"
std::string_view title_of(Finding::Kind kind);  // for a person
uint64_t harmful(const Findings& findings);     // how many kinds of places are to be mended

}  // namespace heddle::check
