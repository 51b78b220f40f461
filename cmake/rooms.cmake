# A room of the house is an object library room_ROOM: it sees the rooms declared before it and the libraries named here.
#   room(NAME [FOLDER folder] [LEVEL -O1] [BRIEF] [RUNS] [TOGETHER n] [ALONE pattern] [USES library…] [SOURCES more…])
# LEVEL: of a Release build, where compiling quickly is better than running quickly; the others keep -O3. BRIEF: half of it
# is templates and it runs briefly, so that sanitized builds do not optimize it at all. RUNS: here the time of a run goes,
# so that it can be compiled by profile.
# TOGETHER: so many files are compiled as one, for most of a file's time goes into the headers it includes.
# Names in anonymous namespaces must differ within a room for that; ALONE: files (a pattern) that are compiled by themselves.
set(HEDDLE_ROOMS)

function(room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "BRIEF;RUNS" "FOLDER;LEVEL;TOGETHER;ALONE" "USES;SOURCES")
  if(NOT room_FOLDER)
    set(room_FOLDER src/${name})
  endif()
  if(NOT room_TOGETHER)
    set(room_TOGETHER 16)
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${room_FOLDER}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/src/cli/main.cpp$|/(workloads|hardware)/cuda/|/hardware/lowering/")  # for a real GPU
  set(target room_${name})
  set(before ${HEDDLE_ROOMS})
  list(TRANSFORM before PREPEND room_)
  if(sources OR room_SOURCES)
    add_library(${target} OBJECT ${sources} ${room_SOURCES})
    target_link_libraries(${target} PUBLIC ${before} heddle_options ${room_USES})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${HEDDLE_UNITY} UNITY_BUILD_BATCH_SIZE ${room_TOGETHER})
    if(room_ALONE)
      list(FILTER sources INCLUDE REGEX ${room_ALONE})
      set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
    if(room_LEVEL)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${room_LEVEL}>)
    endif()
    if(room_BRIEF AND (HEDDLE_SANITIZE OR HEDDLE_SANITIZE_THREADS))
      target_compile_options(${target} PRIVATE -O0)
    endif()
    if(room_RUNS)
      profile(${target})
    endif()
    if(HEDDLE_FUZZ AND name MATCHES "^(base|config|ptx|program|runtime|experiment)$")
      # Only what reads what users give: counting the branches of the rest costs time and guides nobody.
      target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
    set(HEDDLE_ROOMS ${HEDDLE_ROOMS} ${name} PARENT_SCOPE)
  endif()
endfunction()
