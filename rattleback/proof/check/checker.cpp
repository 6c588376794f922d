#include <rattleback/proof/check/checker.hpp>

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/modular/variety_points.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/agreement_claim.hpp>
#include <rattleback/proof/check/claimed_fields.hpp>
#include <rattleback/proof/check/claimed_positions.hpp>
#include <rattleback/proof/check/claimed_state.hpp>
#include <rattleback/proof/check/claimed_system.hpp>
#include <rattleback/proof/check/control_claim.hpp>
#include <rattleback/proof/check/gauge_claim.hpp>
#include <rattleback/proof/check/growth_claim.hpp>
#include <rattleback/proof/check/hamiltonian_claims.hpp>
#include <rattleback/proof/check/jacobi_claim.hpp>
#include <rattleback/proof/check/motion_claims.hpp>
#include <rattleback/proof/check/no_integral_claim.hpp>
#include <rattleback/proof/check/no_measure_claim.hpp>
#include <rattleback/proof/check/refutation_claims.hpp>
#include <rattleback/proof/check/steady_claim.hpp>
#include <rattleback/proof/check/symmetry_claims.hpp>

namespace rattleback {
namespace {

/// X_i X_j f − X_j X_i f − C_ij^k X_k f for i < j and every f.
std::vector<Expr> bracket_residuals(const ClaimedSystem& claim) {
  const int n = static_cast<int>(claim.frame.size());
  std::map<std::pair<int, int>, std::vector<ClaimedSystem::Coefficient>> of_pair;
  for (const auto& c : claim.structure) of_pair[{c.i, c.j}].push_back(c);
  const auto leg = [&](int i) -> const SymbolMap& { return claim.frame[static_cast<std::size_t>(i)]; };
  std::vector<Expr> residuals;
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      for (const Symbol f : claim.functions) {
        Expr r = derivative_along(leg(j).at(f), leg(i)) - derivative_along(leg(i).at(f), leg(j));
        if (const auto found = of_pair.find({i, j}); found != of_pair.end()) {
          for (const auto& c : found->second) r -= c.value * leg(c.k).at(f);
        }
        if (!r.is_zero()) residuals.push_back(r);
      }
    }
  }
  return residuals;
}

/// X_i of BᵀB and det B: rotation matrices stay rotation matrices.
std::vector<Expr> tangency_residuals(const ClaimedSystem& claim) {
  std::vector<Expr> residuals;
  for (const Expr relation : relations(claim)) {
    for (const SymbolMap& leg : claim.frame) residuals.push_back(derivative_along(relation, leg));
  }
  return residuals;
}

/// How many of the functions are independent: nine entries of a rotation matrix have six relations.
int independent_functions(const ClaimedSystem& claim) {
  const auto entries =
      std::ranges::count_if(claim.functions, [](Symbol f) { return f.role() == Role::rotation; });
  return static_cast<int>(claim.functions.size()) - static_cast<int>(entries / 9 * 6);
}

/// The legs that move functions are independent, and together they move every function: none of them is a constant by omission.
Verdict full_frame(const ClaimedSystem& claim) {
  Matrix images(static_cast<int>(claim.frame.size()), static_cast<int>(claim.functions.size()));
  int moving = 0;
  for (int i = 0; i < images.rows(); ++i) {
    bool moves = false;
    for (int k = 0; k < images.columns(); ++k) {
      images(i, k) =
          claim.frame[static_cast<std::size_t>(i)].at(claim.functions[static_cast<std::size_t>(k)]);
      moves = moves || !images(i, k).is_zero();
    }
    moving += moves ? 1 : 0;
  }
  return at_least(rank(images).value, std::max(moving, independent_functions(claim)),
                  "the rank of the frame");
}

Matrix on_admissible(Matrix a, const ClaimedSystem& claim) {
  for (Expr& entry : a.entries()) entry = substitute(entry, claim.psi);
  return a;
}

/// rank ∂ψ/∂z + rank ∂C/∂v = n: the speeds reach every velocity that the constraints leave.
Verdict all_admissible(const ClaimedSystem& claim) {
  const int free = rank(jacobian(claim.admissible, claim.speeds)).value;
  const int bound = rank(on_admissible(jacobian(claim.constraints, claim.velocities), claim)).value;
  return at_least(free + bound, static_cast<int>(claim.velocities.size()), "the ranks of ∂ψ/∂z and ∂C/∂v");
}

