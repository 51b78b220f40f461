// Kernels' names for people: what the compiler has mangled, `_Z4scanIfEvPT_i`, reads `scan<float>`.
#pragma once

#include <string>

namespace heddle {

// With template arguments, without return type, parameters and unnamed namespaces. A name that is not mangled as C++
// does it stays what it is.
std::string readable_name(const std::string& kernel);
std::string name_with_parameters(const std::string& kernel);

}  // namespace heddle
