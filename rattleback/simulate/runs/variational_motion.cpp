#include <rattleback/simulate/runs/variational_motion.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/native/code_sizes.hpp>
#include <rattleback/native/compiler.hpp>
#include <rattleback/native/emit.hpp>
#include <rattleback/simulate/steppers/dop853_tableau.hpp>

namespace rattleback {
namespace {

/// As many directions side by side as are needed, and as one register of 512 bits holds.
std::size_t lanes_for(std::size_t directions) { return directions <= 2 ? 2 : directions <= 4 ? 4 : 8; }

std::string linear_module(const Code& linear, std::size_t n, std::size_t lanes) {
  ir::Writer to(this_processor(), static_cast<int>(lanes));
  to.begin("void @variations(ptr noalias %x, ptr noalias %c, ptr noalias %y)");
  std::vector<ir::Value> inputs;
  for (std::size_t i = 0; i < n; ++i) inputs.push_back(to.load("%x", i, lanes));
  for (std::size_t c = 0; c + n < linear.inputs; ++c) inputs.push_back(to.load_same("%c", c));
  const Emitted made = emit(to, linear, inputs, {});
  for (std::size_t i = 0; i < made.outputs.size(); ++i) to.store(made.outputs[i], "%y", i, lanes);
  to.line("ret void");
  to.end();
  return to.text();
}

/// Of a stage at the end of a step and in its errors: the method of order 3 is compared with that of order 8.
const std::vector<stage_rows::EndWeight>& end_weights() {
  static const std::vector<stage_rows::EndWeight> weights = [] {
    std::array<stage_rows::EndWeight, dop853::stages> all{};
    for (std::size_t s = 0; s < all.size(); ++s) all[s].stage = static_cast<int>(s);
    for (const dop853::Weight& w : dop853::a12) {
      all[static_cast<std::size_t>(w.stage)].value = w.value;
      all[static_cast<std::size_t>(w.stage)].third = w.value;
    }
    for (const dop853::Weight& w : dop853::e3) all[static_cast<std::size_t>(w.stage)].third -= w.value;
    for (const dop853::Weight& w : dop853::e5) all[static_cast<std::size_t>(w.stage)].fifth = w.value;
    std::vector<stage_rows::EndWeight> used;
    for (const stage_rows::EndWeight& w : all)
      if (w.value != 0 || w.fifth != 0 || w.third != 0) used.push_back(w);
    return used;
  }();
  return weights;
}
bool counts_at_the_end(std::size_t stage) {
  return std::any_of(end_weights().begin(), end_weights().end(),
                     [&](const auto& w) { return w.stage == static_cast<int>(stage) && w.value != 0; });
}

/// Differences of two products fused as well, unlike elsewhere: slopes need not be exactly zero where the products are equal.
Code with_fused_differences(Code code) {
  const auto first = static_cast<std::uint32_t>(code.first_result());
  std::vector<int> uses(code.registers(), 0);
  for (const Instruction& in : code.body) {
    const auto read = operands(in);
    for (int k = 0; k < arity_of(in.op); ++k) ++uses[read[static_cast<std::size_t>(k)]];
  }
  for (const std::uint32_t out : code.outputs) ++uses[out];
  std::vector<bool> is_absorbed(code.body.size(), false);
  for (Instruction& in : code.body) {
    if (in.op != Op::sub || in.b < first || uses[in.b] != 1) continue;
    const Instruction product = code.body[in.b - first];
    if (product.op != Op::mul) continue;
    is_absorbed[in.b - first] = true;
    in = {Op::sub_mul, product.a, product.b, in.a};
  }
  std::vector<std::uint32_t> place(code.registers());
  for (std::uint32_t r = 0; r < first; ++r) place[r] = r;
  std::vector<Instruction> kept;
  for (std::size_t i = 0; i < code.body.size(); ++i) {
    if (is_absorbed[i]) continue;
    place[first + i] = first + static_cast<std::uint32_t>(kept.size());
    const auto [a, b, c] = operands(code.body[i]);
    kept.push_back({code.body[i].op, place[a], place[b], place[c]});
  }
  code.body = std::move(kept);
  for (std::uint32_t& out : code.outputs) out = place[out];
  return code;
}

/// The divergence is part of it where there is one group and the whole is still short enough to be compiled.
VariationalCode code_for(const Flow& flow, std::size_t groups, bool with_divergence) {
  const bool is_part = with_divergence && groups == 1;
  VariationalCode code = variational_code(flow.rates(), flow.dimension(), groups, is_part);
  if (is_part &&
      code.coefficients.body.size() + code.linear.body.size() > code_sizes::compiled_variations.count)
    code = variational_code(flow.rates(), flow.dimension(), groups);
  code.linear = with_fused_differences(fused(std::move(code.linear)));
  return code;
}

std::size_t padded(std::size_t n, std::size_t width) { return (n + width - 1) / width * width; }

}  // namespace

VariationalRates::VariationalRates(const Flow& flow, std::size_t directions, bool with_divergence)
    : n_(flow.dimension()),
      directions_(directions),
      lanes_(lanes_for(directions)),
      groups_((directions + lanes_ - 1) / lanes_),
      code_(code_for(flow, groups_, with_divergence)),
      fused_{fused(code_.coefficients), code_.linear},
      coefficients_(code_.coefficients, flow.parameter_values<double>()),
      linear_(code_.linear, {}),
      values_(code_.coefficients.outputs.size()),
      x_(code_.linear.inputs),
      result_(n_),
      constants_(constants_of<double>(code_.coefficients, flow.parameter_values<double>())) {}

void VariationalRates::consider() {
  const NativeMode mode = native_mode();
  const bool is_one = groups_ == 1;
  const std::size_t length = fused_.linear.body.size() + (is_one ? fused_.coefficients.body.size() : 0);
  if (mode == NativeMode::off || length > code_sizes::compiled_variations.count) return;
  const std::string module = is_one ? variational_module(fused_, lanes_, this_processor())
                                    : linear_module(fused_.linear, n_, lanes_);
  if (mode == NativeMode::on || count_ >= code_sizes::before_compiling_variations.count)
    object_ = compiled(module);
  else
    object_ = compiled_before(module);
  if (!object_) return;
  if (is_one)
    whole_ = reinterpret_cast<Variations>(object_->function("variations"));
  else
    compiled_ = reinterpret_cast<Linear>(object_->function("variations"));
}

void VariationalRates::interpret(const double* directions, double* slopes) {
  std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(n_), x_.size() - n_,
              x_.begin() + static_cast<std::ptrdiff_t>(n_));
  for (std::size_t j = 0; j < directions_; ++j) {
    const std::size_t base = (j / lanes_) * n_ * lanes_ + j % lanes_;
    for (std::size_t i = 0; i < n_; ++i) x_[i] = directions[base + i * lanes_];
    linear_(x_.data(), result_.data());
    for (std::size_t i = 0; i < n_; ++i) slopes[base + i * lanes_] = result_[i];
  }
}

