#include <rattleback/proof/steady/known_integrals.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/fields/sign_revealing.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/proof/evidence/brief.hpp>
#include <rattleback/proof/momenta/energy.hpp>
#include <rattleback/proof/momenta/integrals.hpp>

namespace rattleback {

const std::vector<Expr>& KnownIntegrals::get() {
  if (found_) return *found_;
  found_.emplace();
  try {
    const Budget budget(work_limits::known_integrals);
    found_ = integrals_of(system_);
  } catch (const Exhausted&) {
    Budget::check();
  } catch (const OutOfDomain&) {
    found_->clear();  // no parametrisation for the search
  }
  return *found_;
}

bool KnownIntegrals::energy_is_conserved() {
  if (!energy_) energy_ = proved(conserves_energy(system_));
  return *energy_;
}

bool KnownIntegrals::energy_never_grows() {
  if (decay_) return *decay_;
  decay_ = energy_is_conserved();
  if (*decay_) return true;
  try {
    const Budget budget(work_limits::known_integrals);
    const KnownSign sign = known_sign(sign_revealing(short_form(energy_rate(system_))));
    decay_ = sign == KnownSign::negative || sign == KnownSign::nonpositive || sign == KnownSign::zero;
  } catch (const Exhausted&) {
    Budget::check();
  } catch (const OutOfDomain&) {
    return false;  // no closed form of the motion
  }
  return *decay_;
}

namespace {

constexpr std::size_t readable = legible::in_a_condition.count;

/// " for omega > 2.1", " where a > 0 and b > 0"; nothing when it holds nowhere.
std::optional<std::string> domain(const SteadyFamily& f, const EnergyMomentum& x) {
  std::string where;
  std::vector<Symbol> free;
  for (const Symbol s : f.free) {
    const auto occurs = [&](const Inequality& i) { return contains(i.e, s); };
    if (std::any_of(x.conditions.begin(), x.conditions.end(), occurs)) free.push_back(s);
  }
  if (free.size() == 1) {
    const auto intervals = where_all_hold(x.conditions, free[0]);
    if (intervals && intervals->empty()) return std::nullopt;
    if (intervals) where = fmt::format(" for {}", text(*intervals, free[0].name()));
  }
  if (free.empty() && !x.conditions.empty() && !all_hold(x.conditions).value_or(false)) return std::nullopt;
  if (where.empty() && !free.empty()) {
    std::vector<std::string> parts;
    for (const Inequality& i : x.conditions) parts.push_back(text(i));
    where = fmt::format(" where {}", fmt::join(parts, " and "));
    if (where.size() > readable) where = " under conditions too long to print";
  }
  for (const Expr e : x.nonzero) where += fmt::format("{}{} != 0", where.empty() ? " for " : ", ", text(e));
  return where;
}

}  // namespace

std::optional<LyapunovStability> lyapunov_stability(const System& system, const SolvedVelocities& v,
                                                    const SteadyFamily& f, KnownIntegrals& integrals) {
  if (!integrals.energy_is_conserved()) return std::nullopt;
  try {
    const auto x = energy_momentum(system, v, f, integrals.get());
    const auto where = x ? domain(f, *x) : std::nullopt;
    if (!where) return std::nullopt;
    std::vector<std::string> used{"the energy"};
    for (std::size_t i = 1; i < x->integrals.size(); ++i) {
      const std::string formula = brief(x->integrals[i]);
      used.push_back(formula.size() <= readable ? formula : "a longer integral");
    }
    return LyapunovStability{
        *x, fmt::format("Lyapunov stable at the model's values{}: a combination of {} has an extremum",
                        *where, fmt::join(used, ", "))};
  } catch (const OutOfDomain&) {
    return std::nullopt;  // a pole at the point
  }
}

}  // namespace rattleback
