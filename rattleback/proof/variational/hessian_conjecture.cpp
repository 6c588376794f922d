#include <rattleback/proof/variational/hessian_conjecture.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/proof/variational/associated_systems.hpp>

namespace rattleback {
namespace {

/// The conditions that fail, one line each; `name` says of which system.
std::vector<std::string> failures(const SecondOrderSystem& s, const Matrix& g, const std::string& name) {
  std::vector<std::string> lines;
  if (rank(g) < s.dimension()) lines.push_back(name + "the matrix is singular");
  for (const HelmholtzCondition& condition : helmholtz_conditions(s, g)) {
    if (!proved(is_zero(condition.residuals)))
      lines.push_back(fmt::format("{}it is not true that {}", name, condition.what));
  }
  return lines;
}

void require_shape(const System& system, const Matrix& g) {
  const int n = system.space.dimension();
  if (g.rows() == n && g.columns() == n) return;
  throw Error("shape-mismatch", fmt::format("the matrix has {} rows and {} columns", g.rows(), g.columns()),
              fmt::format("the model has {} velocities", n), "write it as [[g11, g12], [g12, g22]]");
}

}  // namespace

Answer hessian_conjecture(const System& system, const Matrix& g) {
  const OnPositions here(system);
  require_shape(system, g);
  if (system.constraints.empty()) {
    const SecondOrderSystem s = free_second_order_system(system);
    Answer a = answer_of(satisfies_helmholtz(s, g));
    a.why = failures(s, g, "");
    return a;
  }
  std::optional<Answer> best;
  std::vector<std::string> lines;
  for (const AssociatedSystem& s : associated_systems(chaplygin_reduction(system))) {
    if (!proved(s.restricts)) continue;
    Answer a = answer_of(satisfies_helmholtz(s.equations, g));
    a.answer["type"] = s.type;
    if (a.outcome == Outcome::proved) {
      a.why.push_back(fmt::format("of the associated second-order system of type {}", s.type));
      return a;
    }
    for (const std::string& line : failures(s.equations, g, fmt::format("type {}: ", s.type)))
      lines.push_back(line);
    if (!best || best->outcome == Outcome::refuted) best = std::move(a);
  }
  if (!best) {
    throw Inapplicable("form-does-not-apply", "there is no second-order system to ask",
                       "none is associated with the model",
                       "ask it of an abelian Chaplygin system, or of one without constraints");
  }
  best->why = std::move(lines);
  best->answer["type"] = Data();
  return *best;
}

}  // namespace rattleback