/// (∂²L/∂v^i∂v^j) ∂ψ^i/∂z^α ∂ψ^j/∂z^β is regular. So is then ∂ψ/∂z: no speed is idle.
Verdict one_motion(const ClaimedSystem& claim) {
  const Matrix metric =
      on_admissible(jacobian(gradient(claim.lagrangian, claim.velocities), claim.velocities), claim);
  const Matrix direction = jacobian(claim.admissible, claim.speeds);
  return at_least(rank(transpose(direction) * metric * direction).value,
                  static_cast<int>(claim.speeds.size()), "the rank of the metric on D");
}

/// (M.8), one for each speed.
std::vector<Expr> dalembert_residuals(const ClaimedSystem& claim) {
  const std::vector<Expr> p = substitute(gradient(claim.lagrangian, claim.velocities), claim.psi);
  const std::size_t n = claim.velocities.size();
  std::vector<Expr> force;
  for (std::size_t i = 0; i < n; ++i) {
    const Expr along_leg = substitute(derivative_along(claim.lagrangian, claim.frame[i]), claim.psi);
    force.push_back(derivative_along(p[i], claim.motion) - along_leg -
                    substitute(claim.forces[i], claim.psi));
  }
  for (const auto& [i, l, m, value] : claim.structure) {
    force[static_cast<std::size_t>(i)] +=
        value * claim.admissible[static_cast<std::size_t>(l)] * p[static_cast<std::size_t>(m)];
  }
  std::vector<Expr> residuals;
  for (const Symbol z : claim.speeds) {
    std::vector<Expr> terms{Expr(0)};
    for (std::size_t i = 0; i < n; ++i) terms.push_back(force[i] * derivative(claim.admissible[i], z));
    residuals.push_back(sum(terms));
  }
  return residuals;
}

/// rank ∂C/∂v is what is stated: no less by a minor, no more because the speeds satisfy the constraints.
std::vector<CheckedStep> regular_steps(const ClaimedSystem& claim, const Data& certificate) {
  const int asked = number_field(certificate, "rank"), n = static_cast<int>(claim.velocities.size());
  const int bound = rank(on_admissible(jacobian(claim.constraints, claim.velocities), claim)).value,
            free = rank(jacobian(claim.admissible, claim.speeds)).value;
  return {{"the constraints have the rank stated", at_least(bound, asked, "the rank of ∂C/∂v")},
          {"and no larger one", at_least(free + asked, n, "the rank of ∂ψ/∂z with it")},
          {"the Lagrangian is regular on the constraint", one_motion(claim)}};
}

/// Which verdict a claim is evidence for. A denial supports `refuted`, and `not found` where more was asked than is denied; examples support
/// `proved`, and `undecided` where it is open whether there are more.
enum class Supports : std::uint8_t { proved, denial, either, examples };

bool supports(Supports kind, const std::string& verdict) {
  const bool yes = verdict == "proved", no = verdict == "refuted" || verdict == "not found";
  switch (kind) {
    case Supports::proved: return yes;
    case Supports::denial: return no;
    case Supports::either: return yes || no;
    case Supports::examples: return yes || verdict == "undecided";
  }
  return false;
}

/// A kind of certificate: what it claims in words, unless its formulas say it, and how that is recomputed.
struct ClaimKind {
  const char* name;
  const char* claim;
  std::vector<CheckedStep> (*steps)(const ClaimedSystem&, const Data&);
  const char* questions;  ///< that it answers
  bool of_motion = true;  ///< false: about the constraints and L alone; the certificate states no motion
  Supports supports = Supports::proved;
  std::vector<std::string> (*stated)(const Data&) = nullptr;  ///< more lines of what it claims
};

