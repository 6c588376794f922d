#include <rattleback/proof/variational/not_variational_certificate.hpp>

#include <utility>

#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/certificate_budget.hpp>
#include <rattleback/proof/evidence/certified_system.hpp>

namespace rattleback {
namespace {

/// (C.38), with what else is to be noted.
Data with_complement(const System& system, int rounds, std::vector<Expr> noted) {
  std::vector<Expr> functions;
  for (const Constraint& constraint : system.constraints) functions.push_back(constraint.expression);
  const Matrix slopes = jacobian(functions, system.space.velocities());
  if (slopes.rows() == 0 || rank(slopes) < slopes.rows()) return {};
  const EquationsOfMotion motion = gibbs_appell_equations(system);
  const auto across = solve(slopes, Matrix::identity(slopes.rows()));
  if (!across) return {};
  const Data complement = rows_of_texts(short_form(transpose(across->x)), noted);
  Data d = certified_system(system, motion, noted);
  if (d.is_null()) return d;
  d["certificate"] = "not-conditionally-variational";
  d["complement"] = complement;
  d["rounds"] = rounds;
  return d;
}

/// Each by its type and accelerations, which are noted.
Data::List records(const std::vector<RefutedSystem>& systems, std::vector<Expr>& noted) {
  Data::List all;
  for (const RefutedSystem& s : systems) {
    Data d;
    d["type"] = s.type;
    d["accelerations"] = s.equations.f;
    noted.insert(noted.end(), s.equations.f.begin(), s.equations.f.end());
    all.push_back(std::move(d));
  }
  return all;
}

}  // namespace

Data not_variational_certificate(const System& system, int rounds) {
  return certificate_within_budget([&] { return with_complement(system, rounds, {}); });
}

Data no_control_certificate(const System& system, int rounds, const std::vector<RefutedSystem>& systems) {
  return certificate_within_budget([&] {
    std::vector<Expr> noted;
    Data::List all = records(systems, noted);
    for (std::size_t k = 0; k < systems.size(); ++k) {
      if (systems[k].derivatives == 0) all[k]["other"] = true;
    }
    Data d = with_complement(system, rounds, noted);
    if (d.is_null() || all.empty()) return d;
    d["certificate"] = "no-optimal-control";
    d["systems"] = all;
    return d;
  });
}

Data no_lagrangian_certificate(const System& system, const std::vector<RefutedSystem>& systems) {
  return certificate_within_budget([&] {
    std::vector<Expr> noted;
    Data::List all = records(systems, noted);
    for (std::size_t k = 0; k < systems.size(); ++k) {
      if (systems[k].derivatives > 0) all[k]["derivatives"] = systems[k].derivatives;
    }
    Data d = certified_system(system, gibbs_appell_equations(system), noted);
    if (d.is_null()) return d;
    d["certificate"] = "no-lagrangian";
    d["systems"] = all;
    return d;
  });
}

Data control_certificate(const System& system, const SecondOrderSystem& s, const DecoupledLagrangian& L,
                         const AssociatedControl& control) {
  return certificate_within_budget([&] {
    const EquationsOfMotion motion = gibbs_appell_equations(system);
    const std::vector<Expr> v = velocities_along(system, motion);
    std::vector<Expr> costate = substitute(gradient(L.lagrangian, s.v), motion.velocities), along = v;
    for (std::size_t k = 0; k < L.others.size(); ++k)
      along[static_cast<std::size_t>(L.others[k])] /= L.scales[k];
    for (auto* list : {&costate, &along}) {
      for (Expr& e : *list) e = short_form(e);
    }
    std::vector<Expr> noted{control.cost};
    for (const std::vector<Expr>* list : {&std::as_const(costate), &std::as_const(along), &control.rates})
      noted.insert(noted.end(), list->begin(), list->end());
    for (const Symbol u : control.controls) noted.emplace_back(u);
    Data d = certified_system(system, motion, noted);
    if (d.is_null()) return d;
    d["certificate"] = "optimal-control";
    d["cost"] = control.cost;
    Data::List names;
    for (const Symbol u : control.controls) names.emplace_back(u.name());
    d["controls"] = names;
    d["driven"] = control.rates;
    d["controls_along"] = along;
    d["costate"] = costate;
    return d;
  });
}

}  // namespace rattleback
