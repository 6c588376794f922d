// Declared in native/angle.hpp. Dispatch by processor: sine and cosine with fused multiply-add where there is one.
#include <rattleback/native/angle.hpp>
#include <rattleback/native/processor.hpp>

namespace rattleback {

SineCosine<double> angle_baseline(double x);
#if defined(__x86_64__)
SineCosine<double> angle_fma(double x);
#endif

namespace {

SineCosine<double> both(double x) {
#if defined(__x86_64__)
  static const bool once = rounds_once(this_processor());
  if (once) return angle_fma(x);
#endif
  return angle_baseline(x);
}

}  // namespace

double sine(double x) { return both(x).sine; }
double cosine(double x) { return both(x).cosine; }
double tangent(double x) {
  const SineCosine<double> y = both(x);
  return y.sine / y.cosine;
}

}  // namespace rattleback
