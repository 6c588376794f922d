#include <rattleback/proof/evidence/scalar_invariants.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/geometry/one_form.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/model/system/velocity_rows.hpp>

namespace rattleback {
namespace {

/// ½ g(v, v) − V with g of the configuration alone.
struct NaturalLagrangian {
  Matrix g;
  Expr V;
};
std::optional<NaturalLagrangian> natural(const System& system) {
  const auto v = system.space.velocities();
  SymbolMap rest;
  for (const Symbol s : v) rest.emplace(s, Expr(0));
  const std::vector<Expr> p = gradient(system.lagrangian, v);
  NaturalLagrangian l{jacobian(p, v), -substitute(system.lagrangian, rest)};
  const auto vanishes = [](Expr e) { return vanishes_at_random_points(e); };
  const std::vector<Expr> linear = substitute(p, rest);
  if (!std::all_of(linear.begin(), linear.end(), vanishes)) return std::nullopt;
  for (const Symbol s : v) {
    const Matrix slope = derivative(l.g, s);
    if (!std::all_of(slope.entries().begin(), slope.entries().end(), vanishes)) return std::nullopt;
  }
  if (!vanishes(derivative(system.lagrangian, system.time))) return std::nullopt;
  return l;
}

Matrix differentials(const Space& space, const std::vector<Expr>& functions) {
  std::vector<OneForm> forms;
  for (const Expr f : functions) forms.push_back(differential(space, f));
  return functions.empty() ? Matrix(0, space.dimension()) : as_rows(space, forms);
}

/// The metric that N = {φ = 0} inherits; without φ that of Q.
class InducedMetric {
 public:
  InducedMetric(const System& system, const Matrix& g) : space_(system.space), g_(g) {
    const std::vector<Expr> phi = position_relations(system);
    const Matrix all = differentials(space_, phi);
    normals_ = phi.empty() ? all : rows_of(all, independent_rows(all));
    if (normals_.rows() == 0) return;
    raised_ = unique_solution(g_, transpose(normals_))->x;
    size_ = normals_ * raised_;
  }

  int dimension() const { return space_.dimension() - normals_.rows(); }

  /// g⁻¹(df − μ_a dφ_a) with φ_a constant along it; nothing where the induced metric is singular.
  std::optional<VectorField> gradient_of(Expr f) const {
    const Matrix df = Matrix::column(differential(space_, f).coefficients());
    const auto x = unique_solution(g_, df);
    if (!x) return std::nullopt;
    Matrix field = x->x;
    if (normals_.rows() > 0) {
      const auto mu = unique_solution(size_, normals_ * field);
      if (!mu) return std::nullopt;
      field = field - raised_ * mu->x;
    }
    return VectorField(space_, {field.entries().begin(), field.entries().end()});
  }

  /// How many of the differentials are independent of each other and of the normals.
  int independent(const std::vector<Expr>& functions) const {
    return rank(with_normals(functions)) - normals_.rows();
  }

  /// As many as N has dimensions, at a random point and, on N, wherever else random points lie.
  bool separate(const std::vector<Expr>& functions) const {
    if (independent(functions) != dimension()) return false;
    const auto& N = Variety::current();
    if (!N || normals_.rows() == 0) return true;
    const Matrix all = with_normals(functions);
    const std::vector<int> rows = independent_rows(all);
    if (static_cast<int>(rows.size()) != all.columns()) return false;  // elsewhere on N the rank is smaller
    return N->is_generically_nonzero(determinant(rows_of(all, rows)));
  }

 private:
  Matrix with_normals(const std::vector<Expr>& functions) const {
    const Matrix rows = differentials(space_, functions);
    return normals_.rows() == 0 ? rows : above(normals_, rows);
  }

  const Space& space_;
  const Matrix& g_;
  Matrix normals_, raised_, size_;  ///< dφ, g⁻¹ dφᵀ, dφ g⁻¹ dφᵀ
};

}  // namespace

ScalarInvariants scalar_invariants(const System& system) {
  const auto l = natural(system);
  ScalarInvariants found;
  found.dimension = system.space.dimension();
  if (!l || rank(l->g) < found.dimension) return found;
  const InducedMetric metric(system, l->g);
  found.dimension = metric.dimension();
  const int n = found.dimension;
  constexpr std::size_t most = search_limits::scalar_invariants.count;
  std::vector<Expr> functions{l->V};
  auto first = metric.gradient_of(l->V);
  if (!first || n == 0) return found;
  std::vector<VectorField> gradients{*first};
  for (std::size_t k = 0; k < functions.size() && functions.size() < most; ++k) {
    for (std::size_t j = 0; j <= k && functions.size() < most && found.independent < n; ++j) {
      functions.push_back(gradients[j](functions[k]));
      const auto next = metric.gradient_of(functions.back());
      if (!next) return found;
      gradients.push_back(*next);
      found.pairs.emplace_back(static_cast<int>(j), static_cast<int>(k));
      found.independent = metric.independent(functions);
    }
    if (found.independent == n) break;
  }
  if (found.independent == n && !metric.separate(functions)) found.independent = 0;
  return found;
}

}  // namespace rattleback
