# compiled_together(target lines source...): a unity build in batches of some lines (tools/unity_batches.py), where
# RATTLEBACK_UNITY is on. Headers are then read, and templates compiled, once for a batch. Called after sources have got definitions of their own, which the whole target gets here.
# Two targets of one folder may not share sources: a source of a batch is compiled nowhere else in its folder.
# The trusted kernel proof/check/ and the algebra are by themselves, so that tools/check_kernel.py sees what the kernel links.
function(compiled_together target lines)
  if(NOT RATTLEBACK_UNITY)
    return()
  endif()
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)  # a batch is no header
  # A local name hides no global one of another file. The others look through inlined code, stop no build (cmake/OurCode.cmake) and
  # take 3 % of the time. Builds without batches show them all.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-shadow;-Wshadow=local;-Wno-maybe-uninitialized;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-free-nonheap-object>)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${ARGN} ${PROJECT_SOURCE_DIR}/tools/unity_batches.py)  # batches hold the texts of the sources
  set(groups)
  foreach(source ${ARGN})
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    if(definitions)
      target_compile_definitions(${target} PRIVATE ${definitions})
    endif()
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    string(REGEX MATCH "^rattleback/(algebra|proof/check)/" group ${path})
    if(group)
      string(REPLACE "/" "_" group rattleback_${CMAKE_MATCH_1})
    else()
      set(group ${target})
    endif()
    list(APPEND groups ${group})
    list(APPEND sources_of_${group} ${source})
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group ${groups})
    execute_process(
      COMMAND ${RATTLEBACK_PYTHON} ${PROJECT_SOURCE_DIR}/tools/unity_batches.py --headers ${PROJECT_SOURCE_DIR}
        --into ${CMAKE_CURRENT_BINARY_DIR}/batches/batch_${group} --lines ${lines} ${sources_of_${group}}
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
