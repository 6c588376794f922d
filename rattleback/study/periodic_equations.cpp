#include <rattleback/study/periodic_equations.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/algebra/solving/dense.hpp>

namespace rattleback {
namespace {

using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;

}  // namespace

PeriodicEquations::PeriodicEquations(const System& system, const OrbitStart& start,
                                     const PeriodicQuestion& question)
    : motion_(system, start.state, free_parameters(question.vary, question.second.name), question.known),
      n_(motion_.size()),
      parameters_(motion_.parameter_values()) {
  for (Eigen::Index k = 0; k < parameters_.size(); ++k) {
    const std::string name = motion_.parameters()[static_cast<std::size_t>(k)].name();
    if (name == question.vary) {
      varied_ = k;
      if (start.parameter) parameters_[k] = *start.parameter;
      if (std::isnan(parameters_[k])) parameters_[k] = question.branch.low;
    } else {
      second_ = k;
      if (std::isnan(parameters_[k])) parameters_[k] = question.second.low;
    }
  }
  require_second(question.second, second_.has_value());
  choose_quantity(question);
  if (motion_.forced()) choose_forcing(question);
  set_turns(Vec::Ones(n_), Vec::Zero(n_));
  new_mesh();
}

void PeriodicEquations::choose_quantity(const PeriodicQuestion& question) {
  if (varied_ || question.vary == "period") return;
  const auto known = std::find_if(question.known.begin(), question.known.end(),
                                  [&](const Invariant& i) { return i.name == question.vary; });
  const Expr e =
      flow().on_state(known != question.known.end() ? known->value : placed("command line, --vary", [&] {
        return parse(question.vary, flow().system().scope);
      }));
  if (!motion_.is_of_kept(e))
    throw Error("usage", fmt::format("`{}` is no function of the periodic motion", question.vary),
                "it depends on coordinates that the motion does not depend on",
                "vary a parameter, `period`, or an integral");
  quantity_ = motion_.functions(std::span(&e, 1));
}

void PeriodicEquations::choose_forcing(const PeriodicQuestion& question) {
  if (question.forcing_period.empty())
    throw Error("usage", "the rates depend on time", "the period of the motion is one of the forcing",
                "give it as an expression of the parameters: --period \"2*pi/Omega\"");
  const Expr e =
      placed("command line, --period", [&] { return parse(question.forcing_period, flow().system().scope); });
  forcing_ = motion_.functions(std::span(&e, 1));
}

std::optional<Eigen::Index> PeriodicEquations::parameter_at(std::optional<Eigen::Index> k) const {
  if (!k) return std::nullopt;
  return unknowns() - parameters_.size() + *k;
}

Vec PeriodicEquations::inputs(const Vec& u) const {
  return motion_.inputs(u.head(n_), 0, u.tail(parameters_.size()));
}

Mat PeriodicEquations::spread(const Mat& slopes) const {
  Mat all = Mat::Zero(slopes.rows(), unknowns());
  all.leftCols(n_) = slopes.leftCols(n_);
  all.rightCols(parameters_.size()) = slopes.rightCols(parameters_.size());
  return all;
}

/// f − ω^a X_a and its slopes; numbers are ω and the parameters.
RatesWithSlopes PeriodicEquations::rates(const Vec& y, double t, const Vec& numbers) const {
  const Vec x = motion_.inputs(y, t, numbers.tail(parameters_.size()));
  RatesWithSlopes r;
  r.value = motion_.rates().value(x);
  Mat slope = motion_.rates().slope(x);
  r.by_numbers = Mat::Zero(n_, numbers.size());
  for (Eigen::Index a = 0; a < turns(); ++a) {
    SlopedFunctions& field = *motion_.fields()[static_cast<std::size_t>(a)];
    const Vec X = field.value(x);
    r.value -= numbers[a] * X;
    slope -= numbers[a] * field.slope(x);
    r.by_numbers.col(a) = -X;
  }
  r.by_state = slope.leftCols(n_);
  r.by_time = slope.col(n_);
  r.by_numbers.rightCols(parameters_.size()) = slope.rightCols(parameters_.size());
  return r;
}

RatesWithSlopes PeriodicEquations::rates_at(const Vec& u) const {
  return rates(u.head(n_), 0, numbers_of(u));
}

Vec PeriodicEquations::numbers_of(const Vec& u) const {
  Vec numbers(turns() + parameters_.size());
  numbers << u.segment(n_, turns()), u.tail(parameters_.size());
  return numbers;
}

void PeriodicEquations::new_mesh(std::size_t intervals) {
  last_end_.reset();
  orbit_ = std::make_unique<CollocatedOrbit>(
      [this](const Vec& y, double t, const Vec& numbers) { return rates(y, t, numbers); }, n_,
      turns() + parameters_.size(), intervals);
}

std::optional<CollocatedOrbit::End> PeriodicEquations::end_of(const Vec& u) {
  if (last_end_ && last_u_.size() == u.size() && last_u_ == u) return last_end_;
  last_u_ = u;
  last_end_ = orbit_->end(u.head(n_), period_of(u), numbers_of(u));
  return last_end_;
}

void PeriodicEquations::rebase(const Vec& u, bool adapt) {
  base_ = u.head(n_);
  phase_ = orthonormal_basis(motion_.neutral_fields(inputs(u)));
  free_ = orthogonal_complement(motion_.gradients(inputs(u)), n_);
  if (!adapt) return;
  orbit_->adapt();
  last_end_.reset();
}

void PeriodicEquations::set_turns(Vec signs, Vec shift) {
  signs_ = std::move(signs);
  shift_ = std::move(shift);
}

void PeriodicEquations::double_period() {
  signs_before_ = signs_;
  shift_before_ = shift_;
  set_turns(signs_before_.cwiseProduct(signs_before_),
            shift_before_ + signs_before_.cwiseProduct(shift_before_));
  doubled_ = true;
  new_mesh(2 * orbit_->intervals());
}

void PeriodicEquations::undo_double_period() {
  set_turns(signs_before_, shift_before_);
  doubled_ = false;
  new_mesh();
}

void PeriodicEquations::equations(const Vec& u, Vec& F, Mat& slopes) {
  const auto end = end_of(u);
  const Eigen::Index rows = free_.cols() + motion_.relations().size() + phase_.cols() +
                            (motion_.forced() ? 1 : 0) + (pinned() ? 1 : 0);
  F = Vec::Constant(rows, NAN);
  slopes = Mat::Zero(rows, unknowns());
  if (!end) return;
  Mat by(n_, unknowns());
  by << end->by_start, end->by_numbers.leftCols(turns()), end->by_period,
      end->by_numbers.rightCols(parameters_.size());
  by.leftCols(n_) -= signs_.asDiagonal().toDenseMatrix();
  const Vec gap = end->state - signs_.cwiseProduct(u.head(n_)) - shift_;
  const Vec x = inputs(u);
  F.head(free_.cols()) = free_.transpose() * gap;
  slopes.topRows(free_.cols()) = free_.transpose() * by;
  Eigen::Index row = free_.cols();
  F.segment(row, motion_.relations().size()) = motion_.relations().value(x);
  slopes.middleRows(row, motion_.relations().size()) = spread(motion_.relations().slope(x));
  row += motion_.relations().size();
  F.segment(row, phase_.cols()) = phase_.transpose() * (u.head(n_) - base_);
  slopes.block(row, 0, phase_.cols(), n_) = phase_.transpose();
  row += phase_.cols();
  if (motion_.forced()) {
    const double periods = doubled_ ? 2 : 1;
    F[row] = period_of(u) - periods * forcing_->value(x)[0];
    slopes.row(row) = -periods * spread(forcing_->slope(x));
    slopes(row, period_at()) += 1;
    ++row;
  }
  if (!pinned()) return;
  F[row] = u[*second_at()] - parameters_[*second_];
  slopes(row, *second_at()) = 1;
}

double PeriodicEquations::quantity(const Vec& u, Vec* slope) const {
  if (!quantity_) {
    const Eigen::Index at = varied_ ? *varied_at() : period_at();
    if (slope != nullptr) *slope = Vec::Unit(unknowns(), at);
    return u[at];
  }
  const Vec x = inputs(u);
  if (slope != nullptr) *slope = spread(quantity_->slope(x)).transpose();
  return quantity_->value(x)[0];
}

Vec PeriodicEquations::middle_of(const CollocatedOrbit::End& end) const {
  Vec middle(n_);
  for (Eigen::Index i = 0; i < n_; ++i)
    middle[i] = (end.least[static_cast<std::size_t>(i)] + end.largest[static_cast<std::size_t>(i)]) / 2;
  return middle;
}

/// Beyond a steady motion, or beyond the orbit of half the period, the same orbits come again in another phase: what vanishes
/// there has changed its sign.
std::string PeriodicEquations::mirrored(const Vec& before, const Vec& after) const {
  const auto a = offsets_.find(key(before)), b = offsets_.find(key(after));
  if (a == offsets_.end() || b == offsets_.end() || a->second.dot(b->second) >= 0) return "";
  return doubled_ ? "the branch of half the period" : "a steady motion";
}

/// ∂y(T)/∂y(0) where the integrals keep their values, modulo motion and group.                                 (O.23)
Eigen::VectorXcd PeriodicEquations::multipliers(const Vec& u) {
  const auto end = end_of(u);
  const Mat normal = motion_.gradients(inputs(u)), neutral = motion_.neutral_fields(inputs(u));
  const Mat inside = neutral * null_space(normal.transpose() * neutral);  // those that keep the integrals
  Mat across(n_, normal.cols() + inside.cols());
  across << normal, inside;
  const Mat basis = orthogonal_complement(across, n_);
  if (!end) return {};
  extents_[key(u)] = {end->least, end->largest};
  offsets_[key(u)] =
      doubled_ ? Vec(orbit_->at(0.5) - signs_.cwiseProduct(u.head(n_))) : Vec(u.head(n_) - middle_of(*end));
  if (basis.cols() == 0) return {};
  const Mat reduced = basis.transpose() * (signs_.asDiagonal() * end->by_start) * basis;
  Eigen::VectorXcd all = dense::eigenvalues(reduced);
  std::sort(all.begin(), all.end(), [](auto a, auto b) {
    const double x = std::abs(a), y = std::abs(b);
    return std::abs(x - y) > 1e-12 * (1 + x) ? x > y : a.imag() > b.imag();
  });
  return all;
}

SolutionSet PeriodicEquations::solution_set() {
  SolutionSet set;
  set.rank_tolerance = 1e-8;
  set.at = [this](const Vec& u, Vec& F, Mat& slopes) { equations(u, F, slopes); };
  set.quantity = [this](const Vec& u, Vec* slope) { return quantity(u, slope); };
  set.spectrum = [this](const Vec& u) { return multipliers(u); };
  set.growing = [](const Eigen::VectorXcd& all) {
    return static_cast<int>(
        std::count_if(all.begin(), all.end(), [](auto z) { return std::abs(z) > 1 + multiplier_tolerance; }));
  };
  set.rebase = [this](const Vec& u) { rebase(u, true); };
  set.ended = [this](const Vec& before, const Vec& after) { return mirrored(before, after); };
  return set;
}

SolutionSet in_plane(const SolutionSet& set, const Vec& point, const Vec& direction) {
  SolutionSet small = set;
  small.at = [set, point, direction](const Vec& w, Vec& F, Mat& slopes) {
    set.at(w, F, slopes);
    F.conservativeResize(F.size() + 1);
    slopes.conservativeResize(slopes.rows() + 1, slopes.cols());
    F[F.size() - 1] = direction.dot(w - point);
    slopes.row(slopes.rows() - 1) = direction.transpose();
  };
  return small;
}

}  // namespace rattleback