void VariationalRates::operator()(double t, double* y, const double* directions, double* rates,
                                  double* slopes, double* divergence) {
  if (!object_ && (count_ == 0 || count_ == code_sizes::before_compiling_variations.count)) consider();
  ++count_;
  y[n_] = t;
  if (whole_ != nullptr &&
      whole_(y, constants_.data(), directions, rates, slopes, functions_, divergence) == 0)
    return;
  coefficients_(y, values_.data());
  std::copy_n(values_.begin(), n_, rates);
  if (divergence != nullptr) *divergence = values_.back();
  if (compiled_ == nullptr) return interpret(directions, slopes);
  for (std::size_t g = 0; g < groups_; ++g)
    compiled_(directions + g * n_ * lanes_, values_.data() + n_, slopes + g * n_ * lanes_);
}

VariationalMotion::VariationalMotion(const Flow& flow, std::size_t directions,
                                     const StepperSettings& settings, bool with_divergence)
    : n_(flow.dimension()),
      k_(directions),
      rates_(flow, directions, with_divergence),
      manifold_(flow),
      control_(settings, 8),
      y_stride_(padded(n_, rows_.width)),
      d_stride_(padded(rates_.groups() * n_ * rates_.lanes(), stage_rows::whole_width)),
      y_(y_stride_ + 1, 1.0),  // not 0, of which an error may be infinitely large a part
      d_(d_stride_, 0.0),
      y_at_(y_stride_ + 1, 0.0),
      d_at_(d_stride_, 0.0),
      y_rates_(y_stride_ * (dop853::stages + 1)),
      d_rates_(d_stride_ * (dop853::stages + 1)),
      divergences_(dop853::stages) {
  has_divergence_ = with_divergence;
  if (with_divergence && !rates_.has_divergence())
    divergence_of_.emplace(*flow.derived<DivergenceOfFlow>(), flow.parameter_values<double>());
}

void VariationalMotion::start(double t, std::span<const double> y, const Eigen::MatrixXd& directions) {
  t_ = t;
  h_ = 0;
  divergence_ = 0;
  steps_ = 0;
  std::copy(y.begin(), y.end(), y_.begin());
  set_directions(directions);
}

