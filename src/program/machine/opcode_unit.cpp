#include "program/machine/opcode_unit.h"

#include <iterator>

namespace heddle {
namespace {

struct UnitOpcodes {
  Unit unit;
  std::string_view opcodes;  // each between spaces
};

// Copies by way of a multiplier (IMAD.MOV) and zeros by way of half-precision units are what the assembler writes where
// the other pipe is less busy.
constexpr UnitOpcodes kUnitOpcodes[] = {
    {Unit::Single, " FADD FMUL FFMA FADD32I FMUL32I FFMA32I FSWZADD "},
    {Unit::Multiply, " IMAD IMAD.HI IMAD.WIDE VIADD HADD2 HMUL2 HFMA2 "},
    {Unit::Double, " DADD DMUL DFMA DSETP DMNMX HFMA2.MMA "},
    {Unit::Special, " MUFU FCHK F2I F2F I2F FRND POPC FLO BREV F2FP.F64 S2R S2UR CS2R REDUX "},
    {Unit::Memory,
     " LDG STG LDS STS LDL STL LD ST LDC ULDC ATOM ATOMG ATOMS RED REDG SHFL LDGSTS CCTL CCTLL MEMBAR ERRBAR CGAERRBAR "
     "TEX TLD QSPC MATCH LDGDEPBAR ARRIVES "},
    {Unit::Control,
     " BRA BRX EXIT CALL RET BSSY BSYNC BREAK BMOV WARPSYNC BAR NOP NANOSLEEP YIELD DEPBAR JMP KILL PREEXIT "
     "UCGABAR_ARV "},
};

}  // namespace

Unit unit_of_opcode(std::string_view opcode) {
  for (const UnitOpcodes& row : kUnitOpcodes)
    for (size_t at = row.opcodes.find(opcode); at != std::string_view::npos; at = row.opcodes.find(opcode, at + 1))
      if (row.opcodes[at - 1] == ' ' && row.opcodes[at + opcode.size()] == ' ') return row.unit;
  return Unit::Integer;
}

unsigned chain_latency(Unit unit) {
  switch (unit) {
    case Unit::Integer:
    case Unit::Single:
    case Unit::Multiply:
    case Unit::Control: return 4;
    case Unit::Double: return 8;
    case Unit::Special:
    case Unit::Tensor: return 17;
    case Unit::Memory: return 24;
    case Unit::Count_: break;
  }
  return 0;
}

}  // namespace heddle
