#include <rattleback/simulate/initial_state.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/model/components.hpp>
#include <rattleback/model/contact_limits.hpp>
#include <rattleback/model/initial_point.hpp>
#include <rattleback/motion/lagrange.hpp>
#include <rattleback/motion/reactions.hpp>
#include <rattleback/simulate/assembly.hpp>
#include <rattleback/simulate/manifold.hpp>
#include <rattleback/simulate/quaternion.hpp>
#include <rattleback/simulate/with_initial_values.hpp>

namespace rattleback {
namespace {

constexpr double tolerance = 1e-9;  // of what the user typed, relative to the size of the numbers

/// `quantity` takes `value` at the start.
struct Condition {
  std::string name;
  Expr quantity;
  double value;
};

/// The left-hand sides of the constraints as functions of state and time.
struct ConstraintValues {
  explicit ConstraintValues(const Flow& flow) : code(made(flow)) {}
  static Code made(const Flow& flow) {
    std::vector<Expr> functions;
    for (const Constraint& c : flow.system().constraints) functions.push_back(c.expression);
    return flow.observing(functions);
  }
  Code code;
};

class Start {
 public:
  Start(const Flow& flow, const InitialOptions& how) : flow_(flow), system_(flow.system()), how_(how) {
    const std::vector<InitialValue>& given = how.given != nullptr ? *how.given : system_.simulation.initial;
    const std::vector<double> values = flow.parameter_values<double>();
    for (std::size_t k = 0; k < values.size(); ++k) {
      require_number(flow.parameters()[k].name(), values[k]);
      at_.emplace(flow.parameters()[k], values[k]);
    }
    at_.emplace(system_.time, how.time);
    if (!given.empty()) place_ = given.front().place;
    for (const InitialValue& value : given)
      if (is_from_command_line(value)) place_ = value.place;  // what the user typed last is to blame first
    for (const InitialValue& value : given) read(value);
  }

  std::vector<double> state() {
    complete_configuration();
    require_contacts();
    require_rank();
    const Eigen::VectorXd z = speeds();
    std::vector<double> y = configuration();
    y.insert(y.end(), z.begin(), z.end());
    require_finite_rates(y);
    require_constraints(y);
    return y;
  }

 private:
  [[noreturn]] void fail(const char* slug, std::string what, std::string why, std::string fix) const {
    Error error(slug, std::move(what), std::move(why), std::move(fix));
    if (place_) error.at(*place_);
    throw error;
  }

  /// Motions are computed in doubles, whatever exact value the model gives.
  void require_number(const std::string& name, double value) const {
    if (std::isfinite(value)) return;
    fail("number-too-large",
         fmt::format("the value of `{}` is no number that a motion can be computed with", name),
         std::isnan(value) ? "it is not a number" : "it is larger than every double, 1.8e308",
         "choose units in which it is smaller");
  }

  /// Where the search for a coordinate starts that the constraints determine.
  void read_guess(const InitialValue& given) {
    const std::string name = guessed_name(given);
    const Value* meaning = system_.scope.find(name);
    const Expr* quantity = meaning == nullptr ? nullptr : std::get_if<Expr>(meaning);
    const Expr* value = std::get_if<Expr>(&given.value);
    const auto functions = system_.space.functions();
    if (quantity == nullptr || value == nullptr || !quantity->is(Kind::symbol) ||
        std::find(functions.begin(), functions.end(), quantity->symbol()) == functions.end())
      fail("unknown-symbol", fmt::format("`{}` cannot be guessed", name),
           "a guess is a value of one coordinate, which the constraints then correct",
           "give its value, without ~");
    const double about = number(*value);
    require_number(name, about);
    guesses_.insert_or_assign(quantity->symbol(), about);
  }

