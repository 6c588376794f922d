// Hamiltonizations in a time of their own, Lie-Poisson motions and variational multipliers: what each term of the form and of the energy has to say.

#include "../forged_certificates.hpp"

#include <algorithm>
#include <string>

using namespace rattleback;

namespace {

constexpr const char* plane = "lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\n";

/// "After d tau = f dt the motion is Hamiltonian for d(form) + twist", at constant momenta.
Data hamiltonian(const Data& system, const char* f, const Data::List& form, const Data::List& momenta = {},
                 const Data::List& rates = {}) {
  Data d = claiming(system, "chaplygin-multiplier", "chaplygin-multiplier", "proved");
  d["multiplier"] = f;
  d["form"] = form;
  if (momenta.empty()) return d;
  d["momenta"] = momenta;
  return with(d, "rates", rates);
}

}  // namespace

TEST_CASE("a form on (x, y, a, b) with a multiplier 1 + a: it has to see a") {
  const auto with_order = [](const std::string& order) {
    std::string space;
    for (const char q : order) space += std::string(space.empty() ? "" : ", ") + q + " = \"R\"";
    return system_of(("lagrangian = \"(x'^2 + y'^2 + a'^2 + b'^2)/2\"\nspace = { " + space +
                      " }\nconstraints = { first = \"a' = 0\", second = \"b' = 0\" }\n")
                         .c_str());
  };
  // a is constant, and 2 T x/x' has the rate 2 T.
  const auto certificate = [](const Data& system, const std::string& order, const std::string& form_b,
                              int S_ab) {
    Data::List form;
    for (const char q : order)
      form.emplace_back(q == 'a'   ? "(x'^2 + y'^2)*x/x'"
                        : q == 'b' ? form_b
                                   : std::string("(1 + a)*") + q + "'");
    const int a = static_cast<int>(order.find('a')), b = static_cast<int>(order.find('b'));
    const Data::List entry{std::min(a, b), std::max(a, b), std::to_string(a < b ? S_ab : -S_ab)};
    return with(hamiltonian(system, "1 + a", form), "twist", Data::List{Data::List{entry}});
  };
  const std::string not_seen = "there the multiplier is a function";
  for (const char* order : {"xyab", "abxy", "baxy"}) {
    CAPTURE(order);
    const Data system = with_order(order);
    const auto refuted_for = [&](const char* form_b, int S_ab) {
      return first_refuted(certificate(system, order, form_b, S_ab));
    };
    CHECK(refuted_for("0", 0) == not_seen);
    CHECK(refuted_for("0", 1) == "nothing");
    CHECK(refuted_for("a", 0) == "nothing");
    CHECK(refuted_for("a", -1) == not_seen);
    CHECK(refuted_for("a", 1) == "nothing");
  }
  // Along the legs d/da and exp(a) d/db, whose bracket is the second.
  Data moving = with(
      with_order("xyab"), "frame",
      lists({{"1", "0", "0", "0"}, {"0", "1", "0", "0"}, {"0", "0", "1", "0"}, {"0", "0", "0", "exp(a)"}}));
  moving["structure"] = lists({Data::List{2, 3, 3, "1"}, Data::List{3, 2, 3, "-1"}});
  CHECK(first_refuted(moving) == "nothing");
  const auto refuted_for = [&](const char* form_b, int S_ab) {
    return first_refuted(certificate(moving, "xyab", form_b, S_ab));
  };
  CHECK(refuted_for("0", 0) == not_seen);
  CHECK(refuted_for("1", 0) == "nothing");
  CHECK(refuted_for("1", 1) == not_seen);
  CHECK(refuted_for("1", -1) == "nothing");
}

TEST_CASE("momenta that are fixed: constant ones, without the time, and fewer than speeds") {
  const Data free = and_symbol(system_of(plane), "t", of(Role::time));
  CHECK(first_refuted(hamiltonian(free, "1", {"x'", "y'"}, {"x'"}, {"0"})) == "nothing");
  CHECK(first_refuted(hamiltonian(free, "1", {"x'", "y'"}, {"x - t*x'"}, {"0"})) ==
        "the form does not depend on time");
  is_no_certificate(hamiltonian(free, "1", {"0", "0"}, {"x'", "y'"}, {"x'", "y'"}));
  const Data swinging =
      system_of("lagrangian = \"(x'^2 + y'^2 - x^2)/2\"\nspace = { x = \"R\", y = \"R\" }\n");
  CHECK(first_refuted(hamiltonian(swinging, "1", {"x'", "y'"}, {"y'"}, {"0"})) == "nothing");
  CHECK(first_refuted(hamiltonian(swinging, "1", {"x'", "y'"}, {"x'"}, {"0"})) == "the momenta are constant");
}

namespace {

Data lie_poisson(const Data& system, const Data::List& momenta, const Data::List& rates,
                 const Data::List& brackets) {
  Data d = claiming(system, "suslov-hamiltonization", "suslov-hamiltonization", "proved");
  d["momenta"] = momenta;
  d["rates"] = rates;
  return with(d, "brackets", brackets);
}

}  // namespace

TEST_CASE("Lie-Poisson motions: constant brackets, momenta that know places and times") {
  const auto pushed = [](const std::string& h) {
    return lie_poisson(
        system_of((plane + ("forces = { x = \"-" + h + "*y'^2\", y = \"" + h) + "*x'*y'\" }\n").c_str()),
        {"x'", "y'"}, {"x'", "y'"},
        lists({Data::List{0, 1, 1, Data(h)}, Data::List{1, 0, 1, Data("-" + h)}}));
  };
  CHECK(first_refuted(pushed("2")) == "nothing");
  CHECK(first_refuted(pushed("x")) == "the brackets are constant");
  // x x' is constant, and the energy is half its square.
  CHECK(first_refuted(lie_poisson(system_of("lagrangian = \"x^2*x'^2/2\"\nspace = { x = \"R\" }\n"), {"x*x'"},
                                  {"x*x'"}, {})) == "nothing");
  // A charge in a magnetic field, seen from axes that turn with it.
  const Data charge =
      and_symbol(system_of((plane + std::string("forces = { x = \"y'\", y = \"-x'\" }\n")).c_str()), "t",
                 of(Role::time));
  const Data::List turned{"cos(t)*x' - sin(t)*y'", "sin(t)*x' + cos(t)*y'"};
  CHECK(first_refuted(lie_poisson(charge, turned, turned, {})) == "nothing");
}

TEST_CASE("variational multipliers: potentials, forces and the slopes of constraints along their own legs") {
  const auto variational = [](const char* model, const Data::List& multipliers) {
    return first_refuted(
        with(claiming(system_of(model), "conditionally-variational", "conditionally-variational", "proved"),
             "multipliers", multipliers));
  };
  CHECK(variational("lagrangian = \"(x'^2 + y'^2)/2 - x\"\nspace = { x = \"R\", y = \"R\" }\nforces = { y = "
                    "\"-3\" }\n",
                    {}) == "nothing");
  // d/dt (z - x y) = 0 without a reaction: any constant is a multiplier.
  CHECK(variational(R"toml(
lagrangian = "(x'^2 + y'^2 + z'^2)/2"
space = { x = "R", y = "R", z = "R" }
constraints = { c = "z' = y*x' + x*y'" }
forces = { z = "2*x'*y'" }
)toml",
                    {"1"}) == "nothing");
}
