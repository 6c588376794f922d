#include <rattleback/sweep/lane_integrator.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <numeric>

#include <rattleback/native/evaluator.hpp>
#include <rattleback/simulate/dop853_tableau.hpp>

namespace rattleback {
namespace {

using lanes::width;
constexpr std::align_val_t alignment{64};
constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

/// The code's body, with sine and cosine of one angle made together; every result still in its own row.
std::vector<lanes::Instruction> with_pairs(const Code& code) {
  std::vector<lanes::Instruction> body;
  std::map<std::uint32_t, std::size_t> sine_or_cosine;  // of an operand: which instruction
  for (std::size_t i = 0; i < code.body.size(); ++i) {
    const Instruction& in = code.body[i];
    const auto to = static_cast<std::uint32_t>(code.first_result() + i);
    if (in.op == Op::sin || in.op == Op::cos) {
      const auto [partner, is_first] = sine_or_cosine.emplace(in.a, body.size());
      if (!is_first) {
        lanes::Instruction& both = body[partner->second];
        const std::uint32_t sine = both.op == lanes::Op::sin ? both.to : to;
        const std::uint32_t cosine = both.op == lanes::Op::sin ? to : both.to;
        both = {lanes::Op::sincos, in.a, in.a, sine, cosine};
        continue;
      }
    }
    body.push_back({static_cast<lanes::Op>(in.op), in.a, arity_of(in.op) == 2 ? in.b : in.a, to, to});
  }
  return body;
}

/// Rows are taken again after the last use of what they hold: a batch has to fit into the nearest cache.
LaneProgram on_few_rows(const Code& code) {
  LaneProgram program{with_pairs(code), code.outputs, 0};
  constexpr std::size_t always = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> last_use(code.registers(), 0);
  for (std::size_t i = 0; i < program.body.size(); ++i)
    last_use[program.body[i].a] = last_use[program.body[i].b] = i;
  for (std::size_t r = 0; r < code.first_result(); ++r) last_use[r] = always;
  for (const std::uint32_t out : code.outputs) last_use[out] = always;

  std::vector<std::uint32_t> row_of(code.registers());
  std::iota(row_of.begin(), row_of.end(), 0U);
  std::vector<std::uint32_t> free;
  auto next = static_cast<std::uint32_t>(code.first_result());
  const auto take = [&](std::uint32_t result) {
    std::uint32_t row = next;
    if (free.empty()) {
      ++next;
    } else {
      row = free.back();
      free.pop_back();
    }
    return row_of[result] = row;
  };
  for (std::size_t i = 0; i < program.body.size(); ++i) {
    lanes::Instruction& in = program.body[i];
    const std::uint32_t a = in.a, b = in.b, to = in.to, also = in.also;
    in.a = row_of[a];
    in.b = row_of[b];
    if (last_use[a] == i) free.push_back(row_of[a]);
    if (b != a && last_use[b] == i) free.push_back(row_of[b]);
    in.to = take(to);
    in.also = also == to ? in.to : take(also);
  }
  for (std::uint32_t& out : program.outputs) out = row_of[out];
  program.rows = next;
  return program;
}

lanes::Step best_step() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return lanes::step_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return lanes::step_avx2;
#endif
  return lanes::step_baseline;
}

lanes::Weights copied(std::span<const dop853::Weight> from, std::vector<std::vector<lanes::Weight>>& kept) {
  std::vector<lanes::Weight>& to = kept.emplace_back();
  for (const dop853::Weight& w : from) to.push_back({w.stage, w.value});
  return {to.data(), static_cast<int>(to.size())};
}

}  // namespace

void LaneIntegrator::AlignedDelete::operator()(double* rows) const { ::operator delete[](rows, alignment); }

LaneIntegrator::Rows LaneIntegrator::rows(std::size_t count) {
  const std::size_t numbers = count * width;
  Rows made(static_cast<double*>(::operator new[](numbers * sizeof(double), alignment)));
  std::fill(made.get(), made.get() + numbers, 0.0);
  return made;
}