  void read(const InitialValue& given) {
    if (is_guess(given)) return read_guess(given);
    const Value* meaning = system_.scope.find(given.name);
    std::vector<Expr> quantities, values;
    if (const auto scalar = scalar_named(system_.scope, given.name)) {
      quantities = {*scalar};
    } else if (meaning == nullptr) {  // a speed of [parametrization], or one the program chose
      const auto& z = flow_.equations().speeds;
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
    const auto functions = system_.space.functions();
    for (std::size_t k = 0; k < quantities.size() && k < values.size(); ++k) {
      const double value = number(values[k]);
      require_number(given.name, value);
      const bool is_position =
          quantities[k].is(Kind::symbol) &&
          std::find(functions.begin(), functions.end(), quantities[k].symbol()) != functions.end();
      if (is_position)
        at_.insert_or_assign(quantities[k].symbol(), value);
      else
        conditions_.push_back({quantities.size() == 1 ? given.name : fmt::format("{}[{}]", given.name, k + 1),
                               quantities[k], value});
    }
  }

  /// Coordinates left out or guessed are found from constraints on positions, the others stay; with --project, where every
  /// coordinate is given, all of them move to the nearest position. Then everything is checked.
  void complete_configuration() {
    std::vector<Symbol> missing, lines;
    for (const Factor& factor : system_.space.factors())
      for (const Piece& piece : factor.pieces)
        for (const Symbol f : piece.functions) {
          if (!at_.contains(f)) missing.push_back(f);
          if (piece.carrier != Carrier::unit_quaternion) lines.push_back(f);
          if (factor.kind == Factor::Kind::circle) angles_.push_back(f);
        }
    std::vector<Expr> positions;
    for (const Constraint& c : system_.constraints)
      if (c.position) positions.push_back(with_formulas(system_, *c.position));
    take_defaults(missing, positions);
    const bool rotation =
        std::any_of(missing.begin(), missing.end(), [](Symbol s) { return s.role() == Role::rotation; });
    if (!rotation && !positions.empty()) {
      if (missing.empty() && how_.project) project_positions(positions, lines);
      if (!missing.empty() && assembled(positions, missing)) missing.clear();
    }
    for (const Symbol f : missing)
      if (const auto guess = guesses_.find(f); guess != guesses_.end() && positions.empty())
        at_.insert_or_assign(f, guess->second);  // no constraint that could correct it
    std::erase_if(missing, [&](Symbol f) { return at_.contains(f); });
    if (!missing.empty()) leaves_out(missing);
    for (const Constraint& c : system_.constraints) {
      if (!c.position) continue;
      const double residual = number(*c.position);
      if (!(std::abs(residual) <= tolerance)) off_constraint(c, *c.position, residual);
    }
  }

  /// What users leave out because nothing depends on it: 0 for a coordinate that no rate, constraint or given value contains, and axes along
  /// those of space for a rotation. Only where something is given.
  void take_defaults(std::vector<Symbol>& missing, const std::vector<Expr>& positions) {
    if (!place_) return;
    std::vector<std::string> zero, turned;
    for (const Symbol f : missing) {
      if (guesses_.contains(f)) continue;
      if (f.role() == Role::rotation) {
        turned.push_back(f.attributes().family);
      } else if (!matters(f, positions)) {
        at_.insert_or_assign(f, 0.0);
        zero.push_back(f.name());
      }
    }
    turned.erase(std::unique(turned.begin(), turned.end()), turned.end());
    for (const Factor& factor : system_.space.factors())
      for (const Piece& piece : factor.pieces)
        if (piece.carrier == Carrier::unit_quaternion && !at_.contains(piece.functions.front()))
          for (std::size_t k = 0; k < 9; ++k)
            at_.insert_or_assign(piece.functions[k], k % 4 == 0 ? 1.0 : 0.0);
    std::erase_if(missing, [&](Symbol f) { return at_.contains(f); });
    if (!zero.empty())
      tell(fmt::format("the initial state leaves out `{}`: 0 is taken, the motion does not depend on it",
                       fmt::join(zero, "`, `")));
    if (!turned.empty())
      tell(fmt::format(
          "the initial state leaves out `{}`: the axes of the body are taken along those of space",
          fmt::join(turned, "`, `")));
  }
  bool matters(Symbol f, const std::vector<Expr>& positions) const {
    std::vector<Expr> all(flow_.rate_expressions().begin(), flow_.rate_expressions().end());
    all.insert(all.end(), positions.begin(), positions.end());
    for (const Condition& c : conditions_) all.push_back(substitute(c.quantity, quasi_velocities()));
    for (const ContactLimit& limit : limits_) all.push_back(limit.positive);
    const std::vector<Symbol> used = symbols_of(all);
    return f.is_positive() || std::find(used.begin(), used.end(), f) != used.end();
  }
  void tell(std::string note) const {
    if (how_.branches != nullptr) how_.branches->push_back(std::move(note));
  }

  [[noreturn]] void leaves_out(const std::vector<Symbol>& missing) const {
    std::vector<std::string> names;
    for (const Symbol f : missing)
      names.push_back(f.role() == Role::rotation ? f.attributes().family : f.name());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    fail("incomplete-initial-state",
         fmt::format("the initial state leaves out `{}`", fmt::join(names, "`, `")),
         "no constraint determines it",
         fmt::format("give it in [simulation] initial, or with --initial {}=0", names.front()));
  }

  Angles angles_of(const std::vector<Symbol>& x) const {
    Angles angles;
    for (const Symbol s : x) angles.push_back(std::find(angles_.begin(), angles_.end(), s) != angles_.end());
    return angles;
  }
  void place(const std::vector<Symbol>& x, const Eigen::VectorXd& at) {
    for (std::size_t k = 0; k < x.size(); ++k) at_[x[k]] = at[static_cast<Eigen::Index>(k)];
  }

  /// x with f(x) = 0 near its guesses, everything else fixed; false where the constraints do not determine it. Without a guess
  /// the solution that Newton's method finds from rest, or else the only one: two solutions are none, the user has to choose.
  bool assembled(const std::vector<Expr>& f, const std::vector<Symbol>& x) {
    const Angles angles = angles_of(x);
    Eigen::VectorXd about(static_cast<Eigen::Index>(x.size()));
    std::size_t guessed = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const auto guess = guesses_.find(x[k]);
      if (guess != guesses_.end()) ++guessed;
      about[static_cast<Eigen::Index>(k)] = guess != guesses_.end() ? guess->second
                                            : x[k].is_positive()    ? 1
                                                                    : 0;
    }
    PositionEquations equations(f, x, at_);
    const auto is_solution = [&](const AssembledPosition& p) {
      if (!p.x.allFinite()) return false;
      place(x, p.x);
      return solves(f, x);
    };
    AssembledPosition first = assembled_from(equations, about, angles);
    const bool isolated = first.rank == equations.unknowns();
    if (guessed == x.size() && !isolated) {
      const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(equations.unknowns(), equations.unknowns());
      first = nearest_position(equations, about, one, angles);
      if (is_solution(first)) return true;
    }
    std::vector<Eigen::VectorXd> branches;
    const bool from_rest = guessed == 0 && isolated && is_solution(first);
    if (from_rest) branches.push_back(within_a_turn(first.x, about, angles));
    if (!from_rest || how_.branches != nullptr) {
      for (const Eigen::VectorXd& solution : isolated_positions(equations, about, angles, tolerance)) {
        if (!is_solution({solution, 0, 0})) continue;
        if (!from_rest || (solution - branches.front()).cwiseAbs().maxCoeff() > 1e-6)
          branches.push_back(solution);
      }
    }
    for (const Symbol s : x) at_.erase(s);
    if (branches.empty()) {
      if (guessed > 0) not_assembled(x);
      return false;
    }
    if (guessed == 0 && !from_rest && branches.size() > 1) several_branches(x, branches);
    place(x, branches.front());
    if (how_.branches != nullptr && branches.size() > 1 && std::ranges::count(angles, true) > 0)
      how_.branches->push_back(
          fmt::format("the constraints leave {} positions for what is not given: {}; the first is taken",
                      branches.size(), listed(x, branches)));
    return true;
  }

