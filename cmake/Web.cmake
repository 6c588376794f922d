# The style sheets and scripts of pages become part of the library, with KaTeX when tools/fetch-web.sh has fetched it.

set(RATTLEBACK_WEB_PACKAGES ${PROJECT_SOURCE_DIR}/build/web/node_modules)
set(RATTLEBACK_KATEX ${RATTLEBACK_WEB_PACKAGES}/katex/dist CACHE PATH "Folder with katex.min.js, its style sheet and fonts")
set(katex ${RATTLEBACK_KATEX})
if(NOT EXISTS ${katex}/katex.min.js)
  set(katex "")
  message(STATUS "KaTeX is absent: reports show formulas as text (`tools/fetch-web.sh` fetches it)")
endif()

file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/*.css ${PROJECT_SOURCE_DIR}/web/*.js)
set(web_files ${PROJECT_BINARY_DIR}/web_files.cpp)
add_custom_command(OUTPUT ${web_files}
  COMMAND ${RATTLEBACK_PYTHON} ${PROJECT_SOURCE_DIR}/tools/embed_web.py ${web_files} ${PROJECT_SOURCE_DIR}/web ${katex}
  DEPENDS ${pages} ${PROJECT_SOURCE_DIR}/tools/embed_web.py
  VERBATIM)
target_sources(rattleback PRIVATE ${web_files})
set_source_files_properties(${web_files} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
