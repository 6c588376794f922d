#include <rattleback/study/reduced_motion.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/simulate/states/symmetry_fields.hpp>

namespace rattleback {
namespace {

using Vec = Eigen::VectorXd;
using Mat = Eigen::MatrixXd;

}  // namespace

Mat orthonormal_basis(const Mat& m) {
  if (m.cols() == 0) return m;
  const auto [values, vectors] = dense::left_singular_vectors(m);
  Eigen::Index rank = 0;
  while (rank < values.size() && values[rank] > 1e-8 * values[0] && values[rank] > 1e-12) ++rank;
  return vectors.leftCols(rank);
}

Mat orthogonal_complement(const Mat& columns, Eigen::Index n) {
  const Mat basis = orthonormal_basis(columns);
  if (basis.cols() == 0) return Mat::Identity(n, n);
  return dense::left_singular_basis(basis).vectors.rightCols(n - basis.cols());
}

Mat null_space(const Mat& m) {
  if (m.rows() == 0 || m.cols() == 0) return Mat::Identity(m.cols(), m.cols());
  const auto [values, vectors] = dense::right_singular_basis(m);
  Eigen::Index rank = 0;
  while (rank < values.size() && values[rank] > 1e-8 * (1 + values[0])) ++rank;
  return vectors.rightCols(m.cols() - rank);
}

ReducedMotion::ReducedMotion(const System& system, std::span<const double> state,
                             const std::vector<std::string>& free_parameters,
                             const std::vector<Invariant>& known)
    : flow_(system), state_(state.begin(), state.end()) {
  forced_ = reads_input(flow_.rates(), static_cast<std::uint32_t>(flow_.dimension()));
  choose_parameters(system, free_parameters);
  choose_states();
  n_ = static_cast<Eigen::Index>(kept_.size());
  for (const std::size_t k : kept_) inputs_.push_back(flow_.state()[k]);
  inputs_.push_back(flow_.system().time);
  inputs_.insert(inputs_.end(), parameters_.begin(), parameters_.end());
  std::vector<Expr> rates;
  for (const std::size_t k : kept_) rates.push_back(flow_.rate_expressions()[k]);
  rates_ = functions(rates);
  relations_ = functions(relation_expressions_);
  choose_fields();
  choose_integrals(known);
}

std::unique_ptr<SlopedFunctions> ReducedMotion::functions(std::span<const Expr> on_state) const {
  std::vector<Expr> at_values;
  for (const Expr e : on_state) at_values.push_back(substitute(e, values_));
  return std::make_unique<SlopedFunctions>(inputs_, at_values);
}

/// Parameters that are free stay symbols; what depends on them, depends on them.
void ReducedMotion::choose_parameters(const System& system, const std::vector<std::string>& free) {
  System varied = system;
  std::vector<double> at;
  for (const std::string& name : free) {
    const auto found = std::find_if(varied.parameters.begin(), varied.parameters.end(),
                                    [&](const Parameter& p) { return p.symbol.name() == name; });
    if (found == varied.parameters.end()) continue;
    parameters_.push_back(found->symbol);
    const auto& all = flow_.parameters();
    const auto here = std::find(all.begin(), all.end(), found->symbol);
    at.push_back(here == all.end()
                     ? std::nan("")
                     : flow_.parameter_values<double>()[static_cast<std::size_t>(here - all.begin())]);
    found->value = Expr(found->symbol);
  }
  parameter_values_ = Eigen::Map<const Vec>(at.data(), static_cast<Eigen::Index>(at.size()));
  values_ = rattleback::parameter_values(varied);
  for (const Symbol p : parameters_) values_.erase(p);
}

/// The speeds and all that their rates depend on, directly or not. All numbers of the state where constraints bind them.
void ReducedMotion::choose_states() {
  for (const Constraint& c : flow_.system().constraints) {
    if (c.position) relation_expressions_.push_back(flow_.on_state(*c.position));
    if (flow_.projection() != nullptr) relation_expressions_.push_back(flow_.on_state(c.expression));
  }
  bound_ = !relation_expressions_.empty();
  const std::span<const Symbol> state = flow_.state();
  std::vector<bool> needed(state.size(), bound_);
  const auto need = [&](std::size_t k) {
    bool more = !needed[k];
    needed[k] = true;
    for (const std::size_t q : flow_.quaternions())
      if (k >= q && k < q + 4)
        for (std::size_t i = q; i < q + 4; ++i) {
          more |= !needed[i];
          needed[i] = true;
        }
    return more;
  };
  for (std::size_t k = flow_.first_speed(); k < state.size(); ++k) need(k);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t k = 0; k < state.size(); ++k) {
      if (!needed[k]) continue;
      for (const Symbol s : symbols_of(flow_.rate_expressions()[k])) {
        const auto at = std::find(state.begin(), state.end(), s);
        if (at != state.end()) more |= need(static_cast<std::size_t>(at - state.begin()));
      }
    }
  }
  for (std::size_t k = 0; k < state.size(); ++k)
    if (needed[k]) kept_.push_back(k);
  for (const std::size_t q : flow_.quaternions()) {
    const auto at = std::find(kept_.begin(), kept_.end(), q);
    if (at == kept_.end()) continue;
    quaternions_.push_back(at - kept_.begin());
    std::vector<Expr> squares{Expr(-1)};
    for (std::size_t i = q; i < q + 4; ++i) squares.push_back(pow(Expr(state[i]), 2));
    relation_expressions_.push_back(sum(squares) / 2);
  }
}