  static std::string listed(const std::vector<Symbol>& x, const std::vector<Eigen::VectorXd>& branches) {
    constexpr std::size_t most = 8;
    std::vector<std::string> all;
    for (const Eigen::VectorXd& branch : branches) {
      std::vector<std::string> values;
      for (std::size_t k = 0; k < x.size(); ++k)
        values.push_back(fmt::format("{} = {:.6g}", x[k].name(), branch[static_cast<Eigen::Index>(k)]));
      all.push_back(fmt::format("{}", fmt::join(values, ", ")));
      if (all.size() == most) break;
    }
    return fmt::format("({}{})", fmt::join(all, "), ("), branches.size() > most ? "), (…" : "");
  }

  [[noreturn]] void several_branches(const std::vector<Symbol>& x,
                                     const std::vector<Eigen::VectorXd>& branches) const {
    fail("incomplete-initial-state",
         fmt::format("the constraints leave {} positions for what is not given", branches.size()),
         listed(x, branches),
         fmt::format("choose one by a guess: --initial \"{}=~{:.3g}\"", x.front().name(),
                     branches.front()[0]));
  }
  [[noreturn]] void not_assembled(const std::vector<Symbol>& x) const {
    std::vector<std::string> names;
    for (const Symbol s : x) names.push_back(s.name());
    fail(
        "off-constraint",
        fmt::format("no position satisfies the constraints near the guess of `{}`", fmt::join(names, "`, `")),
        "what is given exactly stays fixed, and Newton's method finds no values for the rest",
        "give another guess, or mark more of the values as guesses: \"~0.5\"");
  }

