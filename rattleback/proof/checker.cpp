#include <rattleback/proof/checker.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/derivative.hpp>
#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/parse.hpp>

namespace rattleback {
namespace {

[[noreturn]] void bad(const std::string& what) {
  throw Error("bad-certificate", what, "",
              "use the `certificate` that `prove --format json` prints, unchanged");
}

const Data& field(const Data& d, const std::string& key) {
  const Data* found = d.find(key);
  if (found == nullptr) bad(fmt::format("the certificate has no `{}`", key));
  return *found;
}

const Data::List& list(const Data& d) {
  if (d.list() == nullptr) bad("a list is missing in the certificate");
  return *d.list();
}

const std::string& string(const Data& d) {
  if (d.text() == nullptr) bad("a formula is missing in the certificate");
  return *d.text();
}

int integer(const Data& d) {
  if (d.get_if<long>() == nullptr) bad("a number is missing in the certificate");
  return static_cast<int>(*d.get_if<long>());
}

/// The certificate with its formulas read.
struct Claim {
  Scope scope{Scope::Unknown::becomes_a_symbol};
  std::vector<Symbol> functions, velocities, speeds;
  std::vector<SymbolMap> frame;
  struct Coefficient {
    int i, j, k;
    Expr value;
  };
  std::vector<Coefficient> c;
  Expr lagrangian;
  std::vector<Expr> forces, constraints, admissible, speed_rates;
  SymbolMap psi, motion;  ///< v ↦ ψ(q, z); (q, z, t) ↦ rates
};

Symbol declared(const Data& d) {
  Symbol::Attributes attributes;
  const int role = integer(field(d, "role"));
  if (role < 0 || role > static_cast<int>(Role::multiplier)) bad("a symbol has no such role");
  attributes.role = static_cast<Role>(role);
  if (d.find("positive") != nullptr) attributes.sign = Sign::positive;
  if (const Data* family = d.find("family")) {
    attributes.family = string(*family);
    attributes.entry = integer(field(d, "entry"));
  }
  return Symbol::make(string(field(d, "name")), attributes);
}

std::vector<Expr> formulas(const Claim& claim, const Data& d) {
  std::vector<Expr> out;
  for (const Data& item : list(d)) out.push_back(parse(string(item), claim.scope));
  return out;
}

std::vector<Symbol> symbols(const Claim& claim, const Data& d) {
  std::vector<Symbol> out;
  for (const Data& item : list(d)) {
    const Expr e = parse(string(item), claim.scope);
    if (!e.is(Kind::symbol)) bad("a name in the certificate stands for no symbol");
    out.push_back(e.symbol());
  }
  return out;
}

Claim read(const Data& d) {
  Claim claim;
  for (const Data& s : list(field(d, "symbols"))) {
    const Symbol symbol = declared(s);
    claim.scope.define(symbol.name(), Expr(symbol));
  }
  claim.functions = symbols(claim, field(d, "functions"));
  claim.velocities = symbols(claim, field(d, "velocities"));
  claim.speeds = symbols(claim, field(d, "speeds"));
  for (const Data& leg : list(field(d, "frame"))) {
    const std::vector<Expr> images = formulas(claim, leg);
    if (images.size() != claim.functions.size()) bad("a leg of the frame has the wrong length");
    SymbolMap map;
    for (std::size_t k = 0; k < images.size(); ++k) map.emplace(claim.functions[k], images[k]);
    claim.frame.push_back(std::move(map));
  }
  for (const Data& item : list(field(d, "structure"))) {
    const auto& entry = list(item);
    if (entry.size() != 4) bad("a structure coefficient needs three indices and a value");
    claim.c.push_back(
        {integer(entry[0]), integer(entry[1]), integer(entry[2]), parse(string(entry[3]), claim.scope)});
  }
  claim.lagrangian = parse(string(field(d, "lagrangian")), claim.scope);
  claim.forces = formulas(claim, field(d, "forces"));
  claim.constraints = formulas(claim, field(d, "constraints"));
  claim.admissible = formulas(claim, field(d, "admissible"));
  claim.speed_rates = formulas(claim, field(d, "speed_rates"));
  const std::size_t n = claim.velocities.size();
  if (claim.frame.size() != n || claim.forces.size() != n || claim.admissible.size() != n ||
      claim.speed_rates.size() != claim.speeds.size()) {
    bad("the lists of the certificate do not fit each other");
  }
  for (std::size_t i = 0; i < n; ++i) claim.psi.emplace(claim.velocities[i], claim.admissible[i]);
  for (const Symbol q : claim.functions) {
    std::vector<Expr> terms{Expr(0)};
    for (std::size_t i = 0; i < n; ++i) terms.push_back(claim.admissible[i] * claim.frame[i].at(q));
    claim.motion.emplace(q, sum(terms));
  }
  for (std::size_t a = 0; a < claim.speeds.size(); ++a)
    claim.motion.emplace(claim.speeds[a], claim.speed_rates[a]);
  claim.motion.emplace(Symbol::make("t", {.role = Role::time}), 1);
  return claim;
}

/// (M.8), one for each speed.
std::vector<Expr> dalembert(const Claim& claim) {
  const std::vector<Expr> p = substitute(gradient(claim.lagrangian, claim.velocities), claim.psi);
  const std::size_t n = claim.velocities.size();
  std::vector<Expr> force;
  for (std::size_t i = 0; i < n; ++i) {
    const Expr along_leg = substitute(derivative_along(claim.lagrangian, claim.frame[i]), claim.psi);
    force.push_back(derivative_along(p[i], claim.motion) - along_leg -
                    substitute(claim.forces[i], claim.psi));
  }
  for (const auto& [i, l, m, value] : claim.c) {
    const int largest = static_cast<int>(n);
    if (i < 0 || l < 0 || m < 0 || i >= largest || l >= largest || m >= largest)
      bad("an index is out of range");
    force[static_cast<std::size_t>(i)] +=
        value * claim.admissible[static_cast<std::size_t>(l)] * p[static_cast<std::size_t>(m)];
  }
  std::vector<Expr> residuals;
  for (const Symbol z : claim.speeds) {
    std::vector<Expr> terms{Expr(0)};
    for (std::size_t i = 0; i < n; ++i) terms.push_back(force[i] * derivative(claim.admissible[i], z));
    residuals.push_back(sum(terms));
  }
  return residuals;
}

/// Γ[ρ] + ρ div Γ with div of (M.1).
Expr measure_residual(const Claim& claim, Expr rho) {
  std::vector<Expr> divergence{Expr(0)};
  for (std::size_t i = 0; i < claim.velocities.size(); ++i)
    divergence.push_back(derivative_along(claim.admissible[i], claim.frame[i]));
  for (const auto& [i, j, k, value] : claim.c) {
    if (j == k) divergence.push_back(-claim.admissible[static_cast<std::size_t>(i)] * value);
  }
  for (std::size_t a = 0; a < claim.speeds.size(); ++a)
    divergence.push_back(derivative(claim.speed_rates[a], claim.speeds[a]));
  return derivative_along(rho, claim.motion) + rho * sum(divergence);
}

}  // namespace

std::vector<CheckedStep> check_certificate(const Data& certificate) {
  const std::string& kind = string(field(certificate, "certificate"));
  const Claim claim = read(certificate);
  std::vector<CheckedStep> steps;
  steps.push_back({"the admissible velocities satisfy the constraints",
                   is_zero(substitute(claim.constraints, claim.psi))});
  steps.push_back({"the motion obeys d'Alembert's principle", is_zero(dalembert(claim))});
  if (kind == "conserved") {
    const Expr f = parse(string(field(certificate, "function")), claim.scope);
    steps.push_back({"the function is constant along it", is_zero(derivative_along(f, claim.motion))});
  } else if (kind == "invariant-measure") {
    const Expr rho = parse(string(field(certificate, "density")), claim.scope);
    steps.push_back({"the density is invariant", is_zero(measure_residual(claim, rho))});
  } else {
    bad(fmt::format("certificates of kind `{}` are not known", kind));
  }
  return steps;
}

}  // namespace rattleback
