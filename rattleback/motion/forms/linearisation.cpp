#include <rattleback/motion/forms/linearisation.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/first_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/system/components.hpp>
#include <rattleback/model/system/first_order_form.hpp>
#include <rattleback/motion/equations/first_order_motion.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>
#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {
namespace {

constexpr double rounding = 1e-9;

bool is_among(Symbol s, const std::vector<Symbol>& among) {
  return std::find(among.begin(), among.end(), s) != among.end();
}

/// Zero exactly, or up to rounding at the model's parameters: a steady motion may be known in numbers only.
enum class Vanishes : std::uint8_t { exactly, in_numbers, no };
Vanishes vanishes(Expr e, const SymbolMap& parameters) {
  if (e.is_zero() || vanishes_at_random_points(e)) return Vanishes::exactly;
  const Expr number = substitute(e, parameters);
  for (const Symbol s : symbols_of(number)) {
    if (s.role() != Role::constant) return Vanishes::no;
  }
  return std::fabs(evaluate(number, {})) < rounding ? Vanishes::in_numbers : Vanishes::no;
}

/// The speeds, and every function of the configuration on which their rates depend, directly or through others.
std::vector<Symbol> influential(const System& system, const SolvedVelocities& v,
                                const ProjectedMotion& motion) {
  std::vector<Symbol> found = v.speeds;
  std::vector<Expr> rates(motion.force.entries().begin(), motion.force.entries().end());
  const auto functions = system.space.functions();
  while (!rates.empty()) {
    const std::vector<Symbol> occurring = symbols_of(rates);
    rates.clear();
    for (std::size_t i = 0; i < functions.size(); ++i) {
      if (is_among(functions[i], found) ||
          std::find(occurring.begin(), occurring.end(), functions[i]) == occurring.end())
        continue;
      found.push_back(functions[i]);
      rates.push_back(motion.configuration_rates[i]);
    }
  }
  std::vector<Symbol> configuration;  // in the order of the space
  for (const Symbol f : functions) {
    if (is_among(f, found)) configuration.push_back(f);
  }
  return configuration;
}

class Expansion {
 public:
  Expansion(const System& system, const SolvedVelocities& v, const StatePoint& about)
      : system_(system),
        v_(v),
        motion_(projected_motion(system, v)),
        parameters_(parameter_values(system)),
        core_(influential(system, v, motion_)) {
    small_.about = about;
    small_.speeds = v.speeds;
  }

  Linearisation result() {
    require_autonomous();
    require_positions();
    require_steady_speeds();
    require_symmetry();
    expand();
    return std::move(small_);
  }

 private:
  Expr at_point(Expr e) const { return substitute(e, small_.about.values); }

  Expr rate_of(Symbol f) const {
    const auto functions = system_.space.functions();
    const auto found = std::find(functions.begin(), functions.end(), f);
    return motion_.configuration_rates[static_cast<std::size_t>(found - functions.begin())];
  }

  /// Steady exactly or in numbers; otherwise an error that names the rate.
  void require_zero(Expr e, const std::string& name) {
    switch (vanishes(e, parameters_)) {
      case Vanishes::exactly: return;
      case Vanishes::in_numbers: {
        const std::string note = "it is steady at the model's parameter values, up to rounding";
        if (std::find(small_.notes.begin(), small_.notes.end(), note) == small_.notes.end())
          small_.notes.push_back(note);
        return;
      }
      case Vanishes::no: break;
    }
    throw Inapplicable("not-steady", fmt::format("the motion is not steady there: {} does not vanish", name),
                       written_short(name, e), "give a state of equilibrium or of steady motion");
  }

  static std::string written_short(const std::string& name, Expr e) {
    constexpr std::size_t readable = legible::on_a_line.count;
    if (graph_size({&e, 1}) > readable) return {};
    const std::string value = text(e);
    return value.size() > readable ? "" : fmt::format("{} = {}", name, value);
  }

  void require_autonomous() {
    std::vector<Expr> all(motion_.force.entries().begin(), motion_.force.entries().end());
    for (const Symbol f : core_) all.push_back(rate_of(f));
    for (const Expr e : all) {
      if (contains(e, system_.time) && !vanishes_at_random_points(derivative(e, system_.time)))
        throw Inapplicable("not-steady", "the equations contain the time, so no motion is steady", "",
                           "linearise a system without a driving force");
    }
  }