  /// argmin (q − q₀)ᵀ M (q − q₀) on the constraints, M the mass matrix; what has no mass moves most easily.
  void project_positions(const std::vector<Expr>& f, const std::vector<Symbol>& x) {
    const auto n = static_cast<Eigen::Index>(x.size());
    Eigen::VectorXd about(n);
    for (Eigen::Index k = 0; k < n; ++k) about[k] = at_.at(x[static_cast<std::size_t>(k)]);
    PositionEquations equations(f, x, at_);
    if (equations(about).f.cwiseAbs().maxCoeff() <= 1e-15) return;
    const AssembledPosition found = nearest_position(equations, about, weights(x), angles_of(x));
    if (found.x.allFinite()) place(x, found.x);
  }
  Eigen::MatrixXd weights(const std::vector<Symbol>& x) {
    const auto n = static_cast<Eigen::Index>(x.size());
    Eigen::MatrixXd W = Eigen::MatrixXd::Identity(n, n);
    const auto velocities = system_.space.velocities();
    std::vector<Eigen::Index> legs;
    for (const Symbol q : x)
      for (std::size_t i = 0; i < velocities.size(); ++i)
        if (system_.space.motion().at(q) == Expr(velocities[i])) legs.push_back(static_cast<Eigen::Index>(i));
    if (static_cast<Eigen::Index>(legs.size()) != n) return W;
    Numbers with_velocities = at_;
    for (const Symbol v : velocities) with_velocities.try_emplace(v, 0);
    for (const Condition& c : conditions_)
      if (c.quantity.is(Kind::symbol)) with_velocities.insert_or_assign(c.quantity.symbol(), c.value);
    std::swap(at_, with_velocities);
    const Eigen::MatrixXd M = numbers(lagrange_equations(system_).mass);
    std::swap(at_, with_velocities);
    constexpr double little = 1e-6;
    const double largest = M.cwiseAbs().maxCoeff();
    if (!(largest > 0) || !M.allFinite()) return W;
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) W(i, j) = M(legs[i], legs[j]) / largest + (i == j ? little : 0);
    return W;
  }

  /// A body that touches with a hollow part of its surface, or from below, is no solution.
  bool solves(const std::vector<Expr>& f, const std::vector<Symbol>& x) const {
    const std::vector<double> left = numbers_of(f);
    return !broken_limit() &&
           std::all_of(left.begin(), left.end(), [](double r) { return std::abs(r) <= tolerance; }) &&
           std::all_of(x.begin(), x.end(), [&](Symbol s) { return !s.is_positive() || at_.at(s) > 0; });
  }
  const ContactLimit* broken_limit() const {
    for (const ContactLimit& limit : limits_)
      if (!(number(limit.positive) > 0)) return &limit;
    return nullptr;
  }
  void require_contacts() const {
    if (const ContactLimit* limit = broken_limit())
      fail(limit->slug == "below-support"   ? "below-support"
           : limit->slug == "tight-contact" ? "tight-contact"
                                            : "nonconvex-contact",
           fmt::format("contact `{}`: {}", limit->contact, limit->broken),
           fmt::format(
               "this is {:.6g} at the initial state, and must be positive: {}", number(limit->positive),
               graph_size(std::span(&limit->positive, 1)) > 60 ? "a long formula" : text(limit->positive)),
           "start from another position, or state another surface");
  }

