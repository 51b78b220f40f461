# The libcudart.so that CUDA programs load under `heddle exec`, under the name of each CUDA version. It needs nothing of
# the simulator, and is the same in a build with sanitizers, which the program is not built with.
file(GLOB shim_sources CONFIGURE_DEPENDS src/cudart/*.cpp)
add_library(heddle_shim OBJECT ${shim_sources})
target_include_directories(heddle_shim PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(heddle_shim PRIVATE -fvisibility=hidden)
target_link_libraries(heddle_shim PRIVATE heddle_warnings)
set_target_properties(heddle_shim PROPERTIES UNITY_BUILD ${HEDDLE_UNITY} UNITY_BUILD_BATCH_SIZE 0)
set(shim_map ${CMAKE_SOURCE_DIR}/src/cudart/cudart.map)
file(STRINGS src/cudart/per_thread.def per_thread REGEX "^PER_THREAD")
list(TRANSFORM per_thread REPLACE "PER_THREAD\\((.*), (.*)\\)" "-Wl,--defsym,\\2=\\1")
add_custom_target(cudart ALL)
foreach(version 11.0 12 13)
  add_library(cudart_${version} SHARED $<TARGET_OBJECTS:heddle_shim>)
  target_link_options(cudart_${version} PRIVATE -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL
                      -Wl,--version-script,${shim_map} -Wl,-z,defs
                      -Wl,-Bsymbolic-functions ${per_thread})  # who is put before it sees calls of the program alone
  target_link_libraries(cudart_${version} PRIVATE Threads::Threads)
  set_target_properties(cudart_${version} PROPERTIES OUTPUT_NAME cudart SUFFIX .so.${version} NO_SONAME ON
    LINK_DEPENDS ${shim_map} LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/cudart)
  target_link_options(cudart_${version} PRIVATE -Wl,-soname,libcudart.so.${version})
  add_dependencies(cudart cudart_${version})
endforeach()
# For the linker of who builds a program without the CUDA toolkit.
add_custom_command(TARGET cudart_13 POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink libcudart.so.13 libcudart.so
                   WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/cudart)
