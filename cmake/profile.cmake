# Compiling by profile (tools/build-fast). HEDDLE_PROFILE=collect: the program counts how often its branches go which way,
# and adds that to what is in BUILD/counts when it ends. HEDDLE_PROFILE=FOLDER: it is compiled by the counts there. Functions
# of which there are none, and those that have changed since, are compiled as ever.
set(HEDDLE_PROFILE "" CACHE STRING "collect, or the folder of a profile to compile by")

set(collected ${CMAKE_BINARY_DIR}/counts)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(within -fprofile-prefix-path=${CMAKE_BINARY_DIR})  # a file of counts is named by its object's path in the build folder
  set(collects -fprofile-generate=${collected} -fprofile-update=atomic ${within})
  set(compiles -fprofile-use=${HEDDLE_PROFILE} -fprofile-partial-training ${within} -Wno-missing-profile -Wno-coverage-mismatch)
  file(GLOB counts ${HEDDLE_PROFILE}/*.gcda)
else()
  set(collects -fprofile-instr-generate=${collected}/%p.profraw -fprofile-update=atomic)
  set(compiles -fprofile-instr-use=${HEDDLE_PROFILE}/all.profdata -Wno-profile-instr-unprofiled -Wno-profile-instr-out-of-date)
  file(GLOB counts ${HEDDLE_PROFILE}/all.profdata)
endif()

set(PROFILE_OPTIONS)
if(HEDDLE_PROFILE STREQUAL "collect")
  set(PROFILE_OPTIONS ${collects})
  add_link_options(${collects})
elseif(HEDDLE_PROFILE)
  set(PROFILE_OPTIONS ${compiles})
  if(NOT counts)
    message(FATAL_ERROR "HEDDLE_PROFILE: ${CMAKE_CXX_COMPILER_ID} has counted nothing in ${HEDDLE_PROFILE} (tools/build-fast)")
  endif()
endif()

function(profile target)
  if(PROFILE_OPTIONS)
    target_compile_options(${target} PRIVATE ${PROFILE_OPTIONS})
    # ccache does not find counts that are named so; and functions of headers are told apart by paths, which it changes.
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "")
  endif()
endfunction()