  /// f(x) = 0 by least squares steps, in place; the rank of the last Jacobian.
  int newton(const std::vector<Expr>& f, const std::vector<Symbol>& x) {
    const Matrix slopes = jacobian(f, x);
    int rank = 0;
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Eigen::MatrixXd J = numbers(slopes);
      const std::vector<double> residual = numbers_of(f);
      const auto step = dense::least_norm(
          J, Eigen::Map<const Eigen::VectorXd>(residual.data(), static_cast<Eigen::Index>(residual.size())));
      const Eigen::VectorXd& change = step.x;
      rank = step.rank;
      for (std::size_t k = 0; k < x.size(); ++k) at_[x[k]] -= change[static_cast<Eigen::Index>(k)];
      if (change.norm() < 1e-14) break;
    }
    return rank;
  }

  /// Values of expressions at the point found so far; abstract functions by their formulas.
  std::vector<double> numbers_of(std::span<const Expr> es) const {
    std::vector<Expr> known;
    for (const Expr e : es) known.push_back(with_formulas(system_, e));
    return evaluate(known, at_);
  }
  double number(Expr e) const { return numbers_of(std::span(&e, 1)).front(); }
  Eigen::MatrixXd numbers(const Matrix& m) const {
    const std::vector<double> flat = numbers_of(m.entries());
    return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(flat.data(), m.rows(),
                                                                            m.columns());
  }

  /// The constraints must have their generic rank here, otherwise ψ and the reactions are not defined.
  void require_rank() {
    if (system_.constraints.empty()) return;
    Numbers with_velocities = at_;
    for (const Symbol v : system_.space.velocities()) with_velocities.try_emplace(v, 0);
    for (const Condition& c : conditions_)
      if (c.quantity.is(Kind::symbol)) with_velocities.insert_or_assign(c.quantity.symbol(), c.value);
    const Matrix slopes = jacobian(constraint_functions(system_), system_.space.velocities());
    for (const Symbol s : symbols_of(slopes.entries()))
      if (s.role() == Role::velocity && !at_.contains(s) && !determined(s))
        return;  // nonlinear, velocity not known yet
    std::swap(at_, with_velocities);
    const Eigen::MatrixXd A = numbers(slopes);
    std::swap(at_, with_velocities);
    const int generic = flow_.projection() != nullptr
                            ? static_cast<int>(constraint_rows(flow_.derived_system()).independent.size())
                            : system_.space.dimension() - static_cast<int>(flow_.equations().speeds.size());
    const int rank = dense::rank(A, 1e-10);
    if (rank < generic || !A.allFinite())
      fail("singular-state",
           fmt::format("the constraints have rank {} at the initial state, not {}", rank, generic),
           "they do not determine the velocities and reactions there, and the motion is not defined",
           "start from another state; `rattleback check` says where the rank drops");
  }
  bool determined(Symbol s) const {
    return std::any_of(conditions_.begin(), conditions_.end(),
                       [&](const Condition& c) { return c.quantity == Expr(s); });
  }

  /// z from the conditions on velocities: least squares on ψ(q, z), exact in one step when ψ is linear.
  Eigen::VectorXd speeds() {
    const std::vector<Symbol>& z = flow_.equations().speeds;
    if (how_.project && determines_velocity())
      return flow_.projection() != nullptr ? projected_by_flow() : projected();
    std::vector<Expr> residuals;
    for (const Condition& c : conditions_) {
      residuals.push_back(
          substitute(substitute(c.quantity, quasi_velocities()), flow_.equations().velocities) -
          Rational::from_double(c.value));
    }
    const std::vector<Expr> given = residuals;
    if (flow_.projection() != nullptr)
      for (const Constraint& c : system_.constraints) residuals.push_back(c.expression);
    for (const Symbol s : z) {
      const auto known = std::find_if(conditions_.begin(), conditions_.end(),
                                      [&](const Condition& c) { return c.quantity == Expr(s); });
      at_.insert_or_assign(s, known == conditions_.end() ? 0.5 : known->value);
    }
    if (conditions_.empty() && place_ && rests(residuals, z)) {
      tell("no velocity is given: the motion starts at rest");
      return Eigen::VectorXd::Zero(static_cast<Eigen::Index>(z.size()));
    }
    if (flow_.projection() != nullptr && how_.project) return nearest_admissible(given);
    const int rank = residuals.empty() || z.empty() ? 0 : newton(residuals, z);
    if (rank < static_cast<int>(z.size())) undetermined(z, residuals);
    const std::vector<double> left = numbers_of(residuals);
    for (std::size_t k = 0; k < left.size(); ++k) {
      const double size = k < conditions_.size() ? std::abs(conditions_[k].value) : 0;
      if (!(std::abs(left[k]) <= tolerance * (1 + size)) && !how_.project)
        contradiction(std::min(k, conditions_.size() - 1), left[k]);
    }
    Eigen::VectorXd out(static_cast<Eigen::Index>(z.size()));
    for (std::size_t k = 0; k < z.size(); ++k) out[static_cast<Eigen::Index>(k)] = at_.at(z[k]);
    return out;
  }

