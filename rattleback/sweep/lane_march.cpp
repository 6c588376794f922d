#include <rattleback/sweep/lane_march.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/native/code_sizes.hpp>
#include <rattleback/native/compiler.hpp>

namespace rattleback {
namespace {

using LaneValue = ir::Value;

/// Writes a March: a loop over steps, with the state in registers.
class MarchWriter {
 public:
  MarchWriter(const Code& rates, std::span<const std::uint32_t> quaternions, Processor processor)
      : code_(rates),
        quaternions_(quaternions),
        n_(rates.outputs.size()),
        inlined_(rates.body.size() <= code_sizes::inlined_rates.count),
        group_(static_cast<std::size_t>(lanes::march_group(processor, n_))),
        to_(processor, lanes::march_group(processor, n_)) {}

  std::string module() {
    if (!inlined_) write_rates(to_, code_, group_);
    to_.begin(
        "i32 @march(ptr noalias %rows, ptr noalias %c, i64 %steps, double %from, double %length, "
        "ptr noalias %functions)");
    if (!inlined_) {
      inputs_ = to_.assign(fmt::format("alloca [{} x double], align 64", (n_ + 1) * group_));
      outputs_ = to_.assign(fmt::format("alloca [{} x double], align 64", n_ * group_));
    }
    for (std::size_t i = 0; inlined_ && i < code_.constants.size(); ++i)
      constants_.push_back(to_.load("%c", i, lanes::width));
    Values start;
    for (std::size_t i = 0; i < n_; ++i) start.push_back(to_.load("%rows", i, lanes::width));
    const LaneValue h = to_.spread("%length"), half = h / constant(h, 2), sixth = h / constant(h, 6);
    to_.line("br label %begin\nbegin:\nbr label %step\nstep:");
    to_.line("%k = phi i64 [ 0, %begin ], [ %k.next, %step ]");
    to_.line("%t = phi double [ %from, %begin ], [ %t.next, %step ]");
    to_.line(fmt::format("%wild = phi {} [ zeroinitializer, %begin ], [ %wild.next, %step ]", wild_type()));
    Values y;
    for (std::size_t i = 0; i < n_; ++i) {
      y.push_back({&to_, fmt::format("%y{}", i)});
      to_.line(fmt::format("%y{0} = phi {1} [ {2}, %begin ], [ %y{0}.next, %step ]", i, to_.number_type(),
                           start[i].name));
    }
    const Values next = step(y, to_.spread("%t"), h, half, sixth);
    for (std::size_t i = 0; i < n_; ++i)
      to_.line(fmt::format("%y{0}.next = bitcast {1} {2} to {1}", i, to_.number_type(), next[i].name));
    to_.line(fmt::format("%wild.next = or {} %wild, {}", wild_type(), wild_.value_or("zeroinitializer")));
    to_.line("%t.next = fadd double %t, %length");
    to_.line("%k.next = add i64 %k, 1");
    to_.line("%more = icmp ult i64 %k.next, %steps");
    to_.line("br i1 %more, label %step, label %out\nout:");
    for (std::size_t i = 0; i < n_; ++i)
      to_.store({&to_, fmt::format("%y{}.next", i)}, "%rows", i, lanes::width);
    to_.line("ret i32 " + wild());
    to_.end();
    return to_.text();
  }

 private:
  using Values = std::vector<LaneValue>;

  Values rate(Values y, const LaneValue& t) {
    y.push_back(t);
    if (inlined_) {
      Emitted result = emit(to_, code_, y, constants_);
      if (result.quadrants) also_wild(result.quadrants->name);
      return std::move(result.outputs);
    }
    for (std::size_t i = 0; i < y.size(); ++i) to_.store(y[i], inputs_, i, group_);
    also_wild(to_.assign(
        fmt::format("call i32 @rates(ptr {}, ptr %c, ptr {}, ptr %functions)", inputs_, outputs_)));
    Values k;
    for (std::size_t i = 0; i < n_; ++i) k.push_back(to_.load(outputs_, i, group_));
    return k;
  }

  /// What tells at the end in which lanes an angle was too large: quadrants, joined, or lanes that a function gave back.
  std::string wild_type() const { return inlined_ ? to_.bits_type() : "i32"; }
  void also_wild(const std::string& one) {
    wild_ = wild_ ? to_.assign(fmt::format("or {} {}, {}", wild_type(), *wild_, one)) : one;
  }
  std::string wild() {
    if (!inlined_) return "%wild.next";
    return wild_ ? wild_lanes(to_, ir::Bits{&to_, "%wild.next"}) : "0";
  }

  static Values shifted(const Values& y, const LaneValue& by, const Values& k) {
    Values z;
    for (std::size_t i = 0; i < y.size(); ++i) z.push_back(multiply_add(by, k[i], y[i]));
    return z;
  }

