#pragma once
/// Reaction forces along a motion by least squares: λ from Aᵀλ = M v̇ − b.

#include <span>
#include <string>
#include <vector>

#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

/// Multipliers under the name of their constraint, generalised forces and forces of contacts, as `derive` names them.
struct ReactionFormulas;

class ReactionForces {
 public:
  explicit ReactionForces(const Flow& flow);
  ReactionForces(const ReactionForces&) = delete;
  ReactionForces& operator=(const ReactionForces&) = delete;

  struct Named {
    std::string name;
    bool is_multiplier = false;
    bool is_normal = false;  ///< of a contact: negative means that the body would have to be held down
  };
  const std::vector<Named>& names() const;
  /// By least squares (exact where the constraints have their rank); no symbolic solution is formed.
  void operator()(double t, std::span<const double> y, double* values);

 private:
  bool backwards_ = false;
  std::size_t states_ = 0;
  std::shared_ptr<const ReactionFormulas> formulas_;
  std::vector<double> parameters_;
  std::vector<Evaluator<double>> evaluate_;
  std::vector<double> x_, out_;
};

}  // namespace rattleback
