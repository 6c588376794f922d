#include <rattleback/motion/forms/suggested_speeds.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/printed_cost.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/programs/economical.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/motion/velocities/invented_symbol.hpp>

namespace rattleback {
namespace {

constexpr int largest_space = search_limits::suggested_speeds.count;
constexpr std::size_t most_choices = search_limits::suggested_frames.count,
                      most_derived = search_limits::derived_frames.count;

/// Speeds that are chosen together: one velocity, or the three components of an angular velocity.
struct SpeedGroup {
  std::vector<Statement> speeds;
};

/// All coordinates on circles.
std::vector<Symbol> headings(const System& system) {
  std::vector<Symbol> angles;
  for (const Factor& f : system.space.factors())
    if (f.kind == Factor::Kind::circle) angles.push_back(f.pieces[0].functions[0]);
  return angles;
}

void add_lines(const System& system, std::vector<SpeedGroup>& groups) {
  std::vector<Symbol> lines;
  for (int i = 0; i < system.space.dimension(); ++i) {
    const auto q = system.space.coordinate(i);
    if (!q) continue;
    const Symbol v = system.space.velocities()[static_cast<std::size_t>(i)];
    groups.push_back({{{q->name() + "_rate", v}}});
    const bool is_line = std::ranges::any_of(system.space.factors(), [&](const Factor& f) {
      return f.kind == Factor::Kind::line && f.pieces[0].functions[0] == *q;
    });
    if (is_line) lines.push_back(v);
  }
  for (std::size_t k = 0; k + 1 < lines.size(); ++k) {
    const Expr x = lines[k], y = lines[k + 1];
    for (const Symbol angle : headings(system)) {
      const Expr c = cos(Expr(angle)), s = sin(Expr(angle));
      groups.push_back({{{"u", x * c + y * s}}});
      groups.push_back({{{"v", y * c - x * s}}});
    }
  }
}

/// ω and Ω of every rotation, and their parts along vectors of the model.
void add_rotations(const System& system, std::vector<SpeedGroup>& groups) {
  for (const Factor& f : system.space.factors()) {
    if (f.kind != Factor::Kind::SO3) continue;
    const Matrix Omega = Matrix::column(std::vector<Expr>(f.velocities.begin(), f.velocities.end()));
    const Matrix omega = f.rotation() * Omega;
    SpeedGroup in_space, in_body;
    for (int k = 0; k < 3; ++k) {
      in_space.speeds.push_back({fmt::format("w_{}{}", f.name, k + 1), omega[k]});
      in_body.speeds.push_back({fmt::format("W_{}{}", f.name, k + 1), Omega[k]});
    }
    groups.push_back(in_space);
    groups.push_back(in_body);
    for (const Definition& d : system.definitions) {
      const auto* n = std::get_if<Matrix>(&d.value);
      if (n == nullptr || n->rows() != 3 || !n->is_column()) continue;
      const auto is_velocity = [](Symbol s) { return s.role() == Role::velocity; };
      const std::vector<Symbol> symbols = symbols_of(n->entries());
      if (symbols.empty() || std::ranges::any_of(symbols, is_velocity)) continue;
      groups.push_back({{{fmt::format("spin_{}", f.name), dot(omega, *n)}}});
      groups.push_back({{{fmt::format("spin_{}", f.name), dot(Omega, *n)}}});
    }
  }
}

/// Groups with `size` speeds together, by their places.
void choices(const std::vector<SpeedGroup>& groups, std::size_t size, std::size_t first,
             std::vector<std::size_t>& chosen, std::vector<std::vector<std::size_t>>& found) {
  if (size == 0) found.push_back(chosen);
  for (std::size_t k = first; size > 0 && k < groups.size() && found.size() < most_choices; ++k) {
    if (groups[k].speeds.size() > size) continue;
    chosen.push_back(k);
    choices(groups, size - groups[k].speeds.size(), k + 1, chosen, found);
    chosen.pop_back();
  }
}

std::vector<Statement> speeds_of(const std::vector<SpeedGroup>& groups,
                                 const std::vector<std::size_t>& chosen) {
  std::vector<Statement> speeds;
  for (const std::size_t k : chosen)
    speeds.insert(speeds.end(), groups[k].speeds.begin(), groups[k].speeds.end());
  return speeds;
}

/// p ↦ ±P with P > 0, the sign that p has at the model's values: a parameter that is given as 0.7 may be divided by.
SymbolMap with_signs_of_values(const System& system) {
  const SymbolMap values = parameter_values(system);
  SymbolMap signs;
  for (const Parameter& p : system.parameters) {
    const auto value = values.find(p.symbol);
    if (p.positive || value == values.end()) continue;
    const Expr size =
        Symbol::make(p.symbol.name() + "_size", {.role = Role::parameter, .sign = Sign::positive});
    const KnownSign sign = known_sign(value->second);
    if (sign == KnownSign::positive) signs.emplace(p.symbol, size);
    if (sign == KnownSign::negative) signs.emplace(p.symbol, -size);
  }
  return signs;
}

/// Conditions that a state may violate; those on parameters alone are left out.
std::size_t conditions_on_states(const System& system, const Assumptions& where) {
  const auto is_parameter = [&](Symbol s) {
    return std::ranges::any_of(system.parameters, [&](const Parameter& p) { return p.symbol == s; });
  };
  return static_cast<std::size_t>(std::ranges::count_if(where, [&](const Assumption& a) {
    return !std::ranges::all_of(symbols_of(a.expression), is_parameter);
  }));
}

/// det (A; U) has no zero at the model's values of the parameters, or others of their signs: the velocities follow from the speeds at every
/// configuration.
bool has_no_pole(const System& system, const SymbolMap& signs, const Matrix& A,
                 const std::vector<Statement>& speeds) {
  std::vector<Expr> functions;
  for (const Statement& s : speeds) functions.push_back(s.value);
  const Expr det = determinant(above(A, jacobian(functions, system.space.velocities())));
  return !vanishes_at_random_points(det) && known_nonzero(substitute(short_form(det), signs));
}

System with_speeds(System system, std::vector<Statement>& speeds) {
  system.velocities.clear();
  int order = 0;
  for (Statement& s : speeds) {
    const auto is_taken = [&](const QuasiVelocity& z) { return z.symbol.name() == s.name; };
    while (std::ranges::any_of(system.velocities, is_taken)) s.name += '_';
    const Symbol z = invented_symbol(system, s.name, {.role = Role::velocity, .order = order++});
    s.name = z.name();
    system.velocities.push_back({z, s.value, {}});
  }
  return system;
}

bool is_better(const SpeedSuggestion& s) {
  const bool fewer_conditions = s.conditions < s.conditions_now;
  return (fewer_conditions && s.operations <= s.operations_now) ||
         (s.conditions <= s.conditions_now && 2 * s.operations < s.operations_now);
}

}  // namespace

std::optional<SpeedSuggestion> suggested_speeds(const System& system, const EquationsOfMotion& now) {
  if (system.parametrization || now.form != "hamel" || system.constraints.empty() || now.where.empty() ||
      system.space.dimension() > largest_space)
    return std::nullopt;
  const std::size_t conditions_now = conditions_on_states(system, now.where);
  if (conditions_now == 0) return std::nullopt;
  const VelocityRows rows = independent_constraints(system);
  if (rows.count() + static_cast<int>(now.speeds.size()) != system.space.dimension())
    return std::nullopt;  // the rank is another where all constraints hold
  std::vector<SpeedGroup> groups;
  add_lines(system, groups);
  add_rotations(system, groups);
  std::vector<std::vector<std::size_t>> all;
  std::vector<std::size_t> chosen;
  choices(groups, now.speeds.size(), 0, chosen, all);
  PrintedCost cost;
  std::vector<std::pair<int, std::size_t>> shortest_first;
  for (std::size_t k = 0; k < all.size(); ++k) {
    int letters = 0;
    for (const Statement& s : speeds_of(groups, all[k])) letters += cost(s.value);
    shortest_first.emplace_back(letters, k);
  }
  std::ranges::sort(shortest_first);
  const SymbolMap signs = with_signs_of_values(system);
  std::optional<SpeedSuggestion> best;
  std::size_t derived = 0;
  for (const auto& [letters, k] : shortest_first) {
    std::vector<Statement> speeds = speeds_of(groups, all[k]);
    if (derived == most_derived) break;
    if (!has_no_pole(system, signs, rows.a, speeds)) continue;
    ++derived;
    const System other = with_speeds(system, speeds);
    try {
      const EquationsOfMotion equations = hamel_equations(other);
      const SpeedSuggestion found{speeds, conditions_on_states(system, equations.where),
                                  operations_of(equations), conditions_now, operations_of(now)};
      if (is_better(found) && (!best || found.operations < best->operations)) best = found;
    } catch (const OutOfDomain&) {
      continue;
    }
  }
  return best;
}

std::string as_text(const SpeedSuggestion& s) {
  std::string lines;
  for (const Statement& line : s.lines)
    lines += fmt::format("    {} = \"{}\"\n", line.name, text(line.value));
  return fmt::format(
      "  suggestion: speeds with {} condition{} instead of {}, {} operations instead of {}\n    "
      "[velocities]\n{}",
      s.conditions == 0 ? "no" : std::to_string(s.conditions), s.conditions == 1 ? "" : "s", s.conditions_now,
      s.operations, s.operations_now, lines);
}

}  // namespace rattleback
