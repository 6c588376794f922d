// "There is no multiplier when these momenta are fixed", where a forgery differs from the truth in one term of (C.40).

#include "../forged_certificates.hpp"

#include <rattleback/proof/hamiltonian/no_hamiltonization_certificate.hpp>

using namespace rattleback;

namespace {

/// The fields ∂/∂q_i of these coordinates, as columns.
Matrix units(int n, std::initializer_list<int> which) {
  Matrix columns(n, static_cast<int>(which.size()));
  int column = 0;
  for (const int i : which) columns(i, column++) = Expr(1);
  return columns;
}

/// Three free coordinates x, y, z with d log f = -dx, fibres q, r and s, and rotors c and d with these kinetic energies. A rotor
/// c' + alpha(q') alone adds mu dx^alpha to F.
System with_two_rotors(const std::string& c, const std::string& d) {
  return read_model("lagrangian = \"1/2*(x'^2 + (1 - 2*x)*(y'^2 + z'^2)) + r'*y' + s'*z' + 1/2*(" + c +
                        ")^2 + 1/2*(" + d +
                        ")^2\"\n[space]\nc = \"S1\"\nd = \"S1\"\nx = \"R\"\ny = \"R\"\nz = \"R\"\nq = "
                        "\"R\"\nr = \"R\"\ns = \"R\"\n[constraints]\nj = \"q' = y*z'\"\nk = \"r' = x*y'\"\nl "
                        "= \"s' = x*z'\"\n",
                    "rotors.toml");
}

/// What is refuted first in the statement that no multiplier has the slopes -dx while the momenta of c and d are fixed.
std::string denied(const std::string& c, const std::string& d) {
  FixedMomenta fixed{"q, r, s at constant mu_c, mu_d", units(8, {5, 6, 7}), units(8, {0, 1}), std::nullopt};
  fixed.slopes = std::vector<Expr>(8, Expr(0));
  (*fixed.slopes)[2] = Expr(-1);
  const Data certificate = no_routh_certificate(with_two_rotors(c, d), {fixed});
  REQUIRE_FALSE(certificate.is_null());
  return first_refuted(certificate);
}

}  // namespace

TEST_CASE("a rotor about a form that is not closed with dx makes f F open; a closed one does not") {
  const std::string closed = "no function has them";
  CHECK(denied("c'", "d'") == closed);
  CHECK(denied("c' + z'", "d'") == closed);
  CHECK(denied("c' + x*z'", "d' + y'") == closed);
  CHECK(denied("c' + y*z'", "d'") == "nothing");
  CHECK(denied("c' + z'", "d' + y*z'") == "nothing");
}

TEST_CASE("a rotor on a fibre: its gyroscopic force and the slopes of f make a closed form together") {
  CHECK(denied("c' + q'", "d'") == "no function has them");
  for (const char* alpha : {"-2*y*z'", "-y*z'", "y*z'"}) {
    CAPTURE(alpha);
    CHECK(denied(std::string("c' + q' + ") + alpha, "d'") == "nothing");
  }
}

TEST_CASE("with two legs left f F is not asked to be closed: orbits and fields need not commute") {
  // d/ds and d/dc + s d/dx leave y' + (x' - s c')... as it is; their bracket is d/dx.
  const System system = read_model(R"toml(
lagrangian = "1/2*((x' - c*s')^2 + y'^2 + c'^2 + s'^2) + y*(x' - c*s')"
space = { x = "R", y = "R", c = "R", s = "R" }
constraints = { k = "s' = 0" }
)toml",
                                   "heisenberg.toml");
  Matrix field(4, 1);
  field[0] = Expr(*system.space.coordinate(3));
  field[2] = Expr(1);
  const FixedMomenta fixed{"s at constant mu", units(4, {3}), field, std::vector<Expr>(4, Expr(0))};
  CHECK(first_refuted(no_routh_certificate(system, {fixed})) == "no function has them");
}

TEST_CASE("velocities that drift along an orbit are not those of fields and legs") {
  const auto refuted_with = [](const char* constraint) {
    const System system = read_model(
        "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2 + s'^2) + 1/2*(1 + x^2)*c'^2\"\n[space]\nx = \"R\"\ny = "
        "\"R\"\nz = \"R\"\nc = \"S1\"\ns = \"R\"\n[constraints]\nk = \"" +
            std::string(constraint) + "\"\n",
        "drift.toml");
    const Data certificate =
        no_routh_certificate(system, {{"s at constant mu_c", units(5, {4}), units(5, {3}), std::nullopt}});
    std::vector<std::string> all;
    for (const CheckedStep& step : check_certificate(certificate)) {
      if (refuted(step.verdict)) all.push_back(step.what);
    }
    return all;
  };
  CHECK(refuted_with("s' = x*y' + y^2*z'").empty());
  CHECK(refuted_with("s' = x*y' + y^2*z' + 1") ==
        std::vector<std::string>{"s at constant mu_c: the energy agrees with the velocities that are left"});
}
