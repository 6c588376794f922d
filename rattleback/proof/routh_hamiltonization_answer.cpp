// What is said about Hamiltonization at fixed momenta: the witness, or why every choice of momenta fails.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/minors.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/proof/brief.hpp>
#include <rattleback/proof/routh_hamiltonization.hpp>

namespace rattleback {
namespace {

std::vector<std::string> names(const std::vector<Symbol>& symbols) {
  std::vector<std::string> all;
  for (const Symbol s : symbols) all.push_back(s.name());
  return all;
}

std::vector<std::string> bracket_texts(const RouthHamiltonian& h) {
  std::vector<std::string> lines;
  for (int a = 0; a < h.brackets.rows(); ++a) {
    for (int b = a + 1; b < h.brackets.rows(); ++b) {
      if (!h.brackets(a, b).is_zero())
        lines.push_back(fmt::format("{{{}, {}}} = {}", h.momenta[static_cast<std::size_t>(a)].name(),
                                    h.momenta[static_cast<std::size_t>(b)].name(), brief(h.brackets(a, b))));
    }
  }
  return lines;
}

Answer found(const ChaplyginBundle& bundle, const RouthReduction& r, const ChaplyginMultiplier& x) {
  Answer a = answer_of(x.exists);
  a.answer["exists"] = true;
  a.answer["multiplier"] = x.f ? Data(*x.f) : Data();
  a.answer["cyclic"] = names(r.mu);
  a.answer["group"] = bundle.group;
  a.why.push_back(fmt::format("reduced by {}, with {} constant: (C.16) is {}", bundle.group,
                              fmt::join(names(r.mu), ", "), evidence(r.reduces)));
  if (!x.f) {
    a.why.emplace_back("a multiplier exists locally; no closed form was found");
    return a;
  }
  const RouthHamiltonian h = routh_hamiltonian(bundle, r, x);
  a.answer["momenta"] = names(h.momenta);
  a.answer["brackets"] = bracket_texts(h);
  a.answer["hamiltonian"] = h.hamiltonian;
  a.why.push_back(fmt::format("f = {}", brief(*x.f)));
  for (const std::string& line : bracket_texts(h)) a.why.push_back(line);
  a.why.push_back(
      fmt::format("in the time dtau = f dt the motion has the Hamiltonian {}", brief(h.hamiltonian)));
  a.why.push_back(fmt::format("f times its flow is the constrained motion: {}", evidence(h.motion)));
  return a;
}

}  // namespace

Answer routh_hamiltonization_answer(const System& system) {
  std::optional<Answer> best;
  std::vector<std::string> obstacles;
  visit_chaplygin_bundles(system, [&](const ChaplyginBundle& bundle) {
    const std::vector<int> all = cyclic_coordinates(bundle);
    for (int size = static_cast<int>(all.size()); size > 0; --size) {
      for (const std::vector<int>& choice : subsets(static_cast<int>(all.size()), size)) {
        std::vector<int> cyclic;
        for (const int i : choice) cyclic.push_back(all[static_cast<std::size_t>(i)]);
        if (size == bundle.dimension()) continue;  // nothing would be left
        const RouthReduction r = routh_reduction(bundle, cyclic);
        const ChaplyginMultiplier x = chaplygin_multiplier(r.shape);
        if (proved(x.exists) && proved(r.reduces)) {
          best = found(bundle, r, x);
          return true;
        }
        obstacles.push_back(fmt::format("reduced by {} at constant {}: no multiplier", bundle.group,
                                        fmt::join(names(r.mu), ", ")));
        if (!best) best = answer_of(x.exists);
      }
    }
    return false;
  });
  if (!best) {
    throw Error("form-does-not-apply", "there is nothing to fix",
                "no coordinate of the reduced system is nonholonomic cyclic in these coordinates",
                "ask chaplygin-multiplier, or choose coordinates in which a conserved momentum shows");
  }
  Answer a = std::move(*best);
  if (a.outcome == Outcome::refuted) {
    a.answer["exists"] = false;
    a.why = std::move(obstacles);
  }
  return a;
}

}  // namespace rattleback
