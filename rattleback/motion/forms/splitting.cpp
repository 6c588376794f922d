#include <rattleback/motion/forms/splitting.hpp>

#include <algorithm>
#include <array>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/fields/sign_revealing.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/kinematics.hpp>

namespace rattleback {
namespace {

/// Beyond this many ways to choose the fibre they are not tried one by one.
constexpr std::size_t most_choices = search_limits::fibres.count;

/// A v + b = 0. A parametrisation v = Ψ z + y is turned around: A spans the left kernel of Ψ, b = −A y.
VelocityRows rows_of_constraints(const System& system) {
  try {
    if (!system.parametrization) return independent_constraints(system);
    const Admissible D = admissible_velocities(system);
    VelocityRows rows;
    rows.a = transpose(left_kernel(D.psi).basis);
    rows.b = -(rows.a * D.drift);
    return rows;
  } catch (const NonlinearConstraint& error) {
    throw needs_linear_constraints(error);
  }
}

/// X_i L = 0 and X_i A = 0 with the velocities held: L and the constraints are invariant along X_i.
bool is_cyclic(const System& system, const VelocityRows& rows, int i) {
  const auto stands_still = [&](Expr e) { return vanishes_at_random_points(system.space.derivative(i, e)); };
  return stands_still(system.lagrangian) &&
         std::all_of(rows.a.entries().begin(), rows.a.entries().end(), stands_still) &&
         std::all_of(rows.b.entries().begin(), rows.b.entries().end(), stands_still);
}

/// Is the velocity of this leg one of the quasi-velocities the model names?
bool is_named(const System& system, int i) {
  const Expr v = system.space.velocities()[static_cast<std::size_t>(i)];
  return std::any_of(system.velocities.begin(), system.velocities.end(),
                     [&](const QuasiVelocity& z) { return z.expression == v; });
}

/// Is each group with more than one leg all in the fibre or all in the base?
bool cuts_no_group(const Space& space, const std::vector<bool>& in_fibre) {
  std::size_t first = 0;
  for (const Factor& factor : space.factors()) {
    const auto n = static_cast<std::size_t>(factor.dimension());
    for (std::size_t i = first; i < first + n; ++i) {
      if (in_fibre[i] != in_fibre[first]) return false;
    }
    first += n;
  }
  return true;
}

/// Does a group of [symmetry] with as many generators move these legs and no others?
bool is_moved_by_a_group(const System& system, const std::vector<int>& fibre,
                         const std::vector<bool>& in_fibre) {
  return std::any_of(system.symmetries.begin(), system.symmetries.end(), [&](const Symmetry& symmetry) {
    if (symmetry.generators.size() != fibre.size()) return false;
    for (const Generator& g : symmetry.generators) {
      for (std::size_t i = 0; i < in_fibre.size(); ++i) {
        if (!in_fibre[i] && !g.field[static_cast<int>(i)].is_zero()) return false;
      }
    }
    return true;
  });
}

/// What makes a choice good, most important first.
using Merit = std::array<int, 5>;

Merit merit(const System& system, const VelocityRows& rows, const std::vector<bool>& cyclic,
            const std::vector<int>& fibre) {
  std::vector<bool> in_fibre(static_cast<std::size_t>(system.space.dimension()), false);
  int cyclic_legs = 0, named = 0;
  for (const int i : fibre) {
    in_fibre[static_cast<std::size_t>(i)] = true;
    cyclic_legs += cyclic[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  for (int i = 0; i < system.space.dimension(); ++i)
    named += !in_fibre[static_cast<std::size_t>(i)] && is_named(system, i) ? 1 : 0;
  const bool certain =
      fibre.size() <= 4 && known_nonzero(sign_revealing(determinant(columns_of(rows.a, fibre))));
  return {cuts_no_group(system.space, in_fibre) ? 1 : 0, certain ? 1 : 0,
          is_moved_by_a_group(system, fibre, in_fibre) ? 1 : 0, named, cyclic_legs};
}

/// n over k, or more than enough.
std::size_t choices(int n, int k) {
  std::size_t count = 1;
  for (int i = 0; i < k && count <= most_choices; ++i)
    count = count * static_cast<std::size_t>(n - i) / (i + 1);
  return count;
}

/// One choice, leg by leg: cyclic ones first, those that the model names as free last.
std::vector<int> greedy_choice(const System& system, const VelocityRows& rows,
                               const std::vector<bool>& cyclic) {
  std::vector<int> order;
  for (int i = system.space.dimension() - 1; i >= 0; --i) order.push_back(i);
  const auto eagerness = [&](int i) {
    return (cyclic[static_cast<std::size_t>(i)] ? 1 : 0) - (is_named(system, i) ? 2 : 0);
  };
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return eagerness(i) > eagerness(j); });
  std::vector<int> fibre;
  for (const int column : independent_columns(columns_of(rows.a, order)))
    fibre.push_back(order[static_cast<std::size_t>(column)]);
  std::sort(fibre.begin(), fibre.end());
  return fibre;
}

std::vector<Symbol> chosen(std::span<const Symbol> velocities, const std::vector<int>& legs) {
  std::vector<Symbol> some;
  for (const int i : legs) some.push_back(velocities[static_cast<std::size_t>(i)]);
  return some;
}

}  // namespace

std::vector<Symbol> Splitting::base_velocities() const {
  return chosen(connection.space().velocities(), connection.base());
}

std::vector<Symbol> Splitting::fibre_velocities() const {
  return chosen(connection.space().velocities(), connection.fibre());
}

Admissible Splitting::admissible() const {
  Admissible D;
  D.space = connection.space();
  D.speeds = base_velocities();
  D.definitions.assign(D.speeds.begin(), D.speeds.end());
  D.psi = Matrix(D.space.dimension(), base_dimension());
  for (int alpha = 0; alpha < base_dimension(); ++alpha) {
    const VectorField X = connection.horizontal(alpha);
    for (int i = 0; i < D.space.dimension(); ++i) D.psi(i, alpha) = X[i];
  }
  D.drift = Matrix(D.space.dimension(), 1);
  for (int a = 0; a < fibre_dimension(); ++a)
    D.drift[connection.fibre()[static_cast<std::size_t>(a)]] = -c[a];
  D.where = where;
  return D;
}

std::vector<std::vector<int>> fibre_choices(const System& system) {
  const VelocityRows rows = rows_of_constraints(system);
  const int n = system.space.dimension(), k = rows.a.rows();
  if (k == 0) return {{}};
  std::vector<bool> cyclic;
  for (int i = 0; i < n; ++i) cyclic.push_back(is_cyclic(system, rows, i));
  if (choices(n, k) > most_choices) return {greedy_choice(system, rows, cyclic)};

  std::vector<std::pair<Merit, std::vector<int>>> found;
  for (const std::vector<int>& fibre : subsets(n, k)) {
    if (rank(columns_of(rows.a, fibre)) == k) found.emplace_back(merit(system, rows, cyclic, fibre), fibre);
  }
  std::sort(found.begin(), found.end(), std::greater<>());  // among equals the last coordinates
  std::vector<std::vector<int>> best;
  for (auto& [how_good, fibre] : found) best.push_back(std::move(fibre));
  return best;
}

Splitting solved_for(const System& system, const std::vector<int>& fibre) {
  const VelocityRows rows = rows_of_constraints(system);
  const int n = system.space.dimension(), k = rows.a.rows();
  std::vector<int> base;
  for (int i = 0; i < n; ++i) {
    if (std::find(fibre.begin(), fibre.end(), i) == fibre.end()) base.push_back(i);
  }
  const auto solved = solve(columns_of(rows.a, fibre), beside(columns_of(rows.a, base), rows.b));
  if (static_cast<int>(fibre.size()) != k || !solved || solved->homogeneous.columns() > 0) {
    throw Inapplicable("not-horizontal", "the constraints do not determine the fibre velocities",
                       "their block of fibre velocities is singular", "choose other fibre coordinates");
  }
  const int m = static_cast<int>(base.size());
  Matrix A(k, m), c(k, 1);
  for (int a = 0; a < k; ++a) {
    for (int alpha = 0; alpha < m; ++alpha) A(a, alpha) = short_form(solved->x(a, alpha));
    c[a] = short_form(solved->x(a, m));
  }
  return {Connection(system.space, std::move(base), fibre, std::move(A)), std::move(c), solved->where};
}

Splitting splitting(const System& system) { return solved_for(system, fibre_choices(system).front()); }

}  // namespace rattleback
