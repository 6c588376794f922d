#include <rattleback/simulate/runs/neutral_directions.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/native/variational_code.hpp>
#include <rattleback/simulate/states/symmetry_fields.hpp>
#include <rattleback/simulate/states/tangent_space.hpp>

namespace rattleback {
namespace {

using Vector = Eigen::VectorXd;
using Matrix2 = Eigen::MatrixXd;

/// Numerical rank of a matrix whose entries are of order 1; below 1e-8 they are noise.
Eigen::Index rank(const Matrix2& m) {
  if (m.size() == 0 || m.cwiseAbs().maxCoeff() < 1e-8) return 0;
  return dense::rank_by_qr(m, 1e-8);
}

/// Values and slopes of functions of state and time.
class Slopes {
 public:
  Slopes(const Flow& flow, const Code& code)
      : n_(flow.dimension()),
        code_(code),
        jacobian_(jacobian_code(code, n_)),
        value_(code_, flow.parameter_values<double>()),
        slope_(jacobian_, flow.parameter_values<double>()) {}

  Vector value(const std::vector<double>& x) {
    Vector v(code_.outputs.size());
    value_(x.data(), v.data());
    return v;
  }
  Matrix2 slope(const std::vector<double>& x) {
    Matrix2 m(code_.outputs.size(), n_);
    slope_(x.data(), m.data());
    return m;
  }

 private:
  std::size_t n_;
  Code code_, jacobian_;
  Evaluator<double> value_, slope_;
};

/// Norm of the component of the last column that is orthogonal to the columns before it.
double across(const Matrix2& m) {
  const Vector last = m.col(m.cols() - 1);
  if (m.cols() == 1) return last.norm();
  const Matrix2 before = m.leftCols(m.cols() - 1);
  return (last - before * dense::least_squares(before, last)).norm();
}

/// Neither decays nor grows faster than a power of time.
bool stays(double before, double after, double duration) {
  return after > 1e-3 * before && after < 1e3 * (1 + duration) * before;
}

/// rank{dF} + rank{X} − rank dF|{X} of independent rows and columns.                                     (S.20)
std::size_t count(const Matrix2& differentials, const Matrix2& fields) {
  const Eigen::Index crossed =
      differentials.rows() == 0 || fields.cols() == 0 ? 0 : rank(differentials * fields);
  return static_cast<std::size_t>(differentials.rows() + fields.cols() - crossed);
}

/// Fields, the last first, without which the count is the same: integrals that they change say as much.
void leave_out_needless(const Matrix2& differentials, Matrix2 fields, NeutralDirections& found) {
  for (Eigen::Index k = fields.cols(); k-- > 0;) {
    Matrix2 others(fields.rows(), fields.cols() - 1);
    others << fields.leftCols(k), fields.rightCols(fields.cols() - 1 - k);
    if (count(differentials, others) < found.count) continue;
    fields = others;
    found.fields.erase(found.fields.begin() + k);
  }
}

/// [f, X] = 0 here, in numbers.
bool commutes(Slopes& rates, Slopes& field, const std::vector<double>& x) {
  const Vector f = rates.value(x), X = field.value(x);
  const Matrix2 df = rates.slope(x), dX = field.slope(x);
  const double size =
      df.cwiseAbs().sum() * X.cwiseAbs().maxCoeff() + dX.cwiseAbs().sum() * f.cwiseAbs().maxCoeff();
  return X.allFinite() && (dX * f - df * X).cwiseAbs().maxCoeff() <= 1e-9 * size;
}

}  // namespace

NeutralDirections neutral_directions(const Flow& flow, std::span<const double> y, std::span<const double> end,
                                     double duration, const std::vector<Invariant>& invariants) {
  NeutralDirections found;
  const auto n = static_cast<Eigen::Index>(flow.dimension());
  std::vector<double> x(y.begin(), y.end()), later(end.begin(), end.end());
  x.push_back(0);
  later.push_back(0);
  TangentSpace tangent(flow);
  Slopes rates(flow, flow.rates());
  Matrix2 fields(n, 0), fields_later(n, 0);
  const auto add = [&](const Vector& field, const Vector& field_later, const std::string& name) {
    if (!(field.norm() > 1e-9)) return;
    const auto with = [&](const Matrix2& old, const Vector& more) {
      Matrix2 both(n, old.cols() + 1);
      both << old, more / field.norm();
      return both;
    };
    const Matrix2 now = with(fields, field), then = with(fields_later, field_later);
    if (rank(now) <= fields.cols()) return;
    // A field that becomes dependent on those before it has decayed: the motion comes to rest relative to them.
    if (!stays(across(now), across(then), duration)) return;
    fields = now;
    fields_later = then;
    found.fields.push_back(name);
  };
  for (const SymmetryField& symmetry : symmetry_fields(flow)) {
    Slopes field(flow, flow.code_of(symmetry.field));
    if (commutes(rates, field, x)) add(field.value(x), field.value(later), symmetry.name);
  }
  if (!reads_input(flow.rates(), static_cast<std::uint32_t>(n)))
    add(rates.value(x), rates.value(later), "the motion itself");

  Matrix2 differentials(0, n), differentials_later(0, n);
  Matrix2 all = Matrix2::Identity(n, n), all_later = all;
  tangent.project(0, y, all);
  tangent.project(0, end, all_later);
  for (const Invariant& invariant : invariants) {
    const Expr value = flow.on_state(invariant.value);
    Slopes function(flow, flow.code_of(std::span(&value, 1)));
    const Matrix2 slope = function.slope(x) * all;
    if (!slope.allFinite() || !(slope.norm() > 1e-9)) continue;
    const auto with = [&](const Matrix2& old, const Matrix2& more) {
      Matrix2 both(old.rows() + 1, n);
      both << old, more / slope.norm();
      return both;
    };
    const Matrix2 now = with(differentials, slope),
                  then = with(differentials_later, function.slope(later) * all_later);
    if (rank(now) <= differentials.rows() ||
        !stays(across(now.transpose()), across(then.transpose()), duration))
      continue;
    differentials = now;
    differentials_later = then;
    found.integrals.push_back(invariant.name);
  }
  found.count = count(differentials, fields);
  leave_out_needless(differentials, fields, found);
  return found;
}

}  // namespace rattleback
