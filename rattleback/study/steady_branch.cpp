#include <rattleback/study/steady_branch.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/simulate/states/symmetry_fields.hpp>
#include <rattleback/study/sloped_functions.hpp>

namespace rattleback {
namespace {

using Vector = Eigen::VectorXd;
using Matrix2 = Eigen::MatrixXd;

Matrix2 orthonormal_columns(const Matrix2& m) {
  if (m.cols() == 0) return m;
  const auto [values, U] = dense::left_singular_vectors(m);
  Eigen::Index rank = 0;
  while (rank < values.size() && values[rank] > 1e-8 * values[0]) ++rank;
  return values[0] > 1e-10 ? Matrix2(U.leftCols(rank)) : Matrix2(m.rows(), 0);
}

class SteadyFamily {
 public:
  SteadyFamily(const System& system, std::span<const double> y, const SteadyQuestion& question)
      : flow_(system), n_(static_cast<Eigen::Index>(flow_.dimension())), question_(question) {
    if (reads_input(flow_.rates(), static_cast<std::uint32_t>(n_)))
      throw Error("usage", "the motion has no steady states", "its rates depend on time",
                  "continue periodic motions of it with simulate --section, or drop the dependence on t");
    choose_parameters(system);
    inputs_.assign(flow_.state().begin(), flow_.state().end());
    inputs_.push_back(system.time);
    inputs_.insert(inputs_.end(), free_.begin(), free_.end());
    rates_ = functions(flow_.rate_expressions());
    std::vector<Expr> relations;
    for (const Constraint& c : flow_.system().constraints) {
      if (c.position) relations.push_back(flow_.on_state(*c.position));
      if (flow_.projection() != nullptr) relations.push_back(flow_.on_state(c.expression));
    }
    for (const std::size_t q : flow_.quaternions()) {
      std::vector<Expr> squares{Expr(-1)};
      for (std::size_t i = q; i < q + 4; ++i) squares.push_back(pow(Expr(flow_.state()[i]), 2));
      relations.push_back(sum(squares) / 2);
    }
    relations_ = functions(relations);
    const Expr quantity = varied_ ? Expr(free_[static_cast<std::size_t>(*varied_)]) : observed(question.vary);
    quantity_ = functions(std::span(&quantity, 1));
    choose_fields(y);
  }

  SteadyBranches run(std::span<const double> y) {
    SolutionSet set;
    set.at = [this](const Vector& u, Vector& F, Matrix2& slopes) { equations(u, F, slopes); };
    set.quantity = [this](const Vector& u, Vector* slope) {
      const Vector x = inputs(u);
      if (slope != nullptr) *slope = spread(quantity_->slope(x)).transpose();
      return quantity_->value(x)[0];
    };
    set.spectrum = [this](const Vector& u) { return spectrum(u); };
    set.growing = [](const Eigen::VectorXcd& all) {
      const double scale = 1e-5 * (1 + all.cwiseAbs().maxCoeff());
      return static_cast<int>(
          std::count_if(all.begin(), all.end(), [&](auto z) { return z.real() > scale; }));
    };
    set.rebase = [this](const Vector& u) { rebase(u); };
    Vector u = Vector::Zero(unknowns());
    for (Eigen::Index i = 0; i < n_; ++i) u[i] = y[static_cast<std::size_t>(i)];
    u.tail(free_count()) = free_values_;
    rebase(u);
    if (turns() > 0) u.segment(n_, turns()) = dense::least_norm(orbit(u), rates_->value(inputs(u))).x;
    const auto start = nearest_with(set, u);
    if (!start)
      throw Error("not-steady", "no steady motion was found near the start",
                  "Newton's method does not converge from the initial state",
                  "start nearer to one with --from NAME=VALUE,...; `rattleback analyze MODEL --question "
                  "equilibria` lists them");
    rebase(*start);
    hold(*start);
    if (held_) {
      set.held = [this](const Vector& w, Vector& h, Matrix2& slopes) {
        const Vector x = inputs(w);
        h = held_->value(x);
        slopes = spread(held_->slope(x));
      };
    }
    SteadyBranches found;
    for (const Symbol s : flow_.state()) found.names.push_back(s.name());
    for (const std::string& field : names_) {
      found.names.push_back("rate of " + field);
      found.fields.push_back(field);
    }
    for (const Symbol parameter : free_) found.names.push_back(parameter.name());
    found.states = static_cast<std::size_t>(n_);
    found.over_parameter = varied_.has_value();
    found.held = held_names_;
    const double q = set.quantity(*start, nullptr);
    if (q < question_.branch.low || q > question_.branch.high)
      throw Error("usage",
                  fmt::format("the steady motion nearest to the start has {} = {:.6g}", question_.vary, q),
                  "which is not in the range to be followed",
                  "start within it with --from NAME=VALUE,..., or widen it");
    found.first = continued(set, *start, question_.branch);
    refine_special_points({set, 0, {}, false, description}, found.first);
    found.others = crossing_branches(set, found.first, question_.branch);
    if (second_) {
      both_free_ = true;
      found.second = question_.second.name;
      found.curves = bifurcation_curves({set, second_at(), question_.second, false, description}, found.first,
                                        question_.branch);
    }
    return found;
  }

