// Instructions that stand for a part of a written one.
#pragma once

#include <initializer_list>

#include "program/function_decoder.h"

namespace heddle {

class CodeMaker {
 public:
  CodeMaker(DecodeState& state, const Instruction& written) : state_(state), written_(written) {}

  Operand fresh(unsigned bytes) { return {state_.plane.row(bytes), static_cast<uint8_t>(bytes), false}; }
  Operand number(uint32_t value) { return state_.pool.literal(value, 4); }

  // Without a destination.
  Instruction make(Op op, Type type, std::initializer_list<Operand> sources) const {
    Instruction out;
    out.op = op;
    out.flow = flow_of(op);
    out.type = out.source_type = out.second_source_type = out.third_source_type = type;
    out.place = written_.place;
    out.loc = written_.loc;
    for (const Operand& each : sources) out.src[out.src_count++] = each;
    return out;
  }

 private:
  DecodeState& state_;
  const Instruction& written_;
};

}  // namespace heddle
