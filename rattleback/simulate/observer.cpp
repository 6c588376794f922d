#include <rattleback/simulate/observer.hpp>

#include <algorithm>

namespace rattleback {

Observer::Observer(const Flow& flow, std::vector<std::string> names, std::span<const Expr> quantities)
    : Observer(flow, std::move(names), std::make_shared<const Code>(flow.observing(quantities))) {}

Observer::Observer(const Flow& flow, std::vector<std::string> names, std::shared_ptr<const Code> code)
    : names_(std::move(names)),
      code_(std::move(code)),
      f_(*code_, flow.parameter_values<double>()),
      x_(flow.dimension() + 1),
      values_(code_->outputs.size()) {}

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

/// Symbols that are observed, made into code once for a flow and its copies.
struct ObservedSymbols {
  std::vector<std::string> names;
  std::shared_ptr<const Code> code;

  void add(const Flow& flow, const std::vector<Symbol>& symbols) {
    std::vector<Expr> values;
    for (const Symbol s : symbols) {
      names.push_back(s.name());
      values.emplace_back(s);
    }
    code = std::make_shared<const Code>(flow.observing(values));
  }
};

struct ObservedState : ObservedSymbols {
  explicit ObservedState(const Flow& flow) {
    std::vector<Symbol> all = flow.equations().configuration;
    const std::vector<Symbol> speeds = told_speeds(flow);
    all.insert(all.end(), speeds.begin(), speeds.end());
    add(flow, all);
  }
};

struct ObservedVelocities : ObservedSymbols {
  explicit ObservedVelocities(const Flow& flow) {
    const std::vector<Symbol> z = told_speeds(flow);
    std::vector<Symbol> others;
    for (const Symbol v : flow.system().space.velocities())
      if (std::none_of(z.begin(), z.end(), [&](Symbol s) { return s.name() == v.name(); }))
        others.push_back(v);
    add(flow, others);
  }
};

}  // namespace

Observer state_observer(const Flow& flow) {
  const auto state = flow.derived<ObservedState>();
  return {flow, state->names, state->code};
}

Observer velocity_observer(const Flow& flow) {
  const auto velocities = flow.derived<ObservedVelocities>();
  return {flow, velocities->names, velocities->code};
}

}  // namespace rattleback
