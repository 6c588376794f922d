# The style sheets and scripts of pages become part of the library, with KaTeX and CodeMirror when tools/fetch-web.sh has
# fetched them.

set(RATTLEBACK_WEB_PACKAGES ${PROJECT_SOURCE_DIR}/build/web/node_modules)
set(web ${PROJECT_SOURCE_DIR}/web)
set(web_options "")
set(web_parts "")
set(RATTLEBACK_KATEX ${RATTLEBACK_WEB_PACKAGES}/katex/dist CACHE PATH "Folder with katex.min.js, its style sheet and fonts")
if(EXISTS ${RATTLEBACK_KATEX}/katex.min.js)
  list(APPEND web_options --katex ${RATTLEBACK_KATEX})
else()
  message(STATUS "KaTeX is absent: pages show formulas as text (`tools/fetch-web.sh` fetches it)")
endif()

# The modules of CodeMirror as one script; esbuild takes a fraction of a second.
set(esbuild ${RATTLEBACK_WEB_PACKAGES}/.bin/esbuild)
if(EXISTS ${RATTLEBACK_WEB_PACKAGES}/codemirror AND EXISTS ${esbuild})
  set(editor ${PROJECT_BINARY_DIR}/codemirror.js)
  add_custom_command(OUTPUT ${editor}
    COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=${RATTLEBACK_WEB_PACKAGES}
            ${esbuild} ${web}/codemirror.mjs --bundle --minify --format=iife --global-name=CM
            --log-level=warning --outfile=${editor}
    DEPENDS ${web}/codemirror.mjs
    VERBATIM)
  list(APPEND web_options --codemirror ${editor})
  list(APPEND web_parts ${editor})
else()
  message(STATUS "CodeMirror is absent: the studio has a plain editor (`tools/fetch-web.sh` fetches it)")
endif()

file(GLOB pages CONFIGURE_DEPENDS ${web}/*.css ${web}/*.js ${web}/*.html)
set(web_files ${PROJECT_BINARY_DIR}/web_files.cpp)
add_custom_command(OUTPUT ${web_files}
  COMMAND ${RATTLEBACK_PYTHON} ${PROJECT_SOURCE_DIR}/tools/embed_web.py ${web_files} ${web} ${web_options}
  DEPENDS ${pages} ${web_parts} ${PROJECT_SOURCE_DIR}/tools/embed_web.py
  VERBATIM)
target_sources(rattleback PRIVATE ${web_files})
set_source_files_properties(${web_files} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
