# Bundles the report's script with its drawing library:
#   cmake -DSOURCE=src/report/web -DWORK=build/release/web -DNPM=… -P tools/bundle_report.cmake
# makes WORK/report.js. Packages come from npm by the lock file, with their hashes checked; they stay in WORK and are
# fetched again only when the lock file changes. Where they cannot be had, report.js is empty: the report then has its
# tables and says that charts are left out; the next build tries again.
cmake_minimum_required(VERSION 3.20)

function(give_up what)
  message("heddle: the report will have no charts: ${what}")
  file(WRITE ${WORK}/report.js "")
  execute_process(COMMAND touch -d @0 ${WORK}/report.js)  # older than what it is made from
endfunction()

file(MAKE_DIRECTORY ${WORK})
file(SHA256 ${SOURCE}/package-lock.json lock)
set(installed "")
if(EXISTS ${WORK}/installed)
  file(READ ${WORK}/installed installed)
endif()
if(NOT installed STREQUAL lock)
  file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json ${SOURCE}/.npmrc DESTINATION ${WORK})
  execute_process(COMMAND ${NPM} ci --ignore-scripts --no-progress --loglevel=error WORKING_DIRECTORY ${WORK}
                  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    give_up("npm could not fetch its packages\n${output}")
    return()
  endif()
  file(WRITE ${WORK}/installed ${lock})
endif()

# The script is copied beside the packages, so that it finds them.
file(COPY ${SOURCE}/report.js DESTINATION ${WORK}/source)
execute_process(COMMAND ${WORK}/node_modules/.bin/esbuild source/report.js --bundle --minify --format=iife --charset=utf8
                        --target=es2020 --log-level=warning --legal-comments=none --outfile=report.js
                WORKING_DIRECTORY ${WORK} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "esbuild: ${output}")
endif()
file(TOUCH ${WORK}/report.js)