 private:
  Eigen::Index turns() const { return static_cast<Eigen::Index>(fields_.size()); }
  Eigen::Index free_count() const { return static_cast<Eigen::Index>(free_.size()); }
  Eigen::Index unknowns() const { return n_ + turns() + free_count(); }
  Eigen::Index second_at() const { return n_ + turns() + *second_; }
  /// The second parameter keeps its value while the first is varied.
  bool pinned() const { return second_ && !both_free_; }

  std::unique_ptr<SlopedFunctions> functions(std::span<const Expr> expressions) const {
    std::vector<Expr> at_values;
    for (const Expr e : expressions) at_values.push_back(substitute(e, values_));
    return std::make_unique<SlopedFunctions>(inputs_, at_values);
  }
  /// An integral by its name, or an expression.
  Expr observed(const std::string& text) const {
    for (const Invariant& known : question_.known)
      if (known.name == text) return flow_.on_state(known.value);
    return flow_.on_state(placed("command line, --vary", [&] { return parse(text, flow_.system().scope); }));
  }

  /// Parameters that are varied stay symbols; what depends on them, depends on them.
  void choose_parameters(const System& system) {
    System varied = system;
    std::vector<double> at;
    for (const std::string& name : free_parameters(question_.vary, question_.second.name)) {
      const auto found = std::find_if(varied.parameters.begin(), varied.parameters.end(),
                                      [&](const Parameter& p) { return p.symbol.name() == name; });
      if (found == varied.parameters.end()) continue;
      const bool first = name == question_.vary;
      (first ? varied_ : second_) = free_count();
      free_.push_back(found->symbol);
      const auto& all = flow_.parameters();
      const auto here = std::find(all.begin(), all.end(), found->symbol);
      at.push_back(here == all.end()
                       ? (first ? question_.branch.low : question_.second.low)
                       : flow_.parameter_values<double>()[static_cast<std::size_t>(here - all.begin())]);
      found->value = Expr(found->symbol);
    }
    require_second(question_.second, second_.has_value());
    free_values_ = Eigen::Map<const Vector>(at.data(), free_count());
    values_ = rattleback::parameter_values(varied);
    for (const Symbol parameter : free_) values_.erase(parameter);
  }

  /// A state that looks arbitrary: at a symmetric one more fields commute than elsewhere. Coordinates that constraints bind stay.
  Vector arbitrary_beside(Vector x) const {
    const Eigen::Index first = relations_->size() > static_cast<Eigen::Index>(flow_.quaternions().size())
                                   ? static_cast<Eigen::Index>(flow_.first_speed())
                                   : 0;
    if (flow_.projection() == nullptr)
      for (Eigen::Index i = first; i < n_; ++i) x[i] += 0.1 * std::sin(3.0 + 7.0 * static_cast<double>(i));
    for (const std::size_t q : flow_.quaternions()) x.segment(static_cast<Eigen::Index>(q), 4).normalize();
    return x;
  }
  /// Those that commute with the motion at the start, in numbers.
  void choose_fields(std::span<const double> y) {
    Vector x = Vector::Zero(static_cast<Eigen::Index>(inputs_.size()));
    for (Eigen::Index i = 0; i < n_; ++i) x[i] = y[static_cast<std::size_t>(i)];
    x.tail(free_count()) = free_values_;
    const Vector z = arbitrary_beside(x);
    for (const SymmetryField& symmetry : symmetry_fields(flow_)) {
      auto field = functions(symmetry.field);
      const Vector f = rates_->value(z), X = field->value(z);
      const Matrix2 df = rates_->slope(z).leftCols(n_), dX = field->slope(z).leftCols(n_);
      const double size =
          df.cwiseAbs().sum() * X.cwiseAbs().maxCoeff() + dX.cwiseAbs().sum() * f.cwiseAbs().maxCoeff();
      if (!((dX * f - df * X).cwiseAbs().maxCoeff() <= 1e-9 * size)) continue;
      Matrix2 more(n_, turns() + 1);
      for (Eigen::Index a = 0; a < turns(); ++a) more.col(a) = fields_[static_cast<std::size_t>(a)]->value(z);
      more.col(turns()) = X;
      if (orthonormal_columns(more).cols() <= turns()) continue;
      names_.push_back(symmetry.name);
      fields_.push_back(std::move(field));
    }
  }

