// The arguments of a launch as Python gives them:
//   a number (int, float, bool)   what the kernel's parameter says it is, rounded where that is a float
//   a numpy scalar                its own bytes
//   bytes, a numpy record         a structure by value
//   None                          a null pointer, for what may be an address
//   a numpy array                 a buffer
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <deque>
#include <string>
#include <vector>

#include "library/heddle.h"
#include "program/program.h"

namespace heddle::python {

// The bytes of a value. Error (Usage) for a number that does not fit the parameter; TypeError for what is no value.
std::vector<std::byte> value_bytes(const pybind11::handle& value, const ptx::Variable& parameter, size_t address_bytes);

size_t address_bytes_of(const Program& program);

// The parameters of a kernel; Error (BadLaunch) where another number of arguments is given.
const std::vector<ptx::Variable>& parameters_of(const Program& program, const std::string& kernel, size_t given);

// Its bytes without gaps, in the host's order; ValueError for an array that is not so.
void check_array(const pybind11::array& array);

// Arguments in Python's memory for HostArguments, which copies arrays to the GPU and, unless they are read-only, back.
class HostValues {
 public:
  HostValues(const pybind11::sequence& given, const std::vector<ptx::Variable>& parameters, size_t address_bytes);
  const std::vector<heddle_argument>& arguments() const { return arguments_; }

 private:
  void add_array(const pybind11::array& array);

  std::vector<heddle_argument> arguments_;
  std::deque<std::vector<std::byte>> values_;
  std::vector<pybind11::object> kept_;  // the arrays
};

}  // namespace heddle::python
