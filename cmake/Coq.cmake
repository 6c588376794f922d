# The Coq kernel as a string in the program: coq_kernel.v is what people read and `coqc` checks.
set(kernel ${PROJECT_SOURCE_DIR}/rattleback/proof/coq/coq_kernel.v)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kernel})
file(READ ${kernel} text)
string(LENGTH "${text}" length)
set(parts "")
foreach(start RANGE 0 ${length} 12000)  # compilers may limit the length of one literal
  string(SUBSTRING "${text}" ${start} 12000 part)
  string(APPEND parts "    R\"coq(${part})coq\"\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/coq_kernel.cpp CONTENT
"#include <rattleback/proof/coq/coq_theorem.hpp>

namespace rattleback {

std::string coq_kernel() {
  return
@parts@    ;
}

}  // namespace rattleback
" @ONLY)
target_sources(rattleback PRIVATE ${PROJECT_BINARY_DIR}/coq_kernel.cpp)
set_source_files_properties(${PROJECT_BINARY_DIR}/coq_kernel.cpp PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
