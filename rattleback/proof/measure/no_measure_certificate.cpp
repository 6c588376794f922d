#include <rattleback/proof/measure/no_measure_certificate.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/certificate_budget.hpp>
#include <rattleback/proof/evidence/certified_system.hpp>

namespace rattleback {
namespace {

/// One of the equations that the closure was given: σ stands still along a leg, or its rate along a leg of D or the drift.
Data given_field(const MeasureDecision& d, int k) {
  const int still = static_cast<int>(d.still.size());
  if (k < still) return Data::List{"still", d.still[static_cast<std::size_t>(k)]};
  return k - still < d.equations.D.rank() ? Data::List{"leg", k - still} : Data::List{"drift"};
}

void add_fields(const MeasureDecision& d, const DirectionalCondition* violated, Data& out) {
  Data::List fields, brackets;
  const auto add = [&](const Descent& from) {
    if (from.given >= 0)
      fields.push_back(given_field(d, from.given));
    else
      brackets.push_back(Data::List{from.first, from.second});
  };
  const std::vector<DirectionalEquation>& all = d.closure.equations;
  const std::size_t before = violated == nullptr ? all.size() : violated->coefficients.size();
  for (std::size_t k = 0; k < before; ++k) add(all[k].from);
  if (violated != nullptr) add(violated->from);
  out["given"] = fields;
  out["brackets"] = brackets;
}

/// The coefficients, shortened, and the condition; nothing when no condition fails.
struct Combination {
  const DirectionalCondition* violated = nullptr;
  std::vector<Expr> c;
  Expr condition;
};
Combination shortest_combination(const MeasureDecision& d) {
  Combination found;
  for (const DirectionalCondition& condition : d.closure.conditions) {
    const Expr e = short_form(condition.residual);
    if (found.violated != nullptr && written_size(e) >= written_size(found.condition)) continue;
    found.violated = &condition;
    found.condition = e;
  }
  if (found.violated == nullptr) return found;
  for (const Expr c : found.violated->coefficients) found.c.push_back(short_form(c));
  return found;
}

}  // namespace

Data no_measure_certificate(const System& system, const MeasureDecision& d) try {
  return certificate_within_budget([&] {
    const EquationsOfMotion motion = gibbs_appell_equations(system);
    if (motion.speeds != d.equations.D.speeds) return Data();
    const Combination found = shortest_combination(d);
    std::vector<Expr> noted = found.c;
    noted.push_back(found.condition);
    Expr sigma;  // of dq dz
    if (found.violated == nullptr) {
      if (!d.candidate) return Data();
      sigma =
          short_form(*d.candidate + (d.equations.momenta ? log(determinant(d.equations.metric)) : Expr(0)));
      noted.push_back(sigma);
    }
    Data out = certified_system(system, motion, noted);
    if (out.is_null()) return out;
    out["certificate"] = "no-invariant-measure";
    out["scope"] = d.equations.kinetic ? "every smooth density" : "densities of the configuration";
    out["circles"] = circles_of(system.space);
    add_fields(d, found.violated, out);
    if (found.violated != nullptr) {
      out["combination"] = texts(found.c);
      out["condition"] = found.condition;
    } else {
      out["candidate"] = sigma;
      out["turns"] = d.turns->name();
    }
    return out;
  });
} catch (const OutOfDomain&) {
  return {};  // the motion has no closed form
}

}  // namespace rattleback
