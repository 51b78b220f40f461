#include "support/value_forms.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::test {
namespace {

// Every way to go on from each beginning with one of the words; "" goes on with nothing.
std::vector<Words> extended(const std::vector<Words>& beginnings, const Words& choices) {
  std::vector<Words> result;
  for (const Words& beginning : beginnings)
    for (const std::string& choice : choices) {
      result.push_back(beginning);
      if (!choice.empty()) result.back().push_back(choice);
    }
  return result;
}

std::vector<Words> modifier_combinations(const Form& form) {
  std::vector<Words> combinations = {{}};
  for (std::string word : split_words(form.mods, ' ')) {
    Words choices;
    if (word.ends_with('?')) {
      choices.emplace_back("");
      word.pop_back();
    }
    for (const std::string& one : split_words(word, '/')) {
      if (!one.starts_with('@'))
        choices.push_back(one);
      else
        for (std::string_view member : group_members(one)) choices.emplace_back(member);
    }
    combinations = extended(combinations, choices);
  }
  return combinations;
}

std::vector<Words> type_combinations(const Form& form) {
  std::vector<Words> combinations;
  for (const std::string& entry : split_words(form.types, ' ')) {
    std::vector<Words> rows = {{}};
    for (const std::string& column : split_words(entry, '<')) rows = extended(rows, split_words(column, ','));
    combinations.insert(combinations.end(), rows.begin(), rows.end());
  }
  return combinations;
}

unsigned width_of(char letter, Type type, Type source_type) {
  switch (letter) {
    case 't': return type == Type::Pred ? 0 : bytes_of(type);
    case 's': return source_type == Type::Pred ? 0 : bytes_of(source_type);
    case 'w': return 2 * bytes_of(type);
    case 'p':
    case 'C': return 0;
    case 'v': return 4;
    default: return static_cast<unsigned>(letter - '0');
  }
}

}  // namespace

Words split_words(std::string_view text, char separator) {
  Words parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

OperandWidths operand_widths(const Form& form, Type type, Type source_type) {
  OperandWidths widths;
  for (const std::string& operand : split_words(form.operands, ' ')) {
    if (!operand.starts_with('=')) {
      widths.sources.push_back(width_of(operand[0], type, source_type));
      if (!operand.ends_with('?')) ++widths.least_sources;
      continue;
    }
    const Words parts = split_words(operand.substr(1), '|');
    for (const std::string& part : parts) {
      widths.destinations.push_back(width_of(part[0], type, source_type));
      if (!part.ends_with('?')) ++widths.least_destinations;
    }
  }
  return widths;
}

bool is_value(Op op) { return op >= Op::Abs && op <= Op::Xor; }

Instruction instruction_of(std::string_view opcode, const Words& words) {
  std::string why;
  const Match found = match(opcode, words, why);
  EXPECT_NE(found.form, nullptr) << opcode << ": " << why;
  Instruction instruction;
  if (!found.form) return instruction;
  instruction.op = found.form->op;
  instruction.mods = found.mods;
  instruction.type = found.type;
  instruction.source_type = found.source_type;
  instruction.second_source_type = found.second_source_type;
  instruction.video = video_of(opcode);
  return instruction;
}

std::string text_of(const Form& form, const Words& words) {
  std::string text(form.opcode);
  for (const std::string& word : words) text += "." + word;
  return text;
}

void for_each_value_instruction(const std::function<void(const Form&, const Words&, const Instruction&)>& f) {
  for (const Form& form : forms()) {
    if (!is_value(form.op)) continue;
    for (const Words& modifiers : modifier_combinations(form))
      for (const Words& types : type_combinations(form)) {
        Words words = modifiers;
        words.insert(words.end(), types.begin(), types.end());
        Instruction instruction = instruction_of(form.opcode, words);
        const OperandWidths widths = operand_widths(form, instruction.type, instruction.source_type);
        instruction.dst_count = static_cast<uint8_t>(widths.destinations.size());
        for (size_t sources = widths.least_sources; sources <= widths.sources.size(); ++sources) {
          instruction.src_count = static_cast<uint8_t>(sources);
          f(form, words, instruction);
        }
      }
  }
}

}  // namespace heddle::test
