/// Reference cases worked out independently: every answer they expect, compared with the program's verdicts. What a case says
/// in words for people (a remark in place of a formula) is passed over; how much was compared is counted.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/measure/measure_conjecture.hpp>
#include <rattleback/proof/questions/question.hpp>

#include "case_model.hpp"

using namespace rattleback;
using nlohmann::ordered_json;

namespace {

std::optional<Expr> formula(const System& system, const std::string& text) {
  try {
    return on_frame(system, parse(text, system.scope));
  } catch (const Error&) {
    return std::nullopt;  // words
  }
}

/// What stands before the first comma outside brackets.
std::string head_of(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (text[i] == ',' && depth == 0) return text.substr(0, i);
  }
  return text;
}

Outcome outcome(bool yes) { return yes ? Outcome::proved : Outcome::refuted; }

std::optional<bool> truth(const Answer& a, const char* key) {
  const Data* d = a.answer.find(key);
  const bool* b = d == nullptr ? nullptr : d->get_if<bool>();
  return b == nullptr ? std::nullopt : std::optional(*b);
}

class Comparison {
 public:
  Comparison(const System& system, const ordered_json& expected) : system_(system), expected_(expected) {}

  int compared() const { return compared_; }

  void run() {
    if (has("energy_conserved") && triage(system_).degrees_of_freedom() > 0)
      same(ask("energy").outcome, outcome(expected_["energy_conserved"].get<bool>()));
    if (has("regular_on_D"))
      CHECK(truth(ask("regularity"), "regular") == expected_["regular_on_D"].get<bool>());
    if (has("constraint_type")) constraint_type(expected_["constraint_type"]);
    if (has("conserved")) {
      for (const auto& f : expected_["conserved"]) conserved(f["expr"], true, f.value("kind", ""));
    }
    if (has("not_conserved")) {
      for (const std::string f : expected_["not_conserved"]) conserved(f, false);
    }
    if (has("invariant_measure")) measure(expected_["invariant_measure"]);
    if (has("jacobi_reduced_bracket")) {
      ++compared_;
      CHECK(truth(ask("jacobi"), "reduced_holds") ==
            expected_["jacobi_reduced_bracket"]["holds"].get<bool>());
    }
    if (has("conditionally_variational"))
      same(ask("conditionally-variational").outcome,
           outcome(expected_["conditionally_variational"]["answer"].get<bool>()));
    if (has("hamiltonizable")) hamiltonizable(expected_["hamiltonizable"]);
    if (has("growth_vector_everywhere")) special_growth(expected_["growth_vector_everywhere"].get<bool>());
    if (has("stability")) thresholds(expected_["stability"]);
  }

 private:
  bool has(const char* key) const { return expected_.contains(key); }

  Answer ask(const std::string& name) const {
    CAPTURE(name);
    return asked(question(name), system_, 60);
  }

  void same(Outcome found, Outcome wanted) {
    ++compared_;
    CHECK(text(found) == text(wanted));
  }

  void constraint_type(const std::string& type) {
    bool affine = false, nonlinear = false;
    for (const ConstraintKind& kind : triage(system_).constraints) {
      affine = affine || kind.writing == Writing::affine;
      nonlinear = nonlinear || kind.writing == Writing::nonlinear;
    }
    ++compared_;
    CHECK(nonlinear == type.starts_with("nonlinear"));
    if (!nonlinear) CHECK(affine == type.starts_with("affine"));
  }

  /// "… (ga=0)": the parameter values at which it holds.
  System where_it_holds(const std::string& remark) const {
    std::smatch found;
    if (!std::regex_search(remark, found, std::regex(R"(\((\w+)=([0-9/]+)\))"))) return system_;
    return with_values(system_, std::vector<std::pair<std::string, std::string>>{{found[1], found[2]}});
  }

  void conserved(const std::string& f, bool wanted, const std::string& remark = "") {
    CAPTURE(f);
    if (f.starts_with("energy")) {
      same(ask("energy").outcome, outcome(wanted));
    } else if (const auto e = formula(system_, f)) {
      const System there = where_it_holds(remark);
      same(conserved_conjecture(there, parse(f, there.scope)).outcome, outcome(wanted));
    }
  }

  void measure(const ordered_json& m) {
    const Answer a = ask("invariant-measure");
    const Data* reduced = a.answer.find("reduced");
    ++compared_;
    if (m.contains("scope")) {
      // densities that a group leaves alone: those on the quotient
      REQUIRE(reduced != nullptr);
      CHECK(*reduced->find("exists")->get_if<bool>() == m["exists"].get<bool>());
    } else if (a.outcome == Outcome::not_found) {
      CHECK_FALSE(
          m["exists"].get<bool>());  // densities of the configuration are excluded, others were not found
    } else {
      CHECK(truth(a, "exists") == m["exists"].get<bool>());
    }
    if (m.contains("full_phase_space")) {
      CHECK(truth(a, "exists") == m["full_phase_space"]["exists"].get<bool>());
      density(m["full_phase_space"]);
    } else if (m["exists"].get<bool>()) {
      density(m);
    }
  }

