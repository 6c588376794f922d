#include <rattleback/simulate/observer.hpp>

#include <algorithm>

#include <rattleback/algebra/derivative.hpp>
#include <rattleback/motion/energy.hpp>

namespace rattleback {

Observer::Observer(const Flow& flow, std::vector<std::string> names, std::span<const Expr> quantities)
    : names_(std::move(names)),
      code_(std::make_unique<const Code>(flow.observing(quantities))),
      f_(*code_, flow.parameter_values<double>()),
      x_(flow.dimension() + 1),
      values_(quantities.size()) {}

const std::vector<double>& Observer::operator()(double t, std::span<const double> y) {
  std::copy(y.begin(), y.end(), x_.begin());
  x_.back() = t;
  f_(x_.data(), values_.data());
  return values_;
}

Observer state_observer(const Flow& flow) {
  std::vector<std::string> names;
  std::vector<Expr> values;
  for (const auto* part : {&flow.equations().configuration, &flow.equations().speeds}) {
    for (const Symbol s : *part) {
      names.push_back(s.name());
      values.emplace_back(s);
    }
  }
  return {flow, std::move(names), values};
}

Observer velocity_observer(const Flow& flow) {
  const auto& z = flow.equations().speeds;
  std::vector<std::string> names;
  std::vector<Expr> values;
  for (const Symbol v : flow.system().space.velocities()) {
    if (std::any_of(z.begin(), z.end(), [&](Symbol s) { return s.name() == v.name(); })) continue;
    names.push_back(v.name());
    values.emplace_back(v);
  }
  return {flow, std::move(names), values};
}

std::vector<Invariant> known_invariants(const System& system) {
  std::vector<Invariant> kept;
  if (proved(conserves_energy(system))) kept.push_back({"energy", energy(system)});
  for (const Constraint& c : system.constraints)
    if (c.position) kept.push_back({c.name, *c.position});
  const std::vector<Expr> p = gradient(system.lagrangian, system.space.velocities());
  for (const Symmetry& symmetry : system.symmetries) {
    for (const Generator& xi : symmetry.generators) {
      std::vector<Expr> terms;
      for (std::size_t i = 0; i < p.size(); ++i) terms.push_back(p[i] * xi.field[static_cast<int>(i)]);
      const Expr momentum = sum(terms);
      if (!momentum.is_zero() && proved(is_conserved(system, momentum)))
        kept.push_back({"momentum of " + (xi.name.empty() ? symmetry.group : xi.name), momentum});
    }
  }
  return kept;
}

}  // namespace rattleback
