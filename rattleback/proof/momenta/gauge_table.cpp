// Declared in proof/momenta/gauge_solutions.hpp. The coefficients of gauge momenta as numbers: a linear differential equation in the shape, by extrapolation.
#include <array>
#include <cmath>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/momenta/gauge_solutions.hpp>

namespace rattleback {
namespace {

constexpr int places = 6, most_digits = legible::digits_in_a_table.count, fewest_digits = 4;

/// dq/ds and df/ds along a field that moves the shape: the state is (functions of the space, solutions one after another).
class ShapeEquation {
 public:
  ShapeEquation(const System& system, const GaugeSystem& gauge, Symbol shape)
      : functions_(system.space.functions().begin(), system.space.functions().end()) {
    const SymbolMap values = parameter_values(system);
    for (const auto& [s, value] : values) at_.emplace(s, evaluate(value, {}));
    const Transport* moving = across_the_orbits(system, gauge);
    const Expr speed = moving->field(Expr(shape));
    for (const Symbol q : functions_) rates_.push_back(moving->field(Expr(q)) / speed);
    for (const Expr e : moving->M.entries()) rates_.push_back(e / speed);
    unknowns_ = moving->M.rows();
  }

  std::size_t functions() const { return functions_.size(); }
  const Numbers& at(const std::vector<double>& state) {
    for (std::size_t i = 0; i < functions_.size(); ++i) at_.insert_or_assign(functions_[i], state[i]);
    return at_;
  }

  std::vector<double> operator()(const std::vector<double>& state) {
    const std::vector<double> values = evaluate(rates_, at(state));
    std::vector<double> rate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(functions_.size()));
    const auto k = static_cast<std::size_t>(unknowns_);
    for (std::size_t first = functions_.size(); first < state.size(); first += k) {
      for (std::size_t b = 0; b < k; ++b) {
        double sum = 0;
        for (std::size_t c = 0; c < k; ++c) sum += values[functions_.size() + b * k + c] * state[first + c];
        rate.push_back(sum);
      }
    }
    return rate;
  }

 private:
  std::vector<Symbol> functions_;
  Numbers at_;
  std::vector<Expr> rates_;
  int unknowns_ = 0;
};

std::vector<double> sum_of(const std::vector<double>& a, double c, const std::vector<double>& b) {
  std::vector<double> x = a;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += c * b[i];
  return x;
}

/// Gragg's midpoint rule (z_n + z_{n−1} + (h/n) z'_n)/2 with n substeps: its error has even powers of h/n alone.
std::vector<double> midpoints(ShapeEquation& rate, const std::vector<double>& y, double h, int n) {
  const double step = h / n;
  std::vector<double> before = y, now = sum_of(y, step, rate(y));
  for (int k = 1; k < n; ++k) {
    const std::vector<double> next = sum_of(before, 2 * step, rate(now));
    before = std::move(now);
    now = next;
  }
  std::vector<double> x = sum_of(now, step, rate(now));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = (x[i] + before[i]) / 2;
  return x;
}

/// Aitken and Neville's extrapolation of these to h/n → 0.
std::vector<double> step(ShapeEquation& rate, const std::vector<double>& y, double h) {
  constexpr std::array numbers{2, 4, 6, 8, 10, 12, 14};
  std::vector<std::vector<double>> row;
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    row.push_back(midpoints(rate, y, h, numbers[j]));
    for (std::size_t k = j; k-- > 0;) {
      const double q = static_cast<double>(numbers[j]) / numbers[k];
      for (std::size_t i = 0; i < y.size(); ++i)
        row[k][i] = row[k + 1][i] + (row[k + 1][i] - row[k][i]) / (q * q - 1);
    }
  }
  return row.front();
}

/// The states at s_0, s_0 + h, …, with so many steps between.
std::vector<std::vector<double>> states(ShapeEquation& rate, std::vector<double> y, double h, int steps) {
  std::vector<std::vector<double>> all{y};
  while (static_cast<int>(all.size()) < places) {
    for (int k = 0; k < steps; ++k) {
      Budget::check();
      y = step(rate, y, h / steps);
    }
    all.push_back(y);
  }
  return all;
}

/// Regular places: what the model starts from, where that is 0 one half and `apart` times the place in the list; rotations at Rx(1).
std::vector<double> initial_configuration(const System& system, double apart) {
  std::vector<double> q;
  const double c = std::cos(1.0), s = std::sin(1.0);
  const std::array turned{1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c};
  for (const Symbol f : system.space.functions()) {
    if (f.role() == Role::rotation) {
      q.push_back(turned[static_cast<std::size_t>(f.attributes().entry)]);
      continue;
    }
    double value = 0;
    for (const InitialValue& given : system.simulation.initial) {
      const Expr* e = std::get_if<Expr>(&given.value);
      if (given.name == f.name() && e != nullptr)
        value = evaluate(substitute(*e, parameter_values(system)), {});
    }
    q.push_back(value == 0 ? 0.5 + apart * static_cast<double>(q.size()) : value);
  }
  return q;
}