  /// ρ d(coordinates) as a density of dq dz: times |∂(velocities listed)/∂z|, and Haar's measure of a group's chart.
  void density(const ordered_json& m) {
    if (!m.contains("density") || !m.contains("coordinates")) return;
    const auto rho = formula(system_, head_of(m["density"]));
    if (!rho) return;
    std::vector<Expr> velocities;
    bool angular = false;
    for (std::string name : m["coordinates"]) {
      if (name.starts_with("w") && (name.size() == 1 || name[1] == ' ')) {
        angular = true;
        for (const char* w : {"w1", "w2", "w3"}) velocities.push_back(*formula(system_, w));
        continue;
      }
      if (name.starts_with("R in SO(3)")) {
        angular = true;
        continue;
      }
      if (const std::size_t equals = name.find('='); equals != std::string::npos)
        name = name.substr(equals + 1);
      const auto e = formula(system_, name);
      if (name == "g" || !e || system_.space.dimension() == 0) continue;
      const auto q = system_.space.functions();
      if (e->is(Kind::symbol) && std::find(q.begin(), q.end(), e->symbol()) != q.end()) continue;
      velocities.push_back(*e);
    }
    const EquationsOfMotion motion = gibbs_appell_equations(system_);
    for (Expr& v : velocities) v = substitute(v, motion.velocities);
    const Matrix J = jacobian(velocities, motion.speeds);
    REQUIRE(J.rows() >= J.columns());
    const Expr area = sqrt(determinant(transpose(J) * J));
    CAPTURE(m["density"]);
    ++compared_;
    CHECK(text(measure_conjecture(system_, *rho * area * (angular ? haar() : Expr(1))).outcome) == "proved");
  }

  /// |∂(w1, w2, w3)/∂(the velocities in them)|.
  Expr haar() const {
    std::vector<Expr> w;
    for (const char* name : {"w1", "w2", "w3"}) w.push_back(*formula(system_, name));
    std::vector<Symbol> turning;
    for (const Symbol v : system_.space.velocities()) {
      if (std::any_of(w.begin(), w.end(), [&](Expr e) { return contains(e, v); })) turning.push_back(v);
    }
    REQUIRE(turning.size() == 3);
    const Matrix J = jacobian(w, turning);
    return sqrt(pow(determinant(J), 2));
  }

  void hamiltonizable(const ordered_json& h) {
    for (const char* key : {"multiplier", "chaplygin_multiplier"}) {
      if (!h.contains(key)) continue;
      const Answer a = ask("chaplygin-multiplier");
      same(a.outcome, Outcome::proved);
      const auto phi = formula(system_, h[key]);
      const Data* found = a.answer.find("multiplier");
      if (!phi || found == nullptr || found->text() == nullptr) continue;
      const Expr N = parse(*found->text(), system_.scope);
      const Expr direct = *phi / N, inverse = *phi * N;
      const auto constant = [&](Expr e) {
        const auto q = system_.space.functions();
        return std::all_of(q.begin(), q.end(),
                           [&](Symbol s) { return vanishes_at_random_points(derivative(e, s)); });
      };
      ++compared_;
      CHECK((constant(direct) || constant(inverse)));
    }
  }

  /// Other growth vectors at special places, all of them in the case's table.
  void special_growth(bool everywhere) {
    const Answer a = ask("integrability");
    const Data::List& special = *a.answer.find("special")->list();
    ++compared_;
    CHECK(special.empty() == everywhere);
    if (everywhere || !has("growth_table")) return;
    for (const Data& place : special) {
      std::vector<int> found;
      for (const Data& n : *place.find("growth_vector")->list())
        found.push_back(static_cast<int>(*n.get_if<long>()));
      bool listed = false;
      for (const auto& row : expected_["growth_table"])
        listed = listed || row["vector"].get<std::vector<int>>() == found;
      CHECK(listed);
    }
  }

  /// Every threshold is the end of an interval of speeds on which some steady motion is stable.
  void thresholds(const ordered_json& s) {
    for (const auto& [name, value] : s.items()) {
      if (!value.is_object() || !value.contains("threshold_value")) continue;
      const double wanted = std::stod(value["threshold_value"].get<std::string>());
      const Answer a = ask("equilibria");
      bool found = false;
      for (const Data& family : *a.answer.find("families")->list()) {
        const std::string* where = family.find("stable_where")->text();
        found =
            found || (where != nullptr && where->find(fmt::format("> {:.6g}", wanted)) != std::string::npos);
      }
      CAPTURE(name);
      ++compared_;
      CHECK(found);
    }
  }

  const System& system_;
  const ordered_json& expected_;
  int compared_ = 0;
};

}  // namespace

TEST_CASE("reference cases: verdicts") {
  int compared = 0;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator("tests/literature/cases")) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    std::ifstream file(path);
    const ordered_json c = ordered_json::parse(file);
    if (c["expected"].value("status", "ok") != "ok") continue;
    const std::string name = path.stem().string();
    CAPTURE(name);
    const System system = read_model(as_model(c), name + ".toml");
    Comparison comparison(system, c["expected"]);
    comparison.run();
    compared += comparison.compared();
  }
  CHECK(compared >= 120);
}
