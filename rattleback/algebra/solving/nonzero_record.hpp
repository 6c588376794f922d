#pragma once
/// Which functions a computation found to be nonzero: pivots, denominators, residuals. Its outcome can change only at
/// parameters where one of them vanishes identically.

#include <unordered_set>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Records what zero tests and eliminations of this thread find nonzero while the object lives, each function once, those
/// without parameters left out. Scopes nest: only the innermost one records.
class NonzeroRecord {
 public:
  NonzeroRecord();
  ~NonzeroRecord();
  NonzeroRecord(const NonzeroRecord&) = delete;
  NonzeroRecord& operator=(const NonzeroRecord&) = delete;

  /// Called by whoever decides that e is not zero.
  static void note(Expr e);

  const std::vector<Expr>& functions() const { return functions_; }
  bool overflowed() const { return overflowed_; }  ///< there were too many: some are missing

 private:
  std::vector<Expr> functions_;
  std::unordered_set<Expr> seen_;
  bool overflowed_ = false;
  NonzeroRecord* outer_;
};

}  // namespace rattleback