const ClaimKind& kind_of(const Data& certificate) {
  constexpr auto denial = Supports::denial, either = Supports::either;
  static const std::vector<ClaimKind> kinds{
      {"conserved", "", constant_steps, "energy momenta integrals conserved integral-of"},
      {"energy", "the energy is constant: the reactions do no work, and neither forces nor time change it",
       energy_steps, "energy", false},
      {"not-conserved", "the function is not constant along the motion", not_constant_steps,
       "energy conserved integral-of", true, denial},
      {"no-integrals", "no combination of the products stated is constant but functions of the energy",
       no_integral_steps, "integrals", true, denial, no_integral_stated},
      {"zero", "the function vanishes on the constraint", zero_steps, "zero"},
      {"not-zero", "the function does not vanish on the constraint", not_zero_steps, "zero", true, denial},
      {"invariant-measure", "", density_steps, "invariant-measure measure"},
      {"agreement", "the forms of the equations describe one motion", agreement_steps, "agrees", true,
       Supports::proved, agreement_stated},
      {"not-a-density", "the density is not invariant", not_a_density_steps, "measure", true, denial},
      {"no-invariant-measure", "no density of the configuration is invariant", no_measure_steps,
       "invariant-measure", true, denial},
      {"regular", "the Lagrangian determines the motion on the constraint", regular_steps, "regularity",
       false},
      {"symmetries", "the fields are symmetries", symmetry_steps, "symmetries symmetry", false},
      {"not-a-symmetry", "the fields are not symmetries", not_a_symmetry_steps, "symmetry", false, denial},
      {"no-symmetries", "no vector field is a symmetry", no_symmetry_steps, "symmetries momenta", false,
       denial},
      {"gauge-momenta", "so many combinations of momenta of the symmetries are conserved", gauge_steps,
       "momenta", true, either, gauge_stated},
      {"holonomic", "the constraints are holonomic", holonomic_steps, "integrability", false},
      {"nonholonomic", "the constraints are not holonomic", nonholonomic_steps, "integrability", false,
       denial},
      {"steady-motions", "the families are steady motions, with these eigenvalues", steady_steps,
       "equilibria", true, Supports::examples, steady_stated},
      {"jacobi", "the bracket of the motion is Poisson, or is not, as follows", jacobi_steps, "jacobi", false,
       either, jacobi_stated},
      {"chaplygin-multiplier", "", hamiltonian_steps, "chaplygin-multiplier multiplier"},
      {"routh-hamiltonization", "", hamiltonian_steps, "routh-hamiltonization"},
      {"suslov-hamiltonization", "", lie_poisson_steps, "suslov-hamiltonization"},
      {"inverse-problem", "", lagrangian_steps, "inverse-problem lagrangian hessian"},
      {"conditionally-variational", "", variational_steps, "conditionally-variational optimal-control"},
      {"optimal-control", "", control_steps, "optimal-control"},
      {"no-chaplygin-multiplier", "no multiplier makes the motion Hamiltonian, under the groups named",
       no_multiplier_steps, "chaplygin-multiplier multiplier", true, denial},
      {"no-routh-hamiltonization",
       "with the momenta of the fields named fixed, no multiplier makes the motion Hamiltonian",
       no_routh_steps, "routh-hamiltonization", true, denial},
      {"no-suslov-hamiltonization", "the projected bracket is not a Lie bracket", no_lie_bracket_steps,
       "suslov-hamiltonization", true, denial},
      {"no-lagrangian", "no second-order system of those stated has a regular Lagrangian",
       no_lagrangian_steps, "inverse-problem", true, denial},
      {"not-conditionally-variational", "along a general motion no multipliers make it variational",
       not_variational_steps, "conditionally-variational optimal-control", true, denial},
      {"no-optimal-control",
       "along a general motion no multipliers make it variational, and no second-order system of those "
       "stated decouples",
       no_control_steps, "optimal-control", true, denial}};
  const std::string& name = text_field(certificate, "certificate");
  for (const ClaimKind& kind : kinds) {
    if (name == kind.name) return kind;
  }
  bad_certificate(fmt::format("certificates of kind `{}` are not known", name));
}

