#pragma once
/// Collects the functions of the parameters on which the answer to a question depends; the code that decides it states them here.

#include <optional>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

/// An outcome can change only at parameters at which all functions of one of the lists vanish identically in the state.
struct Dependence {
  std::vector<std::vector<Expr>> on;
  /// The lists are all there are, as long as the constraints keep their rank; otherwise they are merely suspected.
  bool exhaustive = false;
  bool at_model_values = false;  ///< the outcome is about the values that the model gives, not about others
  /// Every decision on the way to the outcome is a zero test or an elimination, so what these found nonzero (NonzeroRecord) is all
  /// that the outcome depends on.
  bool recorded = false;
};

/// Receives what is stated in this thread while the object lives; of several statements the last one counts.
class DependenceScope {
 public:
  DependenceScope();
  ~DependenceScope();
  DependenceScope(const DependenceScope&) = delete;
  DependenceScope& operator=(const DependenceScope&) = delete;

  const Dependence& stated() const { return stated_; }

 private:
  friend void state_dependence(Dependence dependence);
  Dependence stated_;
  DependenceScope* outer_;
};

/// For the innermost scope; without effect where there is none.
void state_dependence(Dependence dependence);

/// Of what is proved by an identity: it holds for all parameters.
inline Dependence on_nothing() { return {{}, true, false}; }

/// Of what is proved by a witness: it is one for all parameters at which its formulas have no pole and its `values` do not all vanish.
Dependence on_witness(const std::vector<Expr>& values, const std::vector<Expr>& formulas);

/// Functions of the parameters: wherever one of them is not zero, the square matrix is regular at some state. Two states are drawn, so that
/// what vanishes by chance at one of them is not suspected. Nothing when it is singular there, or its entries have poles.
std::optional<std::vector<Expr>> regular_unless(const Matrix& m);

}  // namespace rattleback
