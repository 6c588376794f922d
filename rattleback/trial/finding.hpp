#pragma once
/// The outcome of trying to break one statement by independent means.

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// One statement of the program and what an experiment says about it.
struct Finding {
  enum class Result : std::uint8_t {
    stands,        ///< the experiment could have contradicted it, and did not
    contradicted,  ///< the experiment contradicts it: a bug report
    not_tried,     ///< no experiment is known, or none was possible here
  };
  std::string question, statement, method;
  Result result = Result::not_tried;
  std::string detail;  ///< numbers, or why it was not tried
};

/// One says proved, the other refuted.
inline bool are_opposite(Outcome a, Outcome b) {
  return (a == Outcome::proved && b == Outcome::refuted) || (a == Outcome::refuted && b == Outcome::proved);
}

using Findings = std::vector<Finding>;
using Random = std::mt19937_64;

/// An exact random number with a small numerator and denominator, in [-3/2, 3/2] and not 0.
inline std::pair<long, long> random_fraction(Random& random) {
  const long denominator = 2 + static_cast<long>(random() % 12);
  const long most = 3 * denominator / 2;
  const long numerator = 1 + static_cast<long>(random() % static_cast<unsigned long>(most));
  return {random() % 2 == 0 ? numerator : -numerator, denominator};
}

}  // namespace rattleback
