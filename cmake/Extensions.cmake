# Parts that bring a heavy library are shared objects of their own, opened when first needed (rattleback/native/extension.hpp).
# A library that is absent leaves its extension out; the program then says so where the extension would be used.

set(RATTLEBACK_BUILD_EXTENSIONS ${PROJECT_BINARY_DIR}/lib/rattleback)
file(RELATIVE_PATH extensions_from_program
  /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR}/rattleback)
set_property(SOURCE rattleback/native/extension.cpp APPEND PROPERTY COMPILE_DEFINITIONS
  RATTLEBACK_BUILD_EXTENSIONS="${RATTLEBACK_BUILD_EXTENSIONS}"
  RATTLEBACK_INSTALL_EXTENSIONS="${extensions_from_program}")

# extension(name SOURCES ... LIBRARIES ...)
function(extension name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_library(rattleback_${name} MODULE ${arg_SOURCES})
  our_code(rattleback_${name})
  target_include_directories(rattleback_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(rattleback_${name} PRIVATE ${arg_LIBRARIES})
  set_target_properties(rattleback_${name} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${RATTLEBACK_BUILD_EXTENSIONS} CXX_VISIBILITY_PRESET default)
  add_dependencies(rattleback rattleback_${name})
  install(TARGETS rattleback_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/rattleback)
endfunction()

# The serial library under the name that Debian gives it: one process writes. FindHDF5 would need the C language.
find_path(HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5_LIBRARY NAMES hdf5_serial hdf5)
if(HDF5_INCLUDE AND HDF5_LIBRARY)
  extension(hdf5 SOURCES rattleback/sweep/hdf5_table.cpp LIBRARIES ${HDF5_LIBRARY})
  target_include_directories(rattleback_hdf5 SYSTEM PRIVATE ${HDF5_INCLUDE})
else()
  message(STATUS "HDF5 is absent: no .h5 output (`make demo` installs it)")
endif()

find_package(MPI COMPONENTS CXX QUIET)
if(MPI_CXX_FOUND)
  extension(mpi SOURCES rattleback/sweep/mpi_ranks.cpp LIBRARIES MPI::MPI_CXX)
else()
  message(STATUS "MPI is absent: sweeps run on one machine (`make demo` installs it)")
endif()

# SUNDIALS is heavy on Debian (its development package brings PETSc), so that nothing installs it but `make bench`. Its serial vector and
# dense solver come from archives where there are some, so that the extension needs CVODE alone.
find_path(SUNDIALS_INCLUDE cvode/cvode.h)
find_library(SUNDIALS_CVODE NAMES sundials_cvode)
foreach(part nvecserial sunlinsoldense sunmatrixdense generic)
  find_library(SUNDIALS_${part} NAMES libsundials_${part}.a sundials_${part})
  list(APPEND SUNDIALS_PARTS ${SUNDIALS_${part}})
endforeach()
if(SUNDIALS_INCLUDE AND SUNDIALS_CVODE)
  extension(cvode SOURCES rattleback/simulate/steppers/cvode_solver.cpp LIBRARIES ${SUNDIALS_CVODE} ${SUNDIALS_PARTS})
  target_include_directories(rattleback_cvode SYSTEM PRIVATE ${SUNDIALS_INCLUDE})
else()
  message(STATUS "SUNDIALS is absent: no --method cvode (libsundials-dev, optional; radau5 is for stiff motions, too)")
endif()

# LLVM's own package asks for every library that LLVM was built with; its C interface needs none of them.
find_path(LLVM_INCLUDE llvm-c/Core.h PATHS /usr/lib/llvm-19/include NO_DEFAULT_PATH)
find_library(LLVM_LIBRARY NAMES LLVM-19 PATHS /usr/lib/llvm-19/lib)
# Of the whole library, loading alone takes 13 ms; of the parts that are needed, from its archives, 3 ms.
find_program(LLVM_CONFIG llvm-config PATHS /usr/lib/llvm-19/bin NO_DEFAULT_PATH)
find_library(ZSTD_LIBRARY NAMES zstd libzstd.so.1)
if(LLVM_CONFIG AND ZSTD_LIBRARY)
  execute_process(COMMAND ${LLVM_CONFIG} --link-static --libfiles x86codegen x86info x86desc irreader
    OUTPUT_VARIABLE archives OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  separate_arguments(archives)
endif()
if(archives)
  set(LLVM_PARTS ${archives} ZLIB::ZLIB ${ZSTD_LIBRARY} ${CMAKE_DL_LIBS})
else()
  set(LLVM_PARTS ${LLVM_LIBRARY})
endif()
if(LLVM_INCLUDE AND LLVM_LIBRARY AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  extension(llvm SOURCES rattleback/native/llvm_compiler.cpp LIBRARIES ${LLVM_PARTS})
  target_link_options(rattleback_llvm PRIVATE LINKER:--gc-sections LINKER:--exclude-libs,ALL LINKER:--strip-all)
  target_include_directories(rattleback_llvm SYSTEM PRIVATE ${LLVM_INCLUDE})
else()
  message(STATUS "LLVM 19 is absent: motions are interpreted, not compiled (`make demo` installs it)")
endif()

# Sine and cosine of one double, once for each way of rounding a*b + c (rattleback/native/angle.hpp).
function(angle_for name)
  add_library(angle_${name} OBJECT rattleback/native/angle.cpp)
  our_code(angle_${name})
  target_include_directories(angle_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(angle_${name} PRIVATE -ffp-contract=off ${ARGN})
  target_compile_definitions(angle_${name} PRIVATE RATTLEBACK_ANGLE=angle_${name})
  set_target_properties(angle_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_sources(rattleback PRIVATE $<TARGET_OBJECTS:angle_${name}>)
endfunction()

angle_for(baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  angle_for(fma -mfma)
endif()

# What works on many doubles at once, for each instruction set: the step of an ensemble (rattleback/sweep/lane_step.hpp), whose bits
# compiled steps have to repeat, angles (rattleback/native/angle_rows.hpp), products of power series (rattleback/native/series.hpp) and sums of stages
# (rattleback/simulate/steppers/stage_sum.hpp).
function(many_for name)
  foreach(part "lanes sweep/lane_step off" "angles native/angle_rows off" "series native/series fast"
               "stages simulate/steppers/stage_sum fast -fno-tree-vectorize -fno-tree-slp-vectorize")
    separate_arguments(part)
    list(GET part 0 library)
    list(GET part 1 source)
    list(GET part 2 contract)
    list(REMOVE_AT part 0 1 2)  # what is left are options
    string(TOUPPER ${library} macro)
    add_library(${library}_${name} OBJECT rattleback/${source}.cpp)
    our_code(${library}_${name})
    target_include_directories(${library}_${name} PRIVATE ${PROJECT_SOURCE_DIR})
    # -Wno-psabi: packs of 64 bytes never cross a function that is not inlined here.
    target_compile_options(${library}_${name} PRIVATE
      -O3 -fno-math-errno -ffp-contract=${contract} ${part} -Wno-psabi ${ARGN})
    target_compile_definitions(${library}_${name} PRIVATE RATTLEBACK_${macro}=for_${name})
    set_target_properties(${library}_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_sources(rattleback PRIVATE $<TARGET_OBJECTS:${library}_${name}>)
  endforeach()
endfunction()

many_for(baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  many_for(avx2 -mavx2 -mfma)
  many_for(avx512 -mavx512f -mavx512dq -mavx512vl -mfma -mprefer-vector-width=512)
endif()
