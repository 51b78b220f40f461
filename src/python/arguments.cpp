#include "python/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/kernel_name.h"
#include "run/kernel_argument.h"

namespace heddle::python {
namespace {

namespace py = pybind11;

// Compilers write .u32 for int as well: a number below zero is signed whatever the parameter says, and bits are a
// number.
std::string kind_of(const ptx::Variable& parameter, bool negative) {
  if (ptx::is_float(parameter.type)) return std::string(ptx::name_of(parameter.type));
  return fmt::format("{}{}", negative || ptx::is_signed(parameter.type) ? 's' : 'u', 8 * parameter.bytes());
}

bool is_number(const py::handle& value) { return PyLong_Check(value.ptr()) || PyFloat_Check(value.ptr()); }

bool is_finite(const py::handle& value) {
  return !PyFloat_Check(value.ptr()) || std::isfinite(PyFloat_AS_DOUBLE(value.ptr()));
}

void check_finite(const std::vector<std::byte>& bytes, const std::string& text, const ptx::Variable& parameter) {
  const std::string kind(ptx::name_of(parameter.type));
  for (const char* infinity : {":inf", ":-inf"})
    if (bytes == parse_argument(kind + infinity).bytes)
      throw Error(ExitCode::Usage,
                  fmt::format("parameter '{}': {} is beyond what a .{} can be", parameter.name, text, kind));
}

// As the command line would write it, so that it says the same of what does not fit.
std::vector<std::byte> number_bytes(const py::handle& value, const ptx::Variable& parameter) {
  if (parameter.bytes() > 8)
    throw py::type_error(fmt::format("parameter '{}' is a structure of {} bytes: give bytes or a numpy record",
                                     parameter.name, parameter.bytes()));
  // A bool is written as a number.
  const py::object plain = PyFloat_Check(value.ptr()) ? py::reinterpret_borrow<py::object>(value)
                                                      : py::reinterpret_steal<py::object>(PyNumber_Long(value.ptr()));
  const std::string text = py::str(plain);
  std::vector<std::byte> bytes = parse_argument(kind_of(parameter, text.starts_with('-')) + ":" + text).bytes;
  if (ptx::is_float(parameter.type) && is_finite(value)) check_finite(bytes, text, parameter);
  return bytes;
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

std::vector<std::byte> null_pointer(const ptx::Variable& parameter, size_t address_bytes) {
  if (ptx::is_float(parameter.type) || parameter.count() > 1 || parameter.bytes() != address_bytes)
    throw py::type_error(fmt::format("parameter '{}' is no address, which None is: it is a .{}{}", parameter.name,
                                     ptx::name_of(parameter.type), parameter.count() > 1 ? "[]" : ""));
  return std::vector<std::byte>(address_bytes);
}

bool is_numpy_scalar(const py::handle& value) {
  return py::isinstance(value, py::module_::import("numpy").attr("generic"));
}

}  // namespace

std::vector<std::byte> value_bytes(const py::handle& value, const ptx::Variable& parameter, size_t address_bytes) {
  if (is_numpy_scalar(value)) return bytes_of(py::cast<py::bytes>(value.attr("tobytes")()));
  if (py::isinstance<py::bytes>(value)) return bytes_of(py::cast<py::bytes>(value));
  if (is_number(value)) return number_bytes(value, parameter);
  if (value.is_none()) return null_pointer(parameter, address_bytes);
  throw py::type_error(fmt::format("parameter '{}': {} is no argument (a number, a numpy scalar or array, bytes, None)",
                                   parameter.name, std::string(py::str(py::type::of(value)))));
}

size_t address_bytes_of(const Program& program) { return program.short_addresses() ? 4 : 8; }

const std::vector<ptx::Variable>& parameters_of(const Program& program, const std::string& kernel, size_t given) {
  const auto& functions = program.module().functions;
  const auto found =
      std::find_if(functions.begin(), functions.end(), [&](const auto& function) { return function.name == kernel; });
  require(found != functions.end(), "a kernel that is not in its module");
  if (found->parameters.size() != given)
    throw Error(ExitCode::BadLaunch, fmt::format("kernel {} takes {} arguments, {} given", readable_name(kernel),
                                                 found->parameters.size(), given));
  return found->parameters;
}

void check_array(const py::array& array) {
  if ((array.flags() & py::array::c_style) == 0 && (array.flags() & py::array::f_style) == 0)
    throw py::value_error("an array with gaps is no buffer: numpy.ascontiguousarray() makes one");
  const py::dtype type = array.dtype();
  if (!type.attr("isnative").cast<bool>() || type.attr("hasobject").cast<bool>())
    throw py::value_error(fmt::format("an array of {} is no buffer", std::string(py::str(py::handle(type)))));
}

HostValues::HostValues(const py::sequence& given, const std::vector<ptx::Variable>& parameters, size_t address_bytes) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    const py::object value = given[i];
    if (py::isinstance<py::array>(value)) {
      add_array(value);
      continue;
    }
    std::vector<std::byte>& bytes = values_.emplace_back(value_bytes(value, parameters[i], address_bytes));
    arguments_.push_back({HEDDLE_VALUE, bytes.data(), bytes.size()});
  }
}

void HostValues::add_array(const py::array& array) {
  check_array(array);
  const auto bytes = static_cast<size_t>(array.nbytes());
  // An array of nothing is a null pointer.
  void* const data = bytes == 0 ? nullptr : const_cast<void*>(array.data());
  arguments_.push_back({array.writeable() ? HEDDLE_IN_OUT : HEDDLE_IN, data, bytes});
  kept_.push_back(array);
}

}  // namespace heddle::python
