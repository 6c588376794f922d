// Small certificates that deny an invariant density: the motion has to be of the degree in the speeds that the denial is about.

#include "../forged_certificates.hpp"

#include <string>

using namespace rattleback;

namespace {

/// That a model has no invariant density, by fields whose combination is 0 and whose rates are not.
Data without_density(const std::string& model, const Data::List& given, const Data::List& combination,
                     const char* condition, const char* scope = "densities of the configuration") {
  Data d = claiming(system_of(("lagrangian = \"(x'^2 + y'^2)/2\"\n" + model).c_str()), "no-invariant-measure",
                    "invariant-measure", "refuted");
  d["given"] = given;
  d["brackets"] = Data::List{};
  d["combination"] = combination;
  d["condition"] = condition;
  d["circles"] = Data::List{"x"};
  d["scope"] = scope;
  return d;
}

/// Where nothing drifts, and the divergence does not vanish at rest.
std::string refuted_at_rest(const char* constraint, const char* force, const char* condition = "1") {
  return first_refuted(without_density("space = { x = \"R\", y = \"R\" }\nconstraints = { c = \"" +
                                           std::string(constraint) + "\" }\nforces = { x = \"" + force +
                                           "\" }\n",
                                       lists({{"drift"}}), {}, condition));
}

}  // namespace

TEST_CASE("densities of the configuration are denied to motions of degree one that do not depend on time") {
  const std::string degree = "the divergence of the motion has degree one in the speeds";
  CHECK(refuted_at_rest("y' = x*x'", "-(1 + x^2)*x' + x*x'^2") == "nothing");  // u' = -u
  CHECK(refuted_at_rest("y' = x'^2", "-x' - 4*x'^3") == degree);
  CHECK(refuted_at_rest("y' = t*x'", "-(1 + t^2)*x' + t*x'") == degree);
  CHECK(refuted_at_rest("y' = 0", "-t*x'", "t") == degree);
}

TEST_CASE("that all smooth densities are denied wants velocities without a drift") {
  const auto refuted_for = [](const char* constraint, const char* scope) {
    Data d = without_density(
        "space = { x = \"R\", y = \"R\" }\nforces = { x = \"y*x'^2\" }\nconstraints = { c = \"" +
            std::string(constraint) + "\" }\n",
        lists({{"leg", 0}, {"drift"}}), {"0", "0"}, "2", scope);
    d["brackets"] = Data::List{Data::List{0, 1}};
    return first_refuted(d);
  };
  CHECK(refuted_for("y' = 1", "densities of the configuration") == "nothing");
  CHECK(refuted_for("y' = 1", "every smooth density") ==
        "the motion is homogeneous in the speeds, so this excludes every smooth density");
}

TEST_CASE("a density stands still along an angle if the drift and its rate do not turn with it") {
  const auto refuted_for = [](const char* drift, const char* force) {
    return first_refuted(without_density(
        "space = { y = \"R\", x = \"S1\", z = \"R\" }\nconstraints = { c = \"z' = " + std::string(drift) +
            "\" }\nforces = { y = \"" + force + "\" }\n",
        lists({{"leg", 1}, {"still", 1}}), {"1"}, "1"));
  };
  const std::string still = "a density may be taken that stands still where stated";
  CHECK(refuted_for("1", "x'*y'") == "nothing");
  CHECK(refuted_for("cos(x)", "x'*y'") == still);
  CHECK(refuted_for("1", "x'*y' + cos(x)*y'") == still);
}
