#include <rattleback/proof/coq/coq_system.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>
#include <rattleback/proof/check/claimed_positions.hpp>
#include <rattleback/proof/coq/coq_positions.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Matrix shortened(Matrix m) {
  for (Expr& e : m.entries()) e = short_form(e);
  return m;
}

/// The next combination of rows, in lexicographic order; false after the last.
bool advance(std::vector<int>& rows, int n) {
  const int m = static_cast<int>(rows.size());
  for (int k = m - 1; k >= 0; --k) {
    if (rows[at(k)] >= n - m + k) continue;
    ++rows[at(k)];
    for (int j = k + 1; j < m; ++j) rows[at(j)] = rows[at(j - 1)] + 1;
    return true;
  }
  return false;
}

std::size_t length_of(const Matrix& m) {
  std::size_t all = 0;
  for (const Expr e : m.entries()) all += text(e).size();
  return all;
}

/// G without row i and column j.
Matrix minor_of(const Matrix& G, int i, int j) {
  std::vector<int> rows, columns;
  for (int k = 0; k < G.rows(); ++k) {
    if (k != i) rows.push_back(k);
    if (k != j) columns.push_back(k);
  }
  return columns_of(rows_of(G, rows), columns);
}

/// (PᵀP)⁻¹Pᵀ, its inverse as an exact fraction or by Cramer's rule over one determinant that is not multiplied out, whichever is shorter.
Matrix least_squares(const Matrix& P) {
  const Matrix G = shortened(transpose(P) * P), by_elimination = shortened(inverse(G).x * transpose(P));
  const int m = G.rows();
  constexpr int small = 3;  // a larger determinant is too long when it is not multiplied out
  if (m > small) return by_elimination;
  const Expr det = short_form(determinant(G));
  Matrix adjugate(m, m);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      const Expr minor = m == 1 ? Expr(1) : short_form(determinant(minor_of(G, j, i)));
      adjugate(i, j) = (i + j) % 2 == 0 ? minor : -minor;
    }
  }
  Matrix by_minors = shortened(adjugate * transpose(P));
  for (Expr& e : by_minors.entries()) e = e / det;
  return length_of(by_minors) < length_of(by_elimination) ? by_minors : by_elimination;
}

/// L with L P = 1: from rows whose determinant is a number, so that nothing is divided by; otherwise (PᵀP)⁻¹Pᵀ, whose
/// determinant does not vanish where P has full rank.
Matrix left_inverse(const Matrix& P) {
  const int n = P.rows(), m = P.columns();
  Matrix L(m, n);
  if (m == 0) return L;
  std::vector<int> rows;
  for (int k = 0; k < m; ++k) rows.push_back(k);
  constexpr int most = search_limits::independent_rows.count;
  for (int tries = 0; tries < most; ++tries) {
    const Matrix some = rows_of(P, rows);
    const Expr det = short_form(determinant(some));
    if (det.is(Kind::constant) && !det.is_zero()) {
      const Matrix inverted = shortened(inverse(some).x);
      for (int a = 0; a < m; ++a) {
        for (int k = 0; k < m; ++k) L(a, rows[at(k)]) = inverted(a, k);
      }
      return L;
    }
    if (!advance(rows, n)) break;
  }
  return least_squares(P);
}

}  // namespace

CoqElimination coq_elimination(const ClaimedSystem& claim) {
  CoqElimination x;
  x.A = jacobian(claim.constraints, claim.velocities);
  for (const Symbol v : claim.velocities) {
    for (const Expr e : derivative(x.A, v).entries()) {
      if (!vanishes_at_random_points(e))
        throw NoCoqForm("no-coq-form", "the constraints are not linear in the velocities",
                        "the Coq kernel solves linear constraints only",
                        "check the certificate with `rattleback prove MODEL --certificate FILE`");
    }
  }
  SymbolMap rest;
  for (const Symbol z : claim.speeds) rest.emplace(z, Expr(0));
  const Matrix Psi = directions(claim);
  const Matrix L = left_inverse(Psi);
  Matrix offset(static_cast<int>(claim.velocities.size()), 1);
  for (int i = 0; i < offset.rows(); ++i)
    offset[i] = Expr(claim.velocities[at(i)]) - substitute(claim.admissible[at(i)], rest);
  const Matrix Z = L * offset;
  for (int a = 0; a < Z.rows(); ++a) {
    x.speeds.push_back(short_form(Z[a]));
    if (x.speeds.back() != Expr(claim.speeds[at(a)]))
      x.in_velocities.emplace(claim.speeds[at(a)], x.speeds.back());
  }
  for (const Expr psi : claim.admissible) x.solved.push_back(short_form(substitute(psi, x.in_velocities)));
  x.right_inverse = transpose(left_inverse(transpose(x.A)));
  // (1 − Ψ L) A⁺, which is A⁺ where both are least squares.
  const Matrix LA = L * x.right_inverse;
  const bool orthogonal =
      std::ranges::all_of(LA.entries(), [](Expr e) { return vanishes_at_random_points(e); });
  x.rows = orthogonal ? x.right_inverse : shortened(x.right_inverse - Psi * LA);
  return x;
}

