#pragma once
/// Tries the certificate of an answer: the trusted kernel recomputes it, and its data is compared with the model.

#include <optional>

#include <rattleback/model/system/system.hpp>
#include <rattleback/trial/finding.hpp>

namespace rattleback {

/// Nothing for an answer without a certificate. Contradicted when the checker refutes a step, or cannot read what the program wrote.
std::optional<Finding> try_certificate(const System& system, const std::string& question,
                                       const Answer& answer, double seconds);

/// Forged certificates: without one of the conditions of the domain each. Contradicted when one is accepted: nothing is shown there.
Findings try_wider_domains(const System& system, const std::string& question, const Answer& answer,
                           double seconds);

}  // namespace rattleback
