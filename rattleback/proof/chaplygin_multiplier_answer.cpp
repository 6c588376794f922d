// What is said about a multiplier: the witness, or the equation that has no solution.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/proof/chaplygin_multiplier.hpp>

namespace rattleback {
namespace {

std::vector<std::string> names(const std::vector<Symbol>& symbols) {
  std::vector<std::string> all;
  for (const Symbol s : symbols) all.push_back(s.name());
  return all;
}

/// The shortest of them, in short form.
Expr plainest(const std::vector<Expr>& es) {
  Expr best = short_form(es.front());
  for (const Expr e : es) {
    const Expr candidate = short_form(e);
    if (text(candidate).size() < text(best).size()) best = candidate;
  }
  return best;
}

Answer found(const ChaplyginBundle& bundle, const ChaplyginMultiplier& x) {
  const ChaplyginHamiltonian h = chaplygin_hamiltonian(bundle, x);
  Answer a = answer_of(x.exists);
  a.answer["exists"] = true;
  a.answer["multiplier"] = x.f ? Data(*x.f) : Data();
  a.answer["density"] = x.density ? Data(*x.density) : Data();
  a.answer["group"] = bundle.group;
  if (!x.f) {
    a.why.push_back(fmt::format(
        "a multiplier exists locally; no closed form was found for its logarithm, whose slopes are {}",
        text(Matrix::row(x.sigma))));
    return a;
  }
  a.answer["momenta"] = names(h.momenta);
  a.answer["hamiltonian"] = h.hamiltonian;
  a.why.push_back(fmt::format("f = {}, with the motion reduced by {}", text(*x.f), bundle.group));
  a.why.push_back(fmt::format(
      "in the time dtau = f dt, with {} = f times the reduced momenta, the motion has the Hamiltonian {}",
      fmt::join(names(h.momenta), ", "), text(h.hamiltonian)));
  a.why.push_back(fmt::format("f times its flow is the constrained motion: {}", evidence(h.motion)));
  if (bundle.dimension() > 1)
    a.why.push_back(fmt::format("{} is an invariant density in position and momentum", text(*x.density)));
  if (!x.pointwise)
    a.why.emplace_back(
        "the forces agree although the brackets do not: f K = C fails, its symmetric part holds");
  if (!x.aperiodic.empty())
    a.why.push_back(fmt::format("f is not periodic in {}: it lives on the covering space",
                                fmt::join(names(x.aperiodic), ", ")));
  return a;
}

std::string obstacle(const ChaplyginBundle& bundle, const ChaplyginMultiplier& x) {
  const std::string by = fmt::format("reduced by {}: ", bundle.group);
  if (!x.remainder.empty())
    return by + fmt::format("a multiplier must satisfy {} = 0", text(plainest(x.remainder)));
  if (!x.curl.empty())
    return by + fmt::format("d log f is determined and not closed: its curl is {}", text(plainest(x.curl)));
  return by + fmt::format("f times the gyroscopic form is not closed: {}", text(plainest(x.magnetic_curl)));
}

}  // namespace

Answer chaplygin_multiplier_answer(const System& system) {
  std::optional<Answer> best;
  std::vector<std::string> obstacles;
  visit_chaplygin_bundles(system, [&](const ChaplyginBundle& bundle) {
    const ChaplyginMultiplier x = chaplygin_multiplier(bundle);
    if (proved(x.exists)) {
      best = found(bundle, x);
      return true;
    }
    if (undecided(x.exists)) {
      best = answer_of(x.exists);
      best->answer["exists"] = Data();
    } else {
      obstacles.push_back(obstacle(bundle, x));
      if (!best) best = answer_of(x.exists);
    }
    return false;
  });
  Answer a = std::move(*best);
  if (a.outcome == Outcome::refuted) {
    a.answer["exists"] = false;
    a.answer["multiplier"] = Data();
    a.evidence.method = "(C.3) leaves one candidate for d log f, and it fails";
    a.why = std::move(obstacles);
  }
  return a;
}

}  // namespace rattleback