void VariationalMotion::set_directions(const Eigen::MatrixXd& directions) {
  for (std::size_t j = 0; j < k_; ++j)
    for (std::size_t i = 0; i < n_; ++i)
      d_[at(i, j)] = directions(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  fresh_ = true;
}

Eigen::MatrixXd VariationalMotion::directions() const {
  Eigen::MatrixXd all(n_, k_);
  for (std::size_t j = 0; j < k_; ++j)
    for (std::size_t i = 0; i < n_; ++i)
      all(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = d_[at(i, j)];
  return all;
}

void VariationalMotion::evaluate(double t, double* y, const double* directions, int stage) {
  const auto s = static_cast<std::size_t>(stage);
  double* divergence =
      has_divergence_ && s < dop853::stages && counts_at_the_end(s) ? &divergences_[s] : nullptr;
  rates_(t, y, directions, y_rates_.data() + s * y_stride_, d_rates_.data() + s * d_stride_,
         divergence_of_ ? nullptr : divergence);
  if (divergence_of_ && divergence != nullptr) (*divergence_of_)(y, divergence);
}

/// The weighted error of a step; more than 1 rejects it.
double VariationalMotion::attempt(double h) {
  for (int s = 1; s < dop853::stages; ++s) {
    const auto& row = dop853::a[static_cast<std::size_t>(s)];
    rows_.sum(y_rates_.data(), y_stride_, row.data(), row.size(), y_.data(), h, y_at_.data());
    rows_.whole_sum(d_rates_.data(), d_stride_, row.data(), row.size(), d_.data(), h, d_at_.data());
    evaluate(t_ + dop853::c[static_cast<std::size_t>(s)] * h, y_at_.data(), d_at_.data(), s);
  }
  const auto error = [&](stage_rows::End end, const auto& k, std::size_t stride, const auto& from,
                         double atol, auto& to, std::size_t count) {
    const auto [fifth, third] = end(k.data(), stride, end_weights().data(), end_weights().size(), from.data(),
                                    h, control_.rtol(), atol, to.data());
    const double both = fifth + 0.01 * third;
    return both == 0 ? 0 : std::abs(h) * fifth / std::sqrt(both * static_cast<double>(count));
  };
  const double of_motion = error(rows_.end, y_rates_, y_stride_, y_, control_.atol(), y_at_, n_);
  const double of_directions =
      error(rows_.whole_end, d_rates_, d_stride_, d_, control_.rtol(), d_at_, n_ * k_);
  return std::isfinite(of_directions) ? std::max(of_motion, of_directions) : of_directions;
}

void VariationalMotion::step(double end) {
  Budget::check();
  const double sign = end < t_ ? -1 : 1;
  if (fresh_) evaluate(t_, y_.data(), d_.data(), 0);
  if (h_ == 0) {
    std::vector<double> first(y_rates_.begin(), y_rates_.begin() + static_cast<std::ptrdiff_t>(n_));
    for (double& x : first) x *= sign;
    h_ = sign * control_.first_step(
                    [&](double t, const double* y, double* dy) {
                      std::copy_n(y, n_, y_at_.begin());
                      evaluate(t_ + sign * (t - t_), y_at_.data(), d_.data(), 1);
                      for (std::size_t i = 0; i < n_; ++i) dy[i] = sign * y_rates_[y_stride_ + i];
                    },
                    t_, {y_.data(), n_}, first, std::abs(end - t_));
  }
  fresh_ = false;
  for (bool rejected = false;; rejected = true) {
    const double left = end - t_;
    const bool last = std::abs(h_) * (1 + 1e-10) >= std::abs(left);
    const double h = last ? left : h_;
    control_.require_progress(t_, h);
    const double error = attempt(h);
    const double next = control_.next(h, error, rejected);
    if (!(error <= 1)) {
      h_ = next;
      continue;
    }
    if (has_divergence_)
      for (const stage_rows::EndWeight& w : end_weights())
        divergence_ += h * w.value * divergences_[static_cast<std::size_t>(w.stage)];
    t_ = last ? end : t_ + h;
    std::copy_n(y_at_.begin(), n_, y_.begin());
    std::swap(d_, d_at_);
    manifold_(t_, y_.data());
    evaluate(t_, y_.data(), d_.data(), 0);
    h_ = last && std::abs(next) < std::abs(h_) ? h_ : next;
    ++steps_;
    return;
  }
}

}  // namespace rattleback
