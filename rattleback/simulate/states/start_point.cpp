#include <rattleback/simulate/states/start_point.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/model/system/components.hpp>
#include <rattleback/model/system/initial_point.hpp>
#include <rattleback/simulate/states/quaternion.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>

namespace rattleback {
namespace {

std::vector<Expr> components(const Value& value) {
  if (const Expr* e = std::get_if<Expr>(&value)) return {*e};
  const auto entries = std::get<Matrix>(value).entries();
  return {entries.begin(), entries.end()};
}

}  // namespace

StartPoint::StartPoint(const Flow& of, const InitialOptions& options)
    : flow(of), system(of.system()), how(options) {
  const std::vector<InitialValue>& given = how.given != nullptr ? *how.given : system.simulation.initial;
  const std::vector<double> values = flow.parameter_values<double>();
  for (std::size_t k = 0; k < values.size(); ++k) {
    require_number(flow.parameters()[k].name(), values[k]);
    at.emplace(flow.parameters()[k], values[k]);
  }
  at.emplace(system.time, how.time);
  if (!given.empty()) place = given.front().place;
  for (const InitialValue& value : given)
    if (is_from_command_line(value)) place = value.place;  // what the user typed last is to blame first
  for (const InitialValue& value : given) read(value);
}

void StartPoint::read_guess(const InitialValue& given) {
  const std::string name = guessed_name(given);
  const Value* meaning = system.scope.find(name);
  std::vector<Expr> quantities, values;
  if (meaning != nullptr) {
    quantities = components(*meaning);
    values = std::holds_alternative<Expr>(given.value) && quantities.size() == 9
                 ? components(Value(Matrix::identity(3)))
                 : components(given.value);
  }
  const auto functions = system.space.functions();
  const bool is_position = std::ranges::all_of(quantities, [&](Expr q) {
    return q.is(Kind::symbol) && std::ranges::find(functions, q.symbol()) != functions.end();
  });
  if (quantities.empty() || quantities.size() != values.size() || !is_position)
    fail("unknown-symbol", fmt::format("`{}` cannot be guessed", name),
         "a guess is a value of one coordinate or of a rotation, which the constraints then correct",
         "give its value, without ~");
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    const double about = number(values[k]);
    require_number(name, about);
    guesses.insert_or_assign(quantities[k].symbol(), about);
  }
}

void StartPoint::read(const InitialValue& given) {
  if (is_guess(given)) return read_guess(given);
  const Value* meaning = system.scope.find(given.name);
  std::vector<Expr> quantities, values;
  if (const auto scalar = scalar_named(system.scope, given.name)) {
    quantities = {*scalar};
  } else if (meaning == nullptr) {  // a speed of [parametrization], or one the program chose
    const auto& z = flow.equations().speeds;
    const auto speed = std::find_if(z.begin(), z.end(), [&](Symbol s) { return s.name() == given.name; });
    if (speed == z.end()) return;
    quantities = {Expr(*speed)};
  } else {
    const auto entries = std::get<Matrix>(*meaning).entries();
    quantities.assign(entries.begin(), entries.end());
  }
  if (const Expr* e = std::get_if<Expr>(&given.value)) {
    const Matrix one = Matrix::identity(3);
    if (quantities.size() == 9)
      values.assign(one.entries().begin(), one.entries().end());
    else
      values = {*e};
  } else {
    const auto entries = std::get<Matrix>(given.value).entries();
    values.assign(entries.begin(), entries.end());
  }
  const auto functions = system.space.functions();
  for (std::size_t k = 0; k < quantities.size() && k < values.size(); ++k) {
    const double value = number(values[k]);
    require_number(given.name, value);
    const bool is_position =
        quantities[k].is(Kind::symbol) &&
        std::find(functions.begin(), functions.end(), quantities[k].symbol()) != functions.end();
    if (is_position)
      at.insert_or_assign(quantities[k].symbol(), value);
    else
      conditions.push_back({quantities.size() == 1 ? given.name : fmt::format("{}[{}]", given.name, k + 1),
                            quantities[k], value});
  }
}

void StartPoint::fail(const std::string& slug, std::string what, std::string why, std::string fix) const {
  throw placed(Error(slug, std::move(what), std::move(why), std::move(fix)));
}

void StartPoint::fail_off_constraint(std::string what, std::string why, std::string fix) const {
  throw placed(OffConstraint("off-constraint", std::move(what), std::move(why), std::move(fix)));
}

void StartPoint::require_number(const std::string& name, double value) const {
  if (std::isfinite(value)) return;
  fail("number-too-large",
       fmt::format("the value of `{}` is no number that a motion can be computed with", name),
       std::isnan(value) ? "it is not a number" : "it is larger than every double, 1.8e308",
       "choose units in which it is smaller");
}

void StartPoint::tell(std::string note) const {
  if (how.branches != nullptr) how.branches->push_back(std::move(note));
}

void StartPoint::off_constraint(const Constraint& c, Expr condition, double residual) const {
  fail_off_constraint(
      fmt::format("the initial state violates constraint `{}` by {:.6g}", c.name, residual),
      graph_size(std::span(&condition, 1)) > 60 ? "" : fmt::format("{} = {:.6g}", text(condition), residual),
      "give admissible values, leave out what the constraint determines, or use --project to drop the "
      "forbidden part");
}

std::vector<double> StartPoint::numbers_of(std::span<const Expr> es) const {
  std::vector<Expr> known;
  for (const Expr e : es) known.push_back(with_formulas(system, e));
  return evaluate(known, at);
}

double StartPoint::number(Expr e) const { return numbers_of(std::span(&e, 1)).front(); }

Eigen::MatrixXd StartPoint::numbers(const Matrix& m) const {
  const std::vector<double> flat = numbers_of(m.entries());
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(flat.data(), m.rows(), m.columns());
}

bool StartPoint::determined(Symbol s) const {
  return std::any_of(conditions.begin(), conditions.end(),
                     [&](const InitialCondition& c) { return c.quantity == Expr(s); });
}

SymbolMap StartPoint::quasi_velocities() const {
  SymbolMap map;
  const auto& z = flow.equations().speeds;
  for (const QuasiVelocity& u : system.velocities)
    if (std::find(z.begin(), z.end(), u.symbol) == z.end()) map.emplace(u.symbol, u.expression);
  return map;
}

std::vector<double> StartPoint::configuration() const {
  std::vector<double> y;
  for (const Factor& factor : system.space.factors())
    for (const Piece& piece : factor.pieces) {
      std::vector<double> values;
      for (const Symbol f : piece.functions) values.push_back(at.at(f));
      if (piece.carrier == Carrier::unit_quaternion) {
        const Quaternion q = quaternion_of(values);
        values.assign(q.begin(), q.end());
      }
      y.insert(y.end(), values.begin(), values.end());
    }
  return y;
}

}  // namespace rattleback
