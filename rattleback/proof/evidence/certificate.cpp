#include <rattleback/proof/evidence/certificate.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>
#include <rattleback/proof/check/data.hpp>
#include <rattleback/proof/evidence/certified_system.hpp>

namespace rattleback {
namespace {

Data certificate(const System& system, const EquationsOfMotion& motion, const char* kind, const char* key,
                 Expr e) {
  Data d = certified_system(system, motion, std::span(&e, 1));
  if (d.is_null()) return d;
  d["certificate"] = kind;
  d[key] = e;
  return d;
}

/// The same for several formulas.
Data certificate(const System& system, const EquationsOfMotion& motion, const char* kind, const char* key,
                 const std::vector<Expr>& es) {
  Data d = certified_system(system, motion, es);
  if (d.is_null()) return d;
  d["certificate"] = kind;
  d[key] = texts(es);
  return d;
}

/// A counterexample: `e` is what does not vanish at the state.
Data with_state(Data d, const System& system, const EquationsOfMotion& motion, Expr e) {
  if (d.is_null()) return d;
  const Data state = state_where_it_differs_from_zero(system, motion, e);
  if (!state.is_null()) d["at"] = state;
  return d;
}

}  // namespace

Data conservation_certificate(const System& system, const EquationsOfMotion& motion, Expr function) {
  return certificate(system, motion, "conserved", "function", function);
}

Data conservation_certificate(const System& system, const EquationsOfMotion& motion,
                              const std::vector<Expr>& constants) {
  return certificate(system, motion, "conserved", "constants", constants);
}

Data not_conserved_certificate(const System& system, const EquationsOfMotion& motion, Expr function,
                               Expr rate) {
  return with_state(certificate(system, motion, "not-conserved", "function", function), system, motion, rate);
}

Data zero_certificate(const System& system, const EquationsOfMotion& motion, Expr function, bool zero) {
  const Data d = certificate(system, motion, zero ? "zero" : "not-zero", "function", function);
  return zero ? d : with_state(d, system, motion, function);
}

Data not_a_density_certificate(const System& system, const EquationsOfMotion& motion, Expr density,
                               Expr residual) {
  return with_state(certificate(system, motion, "not-a-density", "density", density), system, motion,
                    residual);
}

Data agreement_certificate(const System& system, const EquationsOfMotion& motion,
                           const std::vector<EquationsOfMotion>& forms) {
  std::vector<Expr> noted;
  Data::List all;
  for (const EquationsOfMotion& form : forms) {
    const std::vector<Expr> velocities = velocities_along(system, form);
    Data one;
    one["form"] = form.form;
    one["speeds"] = texts(std::vector<Expr>(form.speeds.begin(), form.speeds.end()));
    one["definitions"] = texts(form.speed_definitions);
    one["velocities"] = texts(velocities);
    one["rates"] = texts(form.speed_rates);
    for (const auto* list : {&form.speed_definitions, &velocities, &form.speed_rates})
      noted.insert(noted.end(), list->begin(), list->end());
    all.emplace_back(std::move(one));
  }
  Data d = certified_system(system, motion, noted);
  if (d.is_null()) return d;
  d["certificate"] = "agreement";
  d["forms"] = all;
  return d;
}

Data regular_certificate(const System& system, int rank) try {
  const SolvedVelocities v = solved_velocities(system);
  Data d = certified_constraints(system, v.speeds, v.substitution(system.space), {});
  if (d.is_null()) return d;
  d["certificate"] = "regular";
  d["rank"] = rank;
  return d;
} catch (const OutOfDomain&) {
  return {};  // no parametrisation of the admissible velocities
}

Data energy_balance_certificate(const System& system) try {
  const SolvedVelocities v = solved_velocities(system);
  const SymbolMap psi = v.substitution(system.space);
  std::vector<Expr> power{-derivative(system.lagrangian, system.time)}, rates;
  for (std::size_t i = 0; i < system.forces.size(); ++i)
    power.push_back(system.forces[i] * system.space.velocities()[i]);
  rates.push_back(sum(power));
  for (const Constraint& c : system.constraints) {
    std::vector<Expr> work{Expr(0)};
    for (const Symbol x : system.space.velocities()) work.push_back(x * derivative(c.expression, x));
    rates.push_back(sum(work));
  }
  for (const Expr e : rates) {
    if (!vanishes_at_random_points(substitute(e, psi))) return {};
  }
  Data d = certified_constraints(system, v.speeds, psi, {});
  if (d.is_null()) return d;
  d["certificate"] = "energy";
  d["quantity"] = "energy";
  return d;
} catch (const OutOfDomain&) {
  return {};  // no parametrisation of the admissible velocities
}

bool keeps_lagrangian_beside_positions(const System& system, const VectorField& xi) {
  return !Variety::current() || vanishes_at_random_points(complete_lift(xi, system.lagrangian));
}

Data symmetry_certificate(const System& system, const std::vector<VectorField>& fields, bool holds) try {
  if (holds && !std::ranges::all_of(fields, [&](const VectorField& xi) {
        return keeps_lagrangian_beside_positions(system, xi);
      }))
    return {};
  const SolvedVelocities v = solved_velocities(system);
  std::vector<Expr> also;
  Data::List rows;
  for (const VectorField& xi : fields) {
    rows.push_back(texts(xi.coefficients()));
    also.insert(also.end(), xi.coefficients().begin(), xi.coefficients().end());
  }
  Data d = certified_constraints(system, v.speeds, v.substitution(system.space), also);
  if (d.is_null()) return d;
  d["certificate"] = holds ? "symmetries" : "not-a-symmetry";
  d["fields"] = rows;
  return d;
} catch (const OutOfDomain&) {
  return {};  // no parametrisation of the admissible velocities
}

Data no_symmetries_certificate(const System& system, const NoSymmetries& proof) try {
  if (proof.on_positions) return {};
  const SolvedVelocities v = solved_velocities(system);
  Data d = certified_constraints(system, v.speeds, v.substitution(system.space), {});
  if (d.is_null()) return d;
  d["certificate"] = "no-symmetries";
  if (!proof.invariants.empty()) {
    Data::List pairs;
    for (const auto& [j, k] : proof.invariants) pairs.push_back(Data::List{j, k});
    d["invariants"] = pairs;
  } else {
    d["circles"] = circles_of(system.space);
  }
  return d;
} catch (const OutOfDomain&) {
  return {};
}

Data measure_certificate(const System& system, const EquationsOfMotion& motion, Expr density) {
  return certificate(system, motion, "invariant-measure", "density", density);
}

Data hamiltonian_certificate(const System& system, const EquationsOfMotion& motion, const char* kind,
                             const HamiltonianClaim& claim) {
  std::vector<Expr> all{claim.f};
  for (const auto* list : {&claim.theta, &claim.momenta, &claim.rates})
    all.insert(all.end(), list->begin(), list->end());
  for (const Matrix& S : claim.twist) all.insert(all.end(), S.entries().begin(), S.entries().end());
  Data d = certified_system(system, motion, all);
  if (d.is_null()) return d;
  d["certificate"] = kind;
  d["multiplier"] = claim.f;
  d["form"] = texts(claim.theta);
  if (!claim.momenta.empty()) {
    d["momenta"] = texts(claim.momenta);
    d["rates"] = texts(claim.rates);
  }
  if (claim.twist.empty()) return d;
  Data::List twist;
  for (const Matrix& S : claim.twist) {
    Data::List entries;
    for (int i = 0; i < S.rows(); ++i) {
      for (int j = i + 1; j < S.rows(); ++j) {
        if (!S(i, j).is_zero()) entries.push_back(Data::List{i, j, S(i, j)});
      }
    }
    twist.emplace_back(entries);
  }
  d["twist"] = twist;
  return d;
}

Data lie_poisson_certificate(const System& system, const EquationsOfMotion& motion,
                             const std::vector<Expr>& momenta, const std::vector<Expr>& rates,
                             const StructureCoefficients& S) {
  std::vector<Expr> all = momenta;
  all.insert(all.end(), rates.begin(), rates.end());
  Data::List brackets;
  for (int a = 0; a < S.dimension(); ++a) {
    for (int b = 0; b < S.dimension(); ++b) {
      for (int c = 0; c < S.dimension(); ++c) {
        if (S(a, b, c).is_zero()) continue;
        all.push_back(S(a, b, c));
        brackets.push_back(Data::List{a, b, c, S(a, b, c)});
      }
    }
  }
  Data d = certified_system(system, motion, all);
  if (d.is_null()) return d;
  d["certificate"] = "suslov-hamiltonization";
  d["momenta"] = texts(momenta);
  d["rates"] = texts(rates);
  d["brackets"] = brackets;
  return d;
}

Data lagrangian_certificate(const System& system, const EquationsOfMotion& motion, Expr lagrangian) {
  return certificate(system, motion, "inverse-problem", "unconstrained", lagrangian);
}

Data variational_certificate(const System& system, const EquationsOfMotion& motion,
                             const std::vector<Expr>& mu) {
  return certificate(system, motion, "conditionally-variational", "multipliers", mu);
}

}  // namespace rattleback
