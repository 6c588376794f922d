#pragma once
/// Answers whose certificates `coqc` accepts as theorems are marked with its version.

#include <filesystem>
#include <string>

#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// Runs coqc in a folder of its own, which it removes.
class CoqChecker {
 public:
  /// Compiles the kernel. Throws Error[no-coqc] where coqc or Coquelicot is missing, and Exhausted when the computation is cancelled.
  CoqChecker();
  ~CoqChecker();
  CoqChecker(const CoqChecker&) = delete;
  CoqChecker& operator=(const CoqChecker&) = delete;

  /// Of a decided answer with a certificate: `checked_by` in its data and a line for people when coqc accepts the theorem; otherwise a line that
  /// says why not.
  void check(Answer& answer, const std::string& model) const;
  /// "Coq 8.16".
  const std::string& name() const { return name_; }

 private:
  int run(const std::string& file, int seconds) const;
  std::filesystem::path folder_;
  std::string name_;
};

}  // namespace rattleback
