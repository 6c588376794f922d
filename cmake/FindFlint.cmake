# FLINT with Arb, Antic and Calcium, as one target Flint::flint.
#
# FLINT 3 contains the other three. For FLINT 2 they are separate libraries, and Debian calls Arb `flint-arb`. Every source that uses FLINT
# compiles with 2.9.0 (Debian 12) and with the headers of 3.1.3 (Debian 13), without a warning. Where their paths differ is one header's
# business (rattleback/algebra/arithmetic/flint_headers.hpp), which a rule keeps so.

find_path(Flint_INCLUDE_DIR flint/flint.h)
find_library(Flint_LIBRARY flint)
find_library(Flint_GMP_LIBRARY gmp)
find_library(Flint_MPFR_LIBRARY mpfr)
mark_as_advanced(Flint_INCLUDE_DIR Flint_LIBRARY Flint_GMP_LIBRARY Flint_MPFR_LIBRARY)
set(required Flint_LIBRARY Flint_GMP_LIBRARY Flint_MPFR_LIBRARY Flint_INCLUDE_DIR)

if(Flint_INCLUDE_DIR AND EXISTS ${Flint_INCLUDE_DIR}/flint/flint.h)
  set(version)
  foreach(part "" _MINOR _PATCHLEVEL)
    file(STRINGS ${Flint_INCLUDE_DIR}/flint/flint.h line REGEX "^#define +__FLINT_VERSION${part} +[0-9]+")
    string(REGEX MATCH "[0-9]+$" number "${line}")
    list(APPEND version "${number}")
  endforeach()
  list(JOIN version . Flint_VERSION)
endif()

set(Flint_LIBRARIES ${Flint_LIBRARY})
if(Flint_VERSION AND Flint_VERSION VERSION_LESS 3)
  find_library(Flint_ARB_LIBRARY NAMES flint-arb arb)
  find_library(Flint_ANTIC_LIBRARY antic)
  find_library(Flint_CALCIUM_LIBRARY calcium)
  mark_as_advanced(Flint_ARB_LIBRARY Flint_ANTIC_LIBRARY Flint_CALCIUM_LIBRARY)
  list(APPEND required Flint_ARB_LIBRARY Flint_ANTIC_LIBRARY Flint_CALCIUM_LIBRARY)
  # Each library uses those after it.
  list(PREPEND Flint_LIBRARIES ${Flint_CALCIUM_LIBRARY} ${Flint_ANTIC_LIBRARY} ${Flint_ARB_LIBRARY})
endif()
list(APPEND Flint_LIBRARIES ${Flint_MPFR_LIBRARY} ${Flint_GMP_LIBRARY})

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Flint REQUIRED_VARS ${required} VERSION_VAR Flint_VERSION)
unset(required)

if(Flint_FOUND AND NOT TARGET Flint::flint)
  add_library(Flint::flint INTERFACE IMPORTED)
  set_target_properties(Flint::flint PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${Flint_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${Flint_LIBRARIES}")
endif()
