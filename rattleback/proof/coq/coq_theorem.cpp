#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/proof/coq/coq_theorem.hpp>

#include <array>

#include <fmt/format.h>

#include <rattleback/algebra/modular/variety_points.hpp>
#include <rattleback/proof/check/claimed_positions.hpp>
#include <rattleback/proof/coq/coq_kinds.hpp>
#include <rattleback/proof/coq/coq_parts.hpp>
#include <rattleback/proof/coq/coq_positions.hpp>

namespace rattleback {
namespace {

/// Why a kind of certificate has no form.
std::string missing_form(const std::string& kind) {
  struct Reason {
    const char *kind, *why;
  };
  constexpr std::array reasons{
      Reason{"gauge-momenta",
             "the factors of these momenta are solutions of linear equations that are stated, not solved"},
      Reason{"no-symmetries",
             "that no field is a symmetry follows from prolonged equations, which the kernel does not know"},
      Reason{"no-integrals",
             "that no combination is constant is a rank over a space of functions, which the kernel does not "
             "state"},
      Reason{
          "no-lagrangian",
          "that no Lagrangian is regular follows from Helmholtz' conditions, which the kernel does not know"},
      Reason{"routh-hamiltonization",
             "the kernel states Hamiltonian forms of the whole motion, not at fixed momenta"},
      Reason{"no-routh-hamiltonization",
             "the kernel states Hamiltonian forms of the whole motion, not at fixed momenta"},
      Reason{"suslov-hamiltonization", "the kernel does not know Lie-Poisson brackets"},
      Reason{"no-suslov-hamiltonization", "the kernel does not know Lie-Poisson brackets"},
      Reason{"optimal-control", "the kernel does not state control problems"},
      Reason{"no-optimal-control", "the kernel does not state control problems"}};
  for (const Reason& r : reasons) {
    if (kind == r.kind) return r.why;
  }
  return "the kernel does not state what it claims";
}

/// What the kernel states in terms of the whole space is not said of a subset of it.
void require_form_on_positions(const std::string& kind) {
  if (positions_of_check().empty()) return;
  if (kind == "not-a-density" || kind == "no-invariant-measure")
    no_coq_form("a density on position constraints is refuted",
                "the kernel's divergence is that of the space around them");
  if (kind == "steady-motions")
    no_coq_form("the small motions keep position constraints",
                "the kernel's small motions are those of the space around them");
  if (kind == "no-chaplygin-multiplier")
    no_coq_form("the multiplier is refuted on position constraints",
                "the kernel counts dimensions of the space around them");
}

std::string theorem_of(const ClaimedSystem& claim, const Data& certificate, std::string& preamble) {
  const std::string& kind = text_field(certificate, "certificate");
  require_form_on_positions(kind);
  if (kind == "conserved") return coq_conserved_theorem(claim, certificate, preamble);
  if (kind == "energy") return coq_energy_theorem(claim, preamble);
  if (kind == "gauge-momenta" && certificate.find("constants") != nullptr &&
      text_field(certificate, "verdict") == "proved")
    return coq_conserved_theorem(claim, certificate, preamble);
  if (kind == "conditionally-variational") return coq_variational_theorem(claim, certificate, preamble);
  if (kind == "inverse-problem") return coq_lagrangian_theorem(claim, certificate, preamble);
  if (kind == "not-conserved") return coq_not_conserved_theorem(claim, certificate, preamble);
  if (kind == "not-zero") return coq_not_zero_theorem(claim, certificate, preamble);
  if (kind == "jacobi") return coq_jacobi_theorem(claim, certificate, preamble);
  if (kind == "zero") return coq_zero_theorem(claim, certificate, preamble);
  if (kind == "symmetries") return coq_symmetry_theorem(claim, certificate, preamble);
  if (kind == "nonholonomic") return coq_nonholonomic_theorem(claim, preamble);
  if (kind == "holonomic") return coq_holonomic_theorem(claim, preamble);
  if (kind == "invariant-measure") return coq_measure_theorem(claim, certificate, preamble);
  if (kind == "not-a-density") return coq_not_a_density_theorem(claim, certificate, preamble);
  if (kind == "not-a-symmetry") return coq_not_a_symmetry_theorem(claim, certificate, preamble);
  if (kind == "regular") return coq_definite_theorem(claim, preamble);
  if (kind == "steady-motions") return coq_steady_theorem(claim, certificate, preamble);
  if (kind == "agreement") return coq_agreement_theorem(claim, certificate, preamble);
  if (kind == "chaplygin-multiplier") return coq_multiplier_theorem(claim, certificate, preamble);
  if (kind == "no-chaplygin-multiplier") return coq_no_multiplier_theorem(claim, certificate, preamble);
  if (kind == "not-conditionally-variational")
    return coq_not_variational_theorem(claim, certificate, preamble);
  if (kind == "no-invariant-measure") return coq_no_density_theorem(claim, certificate, preamble);
  no_coq_form(fmt::format("certificates of kind `{}` have no form in Coq yet", kind), missing_form(kind));
}

/// A comment: nothing in it may end it.
std::string comment(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("*\"", at)) != std::string::npos;)
    text[at] = text[at] == '*' ? '.' : '\'';
  return text;
}