  Vector inputs(const Vector& u) const {
    Vector x = Vector::Zero(static_cast<Eigen::Index>(inputs_.size()));
    x.head(n_) = u.head(n_);
    x.tail(free_count()) = u.tail(free_count());
    return x;
  }
  /// Slopes with respect to the inputs as slopes with respect to the unknowns.
  Matrix2 spread(const Matrix2& slopes) const {
    Matrix2 all = Matrix2::Zero(slopes.rows(), unknowns());
    all.leftCols(n_) = slopes.leftCols(n_);
    all.rightCols(free_count()) = slopes.rightCols(free_count());
    return all;
  }
  Matrix2 orbit(const Vector& u) {
    Matrix2 all(n_, turns());
    for (Eigen::Index a = 0; a < turns(); ++a)
      all.col(a) = fields_[static_cast<std::size_t>(a)]->value(inputs(u));
    return all;
  }

  void equations(const Vector& u, Vector& F, Matrix2& slopes) {
    const Vector x = inputs(u);
    const Eigen::Index m = relations_->size(), phases = phase_.cols();
    F.resize(n_ + m + phases + (pinned() ? 1 : 0));
    slopes = Matrix2::Zero(F.size(), unknowns());
    Vector f = rates_->value(x);
    Matrix2 df = spread(rates_->slope(x));
    for (Eigen::Index a = 0; a < turns(); ++a) {
      SlopedFunctions& field = *fields_[static_cast<std::size_t>(a)];
      const Vector X = field.value(x);
      f -= u[n_ + a] * X;
      df -= u[n_ + a] * spread(field.slope(x));
      df.col(n_ + a) = -X;
    }
    F.head(n_) = f;
    slopes.topRows(n_) = df;
    F.segment(n_, m) = relations_->value(x);
    slopes.middleRows(n_, m) = spread(relations_->slope(x));
    F.segment(n_ + m, phases) = phase_.transpose() * (u.head(n_) - base_);
    slopes.middleRows(n_ + m, phases).leftCols(n_) = phase_.transpose();
    if (!pinned()) return;
    F[n_ + m + phases] = u[second_at()] - free_values_[*second_];
    slopes(n_ + m + phases, second_at()) = 1;
  }
  void rebase(const Vector& u) {
    base_ = u.head(n_);
    phase_ = orthonormal_columns(orbit(u));
  }

  /// The parameter keeps its value while the first solution is looked for.
  std::optional<Vector> nearest_with(const SolutionSet& set, const Vector& u) const {
    SolutionSet fixed = set;
    fixed.at = [&](const Vector& w, Vector& F, Matrix2& slopes) {
      set.at(w, F, slopes);
      if (varied_) slopes.col(n_ + turns() + *varied_).setZero();
    };
    return nearest_solution(fixed, u);
  }

  /// Known integrals are held until one direction is left, those first that say something new and leave the quantity free.
  void hold(const Vector& u) {
    Vector F;
    Matrix2 slopes;
    equations(u, F, slopes);
    std::vector<Expr> chosen;
    const auto add = [&](const Invariant& invariant, bool always) {
      const Matrix2 kernel = kernel_basis(slopes);
      if (kernel.cols() <= 1 && !always) return;
      const Expr value = flow_.on_state(invariant.value);
      const auto function = functions(std::span(&value, 1));
      const Matrix2 slope = spread(function->slope(inputs(u)));
      if (!always && !((slope * kernel).norm() > 1e-7 * (1 + slope.norm()))) return;
      Matrix2 more(slopes.rows() + 1, slopes.cols());
      more << slopes, slope;
      // What is varied has to stay free.
      const Matrix2 left = kernel_basis(more);
      if (!always && (left.cols() == 0 || (spread(quantity_->slope(inputs(u))) * left).norm() < 1e-9)) return;
      slopes = more;
      chosen.push_back(value);
      held_names_.push_back(invariant.name);
    };
    for (const Invariant& invariant : question_.held) add(invariant, true);
    for (const Invariant& invariant : question_.known) add(invariant, false);
    if (!chosen.empty()) held_ = functions(chosen);
  }

