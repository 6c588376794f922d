#include <rattleback/motion/velocities/rank_loss.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/graph.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/dense.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_conditions = search_limits::conditions_of_a_determinant.count;

/// From −1 to 1.
double fraction(std::uint64_t bits) { return static_cast<double>(bits >> 32U) / 2147483648.0 - 1; }

/// Entry of the rotation by the unit quaternion (w, v): δ_ij + 2 (v_i v_j − δ_ij v·v − w ε_ijk v_k).
double rotation_entry(const std::array<double, 4>& q, int i, int j) {
  const double w = q[0];
  const std::array v{q[1], q[2], q[3]};
  const auto at = [&](int k) { return v[static_cast<std::size_t>(k)]; };
  if (i == j) return 1 - 2 * (at((i + 1) % 3) * at((i + 1) % 3) + at((i + 2) % 3) * at((i + 2) % 3));
  const int k = 3 - i - j;
  return 2 * (at(i) * at(j) + ((j - i + 3) % 3 == 1 ? -w : w) * at(k));
}

class SamplePoint {
 public:
  explicit SamplePoint(std::uint64_t number) : number_(number) {}

  double value(Symbol s) const {
    const auto& a = s.attributes();
    const std::uint64_t bits = mix(a.family.empty() ? s.hash() : hash_text(a.family), number_);
    if (a.role == Role::rotation) return rotation_entry(quaternion(bits), a.entry / 3, a.entry % 3);
    if (a.role == Role::direction) return rotation_entry(quaternion(bits), a.entry, 2);
    const double between = 3 * fraction(bits);
    if (s.is_positive()) return 0.25 + std::abs(between);
    const bool is_special = a.role == Role::coordinate && (bits & 3U) != 0;
    return is_special ? (std::numbers::pi / 2) * static_cast<double>((bits >> 2U) & 3U) : between;
  }

 private:
  /// Half of them quarter turns about the axes, and products of those.
  static std::array<double, 4> quaternion(std::uint64_t bits) {
    std::array<double, 4> q{};
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint64_t own = mix(bits, i);
      q[i] = (bits & 1U) != 0 ? static_cast<double>(own & 1U) : fraction(own);
    }
    double norm = 0;
    for (const double x : q) norm += x * x;
    if (norm < 1e-9) return {1, 0, 0, 0};
    for (double& x : q) x /= std::sqrt(norm);
    return q;
  }
  std::uint64_t number_;
};

bool are_nonzero(std::span<const double> values) {
  constexpr double beyond_rounding = 1e-6;
  return std::ranges::all_of(values,
                             [](double x) { return std::isfinite(x) && std::abs(x) > beyond_rounding; });
}

}  // namespace

MatrixSamples::MatrixSamples(const Matrix& m, const Assumptions& known) : conditions_(known.size()) {
  std::vector<Expr> all(m.entries().begin(), m.entries().end());
  for (const Assumption& a : known) all.push_back(a.expression);
  const std::size_t entries = m.entries().size();
  const std::vector<Symbol> symbols = symbols_of(all);
  constexpr std::uint64_t points = search_limits::rank_of_a_matrix.count;
  for (std::uint64_t point = 0; point < points; ++point) {
    const SamplePoint here(point);
    Numbers at;
    for (const Symbol s : symbols)
      if (s.role() != Role::constant) at.emplace(s, here.value(s));
    const std::vector<double> values =
        evaluate(all, at, [](Function, std::span<const double>) { return std::nan(""); });
    if (!are_nonzero(std::span(values).subspan(entries))) continue;
    Sample one{Eigen::MatrixXd(m.rows(), m.columns())};
    for (int i = 0; i < m.rows(); ++i)
      for (int j = 0; j < m.columns(); ++j) {
        const int place = i * m.columns() + j;
        one.values(i, j) = values[static_cast<std::size_t>(place)];
      }
    for (std::size_t k = 0; k < std::min(known.size(), most_conditions); ++k)
      if (values[entries + k] < 0) one.negative |= 1U << k;
    if (one.values.allFinite()) samples_.push_back(std::move(one));
  }
}

Eigen::MatrixXd MatrixSamples::rows_of(const Sample& sample, std::span<const int> rows) const {
  Eigen::MatrixXd some(static_cast<Eigen::Index>(rows.size()), sample.values.cols());
  for (std::size_t i = 0; i < rows.size(); ++i)
    some.row(static_cast<Eigen::Index>(i)) = sample.values.row(rows[i]);
  return some;
}

/// Of as many rows as columns: no product of known conditions has the signs of their determinant, or the opposite ones.
bool MatrixSamples::changes_sign(std::span<const int> rows) const {
  constexpr double beyond_rounding = 1e-9;
  if (conditions_ > most_conditions) return false;
  std::vector<std::uint32_t> signs;  // of the known conditions, with that of the determinant as the last bit
  for (const Sample& sample : samples_) {
    const double determinant = dense::determinant(rows_of(sample, rows));
    if (std::abs(determinant) > beyond_rounding)
      signs.push_back(sample.negative | (determinant < 0 ? 1U << conditions_ : 0));
  }
  if (signs.empty()) return false;
  for (std::uint32_t factors = 0; factors < (1U << conditions_); ++factors) {
    const auto odd = [&](std::uint32_t negative) {
      return std::popcount(negative & (factors | 1U << conditions_)) % 2;
    };
    if (std::ranges::all_of(signs, [&](std::uint32_t s) { return odd(s) == odd(signs.front()); }))
      return false;
  }
  return true;
}

bool MatrixSamples::lose_rank(std::span<const int> rows) const {
  constexpr double zero_to_rounding = 1e-12;
  const auto loses = [&](const Sample& s) {
    return dense::rank_by_qr(rows_of(s, rows), zero_to_rounding) < s.values.cols();
  };
  if (std::ranges::any_of(samples_, loses)) return true;
  return !samples_.empty() && static_cast<Eigen::Index>(rows.size()) == samples_.front().values.cols() &&
         changes_sign(rows);
}

}  // namespace rattleback
