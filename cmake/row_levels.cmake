# The row forms compiled once more for each level of x86-64, beside the plain ones in the room exec (src/exec/row/level.h).
# A copy shares no inline function with the rest of the program, or the linker might keep the one that only newer
# processors run: all its names but one become local to it.
#   row_levels(OBJECTS) appends an object file per level.
function(row_levels objects)
  find_program(GNU_LD NAMES ld.bfd ld REQUIRED)  # clang's CMAKE_LINKER may be lld, which cannot do it
  set(sources)
  foreach(name row/approximate row/atomic row/float row/integer row/lists row/logic row/memory row/select numeric/approximate numeric/special_function)
    list(APPEND sources ${CMAKE_SOURCE_DIR}/src/exec/${name}.cpp)
  endforeach()
  foreach(level v2 v3 v4)
    add_library(rows_${level} OBJECT ${sources})
    target_link_libraries(rows_${level} PRIVATE heddle_options fmt::fmt)
    # -fno-gnu-unique: a variable that is one in the whole program could not become local.
    target_compile_options(rows_${level} PRIVATE -march=x86-64-${level} $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
    target_compile_definitions(rows_${level} PRIVATE HEDDLE_ROW_LEVEL=heddle_rows_${level})
    set(object ${CMAKE_BINARY_DIR}/rows_${level}.o)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${GNU_LD} -r --force-group-allocation -o ${object} $<TARGET_OBJECTS:rows_${level}>
      COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=heddle_rows_${level} ${object}
      DEPENDS $<TARGET_OBJECTS:rows_${level}>
      COMMENT "The rows for x86-64-${level}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND ${objects} ${object})
  endforeach()
  set(${objects} ${${objects}} PARENT_SCOPE)
endfunction()
