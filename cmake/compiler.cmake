# What every part of heddle is compiled with: the target heddle_options, and the compiler's cache.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

option(HEDDLE_WERROR "Warnings are errors" OFF)
option(HEDDLE_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(HEDDLE_SANITIZE_THREADS "Build with ThreadSanitizer" OFF)
option(HEDDLE_UNITY "Compile several files of a room at a time: a first build takes a third of the time" ON)

find_program(CCACHE ccache)
if(CCACHE)
  # Paths from the root of the checkout: another checkout of the same sources finds what this one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

add_library(heddle_warnings INTERFACE)
target_compile_options(heddle_warnings INTERFACE -Wall -Wextra)
if(HEDDLE_WERROR)
  target_compile_options(heddle_warnings INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlapping copies inside `"text" + std::string` that are not there (GCC bug 105651).
  target_compile_options(heddle_warnings INTERFACE -Wno-restrict)
endif()

add_library(heddle_options INTERFACE)
# -ffp-contract=off: g++ fuses a*b+c on aarch64 by itself, which changes results.
# -fno-math-errno: sqrt is one instruction then.
# -fno-semantic-interposition: position independent, yet functions of a file may be inlined into each other.
target_compile_options(heddle_options INTERFACE -ffp-contract=off -fno-math-errno -fno-semantic-interposition)
target_include_directories(heddle_options INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR})
target_link_libraries(heddle_options INTERFACE heddle_warnings)
if(HEDDLE_SANITIZE)
  target_compile_options(heddle_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(heddle_options INTERFACE -fsanitize=address,undefined)
  target_compile_definitions(heddle_options INTERFACE HEDDLE_CHECKED)
endif()
if(HEDDLE_SANITIZE_THREADS)
  target_compile_options(heddle_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(heddle_options INTERFACE -fsanitize=thread)
endif()