  void require_positions() {
    for (const Constraint& c : system_.constraints) {
      if (!c.position) continue;
      const Expr violation = at_point(*c.position);
      if (vanishes(violation, parameters_) == Vanishes::no)
        throw Inapplicable("off-constraint", fmt::format("the state violates constraint `{}`", c.name),
                           written_short(c.name, violation), "give positions that satisfy it");
    }
  }

  void require_steady_speeds() {
    const Matrix b = substitute(motion_.force, small_.about.values);
    for (int a = 0; a < b.rows(); ++a)
      require_zero(b[a], "the force along " + v_.speeds[static_cast<std::size_t>(a)].name());
  }

  /// What moves must not matter: the motion is steady up to a symmetry, which carries it along.
  void require_symmetry() {
    const SymbolMap generator = symmetry_generator();
    for (const Symbol f : core_) {
      if (vanishes(generator.at(f), parameters_) == Vanishes::no) small_.cyclic.push_back(f);
    }
    if (small_.cyclic.empty()) return;
    std::vector<Expr> rates(motion_.force.entries().begin(), motion_.force.entries().end());
    for (const Symbol f : resting()) rates.push_back(rate_of(f));
    for (const Expr change : derivative_along(rates, generator)) {
      if (change.is_zero() || vanishes_at_random_points(change)) continue;
      const Symbol f = small_.cyclic.front();
      const std::string rate = f.name() + "'";
      throw Inapplicable(
          "not-steady", fmt::format("the motion is not steady there: {} does not vanish", rate),
          written_short(rate, at_point(rate_of(f))), "give a state of equilibrium or of steady motion");
    }
  }

  /// Coordinates run at their present rates, rotation matrices turn about their present axis in space: B' = ω̂ B.
  SymbolMap symmetry_generator() const {
    SymbolMap generator;
    for (const Symbol f : system_.space.functions()) {
      if (f.role() != Role::rotation) generator.emplace(f, at_point(rate_of(f)));
    }
    for (const Factor& factor : system_.space.factors()) {
      if (factor.pieces.empty() || factor.pieces.front().carrier != Carrier::unit_quaternion) continue;
      const Matrix B = factor.rotation();
      Matrix rate(3, 3);
      for (int k = 0; k < 9; ++k)
        rate.entries()[static_cast<std::size_t>(k)] =
            at_point(rate_of(B.entries()[static_cast<std::size_t>(k)].symbol()));
      const Matrix moved = rate * transpose(substitute(B, small_.about.values)) * B;
      for (std::size_t k = 0; k < 9; ++k) generator.emplace(B.entries()[k].symbol(), moved.entries()[k]);
    }
    return generator;
  }

  /// Functions of the core that stand still.
  std::vector<Symbol> resting() const {
    std::vector<Symbol> still;
    for (const Symbol f : core_) {
      if (!is_among(f, small_.cyclic)) still.push_back(f);
    }
    return still;
  }

  /// How the core's functions vary. Columns of `along`: one for each resting function chosen as independent, whose own
  /// variation is then 1 and that of the others 0. Columns of `idle`: variations that no resting function feels.
  struct Variations {
    std::vector<Symbol> independent;
    Matrix along, idle;
  };
  Variations variations() const {
    const int n = system_.space.dimension(), m = static_cast<int>(core_.size());
    Matrix moves(m, n);  // how a leg moves the core's functions
    std::vector<int> still;
    for (int f = 0; f < m; ++f) {
      const Symbol function = core_[static_cast<std::size_t>(f)];
      for (int i = 0; i < n; ++i) moves(f, i) = at_point(system_.space.derivative(i, Expr(function)));
      if (!is_among(function, small_.cyclic)) still.push_back(f);
    }
    const Matrix allowed = moves * kernel_of_positions(moves), noncyclic = rows_of(allowed, still);
    const std::vector<int> columns = independent_columns(noncyclic),
                           rows = independent_columns(transpose(noncyclic));
    Variations found{{}, Matrix(m, 0), allowed * kernel(noncyclic).basis};
    for (const int row : rows)
      found.independent.push_back(core_[static_cast<std::size_t>(still[static_cast<std::size_t>(row)])]);
    if (!rows.empty())
      found.along = columns_of(allowed, columns) * inverse(rows_of(columns_of(noncyclic, columns), rows)).x;
    return found;
  }

