# `cmake --install BUILD --prefix PREFIX` (or make install PREFIX=…): the program with its libcudart.so and libcuda.so.1
# beside it in lib/heddle, the library for find_package(heddle), manual pages, completions, docs. Nothing in it knows
# PREFIX, so that it can be moved.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME heddle)  # of packages (cmake/packages.cmake)
include(CMakePackageConfigHelpers)

# Manual pages and completions are written by the program itself.
set(generated ${CMAKE_BINARY_DIR}/share)
add_custom_command(
  OUTPUT ${generated}/stamp
  COMMAND ${CMAKE_COMMAND} -DHEDDLE=$<TARGET_FILE:heddle> -DOUT=${generated} -P ${CMAKE_SOURCE_DIR}/cmake/manuals.cmake
  DEPENDS heddle ${CMAKE_SOURCE_DIR}/cmake/manuals.cmake
  COMMENT "Manual pages and completions" VERBATIM)
# Nobody installs a sanitized build, and there writing them takes the better part of a minute.
if(HEDDLE_SANITIZE OR HEDDLE_SANITIZE_THREADS)
  add_custom_target(manuals DEPENDS ${generated}/stamp)
else()
  add_custom_target(manuals ALL DEPENDS ${generated}/stamp)
endif()

# Where the tarball keeps the libraries of others that these load.
set_target_properties(heddle PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/heddle/bundled")
set_target_properties(heddle_c PROPERTIES INSTALL_RPATH "$ORIGIN/heddle/bundled")
install(TARGETS heddle RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# Where src/runtime/program_process.cpp looks for it, from the program's own folder.
install(TARGETS cuda_1 cudart_11.0 cudart_12 cudart_13 LIBRARY DESTINATION lib/heddle)
install(FILES ${CMAKE_BINARY_DIR}/cudart/libcudart.so ${CMAKE_BINARY_DIR}/cudart/libcuda.so DESTINATION lib/heddle)
install(DIRECTORY ${generated}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} FILES_MATCHING PATTERN "*.1")
install(FILES ${generated}/heddle.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME heddle)
install(FILES ${generated}/_heddle DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${generated}/heddle.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
install(TARGETS heddle_core EXPORT heddle ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# The C function: its targets are a file of their own, which needs no other package.
install(TARGETS heddle_c EXPORT heddle_c LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT heddle_c NAMESPACE heddle:: DESTINATION ${package} FILE heddleCTargets.cmake)
install(FILES src/library/heddle.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
file(RELATIVE_PATH root_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/heddle.pc.in ${CMAKE_BINARY_DIR}/heddle.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/heddle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(EXPORT heddle NAMESPACE heddle:: DESTINATION ${package} FILE heddleTargets.cmake)
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heddle FILES_MATCHING PATTERN "*.h"
        REGEX "/src/(cli|cudart|cuda|library|report/web)" EXCLUDE)
install(FILES workloads/support.h workloads/workload.h workloads/ptx_text.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heddle/workloads)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/heddleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/heddleConfig.cmake ${CMAKE_BINARY_DIR}/heddleConfigVersion.cmake DESTINATION ${package})
