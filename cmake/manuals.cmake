# cmake -DHEDDLE=PROGRAM -DOUT=FOLDER -P cmake/manuals.cmake: manual pages and completions, as the program writes them.
cmake_minimum_required(VERSION 3.20)

function(written file)
  execute_process(COMMAND ${HEDDLE} ${ARGN} OUTPUT_FILE ${OUT}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(MAKE_DIRECTORY ${OUT}/man1)
written(man1/heddle.1 man)
execute_process(COMMAND ${HEDDLE} man --verbs OUTPUT_VARIABLE verbs COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" verbs "${verbs}")
foreach(verb IN LISTS verbs)
  written(man1/heddle-${verb}.1 man ${verb})
endforeach()
written(heddle.bash completion bash)
written(_heddle completion zsh)
written(heddle.fish completion fish)
file(TOUCH ${OUT}/stamp)