  /// argmin |r(v)|² on the constraints C(v) = 0, in all velocities: with N a basis of ker ∂C, each step is −(∂C)⁺ C + N y, where y
  /// minimises the residuals after it.
  Eigen::VectorXd nearest_admissible(const std::vector<Expr>& residuals) {
    const std::vector<Symbol>& v = flow_.equations().speeds;
    std::vector<Expr> constraints;
    for (const Constraint& c : system_.constraints) constraints.push_back(c.expression);
    const Matrix A = jacobian(constraints, v), B = jacobian(residuals, v);
    for (const Symbol s : v) at_.insert_or_assign(s, 0.5);
    Eigen::VectorXd now = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(v.size()), 0.5);
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Eigen::MatrixXd slopes = numbers(A), N = dense::kernel(slopes, 1e-10);
      Eigen::VectorXd step = -dense::least_norm(slopes, column(constraints)).x;
      if (dense::rank(slopes, 1e-10) < slopes.cols()) {
        if (residuals.empty()) undetermined(v, constraints);
        const Eigen::MatrixXd free = numbers(B) * N;
        const auto along = dense::least_norm(free, column(residuals) + numbers(B) * step);
        if (along.rank < free.cols()) {
          std::vector<Expr> all = residuals;
          all.insert(all.end(), constraints.begin(), constraints.end());
          undetermined(v, all);
        }
        step -= N * along.x;
      }
      now += step;
      for (std::size_t k = 0; k < v.size(); ++k) at_[v[k]] = now[static_cast<Eigen::Index>(k)];
      if (step.norm() <= 1e-15 * (1 + now.norm())) break;
    }
    return now;
  }
  Eigen::VectorXd column(const std::vector<Expr>& es) const {
    const std::vector<double> values = numbers_of(es);
    return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  }

  /// Do the constraints allow rest, v = ψ(q, 0) = 0, and is it for the user to choose?
  bool rests(const std::vector<Expr>& residuals, const std::vector<Symbol>& z) {
    if (z.empty() || flow_.equations().form == "first-order") return false;
    for (const Symbol s : z) at_.insert_or_assign(s, 0.0);
    std::vector<Expr> all = residuals;
    for (const auto& [v, psi] : flow_.equations().velocities) all.push_back(psi);
    const std::vector<double> left = numbers_of(all);
    return std::ranges::all_of(left, [](double x) { return std::abs(x) <= tolerance; });
  }

  SymbolMap quasi_velocities() const {
    SymbolMap map;
    const auto& z = flow_.equations().speeds;
    for (const QuasiVelocity& u : system_.velocities)
      if (std::find(z.begin(), z.end(), u.symbol) == z.end()) map.emplace(u.symbol, u.expression);
    return map;
  }

  /// Are all components v^i of the velocity given, each by itself?
  bool determines_velocity() const {
    const auto v = system_.space.velocities();
    return std::all_of(v.begin(), v.end(), [&](Symbol s) { return determined(s); });
  }

  /// argmin over z of (ψ(q, z) − v)ᵀ M (ψ(q, z) − v).                                                    (S.2)
  Eigen::VectorXd projected() {
    const std::vector<Symbol>& z = flow_.equations().speeds;
    const auto v = system_.space.velocities();
    std::vector<Expr> psi;
    for (const Symbol s : v) psi.push_back(flow_.equations().velocities.at(s));
    Eigen::VectorXd wanted(static_cast<Eigen::Index>(v.size()));
    for (std::size_t i = 0; i < v.size(); ++i) {
      for (const Condition& c : conditions_)
        if (c.quantity == Expr(v[i])) wanted[static_cast<Eigen::Index>(i)] = c.value;
      at_.insert_or_assign(v[i], wanted[static_cast<Eigen::Index>(i)]);
    }
    const Eigen::MatrixXd M = numbers(lagrange_equations(system_).mass);
    const Matrix slopes = jacobian(psi, z);
    for (const Symbol s : z) at_.insert_or_assign(s, 0.5);
    Eigen::VectorXd now = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(z.size()), 0.5);
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Eigen::MatrixXd J = numbers(slopes);
      const std::vector<double> values = numbers_of(psi);
      const Eigen::VectorXd gap =
          wanted - Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
      const Eigen::VectorXd change = dense::solve_symmetric(J.transpose() * M * J, J.transpose() * M * gap);
      now += change;
      for (std::size_t k = 0; k < z.size(); ++k) at_[z[k]] = now[static_cast<Eigen::Index>(k)];
      if (change.norm() < 1e-14) break;
    }
    return now;
  }

  /// The same where all velocities are speeds: the flow's own projection.
  Eigen::VectorXd projected_by_flow() {
    std::vector<double> x = configuration();
    for (const Symbol v : system_.space.velocities())
      for (const Condition& c : conditions_)
        if (c.quantity == Expr(v)) x.push_back(c.value);
    Manifold<double> manifold(flow_);
    manifold.settle(how_.time, x.data());
    return Eigen::Map<const Eigen::VectorXd>(x.data() + flow_.first_speed(),
                                             static_cast<Eigen::Index>(x.size() - flow_.first_speed()));
  }

  [[noreturn]] void undetermined(const std::vector<Symbol>& z, const std::vector<Expr>& residuals) {
    // The speeds along which the conditions do not change are the ones that miss a value.
    std::vector<std::string> open;
    Eigen::MatrixXd kernel =
        Eigen::MatrixXd::Identity(static_cast<Eigen::Index>(z.size()), static_cast<Eigen::Index>(z.size()));
    if (!residuals.empty()) kernel = dense::kernel(numbers(jacobian(residuals, z)));
    for (std::size_t k = 0; k < z.size(); ++k)
      if (kernel.row(static_cast<Eigen::Index>(k)).norm() > 1e-9) open.push_back(z[k].name());
    if (open.empty())  // infinite slopes, no missing value
      fail("singular-state", "the speeds of the motion are not smooth functions of the velocity here",
           "the solution of a constraint for a velocity meets its singularity",
           "start from another state, or give other speeds in [parametrization]");
    const std::size_t free = flow_.projection() != nullptr
                                 ? z.size() - constraint_rows(flow_.derived_system()).independent.size()
                                 : z.size();
    const auto missing =
        static_cast<std::size_t>(kernel.cols());  // values, some of which may stand for others
    const bool any_will_do = missing == 1;
    fail("incomplete-initial-state",
         fmt::format("the initial state does not determine the velocity: `{}` {} open",
                     fmt::join(open, any_will_do ? "` or `" : "`, `"), any_will_do ? "is" : "are"),
         fmt::format("the constraints leave {} {} free, and the values given fix fewer", free,
                     free == 1 ? "velocity" : "velocities"),
         fmt::format("give {} in [simulation] initial, or with --initial {}=0", any_will_do ? "it" : "them",
                     fmt::join(std::span(open).first(std::min(missing, open.size())), "=0,")));
  }

  [[noreturn]] void off_constraint(const Constraint& c, Expr condition, double residual) const {
    fail("off-constraint",
         fmt::format("the initial state violates constraint `{}` by {:.6g}", c.name, residual),
         graph_size(std::span(&condition, 1)) > 60 ? ""
                                                   : fmt::format("{} = {:.6g}", text(condition), residual),
         "give admissible values, leave out what the constraint determines, or use --project to drop the "
         "forbidden part");
  }

  /// Which constraint the given velocities violate, when they are complete; otherwise which value does not fit.
  [[noreturn]] void contradiction(std::size_t k, double left) {
    if (determines_velocity()) {
      for (const Condition& c : conditions_)
        if (c.quantity.is(Kind::symbol)) at_.insert_or_assign(c.quantity.symbol(), c.value);
      for (const Constraint& c : system_.constraints) {
        const double residual = number(c.expression);
        if (!(std::abs(residual) <= tolerance)) off_constraint(c, c.expression, residual);
      }
    }
    fail("off-constraint",
         fmt::format("the initial values contradict each other: `{}` cannot be {:.6g}", conditions_[k].name,
                     conditions_[k].value),
         fmt::format("the nearest velocity that satisfies the constraints has {} = {:.6g}",
                     conditions_[k].name, conditions_[k].value + left),
         "give fewer values: the constraints determine the rest; or use --project");
  }

  std::vector<double> configuration() const {
    std::vector<double> y;
    for (const Factor& factor : system_.space.factors())
      for (const Piece& piece : factor.pieces) {
        std::vector<double> values;
        for (const Symbol f : piece.functions) values.push_back(at_.at(f));
        if (piece.carrier == Carrier::unit_quaternion) {
          const Quaternion q = quaternion_of(values);
          values.assign(q.begin(), q.end());
        }
        y.insert(y.end(), values.begin(), values.end());
      }
    return y;
  }

  /// The first sample satisfies every constraint, whichever way it was found.
  void require_constraints(std::vector<double> y) const {
    if (system_.constraints.empty()) return;
    const auto functions = flow_.derived<ConstraintValues>();
    y.push_back(how_.time);
    std::vector<double> values(system_.constraints.size());
    Evaluator<double>(functions->code, flow_.parameter_values<double>())(y.data(), values.data());
    double size = 1;
    for (const double x : y) size = std::max(size, std::abs(x));
    for (std::size_t k = 0; k < values.size(); ++k)
      if (!(std::abs(values[k]) <= tolerance * size * size))
        off_constraint(system_.constraints[k], system_.constraints[k].expression, values[k]);
  }

  void require_finite_rates(std::vector<double> y) const {
    y.push_back(how_.time);
    std::vector<double> rates(flow_.dimension());
    const std::vector<double> parameters = flow_.parameter_values<double>();
    Evaluator<double>(flow_.rates(), parameters)(y.data(), rates.data());
    for (std::size_t k = 0; k < rates.size(); ++k) {
      if (std::isfinite(rates[k])) continue;
      fail("singular-state", "the equations of motion are not defined at the initial state",
           fmt::format("the rate of {} is {}", flow_.state()[k].name(),
                       std::isnan(rates[k]) ? "not a number" : "infinite"),
           "start from another state; `rattleback derive` lists what must not vanish");
    }
  }

  const Flow& flow_;
  const System& system_;
  InitialOptions how_;
  Numbers at_;
  std::vector<Condition> conditions_;
  std::vector<Symbol> angles_;  ///< coordinates of circles
  Numbers guesses_;
  std::vector<ContactLimit> limits_ = contact_limits(system_);
  std::optional<Place> place_;
};

}  // namespace

