# The Python package (docs/python.md): the module heddle._heddle, and build/…/python, a folder for PYTHONPATH with all of
# it. Everything of the simulator is inside the module.
if(NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3)  # the system's, for which there are packages, whatever stands before it in PATH
endif()
find_package(Python 3.9 REQUIRED COMPONENTS Interpreter Development.Module)
find_package(pybind11 2.10 CONFIG REQUIRED)

file(GLOB python_sources CONFIGURE_DEPENDS src/python/*.cpp)
pybind11_add_module(heddle_python MODULE NO_EXTRAS ${python_sources})
target_link_libraries(heddle_python PRIVATE heddle_core heddle_options)
target_link_options(heddle_python PRIVATE -Wl,--exclude-libs,ALL)
target_compile_options(heddle_python PRIVATE $<$<CONFIG:Release>:-O1>)
set(python_folder ${CMAKE_BINARY_DIR}/python/heddle)
set_target_properties(heddle_python PROPERTIES OUTPUT_NAME _heddle LIBRARY_OUTPUT_DIRECTORY ${python_folder}
                      UNITY_BUILD ${HEDDLE_UNITY} UNITY_BUILD_BATCH_SIZE 24)
file(GLOB package_files CONFIGURE_DEPENDS python/heddle/*.py python/heddle/*.pyi python/heddle/py.typed)
file(MAKE_DIRECTORY ${python_folder})
foreach(file IN LISTS package_files)
  cmake_path(GET file FILENAME name)
  file(CREATE_LINK ${file} ${python_folder}/${name} SYMBOLIC)
endforeach()

# Where Debian's Python looks; elsewhere it is for PYTHONPATH.
set(installed lib/python3/dist-packages/heddle)
set_target_properties(heddle_python PROPERTIES INSTALL_RPATH "$ORIGIN/../../../heddle/bundled")
install(TARGETS heddle_python LIBRARY DESTINATION ${installed} COMPONENT python)
install(FILES ${package_files} DESTINATION ${installed} COMPONENT python)
