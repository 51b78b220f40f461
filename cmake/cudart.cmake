# What CUDA programs load under `heddle exec`: libcuda.so.1, and libcudart.so under the name of each CUDA version. Each has
# both APIs, and the latter are filters of libcuda.so.1: the loader takes what they have from there, so that there is one
# state, whichever of the libraries a program asks for, and how. They need nothing of the simulator, and are the same in a
# build with sanitizers, which the program is not built with.
foreach(room cudart cuda)
  file(GLOB sources CONFIGURE_DEPENDS src/${room}/*.cpp)
  add_library(heddle_shim_${room} OBJECT ${sources})
  target_include_directories(heddle_shim_${room} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_compile_options(heddle_shim_${room} PRIVATE -fvisibility=hidden)
  target_link_libraries(heddle_shim_${room} PRIVATE heddle_warnings)
  set_target_properties(heddle_shim_${room} PROPERTIES UNITY_BUILD ${HEDDLE_UNITY} UNITY_BUILD_BATCH_SIZE 0)
endforeach()
set(shim_map ${CMAKE_SOURCE_DIR}/src/cudart/cudart.map)
set(shim_folder ${CMAKE_BINARY_DIR}/cudart)

set(aliases)
foreach(room cudart cuda)
  file(STRINGS src/${room}/per_thread.def per_thread REGEX "^PER_THREAD")
  list(TRANSFORM per_thread REPLACE "PER_THREAD\\((.*), (.*)\\)" "-Wl,--defsym,\\2=\\1")
  list(APPEND aliases ${per_thread})
endforeach()

function(add_shim target name version)
  add_library(${target} SHARED $<TARGET_OBJECTS:heddle_shim_cudart> $<TARGET_OBJECTS:heddle_shim_cuda>)
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL
                      -Wl,--version-script,${shim_map} -Wl,-z,defs -Wl,-soname,lib${name}.so.${version}
                      -Wl,-Bsymbolic-functions ${aliases})  # who is put before it sees calls of the program alone
  target_link_libraries(${target} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SUFFIX .so.${version} NO_SONAME ON
                        LINK_DEPENDS ${shim_map} LIBRARY_OUTPUT_DIRECTORY ${shim_folder})
  add_dependencies(cudart ${target})
endfunction()

add_custom_target(cudart ALL)
add_shim(cuda_1 cuda 1)
foreach(version 11.0 12 13)
  add_shim(cudart_${version} cudart ${version})
  target_link_options(cudart_${version} PRIVATE -Wl,--filter,libcuda.so.1)
  set_target_properties(cudart_${version} PROPERTIES INSTALL_RPATH "$ORIGIN" BUILD_WITH_INSTALL_RPATH ON)
endforeach()
# For the linker of who builds a program without the CUDA toolkit.
add_custom_command(TARGET cudart_13 POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink libcudart.so.13 libcudart.so
                   WORKING_DIRECTORY ${shim_folder})
add_custom_command(TARGET cuda_1 POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink libcuda.so.1 libcuda.so
                   WORKING_DIRECTORY ${shim_folder})
