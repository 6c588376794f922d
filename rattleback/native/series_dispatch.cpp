// Declared in native/series.hpp. SIMD dispatch: the instruction set of this processor.
#include <rattleback/native/processor.hpp>
#include <rattleback/native/series.hpp>

namespace rattleback::series {

const Functions& functions() {
#if defined(__x86_64__)
  switch (this_processor()) {
    case Processor::avx512: return for_avx512;
    case Processor::avx2: return for_avx2;
    case Processor::baseline: break;
  }
#endif
  return for_baseline;
}

}  // namespace rattleback::series
