// What the table, the page and the JSON of a validation share: which measures, in which order, in which words.
#pragma once

#include <span>

#include "validation/validation.h"

namespace heddle {

struct Measure {
  std::string_view name, heading, what;  // in the data; over a column; in a sentence
};
std::span<const Measure> shown_measures();

std::string error_text(const Beside& value);                                   // "+3.2 %"
std::string error_cell(const ValidatedKernel& row, std::string_view measure);  // "" where there is none
std::string near_sentence(const std::vector<ValidatedMicro>& rows);            // "81 of 117 within 5 %"

struct Agreeing {
  std::string name, what;
  Agreement agreement;
};
std::vector<Agreeing> agreements_of(const Validation& validation);  // of what there is; cycles first
std::string sentence_of(const Agreement& agreement);

}  // namespace heddle
