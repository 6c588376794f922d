#include <rattleback/algebra/conditions/corner_sign.hpp>

#include <algorithm>
#include <optional>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/orthonormal.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

/// Some functions with values at the corners, and the weight of each corner.
struct Simplex {
  std::vector<Expr> functions;
  std::vector<std::vector<Expr>> corners;  ///< corner by corner, the values of the functions
  std::vector<Expr> weights;
};

/// cos²x + sin²x = 1; or −1 ≤ f ≤ 1 when only one of them occurs and not as a square.
Simplex of_angle(Expr x) { return {{cos(x), sin(x)}, {{1, 0}, {0, 1}}, {pow(cos(x), 2), pow(sin(x), 2)}}; }

Simplex of_interval(Expr f) { return {{f}, {{1}, {-1}}, {(1 + f) / 2, (1 - f) / 2}}; }

Simplex of_unit_vector(const std::vector<Expr>& v) {
  return {v, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {pow(v[0], 2), pow(v[1], 2), pow(v[2], 2)}};
}

/// The row or the column in which all entries of one matrix lie.
std::optional<std::vector<Expr>> line_with(const std::vector<Symbol>& entries) {
  for (const bool row : {true, false}) {
    const auto line = [&](Symbol s) { return row ? s.attributes().entry / 3 : s.attributes().entry % 3; };
    const int k = line(entries[0]);
    if (!std::ranges::all_of(entries, [&](Symbol s) { return line(s) == k; })) continue;
    std::vector<Expr> v;
    for (int i = 0; i < 3; ++i) v.emplace_back(rotation_entry(entries[0], row ? 3 * k + i : 3 * i + k));
    return v;
  }
  return std::nullopt;
}

bool is_circular(Expr e) {
  return e.is(Kind::call) && (e.function().kind() == Builtin::cos || e.function().kind() == Builtin::sin);
}

/// One simplex for each angle and for each rotation matrix; nothing for fractions, which may have poles at corners.
std::optional<std::vector<Simplex>> simplices_of(Expr e, bool squares) {
  std::vector<Simplex> found;
  std::vector<Expr> circular;
  const Tape tape(std::span<const Expr>(&e, 1));
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    if (tape.node(slot).is(Kind::power) && tape.node(slot).exponent() < 0) return std::nullopt;
    if (is_circular(tape.node(slot))) circular.push_back(tape.node(slot));
  }
  std::vector<Expr> angles;
  for (const Expr f : circular) {
    const Expr x = f.args()[0];
    if (std::ranges::find(angles, x) != angles.end()) continue;
    angles.push_back(x);
    const auto other = [&](Expr g) { return g.args()[0] == x && g != f; };
    const bool alone = std::ranges::none_of(circular, other);
    found.push_back(alone && !squares ? of_interval(f) : of_angle(x));
  }
  std::vector<std::vector<Symbol>> matrices;
  for (const Symbol s : symbols_of(e)) {
    if (s.role() != Role::rotation) continue;
    const auto same = [&](const std::vector<Symbol>& m) {
      return m[0].attributes().family == s.attributes().family;
    };
    const auto matrix = std::ranges::find_if(matrices, same);
    if (matrix == matrices.end()) {
      matrices.push_back({s});
    } else {
      matrix->push_back(s);
    }
  }
  for (const std::vector<Symbol>& entries : matrices) {
    if (entries.size() == 1 && !squares) {
      found.push_back(of_interval(entries[0]));
      continue;
    }
    const auto v = line_with(entries);
    if (!v) return std::nullopt;
    found.push_back(of_unit_vector(*v));
  }
  return found;
}

Expr at_corner(Expr e, const Simplex& simplex, std::size_t corner) {
  const Tape tape(std::span<const Expr>(&e, 1));
  std::vector<Expr> built, args;
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr node = tape.node(slot);
    const auto f = std::ranges::find(simplex.functions, node);
    args.clear();
    for (const std::uint32_t a : tape.args(slot)) args.push_back(built[a]);
    built.push_back(f != simplex.functions.end()
                        ? simplex.corners[corner][static_cast<std::size_t>(f - simplex.functions.begin())]
                    : args.empty() ? node
                                   : with_args(node, args));
  }
  return built[tape.outputs()[0]];
}

/// The values at all corners, and the function that is linear between them.
struct Corners {
  std::vector<Expr> values;
  Expr between;
};
Corners corners_of(Expr e, std::span<const Simplex> simplices) {
  allow_recursion();
  if (simplices.empty()) return {{e}, e};
  const Simplex& first = simplices.front();
  Corners all;
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < first.corners.size(); ++k) {
    const Corners part = corners_of(at_corner(e, first, k), simplices.subspan(1));
    all.values.insert(all.values.end(), part.values.begin(), part.values.end());
    terms.push_back(first.weights[k] * part.between);
  }
  all.between = sum(terms);
  return all;
}

/// The sign at all corners, where it is the same.
bool have_one_sign(const std::vector<Expr>& values) {
  std::optional<KnownSign> common;
  for (const Expr value : values) {
    const KnownSign sign = known_sign(short_form(value));
    if (sign != KnownSign::positive && sign != KnownSign::negative) return false;
    if (common && *common != sign) return false;
    common = sign;
  }
  return common.has_value();
}

bool has_one_sign_at_corners(Expr e, bool squares) {
  constexpr std::size_t most_corners = search_limits::corners.count;
  const auto simplices = simplices_of(e, squares);
  if (!simplices || simplices->empty()) return false;
  std::size_t count = 1;
  for (const Simplex& s : *simplices) count *= s.corners.size();
  if (count > most_corners) return false;
  const Corners corners = corners_of(e, *simplices);
  return have_one_sign(corners.values) && vanishes_at_random_points(e - corners.between) &&
         exact_zero(e - corners.between).answer == ExactAnswer::zero;
}

bool has_one_sign_at_corners(Expr e) {
  return has_one_sign_at_corners(e, true) || has_one_sign_at_corners(e, false);
}

bool is_not_negative(Expr e) {
  const KnownSign sign = known_sign(e);
  return sign == KnownSign::positive || sign == KnownSign::nonnegative;
}

}  // namespace

bool is_of_one_sign(Expr e) {
  constexpr std::size_t largest = search_limits::sign_at_corners.count;
  if (graph_size(std::span<const Expr>(&e, 1)) > largest) return false;
  if (has_one_sign_at_corners(e)) return true;
  if (!e.is(Kind::sum)) return false;
  std::vector<Expr> rest;
  for (const Expr term : e.args())
    if (!is_not_negative(term)) rest.push_back(term);
  if (rest.empty() || rest.size() == e.args().size()) return false;
  const Expr positive = sum(rest);
  const auto simplices = simplices_of(positive, true);
  if (!simplices || !has_one_sign_at_corners(positive)) return false;
  return known_sign(short_form(corners_of(positive, *simplices).values[0])) == KnownSign::positive;
}

}  // namespace rattleback
