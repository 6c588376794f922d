#include <rattleback/simulate/states/observer.hpp>

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/native/remembered_code.hpp>

namespace rattleback {
namespace {

/// Codes of what was observed, made once for a flow and its copies: runs that are short are made by the thousand.
class ObservedCodes {
 public:
  explicit ObservedCodes(const Flow& /*flow*/) {}

  std::shared_ptr<const Code> operator()(const Flow& flow, std::span<const Expr> quantities) const {
    const std::vector<Expr> key(quantities.begin(), quantities.end());
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = codes_.find(key); found != codes_.end()) return found->second;
    }
    auto code = std::make_shared<const Code>(flow.observing(quantities));
    const std::lock_guard lock(mutex_);
    if (codes_.size() > search_limits::observed_codes.count) codes_.clear();
    codes_.emplace(key, code);
    remember_code(code);
    return code;
  }

 private:
  struct HashOfList {
    std::size_t operator()(const std::vector<Expr>& list) const noexcept {
      std::size_t h = list.size();
      for (const Expr e : list) h = h * 0x9E3779B97F4A7C15U + e.hash();
      return h;
    }
  };
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::vector<Expr>, std::shared_ptr<const Code>, HashOfList> codes_;
};

}  // namespace

Observer::Observer(const Flow& flow, std::vector<std::string> names, std::span<const Expr> quantities)
    : Observer(flow, std::move(names), (*flow.derived<ObservedCodes>())(flow, quantities)) {}

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

/// The speeds of the flow; where velocities of the frame took over from those of the model, the latter.
std::vector<Symbol> told_speeds(const Flow& flow) {
  const bool took_over = flow.projection() != nullptr || flow.in_local_chart();
  if (!took_over || flow.system().velocities.empty()) return flow.equations().speeds;
  std::vector<Symbol> speeds;
  for (const QuasiVelocity& u : flow.system().velocities) speeds.push_back(u.symbol);
  return speeds;
}

/// Symbols that are observed, made into code once for a flow and its copies.
struct ObservedSymbols {
  std::vector<std::string> names;
  std::vector<Expr> values;
  std::shared_ptr<const Code> code;

  void add(const Flow& flow, const std::vector<Symbol>& symbols) {
    for (const Symbol s : symbols) {
      names.push_back(s.name());
      values.emplace_back(s);
    }
    code = std::make_shared<const Code>(flow.observing(values));
    remember_code(code);
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

namespace {

/// Speeds that the program chose for `told` are none of the names of another flow: there they are what defines them.
std::vector<Expr> by_definitions(const std::vector<Expr>& values, const Flow& told) {
  const EquationsOfMotion& motion = told.equations();
  SymbolMap definitions;
  for (std::size_t a = 0; a < motion.speed_definitions.size(); ++a)
    definitions.emplace(motion.speeds[a], motion.speed_definitions[a]);
  return substitute(values, definitions);
}

}  // namespace

Observer state_observer(const Flow& flow, const Flow& told) {
  const auto state = told.derived<ObservedState>();
  return {flow, state->names, by_definitions(state->values, told)};
}

Observer speed_observer(const Flow& flow, const Flow& told) {
  std::vector<std::string> names;
  std::vector<Expr> speeds;
  for (const Symbol z : told.equations().speeds) {
    names.push_back(z.name());
    speeds.emplace_back(z);
  }
  return {flow, std::move(names), by_definitions(speeds, told)};
}

Observer velocity_observer(const Flow& flow, const Flow& told) {
  const auto velocities = told.derived<ObservedVelocities>();
  return {flow, velocities->names, velocities->values};
}

}  // namespace rattleback
