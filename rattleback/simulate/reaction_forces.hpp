#pragma once
/// Reaction forces along a motion by least squares: λ from Aᵀλ = M v̇ − b.

#include <span>
#include <string>
#include <vector>

#include <rattleback/simulate/flow.hpp>

namespace rattleback {

/// Multipliers under the name of their constraint, generalised forces and forces of contacts, as `derive` names them.
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
  const std::vector<Named>& names() const { return names_; }
  /// By least squares (exact where the constraints have their rank); no symbolic solution is formed.
  void operator()(double t, std::span<const double> y, double* values);

 private:
  bool backwards_ = false;
  std::size_t rows_ = 0, legs_ = 0, states_ = 0;
  std::vector<Named> names_;
  Code balance_, named_;  ///< A and M v̇ − b; the named forces in state, time and λ
  std::vector<double> parameters_;
  std::vector<Evaluator<double>> evaluate_;
  std::vector<double> x_, out_;
};

}  // namespace rattleback
