#include <rattleback/proof/evidence/exceptional_parameters.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/nonzero_record.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/model/system/substituted.hpp>
#include <rattleback/proof/evidence/locus_order.hpp>
#include <rattleback/proof/evidence/parameter_candidates.hpp>
#include <rattleback/proof/evidence/simple_relations.hpp>

namespace rattleback {
namespace {

thread_local int asking_again = 0;

/// First the one, then the other.
SymbolMap composed(const SymbolMap& outer, const SymbolMap& inner) {
  SymbolMap both = inner;
  for (const auto& [s, value] : outer) both.insert_or_assign(s, substitute(value, inner));
  return both;
}

/// What an outcome says of the statement.
enum class Side : std::uint8_t { holds, fails, open };
Side side_of(const Answer& a) {
  if (a.outcome == Outcome::proved) return Side::holds;
  const bool none = a.outcome == Outcome::refuted || a.outcome == Outcome::not_found;
  return none ? Side::fails : Side::open;
}

/// A question asked again, under special parameters. No system: the model is none there, or of another kind.
struct Again {
  enum class Kind : std::uint8_t { answered, no_system, exhausted };
  Kind kind = Kind::answered;
  Answer answer;
  Dependence dependence;
  std::vector<Expr> nonzero;
};

/// Twice what the generic case took, and some.
Limits beyond_twice(const Spent& spent, const WorkLimits& some) {
  return {.steps = 2 * spent.steps + some.steps, .work = 2 * spent.work + some.work, .terms = some.terms};
}

class Search {
 public:
  Search(const System& system, const Decide& decide, const Spent& spent, Answer& answer)
      : system_(system), decide_(decide), spent_(spent), generic_(side_of(answer)), answer_(answer) {}

  /// The limits end with the search: what was found is put in order whatever it took.
  void run(const Dependence& dependence, std::span<const Expr> nonzero,
           std::optional<std::chrono::duration<double>> time) {
    complete_ = true;
    try {
      Limits limits = beyond_twice(spent_, work_limits::all_special_parameters);
      limits.time = time;
      const Budget scope(limits);
      within(candidate_components(system_, answer_.unless, dependence, nonzero), {}, 2);
      for (const SymbolMap& point : other_beside_) {
        if (!on_listed(point))
          open(fmt::format("the outcome is the other one at {}, too", text_of_point(system_, point)));
      }
      if (!complete_ && answer_.outcome == Outcome::refuted) guess();
      for (Found& f : found_) widen(f);  // last: what is found stays when the work is over
    } catch (const Exhausted&) {
      open("the work allowed for special parameters was not enough");
    } catch (const Error& error) {  // the answer stands, whatever happens at special parameters
      open(error.summary);
    }
    answer_.unless.clear();
    for (Found& f : without_contained()) answer_.unless.push_back(std::move(f.shown));
    answer_.unless = in_canonical_order(std::move(answer_.unless));
    set_locus(answer_, complete_, why_);
  }

 private:
  struct Found {
    Component component;
    Locus shown;
    SymbolMap point = {};  ///< at which the outcome is the other one
  };

  void open(std::string why) {
    if (complete_) why_ = std::move(why);
    complete_ = false;
  }

  /// The question at special parameters, within limits of its own.
  Again ask(const System& special) {
    Again again;
    ++asking_again;
    struct Back {
      ~Back() { --asking_again; }
    } const back;
    const NonzeroRecord record;
    const DependenceScope dependence;
    try {
      const Budget scope(beyond_twice(spent_, work_limits::special_parameter));
      const OnPositions there(special);
      again.answer = decide_(special);
      if (again.answer.outcome == Outcome::inapplicable) again.kind = Again::Kind::no_system;
    } catch (const Exhausted&) {
      again.kind = Again::Kind::exhausted;
    } catch (
        const Error&) {  // of any kind: contradictory constraints, a degenerate metric, a method that does not apply
      again.kind = Again::Kind::no_system;
    }
    again.dependence = dependence.stated();
    again.nonzero = record.functions();
    return again;
  }

  /// A limit of this search, or the time of the question, ends it; one of a single answer does not.
  static void still_allowed() {
    Budget::check();
    if (Budget::out_of_steps() || Budget::out_of_work()) throw Exhausted("limit of work");
  }

  static bool holds_everywhere(const Locus& equations, const SymbolMap& solution) {
    return std::ranges::all_of(equations, [&](Expr e) {
      try {
        return vanishes_at_random_points(substitute(e, solution));
      } catch (const OutOfDomain&) {
        return false;
      }
    });
  }

  bool is_known(const SymbolMap& solution) const {
    return std::ranges::any_of(
        found_, [&](const Found& f) { return holds_everywhere(f.component.equations, solution); });
  }

