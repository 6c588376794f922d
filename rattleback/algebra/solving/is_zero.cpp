#include <rattleback/algebra/solving/is_zero.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <unordered_map>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/degree.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/signs/ball.hpp>
#include <rattleback/algebra/signs/rounded.hpp>
#include <rattleback/algebra/solving/nonzero_record.hpp>

namespace rattleback {
namespace {

/// What points modulo the prime say.
struct ModularLook {
  int zeros = 0;
  std::optional<std::uint64_t> nonzero_seed;
};

ModularLook look_modular(const ModularProgram& program, int points, std::uint64_t seed) {
  constexpr std::uint64_t stride = 1'000'003;  // seeds of different points stay apart when some are redrawn
  ModularLook look;
  for (int k = 0; k < points; ++k) {
    const auto run = program.run_near(seed + stride * static_cast<std::uint64_t>(k));
    if (!run) break;
    if (!run->value().is_zero()) {
      look.nonzero_seed = run->point().seed();
      break;
    }
    ++look.zeros;
  }
  return look;
}

/// On each part of the variety: what vanishes on one part need not vanish on another.
void look_at_modular_parts(const ModularProgram& program, std::size_t each, ModularLook& look) {
  const auto& variety = Variety::current();
  if (!variety || look.nonzero_seed) return;
  for (const VarietyPart& part : variety->parts()) {
    std::size_t seen = 0;
    for (const std::uint64_t seed : part.modular) {
      if (seen == each) break;
      const auto run = program.run(ModularPoint(seed));
      if (!run) continue;
      ++seen;
      if (run->value().is_zero()) continue;
      look.nonzero_seed = seed;
      look.zeros = 0;
      return;
    }
  }
}

/// What real points say: a value that is certainly not 0, or how many points of the domain showed none.
struct RealLook {
  int real_points = 0;
  std::optional<std::pair<BallPoint, Ball>> nonzero;
};

/// Tries `draws` points and stops after `enough` of the domain. What is probably zero needs all bits at once.
RealLook look_real(Expr e, int draws, int enough, std::uint64_t seed, bool probably_zero) {
  RealLook look;
  for (int k = 0; k < draws && look.real_points < enough; ++k) {
    const BallPoint point(seed + static_cast<std::uint64_t>(k));
    // The first point looks closely; the others look elsewhere.
    const long most = look.real_points == 0 ? 1024 : 256;
    const auto value = probably_zero ? evaluate_ball(e, point, most) : evaluate_until_nonzero(e, point, most);
    if (!value) continue;
    ++look.real_points;
    if (!value->contains_zero()) {
      look.nonzero.emplace(point, *value);
      break;
    }
  }
  return look;
}

void look_at_real_parts(Expr e, std::size_t each, RealLook& look) {
  constexpr long bits = 256;
  const auto& variety = Variety::current();
  if (!variety || look.nonzero) return;
  for (const VarietyPart& part : variety->parts()) {
    std::size_t seen = 0;
    for (const std::uint64_t seed : part.real) {
      if (seen == each) break;
      const BallPoint point(seed);
      const auto value = evaluate_until_nonzero(e, point, bits);
      if (!value) continue;
      ++seen;
      ++look.real_points;
      if (value->contains_zero()) continue;
      look.nonzero.emplace(point, *value);
      return;
    }
  }
}

/// On parts of which no points modulo p were found.
bool is_nonzero_on_a_real_part(Expr e) {
  constexpr long bits = 256;
  const auto& variety = Variety::current();
  if (!variety) return false;
  return std::ranges::any_of(variety->parts(), [&](const VarietyPart& part) {
    return part.modular.empty() && std::ranges::any_of(part.real, [&](std::uint64_t seed) {
             const auto value = evaluate_until_nonzero(e, BallPoint(seed), bits);
             return value && !value->contains_zero();
           });
  });
}

/// 7/10 as 0.7; 1/3 stays.
std::string decimal_text(const Rational& r) {
  for (const int digits : {0, 1, 2, 3}) {
    const Rational shifted = r * power(Rational(10), digits);
    if (!shifted.is_integer()) continue;
    if (digits == 0) return r.text();
    const std::string whole = (r.sign() < 0 ? -shifted : shifted).text();
    const auto after = static_cast<std::size_t>(digits);
    const std::string padded = std::string(whole.size() <= after ? after + 1 - whole.size() : 0, '0') + whole;
    const std::size_t point = padded.size() - after;
    return (r.sign() < 0 ? "-" : "") + padded.substr(0, point) + "." + padded.substr(point);
  }
  return r.text();
}

/// On a variety its coordinates and parameters too, so that anyone can see that the point lies on it.
std::vector<Symbol> symbols_shown(Expr e) {
  std::vector<Expr> es{e};
  if (const auto& variety = Variety::current()) {
    const std::vector<Symbol> of_e = symbols_of(e);
    if (std::ranges::any_of(of_e, [&](Symbol s) { return variety->concerns(s); }))
      es.insert(es.end(), variety->relations().begin(), variety->relations().end());
  }
  std::vector<Symbol> shown = symbols_of(es);
  std::erase_if(shown, [](Symbol s) { return Expr(s) == pi(); });
  return shown;
}

/// A coordinate that was solved for is rounded to 15 digits.
std::string value_text(const BallPoint& point, Symbol s) {
  const Rational value = point.value(s);
  if (std::string exact = decimal_text(value); fits(exact, legible::value_at_a_point)) return exact;
  constexpr int digits = 15;
  std::array<char, 40> rounded{};
  std::snprintf(rounded.data(), rounded.size(), "%.*g", digits, value.to_double());
  return rounded.data();
}

Refuted real_refutation(Expr e, const BallPoint& point, const Ball& value) {
  Refuted no;
  for (const Symbol s : symbols_shown(e)) no.at.point.emplace_back(s, value_text(point, s));
  no.at.value = value.text();
  const Expr roots[] = {e};
  const Tape tape(roots);
  for (std::size_t i = 0; i < tape.size(); ++i) {
    if (tape.node(i).is(Kind::call) && tape.node(i).function().is_abstract()) {
      no.at.note = "with sums of exponentials for the abstract functions";
    }
  }
  return no;
}

Refuted modular_refutation(std::uint64_t seed) {
  Refuted no;
  no.at.value = "not 0 modulo " + std::to_string(modulus_of_numbers);
  no.at.note = "the random point of seed " + std::to_string(seed) + "; no real point was found";
  return no;
}

Undecided no_real_point() {
  return {"no real point was found at which the expression is defined",
          "check the signs under roots and logarithms, or declare symbols positive"};
}

Proved exactly(std::string method, Assumptions where) {
  Proved yes;
  yes.why.method = std::move(method);
  yes.where = std::move(where);
  return yes;
}

Proved at_random_points(int points, int bits) {
  Proved yes;
  yes.why.exact = false;
  yes.why.bits = points * bits;
  yes.why.method =
      "zero at " + std::to_string(points) + " random points modulo " + std::to_string(modulus_of_numbers);
  return yes;
}

ExactZero exact_answer(Expr e, const ZeroTest& how) {
  if (!how.want_exact) return {};
  try {
    const Budget effort(work_limits::zero);
    return exact_zero(e);
  } catch (const Exhausted& limit) {
    ExactZero unknown;
    unknown.obstacle = limit.what();
    return unknown;
  }
}

Undecided unexpressed(const std::string& obstacle) {
  return {"zero at every real point tried, but the exact field cannot express it" +
              (obstacle.empty() ? "" : ": " + obstacle),
          "give more time, or write the expression with fewer different functions"};
}

/// Numbers are not tested by random points: nothing about them is random.
bool is_number(Expr e) {
  return std::ranges::all_of(symbols_of(e), [](Symbol s) { return Expr(s) == pi(); });
}

Verdict decide(Expr e, const ZeroTest& how) {
  const ModularProgram program(e);
  const int bits = bits_per_point(e, program.roots());
  const int points = std::max(how.points, std::min(4 * how.points, 64 / bits));
  ModularLook modular = look_modular(program, points, how.seed);
  constexpr std::size_t on_a_part = 2;
  look_at_modular_parts(program, on_a_part, modular);
  const bool all_zero = modular.zeros == points && !is_number(e);

  // Real points know the signs of roots and the domain, and do not fall for coefficients divisible by the prime.
  const bool unclear = modular.zeros < points || program.is_restricted() || program.roots() > 0;
  constexpr int draws = search_limits::zero_at_real_points.count;
  const Draws enough = !unclear         ? search_limits::zero_with_clear_residues
                       : how.want_exact ? search_limits::zero_before_exactness
                                        : search_limits::zero_without_exactness;
  RealLook real = look_real(e, draws, static_cast<int>(enough.count), how.seed, all_zero);
  look_at_real_parts(e, on_a_part, real);
  if (real.nonzero) return real_refutation(e, real.nonzero->first, real.nonzero->second);
  if (real.real_points == 0) {
    if (modular.nonzero_seed && program.is_faithful()) return modular_refutation(*modular.nonzero_seed);
    return no_real_point();
  }

  const ExactZero exact = exact_answer(e, how);
  if (exact.answer == ExactAnswer::zero) return exactly("exact in " + exact.field, exact.assumptions);
  // Generators that are freer than the functions can make a zero look nonzero, never the other way round.
  if (all_zero && (program.roots() == 0 || exact.answer == ExactAnswer::unknown))
    return at_random_points(points, bits);
  if (exact.answer == ExactAnswer::nonzero) {
    return Undecided{"the branch of a root: zero for some signs of the roots and not for others",
                     "declare the symbols under roots positive, or square the claim"};
  }
  return unexpressed(exact.obstacle);
}

/// A verdict that was reached within its own limits, and what it cost.
struct Reached {
  ZeroTest how;
  std::uint64_t variety;  ///< on which it was reached
  Verdict verdict;
  Spent cost;
};

/// Different questions ask the same: of the same field, is it a symmetry?
std::vector<Reached>& reached_before(Expr e) {
  constexpr std::size_t most = search_limits::zero_tests.count;
  thread_local std::unordered_map<Expr, std::vector<Reached>> known;
  if (known.size() > most) known.clear();
  return known[e];
}

/// Nothing where a limit does not allow the work that it took: then the limit, now spent, decides what else can be said.
std::optional<Verdict> remembered(Expr e, const ZeroTest& how) {
  const std::vector<Reached>& before = reached_before(e);
  const auto same = std::ranges::find_if(
      before, [&](const Reached& r) { return r.how == how && r.variety == Variety::current_key(); });
  if (same == before.end()) return std::nullopt;
  try {
    same->cost.charge();
  } catch (const Exhausted&) {
    return std::nullopt;
  }
  return same->verdict;
}

/// The verdict, remembered or found now.
Verdict decided(Expr e, const ZeroTest& how) {
  Verdict verdict = Undecided{"", "give the computation more time or memory"};
  try {
    Budget::check();
    if (auto known = remembered(e, how)) return *std::move(known);
    const Spent before = Spent::so_far();
    verdict = decide(e, how);
    if (Budget::out_of_work() || Budget::out_of_steps()) return verdict;
    Budget::check();  // a result that a time limit cut short is not cached
    reached_before(e).push_back({how, Variety::current_key(), verdict, Spent::so_far().since(before)});
  } catch (const Exhausted& limit) {
    if (auto* open = std::get_if<Undecided>(&verdict); open != nullptr && open->obstacle.empty())
      open->obstacle = limit.what();
  }
  return verdict;
}

}  // namespace

Verdict is_zero(Expr e, const ZeroTest& how) {
  if (e.is_zero()) return exactly("zero as written", {});
  if (e.is(Kind::constant)) return Refuted{{{}, e.value().text(), ""}};
  Verdict verdict = decided(e, how);
  if (refuted(verdict)) NonzeroRecord::note(e);
  return verdict;
}

namespace {

/// Σ k_i e_i with random integers k_i: where it vanishes, all e_i vanish but for a chance of 2^-31. What they share is
/// then evaluated once for all of them.
Expr random_combination(std::span<const Expr> es, std::uint64_t seed) {
  std::mt19937_64 draw(seed);
  std::vector<Expr> terms;
  for (const Expr e : es) terms.push_back(Expr(static_cast<long>(1 + (draw() >> 33U))) * e);
  return sum(terms);
}

}  // namespace

Verdict is_zero(std::span<const Expr> es, const ZeroTest& how) {
  if (!how.want_exact && es.size() > 1) {
    Verdict all = is_zero(random_combination(es, how.seed), how);
    if (proved(all)) return all;  // otherwise one by one, to name the first
  }
  Proved all = exactly("zero as written", {});
  std::optional<Undecided> open;
  for (std::size_t k = 0; k < es.size(); ++k) {
    Verdict v = is_zero(es[k], how);
    if (auto* no = std::get_if<Refuted>(&v)) {
      if (es.size() > 1)
        no->at.note += (no->at.note.empty() ? "" : "; ") + ("entry " + std::to_string(k + 1));
      return v;
    }
    if (auto* maybe = std::get_if<Undecided>(&v)) {
      if (!open) open = std::move(*maybe);
      continue;
    }
    auto& yes = std::get<Proved>(v);
    if (es[k].is_zero()) continue;
    const bool weaker = !yes.why.exact && (all.why.exact || yes.why.bits < all.why.bits);
    if (weaker || (all.why.exact && yes.why.exact)) all.why = std::move(yes.why);
    for (Assumption& a : yes.where) {
      if (std::find(all.where.begin(), all.where.end(), a) == all.where.end())
        all.where.push_back(std::move(a));
    }
  }
  if (open) return *open;
  return all;
}

Verdict are_equal(Expr a, Expr b, const ZeroTest& how) { return is_zero(a - b, how); }

namespace {

bool looks_like_zero(Expr e, std::uint64_t seed) {
  constexpr int points = 2, draws = search_limits::quick_zero_at_real_points.count,
                enough = search_limits::quick_zero.count;
  const ModularProgram program(e);
  ModularLook modular = look_modular(program, points, seed);
  look_at_modular_parts(program, 1, modular);
  if (modular.nonzero_seed && program.is_faithful()) return false;
  if (!modular.nonzero_seed && modular.zeros == points && program.roots() == 0)
    return !is_nonzero_on_a_real_part(e);
  if (modular.nonzero_seed && evaluate_rounded(e, BallPoint(seed)).is_nonzero()) return false;
  // Roots: only a real point knows their signs.
  RealLook real = look_real(e, draws, enough, seed, !modular.nonzero_seed);
  look_at_real_parts(e, 1, real);
  if (real.nonzero) return false;
  return real.real_points > 0 || modular.zeros == points;  // without values anywhere it is no zero either
}

/// The look with the usual seed is remembered.
bool remembered_look(Expr e, std::uint64_t seed) {
  constexpr std::uint64_t usual = 1;
  constexpr std::size_t most = search_limits::quick_zero_tests.count;
  if (seed != usual) return looks_like_zero(e, seed);
  struct Look {
    bool zero;
    Spent cost;
  };
  thread_local std::unordered_map<std::uint64_t, std::unordered_map<Expr, Look>> known_on;
  std::unordered_map<Expr, Look>& known = known_on[Variety::current_key()];
  if (const auto look = known.find(e); look != known.end()) {
    look->second.cost.charge();
    return look->second.zero;
  }
  const Spent before = Spent::so_far();
  const bool zero = looks_like_zero(e, seed);
  if (known.size() > most) known.clear();
  known.emplace(e, Look{zero, Spent::so_far().since(before)});
  return zero;
}

}  // namespace

bool vanishes_at_random_points(Expr e, std::uint64_t seed) {
  if (e.is(Kind::constant)) return e.is_zero();
  const bool zero = !e.is(Kind::symbol) && remembered_look(e, seed);
  if (!zero) NonzeroRecord::note(e);
  return zero;
}

}  // namespace rattleback
