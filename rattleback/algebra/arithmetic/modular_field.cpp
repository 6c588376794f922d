#include <rattleback/algebra/arithmetic/modular_field.hpp>

#include <numeric>
#include <utility>

#include <rattleback/algebra/arithmetic/budget.hpp>

namespace rattleback {
namespace {

constexpr unsigned window = 4, windows = 16;

/// powers[k][j] = base^(j·16^k): a power of the base is then one product per hexadecimal digit.
template <class Element>
class FixedBase {
 public:
  explicit FixedBase(Element base) {
    for (auto& row : powers_) {
      row[0] = Element{1};
      for (std::size_t j = 1; j < row.size(); ++j) row[j] = row[j - 1] * base;
      base = row.back() * base;
    }
  }
  Element operator()(std::uint64_t exponent) const {
    Element r = powers_[0][exponent & 15U];
    for (unsigned k = 1; k < windows && (exponent >>= window) != 0; ++k) r = r * powers_[k][exponent & 15U];
    return r;
  }

 private:
  std::array<std::array<Element, std::size_t{1} << window>, windows> powers_;
};

/// ((1 − t²) + 2ti)/(1 + t²); 1 + t² ≠ 0 because −1 is not a square.
CirclePoint stereographic(ModP t) {
  const ModP d = inverse(1 + t * t);
  return {(1 - t * t) * d, (t + t) * d};
}

/// A generator of the points of order 720 with the cosines and sines of the real half degree.
CirclePoint half_degree() {
  const auto is_generator = [](CirclePoint z) {
    for (const long prime : {2L, 3L, 5L}) {
      if (power(z, static_cast<long>(half_degrees_of_a_turn) / prime) == CirclePoint{}) return false;
    }
    return true;
  };
  const auto is_real = [](CirclePoint z) {
    const CirclePoint at30 = power(z, 60), at45 = power(z, 90), at36 = power(z, 72), at22 = power(z, 45);
    return 2 * at30.c == *root(ModP(3)) && 2 * at30.s == ModP(1) && 2 * at45.c == *root(ModP(2)) &&
           at45.c == at45.s && 4 * at36.c == 1 + *root(ModP(5)) && root(at36.s) && root(at22.c);
  };
  CirclePoint generator;
  for (long t = 2; !is_generator(generator); ++t) {
    generator = power(stereographic(ModP(t)), static_cast<long>(modulus_of_angles));
  }
  CirclePoint z = generator;
  while (!is_real(z)) z = z * generator;
  return z;
}

}  // namespace

CirclePoint power(CirclePoint z, long n) {
  if (n < 0) {
    z.s = -z.s;
    n = -n;
  }
  CirclePoint r;
  for (; n != 0; n >>= 1U, z = z * z) {
    if ((n & 1) != 0) r = r * z;
  }
  return r;
}

CirclePoint circle(ModAngle u) {
  static const FixedBase<CirclePoint> zeta(
      power(stereographic(7), static_cast<long>(half_degrees_of_a_turn)));
  return zeta(u.canonical());
}

CirclePoint circle_of_half_degrees(long k) {
  constexpr auto turn = static_cast<long>(half_degrees_of_a_turn);
  static const auto points = [] {
    std::array<CirclePoint, half_degrees_of_a_turn> all;
    const CirclePoint z = half_degree();
    for (std::size_t j = 1; j < all.size(); ++j) all[j] = all[j - 1] * z;
    return all;
  }();
  return points[static_cast<std::size_t>(((k % turn) + turn) % turn)];
}

ModP exponential(ModExponent u) {
  static const FixedBase<ModP> g(ModP(4));
  return g(u.canonical());
}

ModP power_of_square(ModP a, ModExponent u) { return power(a, u.canonical()); }

namespace {

/// row −= factor · pivot_row, from a column on.
void eliminate(std::span<ModP> row, std::span<const ModP> pivot_row, ModP factor, std::size_t from) {
  for (std::size_t j = from; j < row.size(); ++j) row[j] -= factor * pivot_row[j];
}

void swap_rows(ModularMatrix& a, int i, int k) {
  if (i != k) std::swap_ranges(a.row(i).begin(), a.row(i).end(), a.row(k).begin());
}

/// The first row from `start` on with a nonzero entry in a column, or −1.
int pivot_row(const ModularMatrix& a, int start, int column) {
  for (int i = start; i < a.rows(); ++i) {
    if (!a(i, column).is_zero()) return i;
  }
  return -1;
}

/// a beside b.
ModularMatrix beside(const ModularMatrix& a, const ModularMatrix& b) {
  ModularMatrix both(a.rows(), a.columns() + b.columns());
  for (int i = 0; i < a.rows(); ++i) {
    std::copy(a.row(i).begin(), a.row(i).end(), both.row(i).begin());
    std::copy(b.row(i).begin(), b.row(i).end(), both.row(i).begin() + a.columns());
  }
  return both;
}

}  // namespace

Echelon row_echelon(ModularMatrix a) {
  std::vector<int> pivots, rows(static_cast<std::size_t>(a.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  for (int column = 0; column < a.columns() && static_cast<int>(pivots.size()) < a.rows(); ++column) {
    const int k = static_cast<int>(pivots.size()), found = pivot_row(a, k, column);
    if (found < 0) continue;
    Budget::check();  // thousands of columns take minutes
    swap_rows(a, k, found);
    std::swap(rows[static_cast<std::size_t>(k)], rows[static_cast<std::size_t>(found)]);
    const auto from = static_cast<std::size_t>(column);
    const ModP scale = inverse(a(k, column));
    for (ModP& entry : a.row(k).subspan(from)) entry *= scale;
    for (int i = 0; i < a.rows(); ++i) {
      if (i != k && !a(i, column).is_zero()) eliminate(a.row(i), a.row(k), a(i, column), from);
    }
    pivots.push_back(column);
  }
  rows.resize(pivots.size());
  return {std::move(a), std::move(pivots), std::move(rows)};
}

int rank(const ModularMatrix& a) { return static_cast<int>(row_echelon(a).pivots.size()); }

ModP determinant(ModularMatrix a) {
  ModP det = 1;
  for (int k = 0; k < a.columns(); ++k) {
    const int found = pivot_row(a, k, k);
    if (found < 0) return 0;
    if (found != k) det = -det;
    swap_rows(a, k, found);
    det *= a(k, k);
    const ModP scale = inverse(a(k, k));
    for (int i = k + 1; i < a.rows(); ++i) {
      if (!a(i, k).is_zero()) eliminate(a.row(i), a.row(k), a(i, k) * scale, static_cast<std::size_t>(k));
    }
  }
  return det;
}

std::optional<ModularMatrix> solve(const ModularMatrix& a, const ModularMatrix& b) {
  const Echelon e = row_echelon(beside(a, b));
  if (!e.pivots.empty() && e.pivots.back() >= a.columns()) return std::nullopt;
  ModularMatrix x(a.columns(), b.columns());
  for (int k = 0; k < static_cast<int>(e.pivots.size()); ++k) {
    for (int j = 0; j < b.columns(); ++j)
      x(e.pivots[static_cast<std::size_t>(k)], j) = e.matrix(k, a.columns() + j);
  }
  return x;
}

ModularMatrix kernel(const ModularMatrix& a) {
  const Echelon e = row_echelon(a);
  ModularMatrix basis(a.columns(), a.columns() - static_cast<int>(e.pivots.size()));
  int next = 0;  // of the pivots
  for (int column = 0; column < a.columns(); ++column) {
    if (next < static_cast<int>(e.pivots.size()) && e.pivots[static_cast<std::size_t>(next)] == column) {
      ++next;
      continue;
    }
    const int leg = column - next;
    basis(column, leg) = 1;
    for (int k = 0; k < next; ++k) basis(e.pivots[static_cast<std::size_t>(k)], leg) = -e.matrix(k, column);
  }
  return basis;
}

}  // namespace rattleback
