// Declared in model/reading/reading.hpp. Warning about parameters that nothing depends on.
#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include <rattleback/model/reading/reading.hpp>
#include <rattleback/model/system/inputs.hpp>

namespace rattleback {
namespace {

void append(std::vector<Expr>& all, const Value& v) {
  if (const Expr* e = std::get_if<Expr>(&v)) {
    all.push_back(*e);
  } else {
    const std::span<const Expr> entries = std::get<Matrix>(v).entries();
    all.insert(all.end(), entries.begin(), entries.end());
  }
}

std::vector<Expr> everything(const System& system) {
  std::vector<Expr> all{system.lagrangian};
  all.insert(all.end(), system.forces.begin(), system.forces.end());
  for (const Parameter& p : system.parameters) {
    if (p.value) all.push_back(*p.value);
  }
  for (const Factor& factor : system.space.factors()) {
    for (int a = 0; a < factor.dimension(); ++a) {
      for (int b = 0; b < a; ++b) {
        for (int d = 0; d < factor.dimension(); ++d) all.push_back(factor.c(a, b, d));
      }
    }
  }
  for (const Definition& d : system.definitions) append(all, d.value);
  for (const Constraint& c : system.constraints) {
    all.push_back(c.expression);
    if (c.position) all.push_back(*c.position);
  }
  for (const QuasiVelocity& u : system.velocities) all.push_back(u.expression);
  if (system.parametrization)
    all.insert(all.end(), system.parametrization->psi.begin(), system.parametrization->psi.end());
  for (const Symmetry& symmetry : system.symmetries) {
    for (const Generator& g : symmetry.generators)
      all.insert(all.end(), g.field.coefficients().begin(), g.field.coefficients().end());
  }
  for (const AbstractFunction& f : system.functions)
    if (f.value) all.push_back(*f.value);
  for (const InitialValue& i : system.simulation.initial) append(all, i.value);
  const auto append_named = [&](const std::string& key) {
    if (const Value* v = system.scope.find(key)) append(all, *v);
  };
  for (const Contact& c : system.contacts) {
    append_named("#friction " + c.name);
    append_named("#restitution " + c.name);
  }
  for (const AbstractFunction& f : system.functions) append_named("#range " + f.function.name());
  return all;
}

}  // namespace

void warn_about_unused_parameters(System& system) {
  const std::vector<Expr> all = everything(system);
  const std::vector<Symbol> symbols = symbols_of(all);
  const std::unordered_set<Symbol> used(symbols.begin(), symbols.end());
  for (const Parameter& p : system.parameters) {
    if (used.contains(p.symbol)) continue;
    Error warning("unused-parameter", fmt::format("parameter `{}` is never used", p.symbol.name()), "",
                  "delete it, or check the spelling where it should stand");
    system.warnings.push_back(warning.at(p.place));
  }
  for (const AbstractFunction& input : inputs_of(system)) {
    const bool acts = std::ranges::any_of(system.forces, [&](Expr force) {
      return substitute(force, input.function, input.arguments, Expr(0)) != force;
    });
    if (acts) continue;
    Error warning("unused-parameter", fmt::format("input `{}` acts on nothing", input.function.name()), "",
                  "let it work in [forces], or delete it");
    system.warnings.push_back(warning.at(input.place));
  }
}

}  // namespace rattleback
