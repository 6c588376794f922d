#pragma once
/// What a derivation returns, whatever the formalism: first-order equations on the constraint, with their steps.

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/verdict.hpp>

namespace rattleback {

/// name = value, as one line of a derivation.
struct Statement {
  std::string name;
  Expr value;
};

/// One numbered step that a person can follow.
struct Step {
  std::string title, remark;
  std::vector<Statement> lines;
};

/// The steps of a derivation. Expensive steps are evaluated lazily, on first access; copies share the result.
class Steps {
 public:
  using Make = std::function<std::vector<Step>()>;

  Steps() = default;
  Steps(std::vector<Step> made);            // NOLINT: a list of steps is one
  Steps(std::initializer_list<Step> made);  // NOLINT
  explicit Steps(Make later);

  const std::vector<Step>& all() const;
  std::size_t size() const { return all().size(); }
  const Step& operator[](std::size_t i) const { return all()[i]; }
  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }

 private:
  struct Later;
  std::vector<Step> made_;
  std::shared_ptr<Later> later_;
};

struct EquationsOfMotion {
  std::string form;                   ///< "hamel", …
  std::vector<Symbol> configuration;  ///< functions of the configuration space: coordinates, matrix entries
  std::vector<Expr> configuration_rates;
  std::vector<Symbol> speeds;  ///< quasi-velocities z on the constraint
  std::vector<Expr> speed_rates;
  SymbolMap velocities;                 ///< v^i ↦ ψ^i(q, z): the velocities of the frame in the speeds
  std::vector<Expr> speed_definitions;  ///< z^α as functions of the v^i, valid on the constraint
  /// Where the form gives them: λ_a under the name of its constraint, R_i under that of its coordinate or velocity,
  /// and the forces of contacts under `contact.direction`; all as functions of the state.
  std::vector<Statement> multipliers, reactions;
  std::optional<Expr> gibbs;  ///< S*(q, z, ż): what Gibbs–Appell differentiates
  Assumptions where;
  std::vector<std::string>
      notes;  ///< what a reader must know: Chetaev's rule, a branch, a reaction not unique
  Steps steps;

  /// The rate of a state variable by its name. Throws Bug for a name that is no state.
  Expr rate(const std::string& name) const;
};

}  // namespace rattleback
