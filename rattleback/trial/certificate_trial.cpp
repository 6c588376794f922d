#include <rattleback/trial/certificate_trial.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/evidence/bound_certificate.hpp>
#include <rattleback/proof/evidence/domain.hpp>

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

/// The condition is a formula of the state, not words such as "the speeds are regular".
bool is_formula(const std::string& condition) {
  return condition.find("!= 0") != std::string::npos || condition.find("> 0") != std::string::npos ||
         condition.starts_with("not (");
}

/// Questions whose domains the checker recomputes. Where a group acts freely, and what variational answers add, is assumed as printed.
bool has_checked_domain(const std::string& question) {
  constexpr std::array all{"regularity", "integrability", "energy",           "momenta",
                           "integrals",  "jacobi",        "invariant-measure"};
  return std::ranges::find(all, question) != all.end();
}

/// The certificate for the domain without the i-th of its conditions.
Data widened(const Answer& answer, std::size_t i) {
  Domain domain = domain_in(answer.answer);
  domain.where.erase(domain.where.begin() + static_cast<std::ptrdiff_t>(i));
  Data forged = answer.certificate;
  forged["domain"] = text(domain);
  return forged;
}

}  // namespace

Findings try_wider_domains(const System& system, const std::string& question, const Answer& answer,
                           double seconds) {
  Findings all;
  if (answer.certificate.is_null() || !answer.decided() || !has_checked_domain(question)) return all;
  const std::vector<std::string> where = domain_in(answer.answer).where;
  for (std::size_t i = 0; i < where.size(); ++i) {
    if (!is_formula(where[i])) continue;
    Finding found{question, fmt::format("no certificate without {}", where[i]),
                  "a certificate with a wider domain"};
    try {
      Limits limits;
      limits.time = std::chrono::duration<double>(seconds);
      const Budget budget(limits);
      const auto step = refuted_step(system, widened(answer, i));
      found.result = step ? Finding::Result::stands : Finding::Result::contradicted;
      found.detail = step ? *step : "it is accepted";
    } catch (const Exhausted& limit) {
      found.detail = limit.what();
    } catch (const Error& refused) {
      found.result = Finding::Result::stands;
      found.detail = refused.summary;
    }
    all.push_back(found);
  }
  return all;
}

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
