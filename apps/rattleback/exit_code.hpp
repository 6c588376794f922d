#pragma once
/// Exit code of an answer.

#include <rattleback/proof/evidence/answer.hpp>

#include "verb.hpp"

namespace rattleback::app {

inline int exit_code(Outcome outcome) {
  switch (outcome) {
    case Outcome::proved: return Exit::done;
    case Outcome::refuted: return Exit::refuted;
    case Outcome::not_found:
    case Outcome::undecided:
    case Outcome::inapplicable: return Exit::undecided;
  }
  return Exit::error;
}

}  // namespace rattleback::app