  /// Legs that keep the position constraints, where these concern the core alone.
  Matrix kernel_of_positions(const Matrix& moves) const {
    const int n = system_.space.dimension();
    std::vector<std::vector<Expr>> rows;
    for (const Constraint& c : system_.constraints) {
      if (!c.position) continue;
      std::vector<Expr> row;
      bool inside = true;
      for (int i = 0; i < n; ++i) {
        const Expr slope = at_point(system_.space.derivative(i, *c.position));
        row.push_back(vanishes_at_random_points(slope) ? Expr(0) : slope);
        bool moves_core = false;
        for (int f = 0; f < moves.rows(); ++f) moves_core = moves_core || !moves(f, i).is_zero();
        inside = inside && (moves_core || row.back().is_zero());
      }
      if (inside) rows.push_back(std::move(row));
    }
    if (rows.empty()) return Matrix::identity(n);
    Matrix a(static_cast<int>(rows.size()), n);
    for (int r = 0; r < a.rows(); ++r) {
      for (int i = 0; i < n; ++i) a(r, i) = rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(i)];
    }
    return kernel(a).basis;
  }

  void expand() {
    const Variations vary = variations();
    const Matrix& T = vary.along;
    small_.configuration = vary.independent;
    std::vector<Expr> functions;
    for (const Symbol f : small_.configuration) functions.push_back(rate_of(f));
    functions.insert(functions.end(), motion_.force.entries().begin(), motion_.force.entries().end());
    std::vector<Symbol> variables = core_;
    variables.insert(variables.end(), v_.speeds.begin(), v_.speeds.end());
    const Matrix slopes = first_order(functions, variables, small_.about.values).slopes;

    const int m = static_cast<int>(core_.size()), k = T.columns(), r = static_cast<int>(v_.speeds.size());
    const auto block = [&](int first_row, int rows, int first_column, int columns) {
      Matrix part(rows, columns);
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < columns; ++j) part(i, j) = slopes(first_row + i, first_column + j);
      }
      return part;
    };
    for (const Expr e : (block(0, k + r, 0, m) * vary.idle).entries()) {
      if (vanishes(e, parameters_) == Vanishes::no)
        throw Inapplicable("not-steady",
                           "the motion turns about an axis that is none of the coordinate axes of space", "",
                           "turn the axes of space so that one of them is the axis");
    }
    small_.N = without_hidden_zeros(block(0, k, 0, m) * T);
    small_.J = without_hidden_zeros(block(0, k, m, r));
    small_.K = without_hidden_zeros(-(block(k, r, 0, m) * T));
    small_.C = without_hidden_zeros(-block(k, r, m, r));
    small_.M = without_hidden_zeros(substitute(motion_.metric, small_.about.values));
    leave_out_idle();
  }

  /// Functions on which no rate depends to first order decide nothing: they follow the others.
  void leave_out_idle() {
    const Matrix N = small_.N, J = small_.J;
    std::vector<int> left, out;  // numbers of the functions
    for (int i = 0; i < N.columns(); ++i) left.push_back(i);
    for (bool again = true; again;) {
      again = false;
      for (int j = 0; j < small_.N.columns() && !again; ++j) {
        const auto zero = [](const Matrix& column) {
          const auto entries = column.entries();
          return std::all_of(entries.begin(), entries.end(), [](Expr e) { return e.is_zero(); });
        };
        if (!zero(small_.N.column(j)) || !zero(small_.K.column(j))) continue;
        small_.idle.push_back(small_.configuration[static_cast<std::size_t>(j)]);
        small_.configuration.erase(small_.configuration.begin() + j);
        out.push_back(left[static_cast<std::size_t>(j)]);
        left.erase(left.begin() + j);
        std::vector<int> kept;
        for (int i = 0; i < small_.N.columns(); ++i) {
          if (i != j) kept.push_back(i);
        }
        small_.N = rows_of(columns_of(small_.N, kept), kept);
        small_.J = rows_of(small_.J, kept);
        small_.K = columns_of(small_.K, kept);
        again = true;
      }
    }
    left.insert(left.end(), out.begin(), out.end());
    small_.idle_N = columns_of(rows_of(N, out), left);
    small_.idle_J = rows_of(J, out);
  }

  static Matrix without_hidden_zeros(Matrix a) {
    for (Expr& e : a.entries()) {
      if (!e.is(Kind::constant) && vanishes_at_random_points(e)) e = Expr(0);
    }
    return a;
  }

  const System& system_;
  const SolvedVelocities& v_;
  ProjectedMotion motion_;
  SymbolMap parameters_;
  std::vector<Symbol> core_;  ///< functions of the configuration that matter
  Linearisation small_;
};

}  // namespace

