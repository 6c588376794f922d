/// Compiled for several instruction sets; see series.hpp. RATTLEBACK_SERIES is the name of its functions.
#include <rattleback/native/series.hpp>

namespace rattleback::series {
namespace {

typedef double Doubles __attribute__((vector_size(64)));
typedef double Anywhere __attribute__((vector_size(64), aligned(8), may_alias));
typedef long long Integers __attribute__((vector_size(64)));
constexpr std::size_t width = 8;

Doubles load(const double* x) { return *reinterpret_cast<const Anywhere*>(x); }
/// b[0], b[−1], …
Doubles backwards(const double* b) {
  const Doubles x = load(b - (width - 1));
  return __builtin_shufflevector(x, x, 7, 6, 5, 4, 3, 2, 1, 0);
}

double total(Doubles x) {
  const Doubles four = x + __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3);
  const Doubles two = four + __builtin_shufflevector(four, four, 2, 3, 0, 1, 6, 7, 4, 5);
  return two[0] + two[1];
}

/// Σ_{j<n} weighted(a[j]) b[−j], eight terms at a time; of the last ones, those that are there.
template <class Weighted>
double sum(const double* a, const double* b, std::size_t n, Weighted weighted) {
  const Integers places{0, 1, 2, 3, 4, 5, 6, 7};
  Doubles s{};
  std::size_t j = 0;
  for (; j + width <= n; j += width) s += weighted(load(a + j), j) * backwards(b - j);
  if (j < n) {
    const Integers there = places < Integers{} + static_cast<long long>(n - j);
    const Doubles x = there != 0 ? load(a + j) : Doubles{}, y = there != 0 ? backwards(b - j) : Doubles{};
    s += weighted(x, j) * y;
  }
  return total(s);
}

double product(const double* a, const double* b, std::size_t n) {
  return sum(a, b, n, [](Doubles x, std::size_t) { return x; });
}
double slope_product(const double* a, const double* b, std::size_t n) {
  return sum(a, b, n, [](Doubles x, std::size_t j) {
    return x * (Doubles{1, 2, 3, 4, 5, 6, 7, 8} + static_cast<double>(j));
  });
}

void values(const double* rows, std::size_t n, std::size_t order, double h, double* y) {
  for (std::size_t first = 0; first < n; first += width) {
    Doubles x = load(rows + order * n + first);
    for (std::size_t k = order; k-- > 0;) x = x * h + load(rows + k * n + first);
    if (first + width <= n) {
      *reinterpret_cast<Anywhere*>(y + first) = x;
    } else {
      for (std::size_t i = first; i < n; ++i) y[i] = x[i - first];
    }
  }
}

}  // namespace

const Functions RATTLEBACK_SERIES{product, slope_product, values};

}  // namespace rattleback::series
