#include <rattleback/simulate/states/initial_positions.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/model/system/contact_limits.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/simulate/loops/assembly.hpp>

namespace rattleback {
namespace {

class PositionSearch {
 public:
  explicit PositionSearch(StartPoint& start) : start_(start) {}

  /// Coordinates left out or guessed are found from constraints on positions, the others stay; with --project, where every
  /// coordinate is given, all of them move to the nearest position. Then everything is checked.
  void complete() {
    std::vector<Symbol> missing, lines;
    for (const Factor& factor : start_.system.space.factors())
      for (const Piece& piece : factor.pieces)
        for (const Symbol f : piece.functions) {
          if (!start_.at.contains(f)) missing.push_back(f);
          if (piece.carrier != Carrier::unit_quaternion) lines.push_back(f);
          if (factor.kind == Factor::Kind::circle) angles_.push_back(f);
        }
    std::vector<Expr> positions;
    for (const Constraint& c : start_.system.constraints)
      if (c.position) positions.push_back(with_formulas(start_.system, *c.position));
    const std::vector<Symbol> open = open_rotations(missing, positions);
    take_defaults(missing, positions);
    const bool rotation =
        std::any_of(missing.begin(), missing.end(), [](Symbol s) { return s.role() == Role::rotation; });
    if (!rotation && !positions.empty()) {
      if (missing.empty() && start_.how.project) {
        project_positions(positions, lines);
      } else if (missing.empty()) {
        if (!open.empty() && !solves(positions, open)) turned_into_place(positions, {}, open);
      } else if (assembled(positions, missing) ||
                 (!open.empty() && turned_into_place(positions, missing, open))) {
        missing.clear();
      } else if (hindrance_ ||
                 std::ranges::any_of(missing, [&](Symbol f) { return start_.guesses.contains(f); })) {
        not_assembled(missing);
      }
    }
    tell_defaults();
    for (const Symbol f : missing)
      if (const auto guess = start_.guesses.find(f); guess != start_.guesses.end() && positions.empty())
        start_.at.insert_or_assign(f, guess->second);  // no constraint that could correct it
    std::erase_if(missing, [&](Symbol f) { return start_.at.contains(f); });
    if (!missing.empty()) leaves_out(missing);
    for (const Constraint& c : start_.system.constraints) {
      if (!c.position) continue;
      const double residual = start_.number(*c.position);
      if (!(std::abs(residual) <= initial_tolerance)) start_.off_constraint(c, *c.position, residual);
    }
  }

  void require_contacts() const {
    if (const ContactLimit* limit = broken_limit()) reject(*limit, start_.number(limit->positive));
  }

 private:
  [[noreturn]] void reject(const ContactLimit& limit, double value) const {
    start_.fail(
        limit.slug, fmt::format("contact `{}`: {}", limit.contact, limit.broken),
        fmt::format("this is {:.6g} at the initial state, and must be positive: {}", value,
                    graph_size(std::span(&limit.positive, 1)) > 60 ? "a long formula" : text(limit.positive)),
        "start from another position, or state another surface");
  }

  /// What users leave out because nothing depends on it: 0 for a coordinate that no rate, constraint or given value contains, and axes along
  /// those of space for a rotation. Only where something is given.
  void take_defaults(std::vector<Symbol>& missing, const std::vector<Expr>& positions) {
    if (!start_.place) return;
    for (const Symbol f : missing) {
      if (start_.guesses.contains(f)) continue;
      if (f.role() == Role::rotation) {
        upright_.push_back(f.attributes().family);
      } else if (!matters(f, positions)) {
        start_.at.insert_or_assign(f, 0.0);
        zero_.push_back(f.name());
      }
    }
    upright_.erase(std::unique(upright_.begin(), upright_.end()), upright_.end());
    for (const Factor& factor : start_.system.space.factors())
      for (const Piece& piece : factor.pieces)
        if (piece.carrier == Carrier::unit_quaternion && !start_.at.contains(piece.functions.front()))
          for (std::size_t k = 0; k < 9; ++k) {
            const auto guess = start_.guesses.find(piece.functions[k]);
            const double axes_of_space = k % 4 == 0 ? 1 : 0;
            start_.at.insert_or_assign(piece.functions[k],
                                       guess != start_.guesses.end() ? guess->second : axes_of_space);
          }
    std::erase_if(missing, [&](Symbol f) { return start_.at.contains(f); });
  }
  void tell_defaults() const {
    if (!zero_.empty())
      start_.tell(
          fmt::format("the initial state leaves out `{}`: 0 is taken, the motion does not depend on it",
                      fmt::join(zero_, "`, `")));
    if (!upright_.empty())
      start_.tell(fmt::format(
          "the initial state leaves out `{}`: the axes of the body are taken along those of space",
          fmt::join(upright_, "`, `")));
  }

