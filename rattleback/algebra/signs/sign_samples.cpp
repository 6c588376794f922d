#include <rattleback/algebra/signs/sign_samples.hpp>

#include <cmath>
#include <numbers>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/graph.hpp>
#include <rattleback/algebra/signs/ball.hpp>
#include <rattleback/algebra/signs/numbers.hpp>

namespace rattleback {
namespace {

/// Values of the symbols at one of a few points, the same in every run. Entries of rotation matrices are those of a rotation, and
/// directions are unit vectors.
Numbers sample(std::span<const Symbol> symbols, int point) {
  const BallPoint rotations(static_cast<std::uint64_t>(point));
  Numbers at;
  for (const Symbol s : symbols) {
    if (s.role() == Role::constant) continue;
    if (s.role() == Role::rotation || s.role() == Role::direction) {
      at.emplace(s, rotations.drawn(s).to_double());
      continue;
    }
    const std::uint64_t bits = mix(s.hash(), static_cast<std::uint64_t>(point));
    const double size = 0.25 + 2.75 * static_cast<double>(bits >> 32U) / 4294967296.0;
    at.emplace(s, s.is_positive() || (bits & 1U) == 0 ? size : -size);
  }
  return at;
}

/// Values at some point, with all coordinates at one angle where determinants often vanish.
Numbers sample_at_angle(std::span<const Symbol> symbols, double angle) {
  Numbers at = sample(symbols, 0);
  for (const Symbol s : symbols) {
    if (s.role() == Role::coordinate) at.insert_or_assign(s, angle);
  }
  return at;
}

}  // namespace

bool has_no_sign(Expr e) {
  constexpr int points = search_limits::signs_of_a_formula.count;
  constexpr double beyond_rounding = 1e-6;
  const std::vector<Symbol> symbols = symbols_of(e);
  bool above = false, below = false;
  for (int point = 0; point < points && !(above && below); ++point) {
    // A function that the model declares may have any value.
    const double value =
        evaluate(e, sample(symbols, point), [](Function, std::span<const double>) { return std::nan(""); });
    above = above || (std::isfinite(value) && value > beyond_rounding);
    below = below || (std::isfinite(value) && value < -beyond_rounding);
  }
  if (above && below) return true;
  constexpr double zero_to_rounding = 1e-14;
  for (const double angle : {0.0, std::numbers::pi / 2}) {
    const double value = evaluate(e, sample_at_angle(symbols, angle),
                                  [](Function, std::span<const double>) { return std::nan(""); });
    if (std::abs(value) < zero_to_rounding) return true;
  }
  return false;
}

}  // namespace rattleback
