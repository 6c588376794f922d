// Growth vectors, at special places too, numbers that no int holds, and integrals that do not exist.

#include "../forged_certificates.hpp"

#include <algorithm>

#include <fmt/format.h>

using namespace rattleback;

namespace {

bool is_accepted(const Data& certificate) {
  return std::ranges::all_of(check_certificate(certificate),
                             [](const CheckedStep& step) { return proved(step.verdict); });
}

/// Brackets of two legs X_u, X_w, or in the other order, with `space` and constraints as they are written.
Data growth(const std::string& space, const std::string& constraints, const std::string& speeds,
            const Data::List& ranks, const Data::List& brackets) {
  Data d = system_of(
      ("lagrangian = \"(" + space + ")/2\"\n" + constraints + "velocities = { " + speeds + " }\n").c_str());
  d = at_rest(claiming(d, "nonholonomic", "integrability", "refuted"));
  d["ranks"] = ranks;
  d["brackets"] = brackets;
  d["relations"] = lists({Data::List{1, 0, 2, "-1"}});  // [X_w, X_u] = −[X_u, X_w]
  d["integrals"] = Data::List{};
  return d;
}

Data martinet(const char* speeds, int power, const char* symbol, const Data::List& ranks) {
  Data place,
      d = growth(
          "x'^2 + y'^2 + z'^2",
          fmt::format(
              "space = {{ x = \"R\", y = \"R\", z = \"R\" }}\nconstraints = {{ c = \"z' = y^{}*x'\" }}\n",
              power),
          speeds, {2, 3}, lists({Data::List{0, 1}}));
  place["symbol"] = symbol;
  place["value"] = "0";
  place["ranks"] = ranks;
  return with(d, "special", Data::List(1, place));
}

}  // namespace

TEST_CASE("growth vectors at a special place are formed from all brackets there") {
  for (const char* speeds : {"u = \"x'\", w = \"y'\"", "w = \"y'\", u = \"x'\""}) {
    for (const Data::List& ranks :
         {Data::List{2}, Data::List{2, 2}, Data::List{2, 2, 3}, Data::List{2, 2, 3, 3, 3, 3, 3, 3}})
      CHECK(is_accepted(martinet(speeds, 2, "y", ranks)));
    for (const Data::List& ranks : {Data::List{3}, Data::List{2, 3}, Data::List{2, 1}, Data::List{2, 2, 2},
                                    Data::List{2, 2, 4}, Data::List{1, 2, 3}})
      CHECK_FALSE(is_accepted(martinet(speeds, 2, "y", ranks)));
    CHECK(is_accepted(martinet(speeds, 3, "y", {2, 2, 2, 3})));
    CHECK_FALSE(is_accepted(martinet(speeds, 3, "y", {2, 2, 3, 3})));
    CHECK(is_accepted(martinet(speeds, 2, "x", {2, 3})));
    is_no_certificate(martinet(speeds, 2, "y", {2, 2, 3, 3, 3, 3, 3, 3, 3}));
    is_no_certificate(martinet(speeds, 2, "2*y", {2, 2, 3}));
    is_no_certificate(martinet(speeds, 2, "y", {}));
  }
}

TEST_CASE("brackets begin with a leg, are no longer than the ranks, and follow from shorter ones") {
  const auto engel = [](const Data::List& ranks, const Data::List& brackets) {
    return growth("x'^2 + y'^2 + z'^2 + v'^2",
                  "space = { x = \"R\", y = \"R\", z = \"R\", v = \"R\" }\nconstraints = { c = \"z' = "
                  "y*x'\", d = \"v' = z*x'\" "
                  "}\n",
                  "u = \"x'\", w = \"y'\"", ranks, brackets);
  };
  const Data::List all = lists({Data::List{0, 1}, Data::List{0, 2}});
  CHECK(first_refuted(engel({2, 3, 4}, all)) == "nothing");
  is_no_certificate(engel({2, 4}, lists({Data::List{0, 1}, Data::List{2, 0}})));
  is_no_certificate(engel({2, 3}, all));
  is_no_certificate(engel({2, 4}, all));
  is_no_certificate(claiming(engel({2, 3, 4}, all), "holonomic", "integrability", "proved"));
  is_no_certificate(engel({}, {}));
  const auto cartan = [](const Data::List& ranks, const Data::List& brackets, const Data::List& relations) {
    return with(growth("x'^2 + y'^2 + z'^2 + p'^2 + v'^2",
                       "space = { x = \"R\", y = \"R\", z = \"R\", p = \"R\", v = \"R\" }\nconstraints = { c "
                       "= \"z' = x*y'\", "
                       "d = \"p' = x^2*y'/2\", e = \"v' = (x^3/6 + x*y^2/2)*y'\" }\n",
                       "u = \"x'\", w = \"y'\"", ranks, brackets),
                "relations", relations);
  };
  const Data turned = Data::List{1, 0, 2, "-1"};
  const Data::List three = lists({Data::List{0, 1}, Data::List{0, 2}, Data::List{1, 2}}),
                   four = lists({Data::List{0, 1}, Data::List{0, 2}, Data::List{0, 3}});
  CHECK(first_refuted(cartan({2, 3, 5}, three, {turned})) == "nothing");
  CHECK(first_refuted(cartan({2, 3, 4, 5}, four, {turned})) == "no other bracket leads further");
  is_no_certificate(cartan({2, 3, 4, 5}, four, {turned, Data::List{1, 2, 4, "y"}}));
}

