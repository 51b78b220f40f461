# find_package(heddle): the target heddle::heddle, everything but the command line.
include(CMakeFindDependencyMacro)
find_dependency(fmt)
find_dependency(nlohmann_json)
find_dependency(tomlplusplus)
find_dependency(Boost)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/heddleTargets.cmake)
