// Declared in proof/coq/coq_system.hpp. Rational points at which formulas have values, drawn until one is accepted.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/proof/coq/coq_system.hpp>

namespace rattleback {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A value for the k-th symbol in the given draw: the first draws are generic, later ones try small numbers at which roots and exponentials
/// have rational values.
Rational drawn_value(int seed, int k, bool nonzero) {
  constexpr std::array<std::pair<int, int>, 7> generic{
      {{2, 3}, {5, 4}, {1, 2}, {7, 5}, {3, 7}, {9, 8}, {4, 3}}};
  constexpr std::array<std::pair<int, int>, 9> special{
      {{0, 1}, {1, 1}, {3, 5}, {2, 1}, {4, 5}, {3, 1}, {5, 13}, {3, 4}, {4, 3}}};
  constexpr int generic_draws = 12;
  if (seed < generic_draws) {
    const auto& [n, d] = generic[at(seed + k) % generic.size()];
    return {n + (seed + k) / 7, d};
  }
  const unsigned mixed = (static_cast<unsigned>(seed) * 2654435761U) ^ (static_cast<unsigned>(k) * 40503U);
  const std::size_t choice = (mixed >> 7U) % (special.size() - (nonzero ? 1 : 0)) + (nonzero ? 1 : 0);
  return {special[choice].first, special[choice].second};
}

bool among(const std::vector<Symbol>& list, Symbol s) {
  return std::find(list.begin(), list.end(), s) != list.end();
}

}  // namespace

bool CoqSystem::has_value(Symbol s, CoqValues values) const {
  if (among(claim_->speeds, s)) return true;
  if (values == CoqValues::everything) return true;
  if (among(claim_->velocities, s)) return false;
  return values == CoqValues::admissible ||
         (!among(accelerations_, s) && !among(multipliers_, s) && !among(apart_, s));
}

namespace {

/// (a, b, c) with a² + b² = c².
constexpr std::array<std::array<int, 3>, 5> circle{
    {{3, 4, 5}, {5, 12, 13}, {8, 15, 17}, {7, 24, 25}, {20, 21, 29}}};

/// R_z(3-4-5) R_x(5-12-13) and its transpose; then R_z R_x R_z with rows and columns permuted cyclically, one of whose entries, another one
/// for each draw, is a rational cosine: √(1 − B_ij²) is rational.
std::array<Rational, 9> drawn_rotation(int seed) {
  if (seed < 2) {
    constexpr std::array<std::pair<int, int>, 9> simple{
        {{3, 5}, {-20, 65}, {48, 65}, {4, 5}, {15, 65}, {-36, 65}, {0, 1}, {12, 13}, {5, 13}}};
    std::array<Rational, 9> B;
    for (std::size_t e = 0; e < 9; ++e) {
      const auto& [n, d] = simple[seed == 0 ? e : 3 * (e % 3) + e / 3];
      B[e] = Rational(n, d);
    }
    return B;
  }
  const auto turn = [&](int k) {
    const auto& [c, s, h] = circle[at(k) % circle.size()];
    return std::pair(Rational(c, h), Rational(s, h));
  };
  const auto [ca, sa] = turn(seed / 9);
  const auto [cb, sb] = turn(seed / 3 + 1);
  const auto [cc, sc] = turn(seed + 2);
  const std::array<Rational, 9> B{ca * cc - sa * cb * sc,
                                  -ca * sc - sa * cb * cc,
                                  sa * sb,
                                  sa * cc + ca * cb * sc,
                                  ca * cb * cc - sa * sc,
                                  -ca * sb,
                                  sb * sc,
                                  sb * cc,
                                  cb};
  std::array<Rational, 9> permuted;
  const std::size_t rows = at(seed / 9) % 3, columns = at(seed) % 3;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) permuted[3 * i + j] = B[3 * ((i + rows) % 3) + (j + columns) % 3];
  }
  return permuted;
}

}  // namespace

CoqPoint CoqSystem::drawn(int seed, CoqValues values) {
  CoqPoint point;
  std::vector<Symbol> done;
  const std::array<Rational, 9> B = drawn_rotation(seed);
  for (const auto& [family, b] : rotation_entries(*claim_)) {
    for (std::size_t e = 0; e < b.size(); ++e) {
      point.plain.emplace_back(b[e], B[e]);
      done.push_back(b[e]);
    }
  }
  const auto& angles = printer_.angles();
  int k = 0;
  for (const Symbol s : names_.symbols()) {
    if (among(done, s) || !has_value(s, values)) continue;
    ++k;
    if (std::find(angles.begin(), angles.end(), names_.name(s)) != angles.end()) {
      const auto& [c, d, h] = circle[at(seed + k) % circle.size()];
      point.turned.emplace_back(s, std::pair(Rational(c, h), Rational(d, h)));
    } else {
      point.plain.emplace_back(s, drawn_value(seed, k, s.is_positive()));
    }
  }
  if (values != CoqValues::admissible) return point;
  for (std::size_t i = 0; i < claim_->velocities.size(); ++i) {
    if (among(claim_->speeds, claim_->velocities[i])) continue;
    if (const auto value = value_at(point, claim_->admissible[i]))
      point.plain.emplace_back(claim_->velocities[i], *value);
  }
  return point;
}

bool CoqSystem::defined_at(const CoqPoint& point) const {
  return std::ranges::all_of(printer_.nonzero(),
                             [&](Expr e) {
                               const auto value = value_at(point, e);
                               return value && !value->is_zero();
                             }) &&
         std::ranges::all_of(printer_.above_zero(), [&](Expr e) {
           const auto value = value_at(point, e);
           return value && value->sign() > 0;
         });
}

CoqPoint CoqSystem::point(CoqValues values, const std::function<bool(const CoqPoint&)>& accept) {
  constexpr int draws =
      10 * search_limits::rational_counterexample.count;  // generic ones first, then special
  for (int seed = 0; seed < draws; ++seed) {
    CoqPoint found = drawn(seed, values);
    if (defined_at(found) && accept(found)) return found;
  }
  throw NoCoqForm("no-coq-form", "no rational point was found at which it can be seen",
                  "the kernel evaluates at points with rational coordinates, sines and cosines; roots and "
                  "exponentials have no rational values at those tried",
                  "check the certificate with `rattleback prove MODEL --certificate FILE`");
}

std::string CoqSystem::point_where(Expr e, CoqValues values) {
  return point_text(point(values, [&](const CoqPoint& p) {
    const auto value = value_at(p, e);
    return value && !value->is_zero();
  }));
}

std::string CoqSystem::point_text(const CoqPoint& point) {
  std::string plain, turned;
  for (const auto& [s, r] : point.plain)
    plain += fmt::format("{}({}%positive, {})", plain.empty() ? "" : "; ", number(s), rational_text(r));
  for (const auto& [s, turn] : point.turned)
    turned += fmt::format("{}({}%positive, ({}, {}))", turned.empty() ? "" : "; ", number(s),
                          rational_text(turn.first), rational_text(turn.second));
  return fmt::format("{{| Kernel.plain := [{}]; Kernel.turned := [{}] |}}", plain, turned);
}

}  // namespace rattleback
