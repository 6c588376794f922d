#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/sweep/members.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/system/units.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/simulate/runs/lyapunov.hpp>
#include <rattleback/simulate/runs/stalled_motion.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/states/tangent_space.hpp>
#include <rattleback/sweep/lane_work.hpp>

namespace rattleback {
namespace {

Parameter* parameter_named(System& system, const std::string& name) {
  const auto found = std::find_if(system.parameters.begin(), system.parameters.end(),
                                  [&](const Parameter& p) { return p.symbol.name() == name; });
  return found == system.parameters.end() ? nullptr : &*found;
}

/// Proofs and short forms have used that it is positive. Zero is never drawn.
void require_declared_sign(const Parameter& parameter, const Axis& axis) {
  const double least = axis.least();
  if (!parameter.positive || least > 0 || (axis.random() && least == 0)) return;
  Place place;
  place.file = "command line, --vary";
  throw Error("not-positive", fmt::format("`{}` is declared positive, but would be {:g}", axis.name, least),
              "the equations use the declared sign", "vary it over positive values, or drop positive = true")
      .at(place);
}

/// An initial value that any member may replace.
InitialValue initial_value(const std::string& name, double value) {
  Place place;
  place.file = "command line, --vary";
  place.text = name;
  return {name, Expr(Rational::from_double(value)), place};
}

void set(std::vector<InitialValue>& values, InitialValue value) {
  const auto old =
      std::find_if(values.begin(), values.end(), [&](const InitialValue& v) { return v.name == value.name; });
  if (old == values.end()) {
    values.push_back(std::move(value));
  } else {
    *old = std::move(value);
  }
}

/// A code of constants only, with one output for each, in order.
Code in_order(Code code) {
  std::vector<std::uint32_t> ordered;
  for (const std::uint32_t out : code.outputs) ordered.push_back(code.constants[out]);
  code.constants = ordered;
  return code;
}

}  // namespace

Members::Members(SweepPlan plan, Ensemble ensemble) : plan_(std::move(plan)), ensemble_(std::move(ensemble)) {
  if (!(duration() > 0))
    throw Error("usage", fmt::format("a sweep to t = {:g} has no motions", plan_.until), "",
                "give --until a time that is not zero; negative: backwards");
  if (direction() < 0) require_reversible(plan_.method);
  std::vector<double> first(ensemble_.axes().size());
  if (ensemble_.size() > 0) ensemble_.values(0, first);
  System varied = plan_.system;
  std::vector<Symbol> free;
  std::vector<std::pair<std::string, std::string>> start_with;
  for (std::size_t a = 0; a < first.size(); ++a) {
    const std::string& name = ensemble_.axes()[a].name;
    if (Parameter* p = parameter_named(varied, name)) {
      p->value = Expr(p->symbol);  // what depends on it, depends on it
      require_declared_sign(*p, ensemble_.axes()[a]);
      if (Parameter* own = parameter_named(plan_.system, name); !own->value)
        own->value = Expr(Rational::from_double(first[a]));
      free.push_back(p->symbol);
      parameter_axes_.push_back(a);
    } else {
      initial_axes_.push_back(a);
      start_with.emplace_back(name, fmt::format("{}", first[a]));
    }
  }
  plan_.system = with_initial_values(std::move(plan_.system), start_with, "--vary");
  constexpr std::size_t many = 5000;
  const bool has_directions = std::any_of(plan_.keep.begin(), plan_.keep.end(),
                                          [](const KeptQuantity& r) { return needs_directions(r.kind); });
  flow_ = std::make_unique<Flow>(plan_.system, ensemble_.size() < many && !has_directions
                                                   ? Flow::Effort::quick
                                                   : Flow::Effort::thorough);
  initial_state(*flow_,
                {.project = plan_.project});  // if it has none, the user wants to know before the rest
  if (direction() < 0) flow_->reverse_time();
  const SymbolMap values = rattleback::parameter_values(varied);
  std::vector<Expr> all;
  for (const Symbol p : flow_->parameters()) all.push_back(values.at(p));
  parameters_ = in_order(straight_line({}, free, all));

  const auto state = flow_->state();
  for (const std::size_t a : initial_axes_) {
    const std::string& name = ensemble_.axes()[a].name;
    const auto variable =
        std::find_if(state.begin(), state.end(), [&](Symbol s) { return s.name() == name; });
    state_of_axis_.push_back(static_cast<std::size_t>(variable - state.begin()));
  }
  const std::vector<InitialValue>& given = plan_.system.simulation.initial;
  // Where every value given is a constant and sets one variable of the state, nothing needs to be solved.
  const bool positions = std::any_of(plan_.system.constraints.begin(), plan_.system.constraints.end(),
                                     [](const Constraint& c) { return c.position.has_value(); });
  direct_ = !positions && flow_->projection() == nullptr &&
            std::all_of(given.begin(), given.end(), [&](const InitialValue& v) {
              const Expr* e = std::get_if<Expr>(&v.value);
              return e != nullptr && e->is(Kind::constant) &&
                     std::any_of(state.begin(), state.end(), [&](Symbol s) { return s.name() == v.name; });
            });
  const Expr total = energy(plan_.system);
  energy_ = flow_->observing(std::span(&total, 1));
  kept_ = reduction_code(*flow_, plan_.keep);

  for (const Axis& axis : ensemble_.axes()) columns_.push_back({"axes", axis.name});
  for (const char* name : {"fate", "time", "steps"}) columns_.push_back({"", name});
  for (const Symbol s : state) columns_.push_back({"final", s.name()});
  columns_.push_back({"", "energy_change"});
  for (const KeptQuantity& r : plan_.keep) columns_.push_back({"kept", r.name});
  std::size_t exponents = 0;
  for (const KeptQuantity& r : plan_.keep) {
    watches_ = watches_ || !needs_directions(r.kind);
    if (needs_directions(r.kind)) exponents = std::max<std::size_t>(exponents, std::max(1, r.count));
  }
  if (exponents > 0) require_directions(exponents);
  if (exponents > 0 && flow_->projection() == nullptr && !positions)
    spectrum_ = std::make_unique<SpectrumMethod>(*flow_, exponents, ensemble_.size());
  if (watches_ || exponents > 0 || flow_->projection() != nullptr) return;
  const std::vector<std::uint32_t> quaternions(flow_->quaternions().begin(), flow_->quaternions().end());
  if (plan_.method == "dop853")
    lanes_ = std::make_unique<LaneMethod>(flow_->rates(), quaternions, ensemble_.size());
  if (plan_.method == "rk4" && plan_.settings.step > 0)
    march_ = std::make_unique<MarchMethod>(flow_->rates(), quaternions);
}

void Members::require_directions(std::size_t exponents) const {
  const std::vector<double> y = initial_state(*flow_, {.project = plan_.project});
  if (const std::size_t directions = TangentSpace(*flow_).dimension(0, y); exponents > directions)
    throw Error("usage", fmt::format("exponent {} of a motion with {} directions", exponents, directions),
                "every direction of the state has one; a unit quaternion has three",
                fmt::format("keep lyapunov({}) or one before it", directions));
}

/// One thread's share of the work.
class MemberWorker {
 public:
  explicit MemberWorker(const Members& all)
      : all_(all), flow_(*all.flow_), axes_(all.ensemble_.axes().size()), input_(flow_.dimension() + 1) {}

