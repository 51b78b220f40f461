if(NOT TARGET tomlplusplus::tomlplusplus)
add_library(tomlplusplus::tomlplusplus INTERFACE IMPORTED GLOBAL)
endif()
set(tomlplusplus_FOUND TRUE)
