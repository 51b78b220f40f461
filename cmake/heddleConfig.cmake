# find_package(heddle): the targets heddle::c, the C function in libheddle.so, and heddle::heddle, everything but the
# command line, for C++. find_package(heddle COMPONENTS c): heddle::c alone, which needs no other package.
include(${CMAKE_CURRENT_LIST_DIR}/heddleCTargets.cmake)
if(NOT "${heddle_FIND_COMPONENTS}" STREQUAL "c")
  include(CMakeFindDependencyMacro)
  find_dependency(fmt)
  find_dependency(nlohmann_json)
  find_dependency(tomlplusplus)
  find_dependency(Boost)
  find_dependency(Threads)
  include(${CMAKE_CURRENT_LIST_DIR}/heddleTargets.cmake)
endif()