TEST_CASE("integrals of the first and of the last coordinate, and where nothing moves") {
  Data fixed = at_rest(claiming(system_of("lagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\nspace = { x = \"R\", y = "
                                          "\"R\", z = \"R\" }\nconstraints = { a = "
                                          "\"x' = 0\", b = \"z' = 0\" }\n"),
                                "holonomic", "integrability", "proved"));
  for (const auto& [key, value] : {std::pair("ranks", Data::List{1}), std::pair("brackets", Data::List{}),
                                   std::pair("relations", Data::List{})})
    fixed[key] = value;
  for (const Data::List& integrals : {Data::List{}, Data::List{"x"}, Data::List{"z"}, Data::List{"x", "z"}})
    CHECK(first_refuted(with(fixed, "integrals", integrals)) == "nothing");
  CHECK(first_refuted(with(fixed, "integrals", Data::List{"x", "2*x"})) == "they are independent");
  Data nothing = at_rest(claiming(
      system_of("lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\nconstraints = { a = \"x' = 0\" }\n"),
      "holonomic", "integrability", "proved"));
  REQUIRE(list_in(nothing, "speeds").empty());
  for (const char* key : {"brackets", "relations"}) nothing[key] = Data::List{};
  nothing["integrals"] = Data::List{"x"};
  CHECK(first_refuted(with(nothing, "ranks", Data::List{0})) == "nothing");
  is_no_certificate(with(nothing, "ranks", Data::List{}));
}

TEST_CASE("a number that no int holds would be checked as another one than is printed") {
  const long turn = 1L << 32;
  const auto contact = [](const Data::List& ranks) {
    return growth("x'^2 + y'^2 + z'^2",
                  "space = { x = \"R\", y = \"R\", z = \"R\" }\nconstraints = { c = \"z' = y*x'\" }\n",
                  "u = \"x'\", w = \"y'\"", ranks, lists({Data::List{0, 1}}));
  };
  CHECK(first_refuted(contact({2, 3})) == "nothing");
  for (const long more : {turn, -turn, 4 * turn}) {
    is_no_certificate(contact({2, Data(3 + more)}));
    is_no_certificate(contact({Data(2 + more), 3}));
  }
  const Data particle = honest("momenta", "nonholonomic-particle", "gauge-momenta");
  const long count = *particle.find("gauge_count")->get_if<long>();
  is_no_certificate(with(particle, "gauge_count", Data(count + turn)));
  Data d = at_rest(
      claiming(system_of("lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\n"), "jacobi", "jacobi", "proved"));
  d = and_symbol(d, "p", of(Role::momentum));
  d["momentum_names"] = Data::List{"p"};
  d["speeds_by_momenta"] = Data::List{"p"};
  d["holds"] = true;
  for (const char* key : {"casimirs", "reductions", "brackets"}) d[key] = Data::List{};
  CHECK(first_refuted(with(d, "casimir_count", 0)) == "nothing");
  CHECK(first_refuted(with(d, "casimir_count", -1)) == "no more Casimirs are listed than counted");
  is_no_certificate(with(d, "casimir_count", Data(turn)));
  is_no_certificate(with(d, "casimir_count", Data(-turn)));
  is_no_certificate(with(d, "casimir_count", "0"));
}

namespace {

/// No combination of products of functions and powers of speeds is constant, but those named.
struct Named {
  Data::List terms;
  const char *energy, *constant;
};
Data without_integrals(const char* potential, const Data::List& blocks,
                       const std::vector<Named>& exceptions) {
  Data d = system_of(
      fmt::format("lagrangian = \"(x'^2 + y'^2)/2 - ({})\"\nspace = {{ x = \"R\", y = \"R\" }}\nvelocities = "
                  "{{ u = \"x'\", w = \"y'\" }}\n",
                  potential)
          .c_str());
  d = claiming(d, "no-integrals", "integrals", "refuted");
  Data::List ansatz, all;
  for (const Data& block : blocks) {
    Data b;
    b["functions"] = block.list()->front();
    b["powers"] = block.list()->back();
    ansatz.push_back(b);
  }
  for (const Named& e : exceptions) {
    Data one;
    one["terms"] = e.terms;
    one["energy"] = e.energy;
    one["constant"] = e.constant;
    all.push_back(one);
  }
  d["ansatz"] = ansatz;
  d["exceptions"] = all;
  return d;
}

}  // namespace

