/// Compiled for several instruction sets; see stage_sum.hpp. RATTLEBACK_STAGES is the name of its functions.
#include <rattleback/simulate/stage_sum.hpp>

namespace rattleback::stage_rows {
namespace {

typedef double Anywhere __attribute__((vector_size(64), aligned(8), may_alias));
typedef long long Bits __attribute__((vector_size(64)));
static_assert(sizeof(Anywhere) == width * sizeof(double));

Anywhere at(const double* x) { return *reinterpret_cast<const Anywhere*>(x); }
void put(Anywhere x, double* to) { *reinterpret_cast<Anywhere*>(to) = x; }
double squares(Anywhere x) {
  double sum = 0;
  for (std::size_t i = 0; i < width; ++i) sum += x[i] * x[i];
  return sum;
}
Anywhere absolute(Anywhere x) {
  return reinterpret_cast<Anywhere>(reinterpret_cast<Bits>(x) & 0x7fffffffffffffffLL);
}

/// One by one: rates are written one by one, and a processor hands them on at once only in the same pieces.
[[gnu::optimize("no-tree-vectorize")]] void add_last(const double* k, double weight, std::size_t count,
                                                     double* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] += weight * k[i];
}

/// Some variables at a time, so that their sums stay in registers.
void sum_rows(const double* k, std::size_t stride, const Weight* weights, std::size_t count, const double* y,
              double h, double* to) {
  const Weight* const last = weights + (count - 1);
  for (std::size_t first = 0; first < stride; first += width) {
    Anywhere total{};
    for (const Weight* w = weights; w != last; ++w)
      total += w->value * at(k + static_cast<std::size_t>(w->stage) * stride + first);
    put(at(y + first) + h * total, to + first);
  }
  add_last(k + static_cast<std::size_t>(last->stage) * stride, h * last->value, stride, to);
}

Errors end_of_step(const double* k, std::size_t stride, const EndWeight* weights, std::size_t count,
                   const double* y, double h, double rtol, double atol, double* to) {
  Errors errors{0, 0};
  for (std::size_t first = 0; first < stride; first += width) {
    Anywhere total{}, fifth{}, third{};
    for (const EndWeight *w = weights, *end = w + count; w != end; ++w) {
      const Anywhere rate = at(k + static_cast<std::size_t>(w->stage) * stride + first);
      total += w->value * rate;
      fifth += w->fifth * rate;
      third += w->third * rate;
    }
    const Anywhere before = at(y + first), after = before + h * total;
    put(after, to + first);
    const Anywhere a = absolute(before), b = absolute(after);
    const Anywhere scale = 1 / (atol + rtol * (a > b ? a : b));
    errors.fifth += squares(fifth * scale);
    errors.third += squares(third * scale);
  }
  return errors;
}

}  // namespace

const Functions RATTLEBACK_STAGES{sum_rows, end_of_step};

}  // namespace rattleback::stage_rows
