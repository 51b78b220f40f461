# cmake -DROOT=FOLDER -P cmake/bundle.cmake: into an installed tree go the libraries of others that it loads (the C library
# and what belongs to it apart), where its programs look for them.
cmake_minimum_required(VERSION 3.20)
file(GLOB libraries ${ROOT}/lib/libheddle.so.*.* ${ROOT}/lib/python3/dist-packages/heddle/*.so)
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${ROOT}/bin/heddle LIBRARIES ${libraries} RESOLVED_DEPENDENCIES_VAR found
     PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|pthread|dl|rt)\\.so")
foreach(file IN LISTS found)
  file(INSTALL ${file} DESTINATION ${ROOT}/lib/heddle/bundled FOLLOW_SYMLINK_CHAIN)
endforeach()