/// Does the field leave the orbits there? On an orbit the curve would stay on it, and show one value of f.
bool is_across(const System& system, const GaugeSystem& gauge, const Numbers& at) {
  const int n = system.space.dimension();
  Eigen::MatrixXd fields(n, n);
  const auto place = [&](int column, const VectorField& Y) {
    const std::vector<double> values = evaluate(Y.coefficients(), at);
    for (int i = 0; i < n; ++i) fields(i, column) = values[static_cast<std::size_t>(i)];
  };
  for (int a = 0; a + 1 < n; ++a) place(a, gauge.transport[static_cast<std::size_t>(a)].field);
  place(n - 1, across_the_orbits(system, gauge)->field);
  return dense::is_invertible(fields);
}

/// How many digits of the solutions two computations share.
int common_digits(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b,
                  std::size_t first) {
  double worst = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    double size = 0, difference = 0;
    for (std::size_t i = first; i < a[j].size(); ++i) {
      if (!std::isfinite(a[j][i]) || !std::isfinite(b[j][i])) return 0;
      size = std::max(size, std::abs(b[j][i]));
      difference = std::max(difference, std::abs(a[j][i] - b[j][i]));
    }
    if (!(difference <= size)) return 0;
    worst = std::max(worst, size > 0 ? difference / size : 0);
  }
  return worst == 0 ? most_digits : std::min(most_digits, static_cast<int>(std::floor(-std::log10(worst))));
}

}  // namespace

namespace {

/// The shape itself, or a coordinate that moves along the curve across the orbits.
std::optional<Symbol> parameter_of_curve(const System& system, const GaugeSystem& gauge) {
  const Transport* across = across_the_orbits(system, gauge);
  if (across == nullptr) return std::nullopt;
  if (const auto shape = shape_function(system, gauge)) return shape;
  for (const Symbol q : system.space.functions()) {
    if (q.role() == Role::coordinate && !vanishes_at_random_points(across->field(Expr(q)))) return q;
  }
  return std::nullopt;
}

}  // namespace

std::optional<GaugeTable> gauge_table(const System& system, const GaugeSystem& gauge) {
  const auto shape = parameter_of_curve(system, gauge);
  if (!shape || !system.functions.empty() || gauge.count() == 0) return std::nullopt;
  const int k = static_cast<int>(gauge.momenta.size());
  std::vector<int> proper;  // without J_0
  for (int b = 0; b + 1 < k; ++b) proper.push_back(b);
  const Matrix basis = gauge.conditions.rows() == 0 ? Matrix::identity(k - 1)
                                                    : kernel(columns_of(gauge.conditions, proper)).basis;
  try {
    ShapeEquation rate(system, gauge, *shape);
    std::vector<double> y = initial_configuration(system, 0);
    constexpr double apart = 0.0625;
    if (!is_across(system, gauge, rate.at(y))) y = initial_configuration(system, apart);
    const Numbers at = rate.at(y);
    if (!is_across(system, gauge, at)) return std::nullopt;
    for (int c = 0; c < basis.columns(); ++c) {
      for (int b = 0; b + 1 < k; ++b) y.push_back(evaluate(basis(b, c), at));
      y.push_back(0);
    }
    const double h = shape->role() == Role::coordinate ? 0.1 : 0.05;
    const auto coarse = states(rate, y, h, 1), fine = states(rate, y, h, 2);
    GaugeTable table{*shape, {}, {}, common_digits(coarse, fine, rate.functions()), {}};
    if (table.digits < fewest_digits) return std::nullopt;
    std::size_t s = 0;
    while (system.space.functions()[s] != *shape) ++s;
    for (const auto& state : fine) table.at.push_back(state[s]);
    const bool chosen = !shape_function(system, gauge).has_value();
    for (std::size_t i = 0; i < system.space.functions().size(); ++i) {
      const Symbol q = system.space.functions()[i];
      if (chosen && q != *shape && q.role() == Role::coordinate) table.from.emplace_back(q, y[i]);
    }
    for (int c = 0; c < basis.columns(); ++c) {
      table.f.emplace_back();
      for (const auto& state : fine) {
        const auto first =
            state.begin() + static_cast<std::ptrdiff_t>(rate.functions()) + std::ptrdiff_t{c} * k;
        table.f.back().emplace_back(first, first + (gauge.adds_function() ? k : k - 1));
      }
    }
    return table;
  } catch (const NoValue&) {
    return std::nullopt;  // a parameter without a number
  }
}

}  // namespace rattleback
