#include <rattleback/simulate/observer.hpp>

#include <algorithm>

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

namespace {

/// The speeds of the flow; where all velocities took over from those of the model, the latter.
std::vector<Symbol> told_speeds(const Flow& flow) {
  if (flow.projection() == nullptr || flow.system().velocities.empty()) return flow.equations().speeds;
  std::vector<Symbol> speeds;
  for (const QuasiVelocity& u : flow.system().velocities) speeds.push_back(u.symbol);
  return speeds;
}

}  // namespace

Observer state_observer(const Flow& flow) {
  std::vector<std::string> names;
  std::vector<Expr> values;
  const std::vector<Symbol> speeds = told_speeds(flow);
  for (const auto* part : {&flow.equations().configuration, &speeds}) {
    for (const Symbol s : *part) {
      names.push_back(s.name());
      values.emplace_back(s);
    }
  }
  return {flow, std::move(names), values};
}

Observer velocity_observer(const Flow& flow) {
  const std::vector<Symbol> z = told_speeds(flow);
  std::vector<std::string> names;
  std::vector<Expr> values;
  for (const Symbol v : flow.system().space.velocities()) {
    if (std::any_of(z.begin(), z.end(), [&](Symbol s) { return s.name() == v.name(); })) continue;
    names.push_back(v.name());
    values.emplace_back(v);
  }
  return {flow, std::move(names), values};
}

}  // namespace rattleback