  std::vector<double> operator()(const Block& block) {
    std::vector<double> rows(block.size() * all_.columns_.size(), std::nan(""));
    if (all_.side_by_side()) {
      in_lanes(block, rows);
    } else if (all_.watches_ || !all_.spectrum_) {
      for (std::size_t m = block.begin; m < block.end; ++m) one_by_one(m, row(rows, m - block.begin));
    }
    if (all_.spectrum_) exponents_in_lanes(block, rows);
    return rows;
  }

 private:
  std::span<double> row(std::vector<double>& rows, std::size_t i) const {
    const std::size_t columns = all_.columns_.size();
    return std::span(rows).subspan(i * columns, columns);
  }

  /// Values, parameters and initial state of a member; false, with its fate in the row, when it has none.
  bool begin(std::size_t member, std::span<double> to, bool alone) {
    all_.plan_.time_is_up.require_time();
    all_.ensemble_.values(member, axes_);
    std::copy(axes_.begin(), axes_.end(), to.begin());
    // Members that start directly and advance side by side get their parameters side by side.
    if (parameters_.empty() || (!all_.parameter_axes_.empty() && (alone || !all_.direct_))) {
      std::vector<double> free;
      for (const std::size_t a : all_.parameter_axes_) free.push_back(axes_[a]);
      parameters_ = constants_of<double>(all_.parameters_, free);
      flow_.set_parameters(parameters_);
    }
    try {
      start();
    } catch (const Error&) {  // whatever is wrong with this start: the table says that it has none
      to[axes_.size()] = static_cast<double>(Fate::no_start);
      return false;
    }
    return true;
  }

