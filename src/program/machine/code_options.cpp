#include "program/machine/code_options.h"

namespace heddle {
namespace {

using enum Key::Kind;

constexpr Key kCodeKeys[] = {
    {"code", Choice, "ptx",
     "what is issued: PTX as it is written, an instruction a slot, or the machine code made of it", "ptx machine"},
    {"code_target", Choice, "sm_90", "machine code: for which GPU", "sm_80 sm_90"},
    {"predicate_up_to", Integer, "8",
     "machine code: a side of a branch with that many instructions at most is guarded instead; 0: none is", "0 255"},
    {"code_unroll", Boolean, "false", "machine code: short counted loops do several trips at once", ""},
    {"code_schedule", Boolean, "true",
     "machine code: the instructions of a basic block are put into the order of a list scheduler, loads first", ""},
};

}  // namespace

std::span<const Key> CodeOptions::keys() { return kCodeKeys; }

CodeOptions CodeOptions::from(const Config& config) {
  return {config.text("code") == "machine", std::string(config.text("code_target")),
          static_cast<unsigned>(config.integer("predicate_up_to")), config.boolean("code_unroll"),
          config.boolean("code_schedule")};
}

}  // namespace heddle
