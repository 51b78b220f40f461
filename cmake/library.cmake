# libheddle.so: the C functions of src/library/heddle.h, and nothing else to be seen from outside. What it is made of is in
# libheddle.a too.
add_library(heddle_c SHARED $<TARGET_OBJECTS:room_library>)
target_link_libraries(heddle_c PRIVATE heddle_core heddle_options)
target_include_directories(heddle_c INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src/library>
                           $<INSTALL_INTERFACE:include>)
set(library_map ${CMAKE_SOURCE_DIR}/src/library/heddle.map)
target_link_options(heddle_c PRIVATE -Wl,--version-script,${library_map} -Wl,-Bsymbolic-functions)
set_target_properties(heddle_c PROPERTIES OUTPUT_NAME heddle EXPORT_NAME c LINK_DEPENDS ${library_map}
                      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
if(HEDDLE_SANITIZE OR HEDDLE_SANITIZE_THREADS)
  set_target_properties(heddle_c PROPERTIES EXCLUDE_FROM_ALL ON)  # who loads it is not sanitized
endif()