  /// ∂(f − ω X)/∂y on the tangent space of the states, across the orbit of the group.
  Eigen::VectorXcd spectrum(const Vector& u) {
    const Vector x = inputs(u);
    Matrix2 A = rates_->slope(x).leftCols(n_);
    for (Eigen::Index a = 0; a < turns(); ++a)
      A -= u[n_ + a] * fields_[static_cast<std::size_t>(a)]->slope(x).leftCols(n_);
    Matrix2 across(n_, relations_->size() + turns());
    across << relations_->slope(x).leftCols(n_).transpose(), orbit(u);
    const Matrix2 normals = orthonormal_columns(across);
    Matrix2 basis = Matrix2::Identity(n_, n_);
    if (normals.cols() > 0)
      basis = dense::left_singular_basis(normals).vectors.rightCols(n_ - normals.cols());
    Eigen::VectorXcd all = dense::eigenvalues(basis.transpose() * A * basis);
    std::sort(all.begin(), all.end(), [](auto a, auto b) {
      return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
    });
    return all;
  }

  Flow flow_;
  Eigen::Index n_;
  const SteadyQuestion& question_;
  std::vector<Symbol> free_;                     ///< parameters that are unknowns
  Vector free_values_;                           ///< at the start
  std::optional<Eigen::Index> varied_, second_;  ///< which of them
  bool both_free_ = false;
  SymbolMap values_;
  std::vector<Symbol> inputs_;
  std::unique_ptr<SlopedFunctions> rates_, relations_, quantity_, held_;
  std::vector<std::string> names_, held_names_;
  std::vector<std::unique_ptr<SlopedFunctions>> fields_;
  Vector base_;
  Matrix2 phase_;
};

}  // namespace

SteadyBranches steady_branches(const System& system, std::span<const double> y,
                               const SteadyQuestion& question) {
  return SteadyFamily(system, y, question).run(y);
}

std::string description(const BranchPoint& before, const BranchPoint& at, const BranchPoint& after) {
  if (at.kind == BranchPoint::Kind::fold) return "fold";
  if (at.kind == BranchPoint::Kind::regular) return "";
  const int change = after.growing - before.growing;
  // The eigenvalues that have crossed are those of the less stable side with the smallest real parts.
  const BranchPoint& worse = change > 0 ? after : before;
  std::complex<double> crossed = 0;
  for (const auto& z : worse.spectrum)
    if (z.real() > 1e-5 * (1 + worse.spectrum.cwiseAbs().maxCoeff()) &&
        (crossed == 0.0 || z.real() <= crossed.real()))
      crossed = z;
  const double frequency = std::abs(crossed.imag());
  if (frequency < 1e-6) return "branch point: a real eigenvalue passes zero";
  // At the point itself it lies on the axis; where steps are long its frequency is another one than beside it.
  double on_axis = INFINITY;
  const auto is_on_axis = [&](std::complex<double> z) {
    return z.imag() > 0 && std::abs(z.real()) < 1e-2 * (1 + frequency);
  };
  for (const auto& z : at.spectrum)
    if (is_on_axis(z) && std::abs(z.imag() - frequency) < std::abs(on_axis - frequency)) on_axis = z.imag();
  if (std::isinf(on_axis)) on_axis = frequency;
  const auto near = std::count_if(at.spectrum.begin(), at.spectrum.end(), [&](std::complex<double> z) {
    return is_on_axis(z) && std::abs(z.imag() - on_axis) < 0.05 * (1 + frequency);
  });
  return near > 1 ? fmt::format("collision of frequencies at {:.6g}", on_axis)
                  : fmt::format("Hopf, frequency {:.6g}", on_axis);
}

}  // namespace rattleback
