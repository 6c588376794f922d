// Declared in native/angle_rows.hpp. SIMD dispatch: the instruction set of this processor.
#include <rattleback/native/angle_rows.hpp>
#include <rattleback/native/processor.hpp>

namespace rattleback {

AngleRows angle_rows() {
#if defined(__x86_64__)
  switch (this_processor()) {
    case Processor::avx512: return angles::for_avx512;
    case Processor::avx2: return angles::for_avx2;
    case Processor::baseline: break;
  }
#endif
  return angles::for_baseline;
}

}  // namespace rattleback
