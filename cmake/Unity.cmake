# compiled_together(target lines source...): a unity build in batches of some lines, a folder at a time (tools/unity_batches.py), where
# RATTLEBACK_UNITY is on. Headers are then read, and templates compiled, once for a batch. Off where a compiler cache is in use: a
# changed file would take its batch along. Called after sources have got definitions of their own: those stay by themselves.
function(compiled_together target lines)
  if(NOT RATTLEBACK_UNITY)
    return()
  endif()
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)  # a batch is no header
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${ARGN} ${PROJECT_SOURCE_DIR}/tools/unity_batches.py)  # batches name what the sources declare
  set(folders)
  foreach(source ${ARGN})
    cmake_path(GET source PARENT_PATH folder)
    list(APPEND folders ${folder})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder ${folders})
    set(here)
    foreach(source ${ARGN})
      cmake_path(GET source PARENT_PATH home)
      get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
      if(home STREQUAL folder AND NOT definitions)
        list(APPEND here ${source})
      endif()
    endforeach()
    if(NOT here)
      continue()
    endif()
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${folder})
    string(REPLACE "/" "_" name ${name})
    execute_process(
      COMMAND ${RATTLEBACK_PYTHON} ${PROJECT_SOURCE_DIR}/tools/unity_batches.py --headers ${PROJECT_SOURCE_DIR}
        --into ${CMAKE_CURRENT_BINARY_DIR}/batches/batch_${name} --lines ${lines} ${here}
      OUTPUT_VARIABLE batches OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE ";" "|" batches "${batches}")
    string(REPLACE "\n" ";" batches "${batches}")
    foreach(batch ${batches})
      string(REPLACE "|" ";" batch "${batch}")
      list(POP_FRONT batch together)
      target_sources(${target} PRIVATE ${together})
      set_source_files_properties(${batch} PROPERTIES HEADER_FILE_ONLY ON)
    endforeach()
  endforeach()
endfunction()