CoqSystem::CoqSystem(const ClaimedSystem& claim, bool eliminate, SymbolMap fixed)
    : claim_(&claim), eliminate_(eliminate), fixed_(fixed.begin(), fixed.end()), printer_(names_) {
  const std::span<const Expr> positions = positions_of_check();
  positions_.assign(positions.begin(), positions.end());
  std::ranges::sort(fixed_, {}, [](const auto& pair) { return pair.first.name(); });
  names_.number(Symbol::make("t", {.role = Role::time}));
  std::vector<Expr> all{claim.lagrangian};
  for (const auto* list :
       {&claim.constraints, &claim.forces, &claim.admissible, &claim.speed_rates, &std::as_const(positions_)})
    all.insert(all.end(), list->begin(), list->end());
  for (const SymbolMap& leg : claim.frame) {
    for (const auto& [f, image] : leg) all.push_back(image);
  }
  for (const auto& c : claim.structure) all.push_back(c.value);
  for (const Symbol s : symbols_of(all)) {
    if (s.role() == Role::parameter || s.role() == Role::plain || s.role() == Role::constant)
      names_.number(s);
  }
  for (const auto* list : {&claim.functions, &claim.velocities}) {
    for (const Symbol s : *list) names_.number(s);
  }
  for (const Symbol v : claim.velocities) {
    accelerations_.push_back(Symbol::make(v.name() + "'", {.role = Role::acceleration}));
    names_.number(accelerations_.back());
  }
  for (std::size_t s = 0; s < claim.constraints.size(); ++s) {
    multipliers_.push_back(Symbol::make(fmt::format("lambda{}", s + 1), {.role = Role::multiplier}));
    names_.number(multipliers_.back());
  }
  for (const Symbol z : claim.speeds) names_.number(z);
  system_ = system_text();
  solved_ = "Definition solved : Kernel.elimination := {| Kernel.solved := []; Kernel.rows := [] |}.\n";
  if (!eliminate || claim.constraints.empty()) return;
  const CoqElimination x = coq_elimination(claim);
  std::string pairs, rows;
  for (std::size_t i = 0; i < claim.velocities.size(); ++i) {
    if (x.solved[i] == Expr(claim.velocities[i])) continue;
    std::vector<Expr> row;
    for (int s = 0; s < x.rows.columns(); ++s) row.push_back(x.rows(static_cast<int>(i), s));
    pairs += fmt::format("{}({}%positive, {})", pairs.empty() ? "" : ";\n    ", number(claim.velocities[i]),
                         formula(x.solved[i]));
    rows += fmt::format("{}{}", rows.empty() ? "" : ";\n    ", formulas(row));
  }
  solved_ = fmt::format(
      "(* On the constraint: velocities by the speeds, v - psi(q, z(q, v)) = rows . constraints. *)\n"
      "Definition solved : Kernel.elimination := {{|\n  Kernel.solved := [{}];\n  Kernel.rows := [{}] |}}.\n",
      pairs, rows);
}

std::string CoqSystem::rows(const Matrix& m) {
  std::string all;
  for (int i = 0; i < m.rows(); ++i) {
    std::vector<Expr> row;
    for (int j = 0; j < m.columns(); ++j) row.push_back(m(i, j));
    all += (all.empty() ? "" : ";\n    ") + formulas(row);
  }
  return "[" + all + "]";
}

std::string CoqSystem::numbers(const std::vector<Symbol>& symbols) {
  std::string s;
  for (const Symbol symbol : symbols) s += fmt::format("{}{}", s.empty() ? "" : "; ", number(symbol));
  return "[" + s + "]%positive";
}

void CoqSystem::define(const std::string& name, const std::string& type, const std::string& body) {
  definitions_ += fmt::format("Definition {} : {} :=\n  {}.\n", name, type, body);
}

std::map<std::string, std::array<Symbol, 9>> rotation_entries(const ClaimedSystem& claim) {
  std::map<std::string, std::array<Symbol, 9>> all;
  for (const Symbol f : claim.functions) {
    if (f.role() != Role::rotation) continue;
    auto found = all.find(f.attributes().family);
    if (found == all.end()) {
      std::array<Symbol, 9> entries{f, f, f, f, f, f, f, f, f};
      found = all.emplace(f.attributes().family, entries).first;
    }
    found->second[at(f.attributes().entry)] = f;
  }
  return all;
}