/// True when one of the words of a list is this one.
bool lists(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

/// Does a claim that may go either way show the statement? Nothing where it is open what it shows: that no gauge momenta are left
/// denies them, and other momenta may be conserved.
std::optional<bool> shows_statement(const Data& certificate) {
  const std::string& name = text_field(certificate, "certificate");
  if (name == "gauge-momenta" && number_field(certificate, "gauge_count") > 0) return true;
  if (name != "jacobi") return std::nullopt;
  const Data* holds = certificate.find("holds");
  if (holds == nullptr) {  // an algebra without its group: its one quotient
    const Data::List& reductions = list_field(certificate, "reductions");
    holds = reductions.empty() ? nullptr : reductions.front().find("holds");
  }
  const bool* yes = holds == nullptr ? nullptr : holds->get_if<bool>();
  return yes == nullptr ? std::nullopt : std::optional(*yes);
}

/// The verdict that a certificate says it stands for is one that its claim supports, of a question that the claim answers.
void require_fitting_answer(const Data& certificate, const ClaimKind& kind) {
  if (certificate.find("verdict") != nullptr) {
    const std::string& verdict = text_field(certificate, "verdict");
    if (!supports(kind.supports, verdict))
      bad_certificate(fmt::format("a certificate of kind `{}` is no evidence for `{}`", kind.name, verdict));
    if (const auto shown = shows_statement(certificate); shown && *shown != (verdict == "proved"))
      bad_certificate(fmt::format("what it states is the contrary of `{}`", verdict));
  }
  if (certificate.find("question") == nullptr) return;
  const std::string& question = text_field(certificate, "question");
  if (!lists(kind.questions, question))
    bad_certificate(fmt::format("a certificate of kind `{}` does not answer `{}`", kind.name, question));
  if (question == "energy" && certificate.find("quantity") == nullptr)
    bad_certificate("the function is not said to be the energy");
}

Positions needed_positions(const ClaimKind& kind) {
  // Brackets of fields that are tangent to N at its points are those of their restrictions to N; brackets of functions on D* and their
  // Jacobi identity are made of such fields. What steady motions say of neighbours is checked with them.
  const bool of_points =
      std::ranges::any_of(std::array{constant_steps, not_constant_steps, regular_steps, holonomic_steps,
                                     nonholonomic_steps, jacobi_steps, steady_steps},
                          [&](auto steps) { return kind.steps == steps; });
  return of_points ? Positions::on_n : Positions::near_n;
}

}  // namespace

std::vector<CheckedStep> check_certificate(const Data& certificate) {
  const ClaimedSystem claim = claimed_system(certificate);
  const std::vector<Expr> positions = claimed_positions(claim, certificate);
  const OnVariety here(variety_of(positions));
  const ClaimKind& kind = kind_of(certificate);
  if (kind.of_motion != claim.moves)
    bad_certificate("it states no motion where one is needed, or one that is not");
  require_fitting_answer(certificate, kind);
  std::vector<Expr> structure = bracket_residuals(claim);
  for (const auto& more : {jacobi_residuals(claim.structure, claim.frame), tangency_residuals(claim)})
    structure.insert(structure.end(), more.begin(), more.end());
  std::vector<CheckedStep> steps{{"the brackets of the frame are as stated", is_zero(structure)},
                                 {"the frame moves every function of the configuration", full_frame(claim)},
                                 {"the admissible velocities satisfy the constraints",
                                  is_zero(substitute(claim.constraints, claim.psi))},
                                 {"they are all that do", all_admissible(claim)}};
  if (!positions.empty())
    steps.push_back(
        {"they keep the position constraints", keeps_positions(claim, positions, needed_positions(kind))});
  if (claim.moves) {
    steps.push_back({"the motion obeys d'Alembert's principle", is_zero(dalembert_residuals(claim))});
    steps.push_back({"it is the only one", one_motion(claim)});
  }
  for (CheckedStep& step : kind.steps(claim, certificate)) steps.push_back(std::move(step));
  return steps;
}

namespace {

/// "a, b, c" of a list of formulas.
std::string listed(const Data& formulas) {
  if (formulas.list() == nullptr) bad_certificate("a list of formulas is missing in the certificate");
  std::string all;
  for (const Data& e : *formulas.list()) {
    if (e.text() == nullptr) bad_certificate("a formula is missing in the certificate");
    all += (all.empty() ? "" : ", ") + *e.text();
  }
  return all;
}

/// The claim in words, and the groups and systems that it is about.
std::vector<std::string> claimed_in(const Data& certificate) {
  std::vector<std::string> lines;
  const ClaimKind& kind = kind_of(certificate);
  if (*kind.claim != '\0') lines.push_back(fmt::format("claim: {}", kind.claim));
  if (kind.stated != nullptr) {
    for (std::string& line : kind.stated(certificate)) lines.push_back(std::move(line));
  }
  const Data* groups = certificate.find("groups");
  if (groups != nullptr && groups->list() != nullptr) {
    for (const Data& g : *groups->list()) {
      lines.push_back(fmt::format("group: {}", text_field(g, "group")));
      if (g.find("fields") == nullptr) continue;
      for (const Data& field : list_field(g, "fields"))
        lines.push_back(fmt::format("field of a fixed momentum: {}", listed(field)));
    }
  }
  if (const Data* ranks = certificate.find("ranks"); ranks != nullptr && ranks->list() != nullptr) {
    std::string all;
    for (const Data& r : *ranks->list()) all += fmt::format("{}{}", all.empty() ? "" : ", ", number_of(r));
    const ClaimedSystem claim = claimed_system(certificate);
    const bool drifts = legs_of_D(claim).size() > claim.speeds.size();
    lines.push_back(fmt::format("growth vector{}: {}", drifts ? ", time included" : "", all));
  }
  const Data* systems = certificate.find("systems");
  if (systems == nullptr || systems->list() == nullptr) return lines;
  for (const Data& s : *systems->list()) {
    const Data* f = s.find("accelerations");
    if (f == nullptr) bad_certificate("a second-order system has no accelerations");
    lines.push_back(fmt::format("accelerations of type {}: {}", text_field(s, "type"), listed(*f)));
  }
  return lines;
}

/// "field: x' = -y, y' = x".
std::string field_stated(const ClaimedSystem& claim, const Data& field) {
  std::string all;
  for (std::size_t i = 0; field.list() != nullptr && i < field.list()->size(); ++i) {
    const std::string* value = (*field.list())[i].text();
    if (value == nullptr || i >= claim.velocities.size()) bad_certificate("a field does not fit the frame");
    if (*value == "0") continue;
    all += fmt::format("{}{} = {}", all.empty() ? "" : ", ", claim.velocities[i].name(), *value);
  }
  return "field: " + all;
}

}  // namespace