  void start() {
    if (!all_.direct_) {
      std::vector<InitialValue> values = all_.plan_.system.simulation.initial;
      for (const std::size_t a : all_.initial_axes_)
        set(values, initial_value(all_.ensemble_.axes()[a].name, axes_[a]));
      state_ = initial_state(flow_, {.project = all_.plan_.project, .given = &values});
      return;
    }
    if (state_.empty()) state_ = initial_state(flow_, {.project = all_.plan_.project});
    for (std::size_t i = 0; i < all_.initial_axes_.size(); ++i)
      state_[all_.state_of_axis_[i]] = axes_[all_.initial_axes_[i]];
  }

  double energy_at(double t, std::span<const double> y) {
    std::copy(y.begin(), y.end(), input_.begin());
    input_.back() = t;
    double value = 0;
    if (!energy_code_ || !all_.parameter_axes_.empty()) energy_code_.emplace(all_.energy_, parameters_);
    (*energy_code_)(input_.data(), &value);
    return value;
  }

  void end(std::span<double> to, bool arrived, double t, double steps, std::span<const double> y) {
    double* next = to.data() + axes_.size();
    *next++ = static_cast<double>(arrived ? Fate::arrived : Fate::stopped);
    *next++ = all_.direction() * t;
    *next++ = steps;
    next = std::copy(y.begin(), y.end(), next);
    *next = (energy_at(t, y) - energy_) / std::max(std::abs(energy_), 1e-300);
  }

  std::function<void(Flights&)> integrator() const {
    const StepperSettings& settings = all_.plan_.settings;
    if (all_.march_)
      return [march = LaneMarch(*all_.march_, settings.step, all_.plan_.time_is_up)](Flights& all) mutable {
        march.run(all);
      };
    return [lanes = std::make_shared<LaneIntegrator>(*all_.lanes_, settings, all_.plan_.time_is_up)](
               Flights& all) { lanes->run(all); };
  }

  void in_lanes(const Block& block, std::vector<double>& rows) {
    if (!lanes_)
      lanes_ = std::make_unique<LaneWork>(integrator(), all_.flow_->rates(), all_.parameters_, all_.energy_);
    std::vector<std::size_t> started;
    std::vector<double> states, varied;
    for (std::size_t m = block.begin; m < block.end; ++m) {
      const std::span<double> to = row(rows, m - block.begin);
      if (!begin(m, to, false)) continue;
      started.push_back(m);
      states.insert(states.end(), state_.begin(), state_.end());
      for (const std::size_t a : all_.parameter_axes_) varied.push_back(axes_[a]);
    }
    if (started.empty()) return;  // lanes read the parameters of the first member
    const auto [flights, energy_change] = lanes_->run(states, varied, all_.duration());
    for (std::size_t m = 0; m < started.size(); ++m) {
      const std::span<double> to = row(rows, started[m] - block.begin);
      if (all_.march_ && !flights.arrived[m]) {
        one_by_one(started[m], to);
        continue;
      }
      double* next = to.data() + axes_.size();
      *next++ = static_cast<double>(flights.arrived[m] ? Fate::arrived : Fate::stopped);
      *next++ = all_.direction() * flights.reached[m];
      *next++ = flights.steps[m];
      for (std::size_t k = 0; k < flow_.dimension(); ++k) *next++ = flights.state[k][m];
      *next = energy_change[m];
    }
  }

  /// Exponents and MEGNO into the columns that ask for them; the other columns too, where nothing else has filled them.
  void exponents_in_lanes(const Block& block, std::vector<double>& rows) {
    if (!spectrum_)
      spectrum_ = std::make_unique<LaneSpectrum>(*all_.spectrum_, all_.parameters_, all_.plan_.settings,
                                                 all_.plan_.time_is_up);
    std::vector<std::size_t> started;
    std::vector<double> states, varied, energies;
    for (std::size_t m = block.begin; m < block.end; ++m) {
      if (!begin(m, row(rows, m - block.begin), true)) continue;
      started.push_back(m);
      states.insert(states.end(), state_.begin(), state_.end());
      energies.push_back(energy_at(0, state_));
      for (const std::size_t a : all_.parameter_axes_) varied.push_back(axes_[a]);
    }
    const LaneSpectrum::Results found = spectrum_->run(states, varied, all_.duration());
    const std::size_t kept = all_.plan_.keep.size();
    std::vector<double> last(flow_.dimension());
    for (std::size_t m = 0; m < started.size(); ++m) {
      const std::span<double> to = row(rows, started[m] - block.begin);
      if (!all_.watches_) {
        begin(started[m], to, true);
        energy_ = energies[m];
        for (std::size_t i = 0; i < last.size(); ++i) last[i] = found.state[i][m];
        end(to, found.arrived[m], found.reached[m], found.steps[m], last);
      }
      for (std::size_t r = 0; r < kept; ++r) {
        const KeptQuantity& what = all_.plan_.keep[r];
        double& value = to[to.size() - kept + r];
        if (what.kind == Reduce::lyapunov)
          value = found.exponents[static_cast<std::size_t>(what.count) - 1][m];
        if (what.kind == Reduce::megno) value = found.megno[m];
      }
    }
  }

