#include <rattleback/trial/certificate_trial.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/evidence/bound_certificate.hpp>

namespace rattleback {
namespace {

/// The first step that the checker refutes.
std::optional<std::string> refuted_step(const System& system, const Data& certificate) {
  std::vector<CheckedStep> steps = binding_steps(certificate, system);
  for (CheckedStep& step : check_certificate(certificate)) steps.push_back(std::move(step));
  for (const auto& [what, verdict] : steps)
    if (refuted(verdict)) return what;
  return std::nullopt;
}

}  // namespace

std::optional<Finding> try_certificate(const System& system, const std::string& question,
                                       const Answer& answer, double seconds) {
  if (answer.certificate.is_null()) return std::nullopt;
  Finding found{question, "its certificate", "the checker of certificates"};
  try {
    Limits limits;
    limits.time = std::chrono::duration<double>(seconds);
    const Budget budget(limits);
    const auto step = refuted_step(system, answer.certificate);
    found.result = step ? Finding::Result::contradicted : Finding::Result::stands;
    if (step) found.detail = fmt::format("refuted: {}", *step);
  } catch (const Exhausted& limit) {
    found.detail = limit.what();
  } catch (const Error& unreadable) {
    found.result = Finding::Result::contradicted;
    found.detail = unreadable.summary;
  }
  return found;
}

}  // namespace rattleback