TEST_CASE("no integral but the energy, and constants in disguise") {
  const Data::List blocks =
      lists({{Data::List{"1"}, Data::List{"u^2", "w^2"}}, {Data::List{"x*y"}, Data::List{"1"}}});
  const Data::List energy = lists({{0, 0, 0, "1/2"}, {0, 0, 1, "1/2"}, {1, 0, 0, "1"}});
  const auto claimed = [&](const std::vector<Named>& exceptions) {
    return without_integrals("x*y + 3", blocks, exceptions);
  };
  const std::string constant = "the combinations named are constant, or functions of the energy",
                    others = "the rates of the functions leave no other combination";
  CHECK(first_refuted(claimed({{energy, "1", "-3"}})) == "nothing");
  for (const auto& [e, c] :
       {std::pair("1", "3"), std::pair("-1", "-3"), std::pair("1", "0"), std::pair("0", "0")})
    CHECK(first_refuted(claimed({{energy, e, c}})) == constant);
  CHECK(first_refuted(claimed({})) == others);
  CHECK(first_refuted(claimed({{{}, "0", "0"}})) == "they are independent");
  CHECK(first_refuted(claimed({{energy, "1", "-3"}, {energy, "1", "-3"}})) == "they are independent");
  is_no_certificate(claimed({{energy, "1", "-3"}, {lists({{0, 0, 0, "w^2"}, {0, 0, 1, "-u^2"}}), "0", "0"}}));
  for (const Data& term :
       {Data("x"), Data(Data::List{0, 0, "1/2"}), Data(Data::List{0, 0, 0, "7", "1/2"}),
        Data(Data::List{0, 0, 0, 1}), Data(Data::List{2, 0, 0, "1/2"}), Data(Data::List{0, 1, 0, "1/2"}),
        Data(Data::List{0, 0, 2, "1/2"}), Data(Data::List{0, 0, -1, "1/2"})}) {
    Data::List terms = energy;
    terms[0] = term;
    is_no_certificate(claimed({{terms, "1", "-3"}}));
  }
  Data::List with_one = blocks, terms = energy;  // 3 times 1 is a term as well
  with_one.push_back(lists({{"1"}, {"1"}}));
  terms.push_back(Data::List{2, 0, 0, "3"});
  CHECK(first_refuted(without_integrals("x*y + 3", with_one, {{terms, "1", "0"}})) == "nothing");
  const Data::List disguised =
      lists({{Data::List{"cos(x)^2 + sin(x)^2", "cos(y)^2 + sin(y)^2", "cos(x*y)^2 + sin(x*y)^2"},
              Data::List{"1"}}});
  std::vector<Named> ones;
  for (const int f : {0, 1, 2}) ones.push_back({lists({Data::List{0, f, 0, "1"}}), "0", "1"});
  CHECK(first_refuted(without_integrals("x*y", disguised, ones)) == "nothing");
  ones.pop_back();
  CHECK(first_refuted(without_integrals("x*y", disguised, ones)) == others);
}

TEST_CASE("rates that states modulo a prime do not show, and a system where nothing moves") {
  const Data::List speeds = lists({{Data::List{"1"}, Data::List{"u", "w"}}});
  CHECK(is_accepted(without_integrals("x^2*y", speeds, {})));
  CHECK_FALSE(is_accepted(without_integrals("sqrt(1 + x^2)*y", speeds, {})));
  const Data::List nowhere = lists({{Data::List{"1/(cos(x)^2 + sin(x)^2 - 1)"}, Data::List{"u"}}});
  CHECK_FALSE(is_accepted(without_integrals("x^2*y", nowhere, {})));
  Data still = claiming(
      system_of("lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\nconstraints = { a = \"x' = 0\" }\n"),
      "no-integrals", "integrals", "refuted");
  const Data moving = without_integrals("x*y", lists({{Data::List{"cos(x)^2 + sin(x)^2"}, Data::List{"1"}}}),
                                        {{lists({Data::List{0, 0, 0, "1"}}), "0", "1"}});
  CHECK(first_refuted(moving) == "nothing");
  for (const char* key : {"ansatz", "exceptions"}) still[key] = *moving.find(key);
  is_no_certificate(still);
}