bool is_confirmed_exactly(const Data& certificate) {
  if (certificate.is_null()) return false;
  try {
    const Budget budget(work_limits::checking);
    const std::vector<CheckedStep> steps = check_certificate(certificate);
    return std::all_of(steps.begin(), steps.end(), [](const CheckedStep& step) {
      const auto* yes = std::get_if<Proved>(&step.verdict);
      return yes != nullptr && yes->why.exact;
    });
  } catch (const Exhausted&) {
    Budget::check();
    return false;
  }
}

std::vector<std::string> stated_in(const Data& certificate) {
  const ClaimedSystem claim = claimed_system(certificate);
  const auto names = [](const std::vector<Symbol>& symbols) {
    std::string s;
    for (const Symbol symbol : symbols) s += (s.empty() ? "" : ", ") + symbol.name();
    return s;
  };
  std::vector<std::string> lines = claimed_in(certificate);
  constexpr std::array<std::pair<const char*, const char*>, 7> claims{
      {{"scope", "excluded"},
       {"condition", "to vanish"},
       {"function", "function"},
       {"density", "density"},
       {"multiplier", "multiplier"},
       {"unconstrained", "free of constraints"},
       {"cost", "cost"}}};
  for (const auto& [key, what] : claims) {
    if (certificate.find(key) != nullptr)
      lines.push_back(fmt::format("{}: {}", what, text_field(certificate, key)));
  }
  for (const auto& [key, what] :
       {std::pair("multipliers", "multiplier of a constraint"), std::pair("momenta", "momentum"),
        std::pair("circles", "angle on a circle"), std::pair("constants", "function"),
        std::pair("integrals", "integral"), std::pair("driven", "controlled rate")}) {
    const Data* all = certificate.find(key);
    if (all == nullptr || all->list() == nullptr) continue;
    for (const Data& item : *all->list()) {
      if (item.text() == nullptr) bad_certificate("a formula is missing in the certificate");
      lines.push_back(fmt::format("{}: {}", what, *item.text()));
    }
  }
  if (const Data* fields = certificate.find("fields"); fields != nullptr && fields->list() != nullptr) {
    for (const Data& field : *fields->list()) lines.push_back(field_stated(claim, field));
  }
  lines.insert(lines.end(), {fmt::format("configuration: {}", names(claim.functions)),
                             fmt::format("speeds: {}", names(claim.speeds)),
                             fmt::format("Lagrangian: {}", text_field(certificate, "lagrangian"))});
  for (const Data& c : *certificate.find("constraints")->list())
    lines.push_back("constraint: " + *c.text() + " = 0");
  for (const Expr e : claimed_positions(claim, certificate))
    lines.push_back(fmt::format("position constraint: {} = 0", text(e)));
  const Data::List& forces = *certificate.find("forces")->list();
  for (std::size_t i = 0; i < forces.size(); ++i) {
    if (!claim.forces[i].is_zero())
      lines.push_back(fmt::format("force along {}: {}", claim.velocities[i].name(), *forces[i].text()));
  }
  return lines;
}

}  // namespace rattleback