  void within(const Candidates& candidates, const Component& outer, int depth) {
    constexpr std::size_t most = search_limits::special_parameters.count;
    if (!candidates.exhaustive) open(candidates.open);
    for (std::size_t k = 0; k < candidates.components.size(); ++k) {
      still_allowed();
      if (k >= most) {
        open("there are too many special parameters to ask again at all of them");
        return;
      }
      Component c = candidates.components[k];
      c.equations.insert(c.equations.begin(), outer.equations.begin(), outer.equations.end());
      c.leading.insert(c.leading.begin(), outer.leading.begin(), outer.leading.end());
      const bool solved = !c.solution.empty();
      try {
        c.solution = composed(outer.solution, c.solution);
        if (solved)
          on_solved(c, depth);
        else
          on_unsolved(c);
      } catch (const OutOfDomain&) {
        open("some special parameters are poles of what has to be looked at there");
      }
    }
  }

  /// Parameters that are equal may be special where the proof does not say which are.
  void guess() {
    for (const Component& c : equal_parameters(system_)) {
      still_allowed();
      if (is_known(c.solution)) continue;
      const auto point = point_on(c, free_parameters(system_), 1);
      if (point && is_other_at(c.solution) && confirmed(c, *point, true))
        found_.push_back({c, c.equations, {}});
    }
  }

  /// The equations are put into the model, other parameters stay symbols.
  void on_solved(const Component& c, int depth) {
    if (is_known(c.solution)) return;
    const auto shown = tidied(c.equations);
    if (!shown) return;
    const auto point = point_on(c, free_parameters(system_), 1);
    if (!point) {
      open(fmt::format("no point was found at which {}", text(*shown)));
      return;
    }
    std::optional<System> special;
    try {
      special = substituted(system_, c.solution);
    } catch (const OutOfDomain&) {
      return;  // the model divides by what vanishes there
    }
    const Again again = ask(*special);
    still_allowed();
    if (again.kind == Again::Kind::no_system) return;
    const Side side = again.kind == Again::Kind::answered ? side_of(again.answer) : Side::open;
    if (side == Side::open) {
      judge_by_points(c, *shown);
    } else if (side != generic_) {
      if (confirmed(c, *point, true)) found_.push_back({c, *shown, *point});
    } else if (depth > 0) {
      within(candidate_components(*special, again.answer.unless, again.dependence, again.nonzero), c,
             depth - 1);
    } else {
      open("components of higher codimension were not looked at");
    }
  }

  /// No formula solves the equations: points with numbers must do.
  void on_unsolved(const Component& c) {
    const auto shown = tidied(c.equations);
    if (!shown) return;
    judge_by_points(c, *shown);
  }

  bool on_listed(const SymbolMap& point) const {
    return std::ranges::any_of(found_,
                               [&](const Found& f) { return holds_at(f.component.equations, point); });
  }

  /// Up to two points of the component that lie on none that is listed. Nothing: no point was found at all.
  std::optional<std::vector<SymbolMap>> points_beyond_listed(const Component& c) const {
    std::vector<SymbolMap> points;
    bool some = false;
    for (std::uint64_t seed = 1; seed <= 4 && points.size() < 2; ++seed) {
      const auto point = point_on(c, free_parameters(system_), seed);
      if (!point) break;
      some = true;
      if (!on_listed(*point)) points.push_back(*point);
    }
    return some ? std::optional(points) : std::nullopt;
  }

  void judge_by_points(const Component& c, const Locus& shown) {
    const bool drawn = !c.leading.empty();  // otherwise what is found is found by chance
    const auto points = drawn ? points_beyond_listed(c) : std::nullopt;
    if (points && points->empty()) return;  // it says nothing new
    int other = 0;
    for (const SymbolMap& point : points.value_or(std::vector<SymbolMap>{})) {
      const auto side = side_at(point);
      if (side && *side == generic_ && other == 0) {
        open(fmt::format("within {} further parameters are not excluded", text(shown)));
        return;
      }
      if (!side || *side == Side::open || *side == generic_) break;
      ++other;
    }
    if (other == 0) {
      open(fmt::format("it is not decided where {}", text(shown)));
      return;
    }
    if (confirmed(c, points->front(), false)) found_.push_back({c, shown, points->front()});
  }

  /// What was found, or more: of the relations p = 0 and p = q at one of its points those that are not needed are dropped, one after the
  /// other. Axes that are equal are special, and the search may have come upon axes that are 0.
  void widen(Found& found) {
    const std::size_t count = found.component.equations.size();
    std::vector<ParameterRelation> kept = simple_relations(found.component.equations, found.point);
    if (count < 2 || kept.empty()) return;
    const bool within_found = holds_everywhere(found.component.equations, component_of(kept).solution);
    if (!within_found && !is_other_where(kept)) return;
    for (std::size_t k = 0; k < kept.size() && kept.size() > 1;) {
      std::vector<ParameterRelation> fewer = kept;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      if (is_other_where(fewer))
        kept = std::move(fewer);
      else
        ++k;
    }
    if (kept.size() >= count) return;
    Component wider = component_of(kept);
    if (const auto shown = tidied(wider.equations)) found = {std::move(wider), *shown, {}};
  }