namespace {

/// BᵀB − 1, BBᵀ − 1 and B minus its cofactors: 6 + 6 + 9.
std::vector<Expr> rotation_relations(const std::array<Symbol, 9>& b) {
  const auto B = [&](int i, int j) { return Expr(b[at(3 * i + j)]); };
  std::vector<Expr> all;
  for (const bool columns : {true, false}) {
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) {
        std::vector<Expr> terms{Expr(i == j ? -1 : 0)};
        for (int k = 0; k < 3; ++k) terms.push_back(columns ? B(k, i) * B(k, j) : B(i, k) * B(j, k));
        all.push_back(sum(terms));
      }
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int r = (i + 1) % 3, s = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      all.push_back(B(i, j) - B(r, c) * B(s, d) + B(r, d) * B(s, c));
    }
  }
  return all;
}

/// A rule m = p of the Gröbner basis (graded reverse lexicographic): the monomial b_i b_j, and m − p as relations with their signs.
struct RotationRule {
  int i, j;
  std::vector<std::pair<int, int>> relations;
};
const std::vector<RotationRule>& rotation_basis() {
  static const std::vector<RotationRule> rules{{0, 0, {{6, 1}, {3, -1}, {5, -1}}},
                                               {0, 1, {{1, 1}}},
                                               {1, 1, {{3, 1}}},
                                               {0, 2, {{2, 1}}},
                                               {1, 2, {{4, 1}}},
                                               {2, 2, {{5, 1}}},
                                               {0, 3, {{7, 1}}},
                                               {1, 3, {{20, 1}}},
                                               {2, 3, {{19, -1}}},
                                               {3, 3, {{9, 1}}},
                                               {2, 4, {{18, 1}}},
                                               {0, 6, {{8, 1}}},
                                               {1, 6, {{17, -1}}},
                                               {2, 6, {{16, 1}}},
                                               {3, 6, {{10, 1}}},
                                               {4, 6, {{14, 1}}},
                                               {5, 6, {{13, -1}}},
                                               {6, 6, {{11, 1}}},
                                               {2, 7, {{15, -1}}},
                                               {5, 7, {{12, 1}}}};
  return rules;
}

}  // namespace

std::vector<Expr> CoqSystem::relations() const {
  std::vector<Expr> all;
  for (const auto& [family, entries] : rotation_entries(*claim_)) {
    for (const Expr e : rotation_relations(entries)) all.push_back(e);
  }
  all.insert(all.end(), positions_.begin(), positions_.end());
  for (const auto& [s, value] : fixed_) all.push_back(s - value);
  return all;
}

/// m is replaced by p: m − p is the combination of the relations with these coefficients, 0 for those that are not listed.
std::string CoqSystem::rule(Expr monomial, Expr by,
                            const std::vector<std::pair<std::size_t, Expr>>& coefficients) {
  std::vector<Expr> all(relations().size(), Expr(0));
  for (const auto& [k, c] : coefficients) all[k] = c;
  return fmt::format("Kernel.Relation ({}) ({}) {}", formula(monomial), formula(by), formulas(all));
}

std::vector<std::string> CoqSystem::relation_rules() {
  std::vector<std::string> all;
  const auto families = rotation_entries(*claim_);
  std::size_t first = 0;  // of the relations of a family, then of the others
  for (const auto& [name, b] : families) {
    const std::vector<Expr> relation = rotation_relations(b);
    for (const RotationRule& basis : rotation_basis()) {
      const Expr m = Expr(b[at(basis.i)]) * Expr(b[at(basis.j)]);
      std::vector<Expr> terms{m};
      std::vector<std::pair<std::size_t, Expr>> coefficients;
      for (const auto& [k, sign] : basis.relations) {
        terms.push_back(-sign * relation[at(k)]);
        coefficients.emplace_back(first + at(k), Expr(sign));
      }
      all.push_back(rule(m, canonical(sum(terms)), coefficients));
    }
    first += relation.size();
  }
  for (const PositionRule& r : position_rules(positions_)) {
    std::vector<std::pair<std::size_t, Expr>> coefficients;
    for (std::size_t k = 0; k < positions_.size(); ++k)
      coefficients.emplace_back(first + k, r.coefficients[k]);
    all.push_back(rule(r.monomial, r.by, coefficients));
  }
  first += positions_.size();
  for (std::size_t k = 0; k < fixed_.size(); ++k)
    all.push_back(rule(fixed_[k].first, fixed_[k].second, {{first + k, Expr(1)}}));
  return all;
}