LaneIntegrator::LaneIntegrator(const Code& rates, std::span<const std::size_t> quaternions,
                               const StepperSettings& settings)
    : code_(&rates),
      control_(settings, 8),
      program_(on_few_rows(rates)),
      quaternions_(quaternions.begin(), quaternions.end()),
      c_(dop853::c.begin(), dop853::c.end()),
      scratch_(rates.registers()),
      step_(best_step()),
      member_(width, nobody) {
  const std::size_t n = rates.outputs.size();
  rate_.resize(n);
  state_.resize(n);
  registers_ = rows(program_.rows);
  y_ = rows(n);
  y_new_ = rows(n);
  k_ = rows(n * (lanes::stages + 1));
  each_ = rows(7);
  batch_ = {.body = program_.body.data(),
            .outputs = program_.outputs.data(),
            .quaternions = quaternions_.data(),
            .body_size = static_cast<std::uint32_t>(program_.body.size()),
            .dimension = static_cast<std::uint32_t>(n),
            .quaternion_count = static_cast<std::uint32_t>(quaternions_.size()),
            .c = c_.data(),
            .rtol = settings.rtol,
            .atol = settings.atol,
            .registers = registers_.get(),
            .y = y_.get(),
            .y_new = y_new_.get(),
            .k = k_.get()};
  for (int s = 1; s <= lanes::stages; ++s)
    batch_.a[s] = copied(dop853::a[static_cast<std::size_t>(s)], weights_);
  batch_.e5 = copied(dop853::e5, weights_);
  batch_.e3 = copied(dop853::e3, weights_);
  double* next = each_.get();
  for (double** row :
       {&batch_.t, &batch_.end, &batch_.h, &batch_.rejected, &batch_.steps, &batch_.done, &batch_.failed}) {
    *row = next;
    next += width;
  }
}

void LaneIntegrator::rates_at(const Launch& launch, double t, const double* y, double* rate) {
  const std::size_t n = code_->outputs.size();
  std::copy(y, y + n, scratch_.begin());
  scratch_[n] = t;
  std::copy(launch.constants.begin(), launch.constants.end(), scratch_.begin() + code_->inputs);
  double* to = scratch_.data() + code_->first_result();
  for (const Instruction& i : code_->body) *to++ = applied(i.op, scratch_[i.a], scratch_[i.b]);
  for (std::size_t i = 0; i < n; ++i) rate[i] = scratch_[code_->outputs[i]];
}

void LaneIntegrator::fill(int lane, const Launch& launch) {
  const std::size_t n = launch.state.size();
  const auto rates = [&](double t, const double* y, double* rate) { rates_at(launch, t, y, rate); };
  rates(launch.time, launch.state.data(), rate_.data());
  for (std::size_t i = 0; i < n; ++i) {
    y_[i * width + lane] = launch.state[i];
    k_[i * width + lane] = rate_[i];
  }
  for (std::size_t i = 0; i < launch.constants.size(); ++i)
    registers_[(code_->inputs + i) * width + lane] = launch.constants[i];
  batch_.t[lane] = launch.time;
  batch_.end[lane] = launch.end;
  batch_.h[lane] = control_.first_step(rates, launch.time, launch.state, rate_, launch.end - launch.time);
  batch_.rejected[lane] = batch_.steps[lane] = 0;
  member_[static_cast<std::size_t>(lane)] = launch.member;
}

/// An empty lane rests: its next step has length zero.
void LaneIntegrator::empty(int lane) {
  member_[static_cast<std::size_t>(lane)] = nobody;
  batch_.end[lane] = batch_.t[lane];
}

Landing LaneIntegrator::landing(int lane, bool arrived) {
  for (std::size_t i = 0; i < state_.size(); ++i) state_[i] = y_[i * width + lane];
  return {member_[static_cast<std::size_t>(lane)], arrived, batch_.t[lane], batch_.steps[lane], state_};
}

void LaneIntegrator::run(const std::function<bool(Launch&)>& next,
                         const std::function<void(const Landing&)>& landed) {
  Launch launch{};
  int flying = 0;
  const auto refill = [&](int lane) {
    if (next(launch)) {
      fill(lane, launch);
      ++flying;
    } else {
      empty(lane);
    }
  };
  for (int lane = 0; lane < width; ++lane) refill(lane);
  while (flying > 0) {
    step_(batch_);
    for (int lane = 0; lane < width; ++lane) {
      if (member_[static_cast<std::size_t>(lane)] == nobody) continue;
      if (batch_.done[lane] == 0 && batch_.failed[lane] == 0) continue;
      landed(landing(lane, batch_.done[lane] != 0));
      --flying;
      refill(lane);
    }
  }
}

}  // namespace rattleback
