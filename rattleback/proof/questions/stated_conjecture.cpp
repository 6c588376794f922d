#include <rattleback/proof/questions/stated_conjecture.hpp>

#include <algorithm>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/placed.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/evidence/undefined_states.hpp>
#include <rattleback/proof/hamiltonian/multiplier_conjecture.hpp>
#include <rattleback/proof/measure/measure_conjecture.hpp>
#include <rattleback/proof/variational/hessian_conjecture.hpp>
#include <rattleback/proof/variational/lagrangian_conjecture.hpp>

namespace rattleback {
namespace {

/// The speeds that `derive` and `analyze` invent where the model names none, u1, u2, …, mean the same in a claim.
System with_speeds_named_in(const std::string& claim, System system) {
  if (!system.velocities.empty() || system.parametrization) return system;
  try {
    const Admissible D = admissible_velocities(system);
    const bool named = std::any_of(D.speeds.begin(), D.speeds.end(), [&](Symbol z) {
      return system.scope.find(z.name()) == nullptr && claim.find(z.name()) != std::string::npos;
    });
    for (int a = 0; named && a < D.rank(); ++a) {
      const auto k = static_cast<std::size_t>(a);
      system.velocities.push_back({D.speeds[k], D.definitions[k], {}});
      if (system.scope.find(D.speeds[k].name()) == nullptr)
        system.scope.define(D.speeds[k].name(), Expr(D.speeds[k]));
    }
  } catch (const Inapplicable&) {  // constraints that are not linear: no speeds are invented
  }
  return system;
}

Expr expression(const System& system, const std::string& text, const std::string& where) {
  return placed(where, [&] { return parse(text, system.scope); });
}

/// The same, where a matrix is needed.
Matrix matrix(const System& system, const std::string& text, const std::string& where) {
  const Value value = placed(where, [&] { return parse_value(text, system.scope); });
  if (const auto* m = std::get_if<Matrix>(&value)) return *m;
  return Matrix{{std::get<Expr>(value)}};
}

/// The space that a claim is about.
std::string space_of_claim(const std::string& kind) {
  if (kind == "integral-of" || kind == "symmetry") return "Q";
  if (kind == "lagrangian" || kind == "hessian") return "TQ";
  return kind == "multiplier" ? "D*/G" : "D";
}

Answer conjectured(const System& system, const std::string& kind, const std::string& claim,
                   const std::string& where);

/// What a text divides by and takes roots, logarithms and the like of, where this cancels, too: x/x is a function where x != 0.
void add_parts(const Syntax& text, const Scope& scope, std::vector<Expr>& parts) {
  for (const Syntax& child : text.children) add_parts(child, scope, parts);
  const auto scalar = [&](const Syntax& piece) {
    const Value value = evaluate(piece, scope);
    const Expr* e = std::get_if<Expr>(&value);
    return e == nullptr ? Expr(1) : *e;
  };
  switch (text.kind) {
    case Syntax::Kind::reciprocal: parts.push_back(pow(scalar(text.children[0]), -1)); break;
    case Syntax::Kind::call: parts.push_back(scalar(text)); break;
    case Syntax::Kind::power: {
      const Expr base = scalar(text.children[0]), exponent = scalar(text.children[1]);
      if (!exponent.is(Kind::constant))
        parts.push_back(log(base));
      else if (!exponent.value().is_integer())
        parts.push_back(pow(base, Expr(Rational(1, 2))));
      else if (exponent.value().sign() < 0)
        parts.push_back(pow(base, -1));
      break;
    }
    default: break;
  }
}

/// The functions of which a claim speaks. Measures and multipliers see to their own zeros and poles.
std::vector<Expr> functions_of_claim(const System& system, const std::string& kind, const std::string& claim,
                                     const std::string& where) {
  if (kind == "conserved" || kind == "zero" || kind == "integral-of") {
    std::vector<Expr> all{expression(system, claim, where)};
    add_parts(parse_syntax(claim), system.scope, all);
    return all;
  }
  if (kind == "symmetry") {
    const VectorField field = field_of_conjecture(system, claim);
    return {field.coefficients().begin(), field.coefficients().end()};
  }
  if (kind != "lagrangian") return {};
  std::vector<Expr> slopes = gradient(expression(system, claim, where), system.space.velocities());
  slopes.push_back(expression(system, claim, where));
  return slopes;
}

/// The claim is about states at which its functions have no pole and are real. Functions that constraints keep constant are so where these are
/// independent, a field may carry the places where they are not elsewhere, and a Lagrangian determines the motion where its Hessian does.
void restrict_to_claim(const System& system, const std::string& kind, const std::string& claim,
                       const std::string& where, Data& answer) {
  for (const Expr f : functions_of_claim(system, kind, claim, where)) {
    std::vector<Symbol> velocities = symbols_of(f);
    std::erase_if(velocities, [](Symbol s) { return s.role() != Role::velocity; });
    restrict_to_witness(system, velocities, f, false, answer);
  }
  if (kind == "measure") {  // sees to its own zeros and poles, not to where it is real
    for (const WitnessCondition& c : limits_of_witness(system, {}, expression(system, claim, where), false)) {
      if (c.positive) restrict_domain(answer, {fmt::format("{} > 0", text(c.e))});
    }
  }
  if (kind == "integral-of") restrict_domain(answer, independence_conditions(system));
  if (kind == "symmetry")
    restrict_domain(answer, independence_conditions(system, {field_of_conjecture(system, claim)}));
  const Data* regular = answer.find("regular");
  const bool* is_regular = regular == nullptr ? nullptr : regular->get_if<bool>();
  if (kind == "lagrangian" && is_regular != nullptr && *is_regular) {
    const auto v = system.space.velocities();
    const Matrix H = jacobian(gradient(expression(system, claim, where), v), v);
    restrict_to_witness(system, {v.begin(), v.end()}, determinant(H), true, answer);
  }
}

}  // namespace

const std::vector<std::string>& kinds_of_claims() {
  static const std::vector<std::string> kinds{"conserved",  "zero",        "measure",
                                              "multiplier", "lagrangian",  "hessian",
                                              "symmetry",   "integral-of", "agrees"};
  return kinds;
}

Answer stated_conjecture(const System& model, const std::string& kind, const std::string& claim,
                         const std::string& where) {
  const System system = with_speeds_named_in(claim, model);
  Answer a = conjectured(system, kind, claim, where);
  if (a.outcome == Outcome::proved) restrict_to_claim(system, kind, claim, where, a.answer);
  if (a.decided()) locate(system, space_of_claim(kind), a.answer);
  return a;
}

namespace {

Answer conjectured(const System& system, const std::string& kind, const std::string& claim,
                   const std::string& where) {
  const auto scalar = [&] { return expression(system, claim, where); };
  if (kind == "conserved") return conserved_conjecture(system, scalar());
  if (kind == "zero") return zero_conjecture(system, scalar());
  if (kind == "measure") return measure_conjecture(system, scalar());
  if (kind == "integral-of") return integral_conjecture(system, scalar());
  if (kind == "lagrangian") return lagrangian_conjecture(system, scalar());
  if (kind == "hessian") return hessian_conjecture(system, matrix(system, claim, where));
  if (kind == "multiplier") return multiplier_conjecture(system, scalar());
  if (kind == "symmetry") return symmetry_conjecture(system, field_of_conjecture(system, claim));
  Place place;
  place.file = where;
  if (kind != "agrees")
    throw Error("usage", fmt::format("`{}` is no kind of claim", kind), "",
                fmt::format("choose from {}", fmt::join(kinds_of_claims(), ", ")))
        .at(place);
  std::string words = claim;
  std::ranges::replace(words, ',', ' ');
  std::istringstream in(words);
  const std::vector<std::string> forms{std::istream_iterator<std::string>(in), {}};
  if (forms.size() != 2)
    throw Error("usage", "--agrees needs two forms", "", "write --agrees hamel gibbs-appell").at(place);
  return agreement_conjecture(system, forms[0], forms[1]);
}

}  // namespace

}  // namespace rattleback
