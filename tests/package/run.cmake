# Install into an empty folder, move it, and build a guest against what was moved; then ask the installed program.
#
#     cmake -D BUILD=build/release -D WORK=folder -P run.cmake
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
file(RENAME ${WORK}/first ${WORK}/moved)
step(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/guest -D CMAKE_PREFIX_PATH=${WORK}/moved -D CMAKE_BUILD_TYPE=Debug)
step(${CMAKE_COMMAND} --build ${WORK}/guest)
step(${WORK}/guest/guest)
if(NOT output STREQUAL "u*cos(theta)\n")
  message(FATAL_ERROR "the guest says ${output}")
endif()
step(${CMAKE_COMMAND} -E env --unset=RATTLEBACK_MODELS ${WORK}/moved/bin/rattleback check chaplygin-sleigh)
step(${WORK}/moved/bin/rattleback explain unknown-symbol)
file(REMOVE_RECURSE ${WORK})