Linearisation linearisation(const System& system, const SolvedVelocities& v, const StatePoint& about) {
  return Expansion(system, v, about).result();
}

namespace {

/// δq' = N δq about a place where q' = 0: motions of first order have no speeds.
Linearisation first_order_linearisation(const System& system, const StatePoint& about) {
  const EquationsOfMotion motion = first_order_equations(system);
  Linearisation small;
  small.about = about;
  small.configuration = motion.configuration;
  for (std::size_t i = 0; i < motion.configuration.size(); ++i) {
    const Expr rate = motion.configuration_rates[i];
    if (contains(rate, system.time))
      throw Inapplicable("not-steady", "the equations contain the time, so no motion is steady", "",
                         "linearise a system without a driving force");
    if (const Expr there = substitute(rate, about.values); !vanishes_at_random_points(there))
      throw Inapplicable(
          "not-steady",
          fmt::format("the motion is not steady there: {}' does not vanish", motion.configuration[i].name()),
          "", "give a state of equilibrium");
  }
  const int n = static_cast<int>(motion.configuration.size());
  small.N = substitute(jacobian(motion.configuration_rates, motion.configuration), about.values);
  small.J = Matrix(n, 0);
  small.M = small.C = Matrix(0, 0);
  small.K = Matrix(0, n);
  return small;
}

using Assignments = std::vector<std::pair<std::string, std::string>>;

/// What is said of the configuration alone.
Assignments positions_of(const System& system, Assignments about) {
  const auto functions = system.space.functions();
  std::erase_if(about, [&](const auto& entry) {
    const std::vector<Symbol> named = symbols_named(system.scope, system.space, entry.first);
    return !std::all_of(named.begin(), named.end(), [&](Symbol s) {
      return std::find(functions.begin(), functions.end(), s) != functions.end();
    });
  });
  return about;
}

/// Do the speeds fail to tell all admissible velocities apart at this configuration?
bool speeds_degenerate(const System& system, const SolvedVelocities& v, const Assignments& about) {
  if (system.parametrization) return false;
  try {
    const StatePoint at = state_point(system, v, positions_of(system, about));
    const auto velocities = system.space.velocities();
    const SymbolMap solved = v.substitution(system.space);
    std::vector<Expr> psi;
    for (const Symbol s : velocities) psi.push_back(solved.contains(s) ? solved.at(s) : Expr(s));
    const Matrix slopes = substitute(jacobian(psi, v.speeds), at.values);
    return rank(slopes) < slopes.columns();
  } catch (const Singular&) {
    return true;
  }
}

/// Velocities that determine the others at this configuration, as speeds. Nothing where the constraints lose rank there.
std::optional<System> with_speeds_at(const System& system, const SymbolMap& configuration) {
  const Matrix A = substitute(independent_constraints(system).a, configuration);
  const std::vector<int> determined = independent_columns(A);
  if (static_cast<int>(determined.size()) < A.rows()) return std::nullopt;
  System chart = system;
  chart.velocities.clear();
  for (int i = 0; i < A.columns(); ++i) {
    if (std::find(determined.begin(), determined.end(), i) != determined.end()) continue;
    const Symbol v = system.space.velocities()[static_cast<std::size_t>(i)];
    chart.velocities.push_back({v, Expr(v), system.lagrangian_place});
  }
  return chart;
}

}  // namespace

Linearisation linearisation(const System& system,
                            const std::vector<std::pair<std::string, std::string>>& about) {
  const SolvedVelocities v = solved_velocities(system);
  if (is_first_order(system)) return first_order_linearisation(system, state_point(system, v, about));
  // Speeds may degenerate where the constraints do not.
  const auto chart = speeds_degenerate(system, v, about)
                         ? with_speeds_at(system, state_point(system, v, positions_of(system, about)).values)
                         : std::nullopt;
  if (!chart) return linearisation(system, v, state_point(system, v, about));
  const SolvedVelocities others = solved_velocities(*chart);
  return linearisation(*chart, others, state_point(*chart, others, about));
}

}  // namespace rattleback
