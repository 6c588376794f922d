// Declared in proof/coq/coq_system.hpp. Rational points at which formulas have values, drawn until one is accepted.
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

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

/// Of a x² + b x + c, when it is rational.
std::optional<Rational> larger_root(const Rational& a, const Rational& b, const Rational& c) {
  const auto root = rational_root(b * b - 4 * a * c);
  if (!root) return std::nullopt;
  return (a.sign() < 0 ? -b - *root : *root - b) / (2 * a);
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
      // In all four quadrants where lengths have to close a loop.
      const unsigned quadrant =
          positions_.empty() ? 0 : static_cast<unsigned>(seed) >> (static_cast<unsigned>(k) % 3);
      point.turned.emplace_back(
          s, std::pair(Rational(quadrant % 2 == 0 ? c : -c, h), Rational(quadrant / 2 % 2 == 0 ? d : -d, h)));
    } else {
      point.plain.emplace_back(s, drawn_value(seed, k, s.is_positive()));
    }
  }
  meets_positions(point);
  if (values != CoqValues::admissible) return point;
  for (std::size_t i = 0; i < claim_->velocities.size(); ++i) {
    if (among(claim_->speeds, claim_->velocities[i])) continue;
    if (const auto value = value_at(point, claim_->admissible[i]))
      point.plain.emplace_back(claim_->velocities[i], *value);
  }
  return point;
}

/// Values of some plain symbols, one for each position constraint, are changed so that all of them hold; false when that is not found.
/// Each is solved for a symbol in which it has first or second degree, in turn until nothing changes: those solved for later are in
/// others, too.
bool CoqSystem::meets_positions(CoqPoint& point) const {
  const auto value_with = [&](std::size_t k, Rational& place, const Rational& value) {
    const Rational kept = std::exchange(place, value);
    auto found = value_at(point, positions_[k]);
    place = kept;
    return found;
  };
  std::vector<std::size_t> candidates(point.plain.size());  // those in few position constraints first
  std::iota(candidates.begin(), candidates.end(), std::size_t{0});
  std::ranges::stable_sort(candidates, {}, [&](std::size_t i) {
    return std::ranges::count_if(positions_, [&](Expr e) { return contains(e, point.plain[i].first); });
  });
  std::vector<std::size_t> solved_for(positions_.size(), point.plain.size());
  for (std::size_t round = 0; round <= positions_.size(); ++round) {
    bool all_hold = true;
    for (std::size_t k = 0; k < positions_.size(); ++k) {
      const auto value = value_at(point, positions_[k]);
      if (!value) return false;
      if (value->is_zero()) continue;
      all_hold = false;
      for (const std::size_t i : candidates) {
        if (solved_for[k] < point.plain.size() ? i != solved_for[k]
                                               : std::ranges::find(solved_for, i) != solved_for.end())
          continue;
        Rational& place = point.plain[i].second;
        const auto at_0 = value_with(k, place, 0), at_1 = value_with(k, place, 1),
                   at_2 = value_with(k, place, 2), at_3 = value_with(k, place, 3);
        if (!at_0 || !at_1 || !at_2 || !at_3) continue;
        const Rational a = (*at_2 - 2 * *at_1 + *at_0) / 2, b = *at_1 - *at_0 - a;
        if (*at_3 != 9 * a + 3 * b + *at_0) continue;  // not of second degree
        const auto root =
            a.is_zero() ? (b.is_zero() ? std::nullopt : std::optional(-*at_0 / b)) : larger_root(a, b, *at_0);
        if (!root || (point.plain[i].first.is_positive() && root->sign() <= 0)) continue;
        place = *root;
        solved_for[k] = i;
        break;
      }
    }
    if (all_hold) return true;
  }
  return false;
}

bool CoqSystem::defined_at(const CoqPoint& point) const {
  for (const Expr e : positions_) {
    if (const auto value = value_at(point, e); !value || !value->is_zero()) return false;
  }
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
