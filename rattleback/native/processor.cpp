#include <rattleback/native/processor.hpp>

namespace rattleback {

Processor this_processor() {
#if defined(__x86_64__)
  static const Processor found = [] {
    // The features of x86-64-v4 and v3 that LLVM may use for these names.
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd");
    return avx2 && avx512 ? Processor::avx512 : avx2 ? Processor::avx2 : Processor::baseline;
  }();
  return found;
#else
  return Processor::baseline;
#endif
}

}  // namespace rattleback