  /// Entries of rotations that are not given, and on which constraints on positions depend.
  std::vector<Symbol> open_rotations(const std::vector<Symbol>& missing,
                                     const std::vector<Expr>& positions) const {
    const std::vector<Symbol> used = symbols_of(positions);
    std::vector<Symbol> open;
    for (const Factor& factor : start_.system.space.factors())
      for (const Piece& piece : factor.pieces) {
        const auto& entries = piece.functions;
        const auto is_in = [](const std::vector<Symbol>& all) {
          return [&all](Symbol s) { return std::ranges::find(all, s) != all.end(); };
        };
        if (piece.carrier == Carrier::unit_quaternion && std::ranges::all_of(entries, is_in(missing)) &&
            std::ranges::any_of(entries, is_in(used)))
          open.insert(open.end(), entries.begin(), entries.end());
      }
    return open;
  }

  /// Where no position satisfies the constraints with the rotations as they were guessed, they turn with the other guesses to the nearest
  /// one that does: f(x) = 0 and B^T B = 1 for the entries of all B.
  bool turned_into_place(std::vector<Expr> f, std::vector<Symbol> x, const std::vector<Symbol>& rotations) {
    if (!std::ranges::all_of(x, [&](Symbol s) { return start_.guesses.contains(s); })) return false;
    x.insert(x.end(), rotations.begin(), rotations.end());
    Eigen::VectorXd about(static_cast<Eigen::Index>(x.size()));
    for (std::size_t k = 0; k < x.size(); ++k) {
      const auto guess = start_.guesses.find(x[k]);
      about[static_cast<Eigen::Index>(k)] =
          guess != start_.guesses.end() ? guess->second : start_.at.at(x[k]);
    }
    for (std::size_t at = 0; at < rotations.size(); at += 9) {
      Matrix B(3, 3);
      std::copy_n(rotations.begin() + static_cast<std::ptrdiff_t>(at), 9, B.entries().begin());
      const Matrix rest = transpose(B) * B - Matrix::identity(3);
      for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) f.push_back(rest(i, j));
    }
    PositionEquations equations(f, x, start_.at);
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(equations.unknowns(), equations.unknowns());
    const AssembledPosition found = nearest_position(equations, about, one, angles_of(x));
    if (!found.x.allFinite()) return false;
    place(x, found.x);
    if (!solves(f, x)) {
      place(x, about);
      for (std::size_t k = 0; k + rotations.size() < x.size(); ++k) start_.at.erase(x[k]);
      return false;
    }
    for (std::size_t at = 0; at < rotations.size(); at += 9)
      if (const std::string& B = rotations[at].attributes().family; std::erase(upright_, B) > 0)
        start_.tell(
            fmt::format("the initial state leaves out `{}`: it is turned to where the constraints hold", B));
    return true;
  }