  bool is_other_where(const std::vector<ParameterRelation>& relations) {
    return is_other_at(component_of(relations).solution);
  }

  /// Is the outcome the other one with these values put in?
  bool is_other_at(const SymbolMap& values) {
    try {
      const Again again = ask(substituted(system_, values));
      still_allowed();
      if (again.kind != Again::Kind::answered) return false;
      const Side side = side_of(again.answer);
      return side != Side::open && side != generic_;
    } catch (const OutOfDomain&) {
      return false;
    }
  }

  /// The outcome at numbers; nothing where there is no system.
  std::optional<Side> side_at(const SymbolMap& point) {
    try {
      const Again again = ask(substituted(system_, point));
      still_allowed();
      if (again.kind == Again::Kind::no_system) return std::nullopt;
      return again.kind == Again::Kind::answered ? side_of(again.answer) : Side::open;
    } catch (const OutOfDomain&) {
      return std::nullopt;
    }
  }

  /// With numbers the other outcome on the component, and the generic one beside it.
  bool confirmed(const Component& c, const SymbolMap& on, bool look_on) {
    if (look_on) {
      const auto there = side_at(on);
      if (there && *there == generic_) {
        open(fmt::format("at {} the outcome is the same again", text_of_point(system_, on)));
        return false;
      }
    }
    const auto beside = point_beside(c, on);
    if (!beside) return true;
    if (on_listed(*beside)) return true;
    const auto there = side_at(*beside);
    if (there && *there != Side::open && *there != generic_) other_beside_.push_back(*beside);
    return true;
  }

  /// A component that lies within another says nothing new.
  std::vector<Found> without_contained() const {
    std::vector<Found> kept;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const SymbolMap& here = found_[i].component.solution;
      bool within_another = false;
      for (std::size_t j = 0; j < found_.size() && !within_another && !here.empty(); ++j) {
        if (i == j || found_[j].component.equations.size() > found_[i].component.equations.size()) continue;
        within_another =
            std::ranges::all_of(found_[j].component.equations,
                                [&](Expr e) { return vanishes_at_random_points(substitute(e, here)); }) &&
            (found_[j].component.equations.size() < found_[i].component.equations.size() || j < i);
      }
      if (!within_another) kept.push_back(found_[i]);
    }
    return kept;
  }

  const System& system_;
  const Decide& decide_;
  Spent spent_;
  Side generic_;
  Answer& answer_;
  std::vector<Found> found_;
  std::vector<SymbolMap> other_beside_;  ///< points off a component, which may lie on one that is found later
  bool complete_ = true;
  std::string why_;
};

}  // namespace

bool asked_again() { return asking_again > 0; }

void add_exceptions(const System& system, const Decide& decide, const Dependence& dependence,
                    std::span<const Expr> nonzero, const Spent& spent, Answer& answer,
                    std::optional<std::chrono::duration<double>> time) {
  if (asked_again() || side_of(answer) == Side::open) return;
  if (free_parameters(system).empty()) {
    set_locus(answer, true, "");
  } else if (dependence.at_model_values) {
    answer.unless.clear();
    set_locus(answer, false, "the answer is about the parameter values of the model");
  } else {
    const std::vector<Expr> recorded(nonzero.begin(), nonzero.end());
    Dependence on = dependence;
    // A search that found nothing has proved nothing: what it depends on is not known, whatever was stated on its way.
    if (answer.outcome == Outcome::not_found) on.exhaustive = on.recorded = false;
    const NonzeroRecord aside;  // what is found nonzero from here on is no part of the decision
    Search(system, decide, spent, answer).run(on, recorded, time);
  }
}

bool locus_is_complete(const Answer& answer) {
  const Data* locus = answer.answer.find("locus");
  const Data* complete = locus == nullptr ? nullptr : locus->find("complete");
  const bool* yes = complete == nullptr ? nullptr : complete->get_if<bool>();
  return yes != nullptr && *yes;
}

std::string locus_gap(const Answer& answer) {
  const Data* locus = answer.answer.find("locus");
  const Data* why = locus == nullptr ? nullptr : locus->find("open");
  return why == nullptr || why->text() == nullptr ? std::string() : *why->text();
}

void set_locus(Answer& answer, bool complete, const std::string& gap) {
  answer.answer["locus"]["complete"] = complete;
  if (!complete) answer.answer["locus"]["open"] = gap;
}

}  // namespace rattleback
