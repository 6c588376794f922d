# our_code(target): the rules for code written here; what comes from elsewhere is included as a system header.

set(RATTLEBACK_WARNINGS
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wno-sign-conversion             # indices are int on the page and size_t in the standard library
  -Wno-missing-field-initializers  # designated initialisers leave the rest to their defaults on purpose
)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND RATTLEBACK_WARNINGS
    -Wno-restrict  # GCC 12 sees overlap in std::string concatenation (GCC bug 105651)
    # These look through inlined std::variant and std::vector and are wrong too often to stop a build.
    -Wno-error=maybe-uninitialized -Wno-error=array-bounds
    -Wno-error=stringop-overflow -Wno-error=stringop-overread -Wno-error=free-nonheap-object)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  list(APPEND RATTLEBACK_WARNINGS -Wno-deprecated-declarations)  # std::stable_sort of GCC 12's library, from clang 19 on
endif()

function(our_code target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE ${RATTLEBACK_WARNINGS})
  if(RATTLEBACK_TIDY)
    set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "${RATTLEBACK_TIDY}")
  endif()
endfunction()

# reads_common_headers(target [more...]): where headers are precompiled (cmake/Toolchain.cmake), these are. Not in batches, which read each
# header once: there it takes as long as it saves.
function(reads_common_headers target)
  if(RATTLEBACK_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <optional> <set> <span> <string> <string_view>
      <unordered_map> <utility> <variant> <vector> <fmt/format.h>
      ${PROJECT_SOURCE_DIR}/rattleback/algebra/expression/expr.hpp ${ARGN})
  endif()
endfunction()

# Where data files lie: beside the sources while developing; when installed, relative to the folder of the executable,
# so that an installation can be moved. Only the files that look for data know it, so that compiling the others does
# not depend on where the checkout is, and a compiler cache serves every checkout.
function(knows_data_folders)
  file(RELATIVE_PATH share /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_DATADIR}/rattleback)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_DEFINITIONS
    RATTLEBACK_VERSION="${PROJECT_VERSION}"
    RATTLEBACK_SOURCE_MODELS="${PROJECT_SOURCE_DIR}/models"
    RATTLEBACK_INSTALL_MODELS="${share}/models"
    RATTLEBACK_SOURCE_DOCS="${PROJECT_SOURCE_DIR}/docs"
    RATTLEBACK_INSTALL_DOCS="${share}/docs")
endfunction()

# allocates_fast(target): mimalloc in place of the system's allocator, where it is installed (docs/decisions/0011). Sanitizers bring
# their own.
find_package(mimalloc QUIET)
function(allocates_fast target)
  if(TARGET mimalloc AND NOT RATTLEBACK_SANITIZE)
    target_link_libraries(${target} PRIVATE -Wl,--push-state,--no-as-needed mimalloc -Wl,--pop-state)
  endif()
endfunction()