bool ReducedMotion::is_of_kept(Expr e) const {
  for (const Symbol s : symbols_of(e)) {
    const auto at = std::find(flow_.state().begin(), flow_.state().end(), s);
    if (at != flow_.state().end() &&
        std::find(kept_.begin(), kept_.end(), static_cast<std::size_t>(at - flow_.state().begin())) ==
            kept_.end())
      return false;
  }
  return true;
}

bool ReducedMotion::is_angle(Eigen::Index i) const {
  const Symbol s = flow_.state()[kept_[static_cast<std::size_t>(i)]];
  for (const Factor& factor : flow_.system().space.factors())
    for (const Piece& piece : factor.pieces)
      if (piece.functions.front() == s) return piece.carrier == Carrier::angle;
  return false;
}

std::vector<std::string> ReducedMotion::names() const {
  std::vector<std::string> all;
  for (const std::size_t k : kept_) all.push_back(flow_.state()[k].name());
  return all;
}

Vec ReducedMotion::kept_of(std::span<const double> state) const {
  Vec y(n_);
  for (Eigen::Index i = 0; i < n_; ++i) y[i] = state[kept_[static_cast<std::size_t>(i)]];
  return y;
}

Vec ReducedMotion::inputs(const Vec& y, double t, const Vec& parameters) const {
  Vec x(n_ + 1 + parameters.size());
  x << y, t, parameters;
  return x;
}

Vec ReducedMotion::arbitrary_inputs() const {
  Vec y = kept_of(state_);
  if (!bound_)
    for (Eigen::Index i = 0; i < n_; ++i) y[i] += 0.1 * std::sin(3.0 + 7.0 * static_cast<double>(i));
  for (const Eigen::Index q : quaternions_) y.segment(q, 4).normalize();
  return inputs(y, 0.3, parameter_values_);
}

/// Fields that commute with the motion here, in numbers, and differ on the numbers that are kept.
void ReducedMotion::choose_fields() {
  const Vec z = arbitrary_inputs();
  for (const SymmetryField& symmetry : symmetry_fields(flow_)) {
    std::vector<Expr> entries;
    for (const std::size_t k : kept_) entries.push_back(symmetry.field[k]);
    if (!std::all_of(entries.begin(), entries.end(), [&](Expr e) { return is_of_kept(e); })) continue;
    auto field = functions(entries);
    const Vec f = rates_->value(z), X = field->value(z);
    if (!(X.norm() > 1e-9)) continue;
    const Mat df = rates_->slope(z).leftCols(n_), dX = field->slope(z).leftCols(n_);
    const double size =
        df.cwiseAbs().sum() * X.cwiseAbs().maxCoeff() + dX.cwiseAbs().sum() * f.cwiseAbs().maxCoeff();
    if (!((dX * f - df * X).cwiseAbs().maxCoeff() <= 1e-9 * size)) continue;
    Mat more(n_, static_cast<Eigen::Index>(fields_.size()) + 1);
    for (std::size_t a = 0; a < fields_.size(); ++a)
      more.col(static_cast<Eigen::Index>(a)) = fields_[a]->value(z);
    more.col(more.cols() - 1) = X;
    if (orthonormal_basis(more).cols() < more.cols()) continue;
    field_names_.push_back(symmetry.name);
    fields_.push_back(std::move(field));
  }
}

/// Known integrals of what is kept, whose rates vanish here in numbers.
void ReducedMotion::choose_integrals(const std::vector<Invariant>& known) {
  const Vec z = arbitrary_inputs();
  std::vector<Expr> chosen;
  for (const Invariant& invariant : known) {
    const Expr value = flow_.on_state(invariant.value);
    if (!is_of_kept(value)) continue;
    const auto function = functions(std::span(&value, 1));
    const Mat slope = function->slope(z);
    const Vec f = rates_->value(z);
    const double rate = (slope.leftCols(n_) * f)[0] + slope(0, n_);
    if (!(std::abs(rate) <= 1e-8 * (1 + slope.leftCols(n_).norm() * f.norm())) || slope(0, n_) != 0) continue;
    chosen.push_back(value);
    integral_names_.push_back(invariant.name);
  }
  integrals_ = functions(chosen);
}

Mat ReducedMotion::neutral_fields(const Vec& x) const {
  const auto turns = static_cast<Eigen::Index>(fields_.size());
  Mat all(n_, turns + (forced_ ? 0 : 1));
  for (Eigen::Index a = 0; a < turns; ++a) all.col(a) = fields_[static_cast<std::size_t>(a)]->value(x);
  if (!forced_) all.col(turns) = rates_->value(x);
  return all;
}

Mat ReducedMotion::gradients(const Vec& x) const {
  Mat all(n_, relations_->size() + integrals_->size());
  all << relations_->slope(x).leftCols(n_).transpose(), integrals_->slope(x).leftCols(n_).transpose();
  return all;
}

}  // namespace rattleback