  /// y + h/6 (k₁ + 2 (k₂ + k₃) + k₄), and unit quaternions made so.
  Values step(const Values& y, const LaneValue& t, const LaneValue& h, const LaneValue& half,
              const LaneValue& sixth) {
    const LaneValue two = constant(h, 2);
    const Values k1 = rate(y, t), k2 = rate(shifted(y, half, k1), t + half),
                 k3 = rate(shifted(y, half, k2), t + half);
    // The sum begins as early as it can: less to keep in registers.
    Values z = shifted(y, h, k3), sum;
    for (std::size_t i = 0; i < n_; ++i) sum.push_back(multiply_add(two, k2[i] + k3[i], k1[i]));
    const Values k4 = rate(z, t + h);
    for (std::size_t i = 0; i < n_; ++i) z[i] = multiply_add(sixth, sum[i] + k4[i], y[i]);
    for (const std::uint32_t q : quaternions_) {
      const LaneValue square = z[q] * z[q] + z[q + 1] * z[q + 1] + z[q + 2] * z[q + 2] + z[q + 3] * z[q + 3];
      const LaneValue scale = constant(h, 1) / square_root(square);
      for (std::uint32_t i = q; i < q + 4; ++i) z[i] = z[i] * scale;
    }
    return z;
  }

  const Code& code_;
  std::span<const std::uint32_t> quaternions_;
  std::size_t n_;
  bool inlined_;
  std::size_t group_;
  ir::Writer to_;
  std::string inputs_, outputs_;
  std::optional<std::string> wild_;
  Values constants_;
};

}  // namespace

std::string march_module(const Code& rates, std::span<const std::uint32_t> quaternions, Processor processor) {
  return MarchWriter(rates, quaternions, processor).module();
}

lanes::March MarchMethod::compiled_steps(double steps) {
  const std::lock_guard lock(compiling_);
  const NativeMode mode = native_mode();
  if (mode == NativeMode::off) return nullptr;
  if (tried_ || fused_.body.size() > code_sizes::compiled_rates.count) return march_;
  // A step by itself takes about as long as 200 + 20 instructions nanoseconds; to compile it, 10 ms and more.
  if (mode == NativeMode::automatic && steps < 1e7 / (200.0 + 20.0 * static_cast<double>(fused_.body.size())))
    return nullptr;
  tried_ = true;
  object_ = compiled(march_module(fused_, quaternions_, this_processor()));
  if (object_) march_ = reinterpret_cast<lanes::March>(object_->function("march"));
  return march_;
}

/// So many steps from t, with looks at the time between them. The times of steps are sums, as in a march without looks.
int LaneMarch::march_in_parts(lanes::March march, double* state, const double* constants, std::int64_t steps,
                              double t) const {
  constexpr std::int64_t between_looks = 1 << 14;  // hundredths of a second
  int wild = 0;
  for (std::int64_t done = 0; done < steps;) {
    time_is_up_.require_time();
    const std::int64_t now = std::min(between_looks, steps - done);
    wild |= march(state, constants, now, t, step_, library_functions());
    done += now;
    for (std::int64_t k = 0; k < now; ++k) t += step_;
  }
  return wild;
}

void LaneMarch::run(Flights& flights) {
  const std::size_t n = flights.state.size(), count = flights.state.members;
  flights.reached.assign(count, flights.time);
  flights.steps.assign(count, 0);
  flights.arrived.assign(count, false);
  // The times of the stepper: equal steps, and a last one that is shorter, or longer by rounding.
  std::int64_t steps = 0;
  double t = flights.time;
  constexpr std::int64_t between_looks = 1 << 20;  // at the time, a millisecond of additions
  for (; flights.end - t >= step_ * (1 + 1e-10) && t + step_ != t; ++steps) {
    if (steps % between_looks == 0) time_is_up_.require_time();
    t += step_;
  }
  const double total = static_cast<double>(steps + 1);
  const lanes::March march = method_->compiled_steps(total * static_cast<double>(count));
  if (march == nullptr || t + step_ == t || count == 0) return;

  const auto group = static_cast<std::size_t>(lanes::march_group(this_processor(), n));
  LaneRows state(n), constants(std::max<std::size_t>(flights.constants.size(), 1));
  const auto fill = [&](LaneRows& rows, const Columns& from, std::size_t first, std::size_t now) {
    for (std::size_t i = 0; i < from.size(); ++i)
      for (std::size_t lane = 0; lane < group; ++lane)
        rows[i][lane] = from[i][from.members == 1 ? 0 : first + std::min(lane, now - 1)];
  };
  for (std::size_t first = 0; first < count; first += group) {
    const std::size_t now = std::min(group, count - first);
    fill(state, flights.state, first, now);
    if (first == 0 || flights.constants.members > 1) fill(constants, flights.constants, first, now);
    int wild = 0;
    wild |= march_in_parts(march, state[0], constants[0], steps, flights.time);
    wild |= march(state[0], constants[0], 1, t, flights.end - t, library_functions());
    for (std::size_t lane = 0; lane < now; ++lane) {
      bool usable = (wild >> lane & 1) == 0;
      for (std::size_t i = 0; i < n; ++i) usable = usable && std::isfinite(state[i][lane]);
      if (!usable) continue;
      for (std::size_t i = 0; i < n; ++i) flights.state[i][first + lane] = state[i][lane];
      flights.reached[first + lane] = flights.end;
      flights.steps[first + lane] = total;
      flights.arrived[first + lane] = true;
    }
  }
}

}  // namespace rattleback
