#pragma once
// A certificate that mutants of the kernel are tried on, and what the kernel answers to it.

#include <filesystem>
#include <string>
#include <vector>

#include <rattleback/proof/check/checker.hpp>

namespace rattleback::inline tests {

/// One certificate and the entry it is given to, and what the kernel answers.
struct Trial {
  std::string name, entry;
  Data certificate;
  std::string answer;
  double seconds = 0;
  bool blunt = false;         ///< several steps fail: no mutation of one of them is seen
  std::vector<bool> reached;  ///< mutants that could answer otherwise
  int reached_set = 0;        ///< equal for certificates that reach the same
};

/// Seconds of the processor that this process has used.
double processor_time();
/// The process ends by SIGXCPU after so many more.
void limit_processor_time(double seconds);

/// Why a certificate is rejected does not matter here: of all reasons at least one has to be found. `blunt`: whether several were.
std::string answer(const Trial& trial, bool* blunt = nullptr);

/// The certificates that are kept in a folder.
std::vector<Trial> trials_of(const std::filesystem::path& corpus);
/// What the kernel answers to each, how long it takes, and which mutants could answer otherwise; those that one step at most rejects
/// come before others, the quickest first.
void try_kernel(std::vector<Trial>& trials, int last_mutant);

}  // namespace rattleback::inline tests
