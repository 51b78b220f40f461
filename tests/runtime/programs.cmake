# The CUDA programs of tests/runtime/programs, made once per build tree: by `heddle cc` always, by nvcc where it is.
# A program NAME is NAME.cu and the translation units NAME.*.cu beside it.
# The sanitized tree takes those of the release tree: nothing of heddle is in them.
set(HEDDLE_CUDA_PROGRAMS "" CACHE PATH "CUDA programs of another build tree, for the tests")
if(HEDDLE_CUDA_PROGRAMS)
  set(CUDA_PROGRAMS ${HEDDLE_CUDA_PROGRAMS})
  add_custom_target(cuda_programs)
  add_dependencies(cuda_programs heddle cudart)
  return()
endif()
set(CUDA_PROGRAMS ${CMAKE_BINARY_DIR}/cuda-programs)
set(programs ${CMAKE_CURRENT_SOURCE_DIR}/runtime/programs)
file(MAKE_DIRECTORY ${CUDA_PROGRAMS}/clang ${CUDA_PROGRAMS}/nvcc)
file(GLOB program_headers CONFIGURE_DEPENDS ${programs}/*.h)
file(GLOB_RECURSE toolkit_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/runtime/include/*)
file(GLOB minimal_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/workloads/cuda_minimal*.h)
file(GLOB program_sources CONFIGURE_DEPENDS ${programs}/*.cu)
find_program(NVCC nvcc HINTS /usr/local/cuda/bin)

# A change of the compiler or of the simulator does not make them anew: heddle is no file they depend on.
set(made)
foreach(main IN LISTS program_sources)
  get_filename_component(name ${main} NAME_WLE)
  if(name MATCHES "\\.")
    continue()
  endif()
  set(units ${program_sources})
  list(FILTER units INCLUDE REGEX "/${name}(\\.[a-z_]+)?\\.cu$")
  add_custom_command(
    OUTPUT ${CUDA_PROGRAMS}/clang/${name}
    COMMAND heddle cc -Wall -Wextra ${units} -o ${CUDA_PROGRAMS}/clang/${name}
    DEPENDS ${units} ${program_headers} ${toolkit_headers} ${minimal_headers}
    COMMENT "heddle cc ${name}" VERBATIM)
  list(APPEND made ${CUDA_PROGRAMS}/clang/${name})
  set(capability 75)
  if(name STREQUAL "wide_matrices")
    set(capability 80)
  endif()
  set(library)
  if(name MATCHES "^driver_")
    set(library -lcuda)
  endif()
  if(NVCC)
    add_custom_command(
      OUTPUT ${CUDA_PROGRAMS}/nvcc/${name}
      COMMAND ${NVCC} -std=c++17 -O2 --cudart shared
              -gencode arch=compute_${capability},code=compute_${capability} ${units}
              -o ${CUDA_PROGRAMS}/nvcc/${name} ${library}
      DEPENDS ${units} ${program_headers}
      COMMENT "nvcc ${name}" VERBATIM)
    list(APPEND made ${CUDA_PROGRAMS}/nvcc/${name})
  endif()
endforeach()
# Once more with device code that is linked across its units, which happens when it is loaded.
if(NVCC)
  file(MAKE_DIRECTORY ${CUDA_PROGRAMS}/nvcc-rdc)
  add_custom_command(
    OUTPUT ${CUDA_PROGRAMS}/nvcc-rdc/several_units
    COMMAND ${NVCC} -std=c++17 -O2 --cudart shared -rdc=true -arch=sm_75 ${programs}/several_units.cu
            ${programs}/several_units.second.cu -o ${CUDA_PROGRAMS}/nvcc-rdc/several_units
    DEPENDS ${programs}/several_units.cu ${programs}/several_units.second.cu ${program_headers}
    COMMENT "nvcc -rdc=true several_units" VERBATIM)
  list(APPEND made ${CUDA_PROGRAMS}/nvcc-rdc/several_units)
endif()
# And one with the toolkit's libraries of headers, by `heddle cc`.
get_filename_component(toolkit "${NVCC}/../.." REALPATH)
if(NVCC AND EXISTS ${toolkit}/include/cccl/thrust)
  file(MAKE_DIRECTORY ${CUDA_PROGRAMS}/clang-libraries)
  set(with_libraries ${CMAKE_CURRENT_SOURCE_DIR}/runtime/libraries/toolkit.cu)
  add_custom_command(
    OUTPUT ${CUDA_PROGRAMS}/clang-libraries/toolkit
    COMMAND heddle cc -w --cuda-path ${toolkit} ${with_libraries} -o ${CUDA_PROGRAMS}/clang-libraries/toolkit
    DEPENDS ${with_libraries} ${program_headers} ${toolkit_headers} ${minimal_headers}
    COMMENT "heddle cc --cuda-path ${toolkit} toolkit" VERBATIM)
  list(APPEND made ${CUDA_PROGRAMS}/clang-libraries/toolkit)
endif()
# Some with a runtime inside them: a stand-in for NVIDIA's, all of whose functions refuse; and NVIDIA's, where it is.
set(inside ${CMAKE_CURRENT_SOURCE_DIR}/runtime/inside)
file(MAKE_DIRECTORY ${CUDA_PROGRAMS}/clang-inside ${CUDA_PROGRAMS}/nvcc-inside)
add_library(stand_in OBJECT ${inside}/stand_in.cpp)
target_include_directories(stand_in PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(stand_in PRIVATE -fno-sanitize=all)
foreach(name vector_add streams events symbols kernel_printf cooperative graphs managed)
  add_custom_command(
    OUTPUT ${CUDA_PROGRAMS}/clang-inside/${name}
    COMMAND heddle cc ${programs}/${name}.cu $<TARGET_OBJECTS:stand_in> -o ${CUDA_PROGRAMS}/clang-inside/${name}
    DEPENDS ${programs}/${name}.cu ${program_headers} ${toolkit_headers} stand_in $<TARGET_OBJECTS:stand_in>
    COMMENT "heddle cc ${name}, with a runtime inside" VERBATIM)
  list(APPEND made ${CUDA_PROGRAMS}/clang-inside/${name})
  if(NVCC)
    add_custom_command(
      OUTPUT ${CUDA_PROGRAMS}/nvcc-inside/${name}
      COMMAND ${NVCC} -std=c++17 -O2 --cudart static -gencode arch=compute_75,code=compute_75 ${programs}/${name}.cu
              -o ${CUDA_PROGRAMS}/nvcc-inside/${name}
      DEPENDS ${programs}/${name}.cu ${program_headers}
      COMMENT "nvcc --cudart static ${name}" VERBATIM)
    list(APPEND made ${CUDA_PROGRAMS}/nvcc-inside/${name})
  endif()
endforeach()
add_custom_target(cuda_programs DEPENDS ${made})
add_dependencies(cuda_programs heddle cudart)
