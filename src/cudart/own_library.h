// The library that this is part of, as the loader knows it.
#pragma once

namespace heddle::shim {

// One of its functions by its name and, where that is given, its version; or null.
void* own_function(const char* name, const char* version = nullptr);

}  // namespace heddle::shim
