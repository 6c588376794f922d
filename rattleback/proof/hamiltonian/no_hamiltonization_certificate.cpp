#include <rattleback/proof/hamiltonian/no_hamiltonization_certificate.hpp>

#include <utility>

#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/proof/evidence/certificate_budget.hpp>
#include <rattleback/proof/evidence/certified_system.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_multiplier.hpp>

namespace rattleback {
namespace {

std::vector<int> first(int n) {
  std::vector<int> all;
  for (int i = 0; i < n; ++i) all.push_back(i);
  return all;
}

/// The slopes of the one candidate and its gyroscopic form, as forms on Q; nothing when (C.36) is a contradiction.
void add_candidate(const System& system, const Matrix& orbits, Data& d, std::vector<Expr>& noted) {
  std::vector<Generator> generators;
  for (const VectorField& xi : from_columns(system.space, orbits)) generators.push_back({"", xi, {}});
  const auto bundle = chaplygin_bundle(system, linear_velocities(system), generators);
  if (!bundle) return;
  const ChaplyginMultiplier x = chaplygin_multiplier(*bundle);
  if (!x.remainder.empty()) return;
  const OneForm slopes = bundle->horizontal_form(x.sigma);
  std::vector<Expr> s;
  for (int i = 0; i < system.space.dimension(); ++i) s.push_back(slopes[i]);
  const Matrix theta = rows_of(bundle->frame.dual_matrix(), first(bundle->dimension()));
  const Matrix F = short_form(transpose(theta) * x.magnetic * theta);
  Data::List entries;
  for (int i = 0; i < F.rows(); ++i) {
    for (int j = i + 1; j < F.rows(); ++j) {
      if (!F(i, j).is_zero()) entries.push_back(Data::List{i, j, F(i, j)});
    }
  }
  d["slopes"] = s;
  if (!entries.empty()) d["gyroscopic"] = entries;
  noted.insert(noted.end(), s.begin(), s.end());
  noted.insert(noted.end(), F.entries().begin(), F.entries().end());
}

}  // namespace

Data no_multiplier_certificate(const System& system, const std::vector<GroupOrbits>& groups) {
  return certificate_within_budget([&] {
    const EquationsOfMotion motion = gibbs_appell_equations(system);
    const Matrix legs = jacobian(velocities_along(system, motion), motion.speeds);
    Data::List all;
    std::vector<Expr> noted;
    for (const GroupOrbits& g : groups) {
      Data d;
      const Matrix coframe = rows_of(inverse(beside(legs, g.orbits)).x, first(legs.columns()));
      d["group"] = g.name;
      d["orbits"] = rows_of_texts(short_form(transpose(g.orbits)), noted);
      d["coframe"] = rows_of_texts(short_form(coframe), noted);
      add_candidate(system, g.orbits, d, noted);
      all.push_back(std::move(d));
    }
    Data d = certified_system(system, motion, noted);
    if (d.is_null()) return d;
    d["certificate"] = "no-chaplygin-multiplier";
    d["groups"] = all;
    return d;
  });
}

Data no_routh_certificate(const System& system, const std::vector<FixedMomenta>& tried) {
  return certificate_within_budget([&] {
    const EquationsOfMotion motion = gibbs_appell_equations(system);
    const Matrix legs = jacobian(velocities_along(system, motion), motion.speeds);
    const int m = legs.columns();
    Data::List all;
    std::vector<Expr> noted;
    for (const FixedMomenta& x : tried) {
      const int k = x.fields.columns();
      std::vector<int> chosen;
      Data::List names;
      for (const int column : independent_columns(beside(x.fields, legs))) {
        if (column < k) continue;
        chosen.push_back(column - k);
        names.emplace_back(column - k);
      }
      const Matrix frame = beside(beside(columns_of(legs, chosen), x.fields), x.orbits);
      if (static_cast<int>(chosen.size()) != m - k || frame.columns() != frame.rows()) return Data();
      const Matrix dual = short_form(inverse(frame).x);
      std::vector<int> last;
      for (int i = m - k; i < m; ++i) last.push_back(i);
      Data d;
      d["group"] = x.name;
      d["legs"] = names;
      d["orbits"] = rows_of_texts(short_form(transpose(x.orbits)), noted);
      d["fields"] = rows_of_texts(short_form(transpose(x.fields)), noted);
      d["theta"] = rows_of_texts(rows_of(dual, first(m - k)), noted);
      d["eta"] = rows_of_texts(rows_of(dual, last), noted);
      if (x.slopes) {
        d["slopes"] = *x.slopes;
        noted.insert(noted.end(), x.slopes->begin(), x.slopes->end());
      }
      all.push_back(std::move(d));
    }
    Data d = certified_system(system, motion, noted);
    if (d.is_null() || all.empty()) return Data();
    d["certificate"] = "no-routh-hamiltonization";
    d["groups"] = all;
    return d;
  });
}

Data no_lie_bracket_certificate(const System& system, const Admissible& D) {
  return certificate_within_budget([&] {
    const EquationsOfMotion motion = gibbs_appell_equations(system);
    Admissible own = D;  // the frame of D in which the motion is stated
    own.speeds = motion.speeds;
    own.definitions = motion.speed_definitions;
    own.psi = jacobian(velocities_along(system, motion), motion.speeds);
    const StructureCoefficients S = constrained_structure_coefficients(system, own);
    Data::List brackets;
    std::vector<Expr> noted;
    for (int a = 0; a < S.dimension(); ++a) {
      for (int b = 0; b < S.dimension(); ++b) {
        for (int c = 0; c < S.dimension(); ++c) {
          const Expr value = short_form(S(a, b, c));
          if (value.is_zero()) continue;
          noted.push_back(value);
          brackets.push_back(Data::List{a, b, c, value});
        }
      }
    }
    Data d = certified_system(system, motion, noted);
    if (d.is_null()) return d;
    d["certificate"] = "no-suslov-hamiltonization";
    d["projected"] = brackets;
    return d;
  });
}

}  // namespace rattleback