std::string CoqSystem::system_text() {
  const ClaimedSystem& c = *claim_;
  std::string text = fmt::format(
      "(* The Lagrangian, the constraints and the forces, as the model states them{}. *)\n"
      "Definition lagrangian : Kernel.E :=\n  {}.\n",
      positions_.empty() ? "" : "; the position constraints are the last relations of the system",
      formula(c.lagrangian));
  std::string names;
  for (std::size_t s = 0; s < c.constraints.size(); ++s) {
    text += fmt::format("Definition constraint{} : Kernel.E :=\n  {}.\n", s + 1, formula(c.constraints[s]));
    names += fmt::format("{}constraint{}", names.empty() ? "" : "; ", s + 1);
  }
  std::string frame, structure;
  for (const SymbolMap& leg : c.frame) {
    std::vector<Expr> images;
    for (const Symbol q : c.functions) images.push_back(leg.at(q));
    frame += (frame.empty() ? "" : ";\n    ") + formulas(images);
  }
  for (const auto& [i, j, k, value] : c.structure)
    structure += fmt::format("{}({}, {}, {}, {})", structure.empty() ? "" : "; ", fmt::format("{}%nat", i),
                             fmt::format("{}%nat", j), fmt::format("{}%nat", k), formula(value));
  return text + fmt::format(
                    "Definition system : Kernel.System := {{|\n"
                    "  Kernel.time := {}; Kernel.parameters := @PARAMETERS@;\n"
                    "  Kernel.functions := {}; Kernel.velocities := {};\n"
                    "  Kernel.accelerations := {}; Kernel.multipliers := {};\n"
                    "  Kernel.frame := [{}];\n  Kernel.structure := [{}];\n"
                    "  Kernel.lagrangian := lagrangian;\n  Kernel.forces := {};\n"
                    "  Kernel.constraints := [{}];\n  Kernel.relations := {} |}}.\n",
                    number(Symbol::make("t", {.role = Role::time})), numbers(c.functions),
                    numbers(c.velocities), numbers(accelerations_), numbers(multipliers_), frame, structure,
                    formulas(c.forces), names, formulas(relations()));
}

std::string CoqSystem::reading_text() {
  const std::vector<std::string> of_relations = relation_rules();
  std::string atoms, rules, nonzero, positive;
  const auto add = [](std::string& list, const std::string& item) {
    list += (list.empty() ? "" : "; ") + item;
  };
  const auto atom = [&](const std::string& text) {
    add(atoms, fmt::format("({}, {}%positive)", text, names_.next()));
  };
  for (const std::string& angle : printer_.angles()) {
    atom("Kernel.Cos " + angle);
    atom("Kernel.Sin " + angle);
    add(rules, "Kernel.Angle " + angle);
  }
  for (const std::string& radicand : printer_.roots()) {
    atom("Kernel.Sqrt " + radicand);
    add(rules, "Kernel.Root " + radicand);
  }
  for (const std::string& other : printer_.others()) atom(other);
  for (const std::string& one : of_relations) add(rules, one);
  for (const std::string& d : printer_.denominators()) add(nonzero, d);
  for (const std::string& p : printer_.positives()) add(positive, p);
  return fmt::format(
      "(* Where the statement is made: these do not vanish, these are positive. *)\n"
      "Definition nonzero : list Kernel.E := [{}].\n"
      "Definition positive : list Kernel.E := [{}].\n"
      "Definition reading : Kernel.reading := {{|\n  Kernel.atoms_of := [{}];\n  Kernel.top_of := {};\n"
      "  Kernel.rules_of := [{}];\n  Kernel.nz_of := nonzero; Kernel.pz_of := positive |}}.\n",
      nonzero, positive, atoms, names_.last(), rules);
}

std::string CoqSystem::preamble() {
  const ClaimedSystem& c = *claim_;
  for (const Symbol s : names_.symbols()) {
    if (s.is_positive()) printer_.add_positive(names_.name(s));
  }
  const std::string symbols = names_.definitions();
  std::vector<Symbol> parameters;
  for (const Symbol s : names_.symbols()) {
    const auto in = [&](const std::vector<Symbol>& list) {
      return std::find(list.begin(), list.end(), s) != list.end();
    };
    if (s.role() != Role::time && !in(c.functions) && !in(c.velocities) && !in(accelerations_) &&
        !in(multipliers_) && !in(c.speeds) && !in(apart_))
      parameters.push_back(s);
  }
  std::string system = system_;
  const std::string mark = "@PARAMETERS@";
  system.replace(system.find(mark), mark.size(), numbers(parameters));
  const std::string reading = reading_text();
  return "(* Symbols. *)\n" + symbols + "\n" + system + "\n" + reading + "\n" + solved_ + "\n" + definitions_;
}

}  // namespace rattleback
