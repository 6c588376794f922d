#pragma once
/// Names of vectors and tensors on a page, with the lines that define them.

#include <set>
#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/view/vectors/covariant_term.hpp>

namespace rattleback {

/// left = right.
struct VectorLine {
  Notations left, right;
};

class VectorNames {
 public:
  explicit VectorNames(const System& system) : system_(system) {}

  /// The model's own name for this value, otherwise the first of these that means nothing else.
  std::string name_of(const Matrix& value, std::vector<std::string> wishes);
  /// A name with a line that defines it.
  CovariantTerm defined(const CovariantTerm& formula, const std::vector<std::string>& wishes);
  /// T a for a constant tensor: s a where T = s 1.
  CovariantTerm applied_tensor(const Matrix& T, const std::vector<std::string>& wishes,
                               const CovariantTerm& a);

  std::vector<VectorLine> lines;

 private:
  const System& system_;
  std::set<std::string> taken_;
};

/// s when T = s 1.
std::optional<Expr> multiple_of_unit(const Matrix& T);

}  // namespace rattleback