/// The axioms that the theorems rest on, all of them at once.
std::string assumptions_of(const std::string& theorems) {
  const std::string mark = "Theorem ";
  std::string names;
  for (std::size_t at = theorems.find(mark); at != std::string::npos; at = theorems.find(mark, at + 1)) {
    const std::size_t start = at + mark.size();
    names += (names.empty() ? "" : ", ") + theorems.substr(start, theorems.find(' ', start) - start);
  }
  return fmt::format(
      "(* What all of it rests on: the axioms of the real numbers. *)\n"
      "Definition theorems := ({}).\nPrint Assumptions theorems.\n",
      names);
}

/// What the file is about, as a comment.
std::string coq_heading(const Data& certificate, const std::string& model) {
  const Data* digest = certificate.find("model");
  return fmt::format(
      "(* {}\n   model digest {}\n   Check with `coqc`: the standard library and Coquelicot are all it "
      "needs. *)\n",
      comment(model), digest != nullptr && digest->text() != nullptr ? comment(*digest->text()) : "none");
}

/// The position constraints; none where the kernel has no rules for them (they contain rotation matrices) and the theorem is one about all
/// of the space around them, and so about them. A refutation needs a point on them, a density their volume: these have no form then.
std::vector<Expr> stated_positions(const ClaimedSystem& claim, const Data& certificate) {
  std::vector<Expr> positions = claimed_positions(claim, certificate);
  try {
    position_rules(positions);
  } catch (const NoCoqForm&) {
    const Data* verdict = certificate.find("verdict");
    const bool proves = verdict != nullptr && verdict->text() != nullptr && *verdict->text() == "proved";
    if (!proves || text_field(certificate, "certificate") == "invariant-measure") throw;
    return {};
  }
  return positions;
}

/// The model, the theorems and the axioms that they rest on.
std::string statements(const Data& certificate) {
  const ClaimedSystem claim = claimed_system(certificate);
  const std::vector<Expr> positions = stated_positions(claim, certificate);
  const OnVariety here(variety_of(positions));
  std::string preamble;
  const std::string theorems = theorem_of(claim, certificate, preamble);
  return fmt::format("Import Kernel.Notations.\nOpen Scope expr_scope.\n\n(* ---- The model. *)\n{}\n{}{}",
                     preamble, theorems, assumptions_of(theorems));
}

}  // namespace

std::string coq_theorems(const Data& certificate, const std::string& model) {
  return coq_heading(certificate, model) +
         "Require Import ZArith QArith Qreals List Bool Reals.\nFrom Coquelicot Require Import Coquelicot.\n"
         "Require Import kernel.\nImport ListNotations.\n" +
         statements(certificate);
}

std::string coq_file(const Data& certificate, const std::string& model) {
  const std::string claimed = statements(certificate);
  return coq_heading(certificate, model) + coq_kernel() + "\n" + claimed;
}

}  // namespace rattleback