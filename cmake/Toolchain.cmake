# How everything is compiled, whatever target it belongs to.

include(CMakeDependentOption)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug or Release" FORCE)
endif()

# No -DNDEBUG: a program that claims proofs stops when one of its own invariants breaks, also in the build people use.
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g -D_GLIBCXX_ASSERTIONS")
set(CMAKE_CXX_EXTENSIONS OFF)

# The interpreter of the system, not the first one of PATH: it is the one that sees the system's SymPy.
find_program(RATTLEBACK_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(RATTLEBACK_PYTHON NAMES python3 REQUIRED)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# Sources are compiled in batches, five times as fast as one by one. A build without batches compiles the headers that nearly every file reads
# once, unless there is a compiler cache: it could not see what a file depends on.
option(RATTLEBACK_UNITY "Compile sources in batches" ON)
cmake_dependent_option(RATTLEBACK_PRECOMPILE "Compile common headers once" ON "NOT CCACHE;NOT RATTLEBACK_UNITY" OFF)

# More than half of the compiler's time is optimisation and code. Inner loops that are sources of their own get all of it, the algebra and the
# numbers less, the layers that call them, the command line and the tests next to nothing (docs/decisions/0012).
if(CMAKE_BUILD_TYPE STREQUAL Release)
  set(RATTLEBACK_LESS -O1)
  set(RATTLEBACK_QUICK -Og)
endif()

set(RATTLEBACK_SANITIZE "" CACHE STRING "Sanitizers for all code, e.g. address,undefined")
option(RATTLEBACK_FUZZ "Build the libFuzzer targets of tests/fuzz (needs clang)" OFF)
if(RATTLEBACK_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "RATTLEBACK_FUZZ needs clang; use `cmake --preset fuzz`")
  endif()
  # The library needs the coverage counters; only the fuzz targets themselves link libFuzzer's main.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(RATTLEBACK_SANITIZE)
  # Lines and functions are enough for a report; the places of variables would take half of the compiler's time and memory.
  add_compile_options(-fsanitize=${RATTLEBACK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1 -fno-var-tracking)
  add_link_options(-fsanitize=${RATTLEBACK_SANITIZE})
endif()
