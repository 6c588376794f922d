#include <rattleback/proof/equilibria.hpp>

#include <algorithm>
#include <complex>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/algebra/text.hpp>
#include <rattleback/motion/linearisation.hpp>
#include <rattleback/proof/factors.hpp>

namespace rattleback {
namespace {

using Point = std::vector<std::pair<std::string, std::string>>;

/// One family: where it is, and the small motions about it.
struct Family {
  Point point;
  std::string free;  ///< the speed that is a parameter of the family
  Linearisation small;
};

/// Configurations worth trying: where everything rests at 0, and where the model starts.
std::vector<Point> places(const System& system) {
  std::vector<Point> found{{}};
  Point initial;
  for (const InitialValue& v : system.simulation.initial) {
    const auto q = system.space.functions();
    const bool coordinate = std::any_of(q.begin(), q.end(), [&](Symbol s) { return s.name() == v.name; });
    if (const Expr* value = std::get_if<Expr>(&v.value); coordinate && value != nullptr && !value->is_zero())
      initial.emplace_back(v.name, text(*value));
  }
  if (!initial.empty()) found.push_back(std::move(initial));
  return found;
}

std::optional<Family> family(const System& system, const SolvedVelocities& v, Point point,
                             const std::string& free) {
  try {
    Linearisation small = linearisation(system, v, state_point(system, v, point));
    state_matrix(small);  // the metric may degenerate there
    return Family{std::move(point), free, std::move(small)};
  } catch (const Error&) {
    return std::nullopt;  // not steady there
  }
}

/// Rest, one speed free, and pairs of speeds in a proportion that is an integer or its inverse.
std::vector<Family> families(const System& system, const SolvedVelocities& v) {
  std::vector<Family> found;
  for (const Point& place : places(system)) {
    Budget::check();
    bool moving = false;
    for (const Symbol z : v.speeds) {
      Point point = place;
      point.emplace_back(z.name(), "s");
      if (auto f = family(system, v, point, "s")) {
        found.push_back(std::move(*f));
        moving = true;
      }
    }
    if (moving) continue;  // rest belongs to these families
    if (auto f = family(system, v, place, "")) found.push_back(std::move(*f));
  }
  return found;
}

/// det(λ − A), without the factors λ that the family itself brings.
Expr characteristic_polynomial(const Matrix& a, Expr lambda) {
  Matrix m = Expr(-1) * a;
  for (int i = 0; i < m.rows(); ++i) m(i, i) += lambda;
  return short_form(determinant(m));
}

/// Parameter values of the model, and a value of the free speed.
Numbers numbers(const System& system, double free) {
  Numbers at;
  for (const auto& [symbol, value] : parameter_values(system)) at.emplace(symbol, evaluate(value, {}));
  at.emplace(Symbol::make("s"), free);
  return at;
}

/// The largest real part; roots that are zero up to rounding do not count.
double growth(const std::vector<std::complex<double>>& spectrum) {
  constexpr double rounding = 1e-7;
  double largest = 0;
  for (const auto& l : spectrum) largest = std::max(largest, l.real() > rounding ? l.real() : 0.0);
  return largest;
}

std::vector<std::string> spectrum_text(const std::vector<std::complex<double>>& spectrum) {
  std::vector<std::string> out;
  for (const auto& l : spectrum) {
    constexpr double rounding = 1e-9;
    const double re = std::abs(l.real()) < rounding ? 0 : l.real(),
                 im = std::abs(l.imag()) < rounding ? 0 : l.imag();
    out.push_back(im == 0 ? fmt::format("{:.6g}", re) : fmt::format("{:.6g}{:+.6g}i", re, im));
  }
  return out;
}

std::string point_text(const Family& f) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : f.point) parts.push_back(name + " = " + value);
  return parts.empty() ? "at rest" : fmt::format("{}", fmt::join(parts, ", "));
}

/// Stable, unstable, or it depends on the free speed: judged at several speeds of both signs.
Data stability(const System& system, const Family& f, Data& record) {
  int stable = 0, unstable = 0;
  const std::vector<double> speeds =
      f.free.empty() ? std::vector{0.0}
                     : std::vector{-30.0, -17.0, -10.0, -3.0, -1.0, -0.3, 0.3, 1.0, 3.0, 10.0, 17.0, 30.0};
  Data::List table;
  for (const double s : speeds) {
    const auto roots = spectrum(f.small, numbers(system, s));
    (growth(roots) > 0 ? unstable : stable) += 1;
    Data row;
    row["s"] = fmt::format("{}", s);
    row["eigenvalues"] = spectrum_text(roots);
    row["stable"] = growth(roots) == 0;
    table.push_back(row);
  }
  record["at"] = table;
  if (unstable == 0) return true;
  if (stable == 0) return false;
  return {};
}

}  // namespace

Answer equilibria_answer(const System& system) {
  if (!system.functions.empty())
    return undecided_answer("spectra need numbers, and the model has abstract functions",
                            "put a formula in place of an abstract function");
  const SolvedVelocities v = solved_velocities(system);
  if (v.speeds.empty())
    return undecided_answer("the constraints leave no freedom",
                            "there is nothing to disturb; simulate the motion");
  const std::vector<Family> found = families(system, v);
  Answer a;
  Data::List list;
  bool unstable = false;
  constexpr std::size_t readable = 120;
  for (const Family& f : found) {
    Budget::check();
    Data record;
    record["point"] = point_text(f);
    const Symbol lambda = Symbol::make("lambda");
    std::string line = point_text(f);
    if (f.small.M.rows() <= 4) {
      const Expr p = characteristic_polynomial(state_matrix(f.small), Expr(lambda));
      if (written_size(p) <= readable) {
        record["polynomial"] = p;
        line += fmt::format(": det(lambda - A) = {}", text(p));
      }
    }
    record["eigenvalues"] = spectrum_text(spectrum(f.small, numbers(system, 1)));
    const Data stable = stability(system, f, record);
    record["stable"] = stable;
    const bool* yes = stable.get_if<bool>();
    line += yes == nullptr ? "; stable for some s only" : *yes ? "; spectrally stable" : "; unstable";
    unstable = unstable || yes == nullptr || !*yes;
    list.push_back(record);
    a.why.push_back(line);
  }
  a.answer["families"] = list;
  if (found.empty()) {
    a.obstacle = "no steady motion was found with the configuration at 0 or at its initial place";
    a.next_step = "linearise about a state of your own";
    return a;
  }
  // Eigenvalues in double precision are evidence, not a proof.
  a.obstacle = fmt::format("eigenvalues were computed, not enclosed, at the model's parameter values: {}",
                           unstable ? "some have positive real parts" : "none has a positive real part");
  a.next_step = "read the characteristic polynomials, or give other parameters with --set";
  return a;
}

}  // namespace rattleback