  bool matters(Symbol f, const std::vector<Expr>& positions) const {
    std::vector<Expr> all(start_.flow.rate_expressions().begin(), start_.flow.rate_expressions().end());
    all.insert(all.end(), positions.begin(), positions.end());
    for (const InitialCondition& c : start_.conditions)
      all.push_back(substitute(c.quantity, start_.quasi_velocities()));
    for (const ContactLimit& limit : limits_) all.push_back(limit.positive);
    const std::vector<Symbol> used = symbols_of(all);
    return f.is_positive() || std::find(used.begin(), used.end(), f) != used.end();
  }
  [[noreturn]] void leaves_out(const std::vector<Symbol>& missing) const {
    std::vector<std::string> names;
    for (const Symbol f : missing)
      names.push_back(f.role() == Role::rotation ? f.attributes().family : f.name());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    start_.fail("incomplete-initial-state",
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
    for (std::size_t k = 0; k < x.size(); ++k) start_.at[x[k]] = at[static_cast<Eigen::Index>(k)];
  }

  /// x with f(x) = 0 near its guesses, everything else fixed; false where the constraints do not determine it. Without a guess
  /// the solution that Newton's method finds from rest, or else the only one: two solutions are none, the user has to choose.
  bool assembled(const std::vector<Expr>& f, const std::vector<Symbol>& x) {
    const Angles angles = angles_of(x);
    Eigen::VectorXd about(static_cast<Eigen::Index>(x.size()));
    std::size_t guessed = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const auto guess = start_.guesses.find(x[k]);
      if (guess != start_.guesses.end()) ++guessed;
      about[static_cast<Eigen::Index>(k)] = guess != start_.guesses.end() ? guess->second
                                            : x[k].is_positive()          ? 1
                                                                          : 0;
    }
    PositionEquations equations(f, x, start_.at);
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
    if (!from_rest || start_.how.branches != nullptr) {
      for (const Eigen::VectorXd& solution :
           isolated_positions(equations, about, angles, initial_tolerance)) {
        if (!is_solution({solution, 0, 0})) continue;
        if (!from_rest || (solution - branches.front()).cwiseAbs().maxCoeff() > 1e-6)
          branches.push_back(solution);
      }
    }
    keep_one_of_each(x, branches);
    for (const Symbol s : x) start_.at.erase(s);
    if (branches.empty()) return false;
    if (guessed == 0 && !from_rest && branches.size() > 1) several_branches(x, branches);
    place(x, branches.front());
    if (start_.how.branches != nullptr && branches.size() > 1)
      start_.how.branches->push_back(fmt::format(
          "the constraints leave at least {} positions for what is not given: {}; the first is taken",
          branches.size(), listed(x, branches)));
    return true;
  }

  /// Coordinates of points of contact, such as the angles of a parametric surface, may have many values for one point. Positions with
  /// the same points are one; the smallest coordinates are kept.
  void keep_one_of_each(const std::vector<Symbol>& x, std::vector<Eigen::VectorXd>& branches) {
    if (branches.size() < 2) return;
    std::vector<Symbol> labels;
    std::vector<Expr> seen;
    const auto add = [&](const Matrix& coordinates, const Matrix& point) {
      for (const Expr q : coordinates.entries()) labels.push_back(q.symbol());
      seen.insert(seen.end(), point.entries().begin(), point.entries().end());
    };
    for (const Contact& contact : start_.system.contacts) {
      if (contact.surface.kind == Surface::Kind::parametric)
        add(contact.surface.parameters, contact.surface.point);
      if (contact.support.kind == Support::Kind::parametric)
        add(contact.support.coordinates, contact.support.point);
    }
    const auto is_label = [&](Symbol s) { return std::ranges::find(labels, s) != labels.end(); };
    if (std::ranges::none_of(x, is_label)) return;
    for (const Symbol s : x)
      if (!is_label(s)) seen.emplace_back(s);
    const auto size = [&](const Eigen::VectorXd& branch) {
      double sum = 0;
      for (std::size_t k = 0; k < x.size(); ++k)
        if (is_label(x[k])) sum += std::abs(branch[static_cast<Eigen::Index>(k)]);
      return sum;
    };
    std::ranges::stable_sort(branches, {}, size);
    std::vector<std::vector<double>> kept;
    std::erase_if(branches, [&](const Eigen::VectorXd& branch) {
      place(x, branch);
      const std::vector<double> here = start_.numbers_of(seen);
      const auto same = [&](const std::vector<double>& other) {
        constexpr double tolerance = 1e-6;
        return std::ranges::equal(here, other,
                                  [](double a, double b) { return std::abs(a - b) <= tolerance; });
      };
      if (std::ranges::any_of(kept, same)) return true;
      kept.push_back(here);
      return false;
    });
  }