  /// Where the motion is projected while it runs, each by itself.
  void exponents_alone(std::vector<double>& kept) {
    LyapunovOptions options;
    options.until = all_.duration();
    options.rtol = all_.plan_.settings.rtol;
    options.count = 1;
    options.between_steps = [this] { all_.plan_.time_is_up.require_time(); };
    for (const KeptQuantity& r : all_.plan_.keep)
      options.count =
          std::max(options.count, static_cast<std::size_t>(std::max(0, r.count * needs_directions(r.kind))));
    const LyapunovExponents found = lyapunov_exponents(flow_, state_, options);
    for (std::size_t r = 0; r < kept.size(); ++r) {
      const KeptQuantity& what = all_.plan_.keep[r];
      if (what.kind == Reduce::lyapunov) kept[r] = found.exponents[static_cast<std::size_t>(what.count) - 1];
      if (what.kind == Reduce::megno) kept[r] = found.mean_megno;
    }
  }

  void one_by_one(std::size_t member, std::span<double> to) {
    if (!begin(member, to, true)) return;
    energy_ = energy_at(0, state_);
    const std::unique_ptr<Stepper> stepper =
        stepper_named(all_.plan_.method).make(flow_, all_.plan_.settings);
    ReductionWatch watch(all_.kept_, all_.plan_.keep, parameters_, all_.duration(), all_.direction());
    bool arrived = true;
    stepper->start(0, state_);
    watch.start(0, state_);
    Progress progress(all_.duration());
    try {
      while (stepper->time() < all_.duration()) {
        all_.plan_.time_is_up.require_time();
        progress.require(*stepper);
        stepper->step(all_.duration());
        watch.after_step(*stepper);
      }
    } catch (const StepFailure&) {
      arrived = false;
    }
    end(to, arrived, stepper->time(), static_cast<double>(stepper->counts().steps), stepper->state());
    std::vector<double> kept = watch.results();
    if (!all_.spectrum_ && arrived &&
        std::any_of(all_.plan_.keep.begin(), all_.plan_.keep.end(),
                    [](const KeptQuantity& r) { return needs_directions(r.kind); }))
      exponents_alone(kept);
    std::copy(kept.begin(), kept.end(), to.end() - static_cast<std::ptrdiff_t>(kept.size()));
  }

  const Members& all_;
  Flow flow_;  ///< at the parameters of the member under way
  std::vector<double> axes_, parameters_, state_, input_;
  double energy_ = 0;
  std::optional<Evaluator<double>> energy_code_;  ///< at the parameters of the member under way
  std::unique_ptr<LaneWork> lanes_;
  std::unique_ptr<LaneSpectrum> spectrum_;
};

std::vector<std::pair<std::string, std::string>> Members::units() const {
  const System& system = plan_.system;
  const std::string time = unit_of(system, "t");
  if (time.empty()) return {};
  std::vector<std::pair<std::string, std::string>> found;
  const auto add = [&](const std::string& name, const std::string& unit) {
    if (!unit.empty() && unit != "1") found.emplace_back(name, unit);
  };
  add("time", time);
  for (const Axis& axis : ensemble_.axes()) add(axis.name, unit_of(system, axis.name));
  for (const Symbol s : flow_->state()) add(s.name(), unit_of(system, s.name()));
  for (const KeptQuantity& r : plan_.keep) {
    switch (r.kind) {
      case Reduce::final:
      case Reduce::minimum:
      case Reduce::maximum:
      case Reduce::mean:
      case Reduce::at_section:
      case Reduce::attractor: add(r.name, unit_of(system, r.expression)); break;
      case Reduce::first_crossing:
      case Reduce::period: add(r.name, time); break;
      case Reduce::lyapunov: add(r.name, "1/" + time); break;
      case Reduce::crossings:
      case Reduce::rotation_number:
      case Reduce::megno: break;
    }
  }
  return found;
}

BlockWorker Members::worker() const {
  return [worker = std::make_shared<MemberWorker>(*this)](const Block& block) { return (*worker)(block); };
}

}  // namespace rattleback