namespace {

bool is_position(const System& system, const InitialValue& given) {
  const Value* meaning = system.scope.find(guessed_name(given));
  if (meaning == nullptr) return false;
  const Expr* e = std::get_if<Expr>(meaning);
  const Expr first = e != nullptr ? *e : std::get<Matrix>(*meaning).entries()[0];
  const auto functions = system.space.functions();
  return first.is(Kind::symbol) &&
         std::find(functions.begin(), functions.end(), first.symbol()) != functions.end();
}

/// Positions, and those velocities that the command line gives.
std::vector<InitialValue> without_own_velocities(const System& system) {
  std::vector<InitialValue> values = system.simulation.initial;
  std::erase_if(values,
                [&](const InitialValue& v) { return !is_from_command_line(v) && !is_position(system, v); });
  return values;
}

}  // namespace

/// Velocities of the model that contradict those of the command line go, where the latter determine the motion.
std::vector<double> initial_state(const Flow& flow, const InitialOptions& how) {
  try {
    return Start(flow, how).state();
  } catch (const Error& error) {
    const std::vector<InitialValue> rest = without_own_velocities(flow.system());
    const bool has_velocity = std::ranges::any_of(rest, [&](const InitialValue& v) {
      return !is_position(flow.system(), v);
    });  // else rest would be taken
    if (error.slug != "off-constraint" || how.given != nullptr || !has_velocity ||
        rest.size() == flow.system().simulation.initial.size())
      throw;
    InitialOptions again = how;
    again.given = &rest;
    try {
      return Start(flow, again).state();
    } catch (const Error&) {
      throw Error(error);
    }
  }
}

}  // namespace rattleback