  static std::string listed(const std::vector<Symbol>& x, const std::vector<Eigen::VectorXd>& branches) {
    constexpr std::size_t most = legible::branches_in_a_message.count;
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
    start_.fail(
        "incomplete-initial-state",
        fmt::format("the constraints leave at least {} positions for what is not given", branches.size()),
        listed(x, branches),
        fmt::format("choose one by a guess: --initial \"{}=~{:.3g}\"", x.front().name(),
                    branches.front()[0]));
  }
  [[noreturn]] void not_assembled(const std::vector<Symbol>& x) const {
    if (hindrance_) reject(*hindrance_->first, hindrance_->second);
    std::vector<std::string> names;
    for (const Symbol s : x) names.push_back(s.name());
    start_.fail_off_constraint(
        fmt::format("no position satisfies the constraints near the guess of `{}`", fmt::join(names, "`, `")),
        "what is given exactly stays fixed, and Newton's method finds no values for the rest",
        "give another guess, or mark more of the values as guesses: \"~0.5\"");
  }

  /// argmin (q − q₀)ᵀ M (q − q₀) on the constraints, M the mass matrix; what has no mass moves most easily.
  void project_positions(const std::vector<Expr>& f, const std::vector<Symbol>& x) {
    const auto n = static_cast<Eigen::Index>(x.size());
    Eigen::VectorXd about(n);
    for (Eigen::Index k = 0; k < n; ++k) about[k] = start_.at.at(x[static_cast<std::size_t>(k)]);
    PositionEquations equations(f, x, start_.at);
    if (equations(about).f.cwiseAbs().maxCoeff() <= 1e-15) return;
    const AssembledPosition found = nearest_position(equations, about, weights(x), angles_of(x));
    if (found.x.allFinite()) place(x, found.x);
  }
  Eigen::MatrixXd weights(const std::vector<Symbol>& x) {
    const auto n = static_cast<Eigen::Index>(x.size());
    Eigen::MatrixXd W = Eigen::MatrixXd::Identity(n, n);
    const auto velocities = start_.system.space.velocities();
    std::vector<Eigen::Index> legs;
    for (const Symbol q : x)
      for (std::size_t i = 0; i < velocities.size(); ++i)
        if (start_.system.space.motion().at(q) == Expr(velocities[i]))
          legs.push_back(static_cast<Eigen::Index>(i));
    if (static_cast<Eigen::Index>(legs.size()) != n) return W;
    Numbers with_velocities = start_.at;
    for (const Symbol v : velocities) with_velocities.try_emplace(v, 0);
    for (const InitialCondition& c : start_.conditions)
      if (c.quantity.is(Kind::symbol)) with_velocities.insert_or_assign(c.quantity.symbol(), c.value);
    std::swap(start_.at, with_velocities);
    const Eigen::MatrixXd M = start_.numbers(lagrange_equations(start_.system).mass);
    std::swap(start_.at, with_velocities);
    constexpr double little = 1e-6;
    const double largest = M.cwiseAbs().maxCoeff();
    if (!(largest > 0) || !M.allFinite()) return W;
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) W(i, j) = M(legs[i], legs[j]) / largest + (i == j ? little : 0);
    return W;
  }

  /// A body that touches with a hollow part of its surface, or from below, is no solution.
  bool solves(const std::vector<Expr>& f, const std::vector<Symbol>& x) {
    const std::vector<double> left = start_.numbers_of(f);
    const bool satisfies =
        std::all_of(left.begin(), left.end(), [](double r) { return std::abs(r) <= initial_tolerance; }) &&
        std::all_of(x.begin(), x.end(), [&](Symbol s) { return !s.is_positive() || start_.at.at(s) > 0; });
    if (!satisfies) return false;
    const ContactLimit* limit = broken_limit();
    if (limit != nullptr && !hindrance_) hindrance_.emplace(limit, start_.number(limit->positive));
    return limit == nullptr;
  }
  const ContactLimit* broken_limit() const {
    for (const ContactLimit& limit : limits_)
      if (!(start_.number(limit.positive) > 0)) return &limit;
    return nullptr;
  }

  StartPoint& start_;
  std::vector<Symbol> angles_;               ///< coordinates of circles
  std::vector<std::string> zero_, upright_;  ///< left out: coordinates at 0, rotations at 1
  std::vector<ContactLimit> limits_ = contact_limits(start_.system);
  /// What a position breaks that satisfies all constraints, and by how much.
  std::optional<std::pair<const ContactLimit*, double>> hindrance_;
};

}  // namespace

void find_positions(StartPoint& start) {
  PositionSearch search(start);
  search.complete();
  search.require_contacts();
}

}  // namespace rattleback
