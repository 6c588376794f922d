#pragma once
/// Names of vectors and tensors on a page, with the lines that define them.

#include <set>
#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/view/vectors/covariant_term.hpp>

namespace rattleback {

/// A line `left = right` that defines a name.
struct VectorLine {
  Notations left, right;
};

class VectorNames {
 public:
  explicit VectorNames(const System& system) : system_(system) {}

  /// The model's own name for this value; otherwise the first of `wishes` that is not in use.
  std::string name_of(const Matrix& value, std::vector<std::string> wishes);
  /// A new name for the formula, with a line that defines it.
  CovariantTerm defined(const CovariantTerm& formula, const std::vector<std::string>& wishes);
  /// The product T a of a constant tensor and a vector; s a where T is s times the unit tensor.
  CovariantTerm applied_tensor(const Matrix& T, const std::vector<std::string>& wishes,
                               const CovariantTerm& a);

  std::vector<VectorLine> lines;

 private:
  const System& system_;
  std::set<std::string> taken_;
};

/// The factor s when T is s times the unit tensor; nothing for others.
std::optional<Expr> multiple_of_unit(const Matrix& T);

}  // namespace rattleback
