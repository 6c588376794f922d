#pragma once
/// `rattleback doubt`: every statement about a model is tried by means that share no code with its proof.

#include <functional>
#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/trial/finding.hpp>

namespace rattleback {

struct DoubtOptions {
  std::vector<std::string> questions;  ///< names; empty: all
  double seconds =
      20;  ///< for each question that is asked; three times as much for all experiments on its answer
  std::uint64_t seed = 1;  ///< the same seed makes the same experiments
  std::function<void(const std::string& question)> progress;
};

/// What the program says about the model, tried: functions called constant are watched along motions in 32 digits, densities by
/// differences of compiled code, conditions of the equations at states where they fail, growth vectors by numerical ranks, missing equilibria by Newton's method; every question is asked
/// again at other parameter values, on and off `unless`, and in other descriptions of the same system.
Findings doubt(const std::string& text, const System& system, const DoubtOptions& options);

/// Delta debugging: the smallest text found, by leaving out lines one at a time, for which `fails` is still true.
std::string shrunk(const std::string& text, const std::function<bool(const std::string&)>& fails);

}  // namespace rattleback
