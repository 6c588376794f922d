/// Compiled for several instruction sets; see stage_sum.hpp. RATTLEBACK_STAGES is the name of its function.
#include <rattleback/simulate/stage_sum.hpp>

namespace rattleback::stage_rows {
namespace {

typedef double Anywhere __attribute__((vector_size(64), aligned(8), may_alias));
static_assert(sizeof(Anywhere) == width * sizeof(double));

/// Some variables at a time, so that their sums stay in registers.
void sum_rows(const double* k, std::size_t stride, const Weight* weights, std::size_t count, const double* y,
              double h, double* to) {
  const auto at = [](const double* x) { return *reinterpret_cast<const Anywhere*>(x); };
  for (std::size_t first = 0; first < stride; first += width) {
    Anywhere total{};
    for (const Weight *w = weights, *end = w + count; w != end; ++w)
      total += w->value * at(k + static_cast<std::size_t>(w->stage) * stride + first);
    *reinterpret_cast<Anywhere*>(to + first) = at(y + first) + h * total;
  }
}

}  // namespace

const Sum RATTLEBACK_STAGES = sum_rows;

}  // namespace rattleback::stage_rows
