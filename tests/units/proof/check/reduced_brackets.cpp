// Groups that reduce a bracket: how they are lifted to the momenta, which legs belong to them, and what they have to leave alone.

#include "../forged_certificates.hpp"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

using namespace rattleback;

namespace {

/// The bracket on D*/G of a system at rest.
Data reduced(const Data& system, const Data::List& momenta, const Data::List& orbits,
             const Data::List& covectors) {
  Data d = at_rest(claiming(system, "jacobi", "jacobi", "proved")), reduction;
  for (const Data& p : momenta) d = and_symbol(d, p.text()->c_str(), of(Role::momentum));
  d["momentum_names"] = momenta;
  d["speeds_by_momenta"] = momenta;  // of unit masses
  reduction["group"] = "G";
  reduction["orbits"] = orbits;
  reduction["covectors"] = covectors;
  reduction["holds"] = true;
  reduction["casimirs"] = Data::List{};
  d["reductions"] = Data::List(1, reduction);
  return d;
}

constexpr const char *group = "the group leaves D and the Lagrangian alone, and is lifted to the momenta",
                     *of_a_group = "the orbits are those of a group";

Data of_plane(const Data::List& orbits, const Data::List& covectors) {
  return reduced(system_of("lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\n"),
                 {"p", "q"}, orbits, covectors);
}

Data with_legs(const char* model, const Data::List& functions, const Data::List& frame,
               const Data::List& structure) {
  Data d = system_of(model);
  d["functions"] = functions;
  d["frame"] = frame;
  d["structure"] = structure;
  return d;
}

}  // namespace

TEST_CASE("rotations of the plane turn the momenta, too") {
  const Data::List rotation{"-y", "x", "-q", "p"};
  const Data::List covectors = lists({{"x", "y", "0", "0"}, {"0", "0", "p", "q"}, {"q", "-p", "-y", "x"}});
  CHECK(first_refuted(of_plane(lists({rotation}), covectors)) == "nothing");
  CHECK(first_refuted(of_plane(lists({{"-y", "x", "0", "0"}}),
                               lists({{"x", "y", "0", "0"}, {"0", "0", "1", "0"}, {"0", "0", "0", "1"}}))) ==
        group);
  CHECK(first_refuted(
            of_plane(lists({{"-y", "x", "q", "-p"}}),
                     lists({{"x", "y", "0", "0"}, {"0", "0", "p", "q"}, {"q", "-p", "y", "-x"}}))) == group);
  const Data twice = of_plane(lists({rotation}), lists({{"x", "y", "0", "0"}, {"0", "0", "p", "q"}}));
  CHECK(first_refuted(twice) == "all that do are their combinations");
  CHECK(
      first_refuted(of_plane(lists({rotation}),
                             lists({{"1", "0", "0", "0"}, {"0", "0", "p", "q"}, {"q", "-p", "-y", "x"}}))) ==
      "the covectors vanish along its orbits");
}

TEST_CASE("translations leave the momenta alone, and do not depend on them") {
  CHECK(first_refuted(of_plane(lists({{"1", "0", "0", "0"}}),
                               lists({{"0", "1", "0", "0"}, {"0", "0", "1", "0"}, {"0", "0", "0", "1"}}))) ==
        "nothing");
  CHECK(first_refuted(of_plane(lists({{"p", "0", "0", "0"}}),
                               lists({{"0", "1", "0", "0"}, {"0", "0", "1", "0"}, {"0", "0", "0", "1"}}))) ==
        group);
  CHECK(first_refuted(of_plane(lists({{"1", "0", "1", "0"}}),
                               lists({{"-1", "0", "1", "0"}, {"0", "1", "0", "0"}, {"0", "0", "0", "1"}}))) ==
        group);
  CHECK(first_refuted(of_plane(lists({{"1", "0", "0", "1"}}),
                               lists({{"-1", "0", "0", "1"}, {"0", "1", "0", "0"}, {"0", "0", "1", "0"}}))) ==
        group);
  const Data line = system_of("lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\n");
  CHECK(first_refuted(reduced(line, {"p"}, lists({{"1", "0"}}), lists({{"0", "1"}}))) == "nothing");
  CHECK(first_refuted(reduced(line, {"p"}, lists({{"p", "0"}}), lists({{"0", "1"}}))) == group);
  CHECK(first_refuted(reduced(line, {"p"}, lists({{"x", "p"}}), lists({{"-p", "x"}}))) ==
        group);  // L is not scaled
  // A translation and a rotation generate the other translation, whatever stands between them.
  CHECK(first_refuted(of_plane(lists({{"1", "0", "0", "0"}, {"-y", "x", "-q", "p"}}),
                               lists({{"0", "q", "x", "0"}, {"0", "p", "0", "-x"}}))) == of_a_group);
  const Data space =
      system_of("lagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\nspace = { x = \"R\", y = \"R\", z = \"R\" }\n");
  const Data::List along_x{"1", "0", "0", "0", "0", "0"}, along_z{"0", "0", "1", "0", "0", "0"},
      rotation{"-y", "x", "0", "-q", "p", "0"};
  const Data::List covectors = lists(
      {{"0", "0", "0", "0", "0", "1"}, {"0", "q", "0", "x", "0", "0"}, {"0", "p", "0", "0", "-x", "0"}});
  for (const Data::List& orbits : {lists({along_x, rotation, along_z}), lists({along_x, along_z, rotation}),
                                   lists({along_z, along_x, rotation})})
    CHECK(first_refuted(reduced(space, {"p", "q", "s"}, orbits, covectors)) == of_a_group);
}

TEST_CASE("what moves no function belongs to the group, all of it or nothing") {
  constexpr const char* two = "lagrangian = \"(a'^2 + b'^2)/2\"\nspace = { a = \"R\", b = \"R\" }\n";
  const Data algebra = with_legs(two, {}, Data::List(2, Data(Data::List{})), {});
  CHECK(first_refuted(reduced(algebra, {"p", "q"}, lists({{"1", "0", "0", "0"}, {"0", "1", "0", "0"}}),
                              lists({{"0", "0", "1", "0"}, {"0", "0", "0", "1"}}))) == "nothing");
  CHECK(first_refuted(reduced(algebra, {"p", "q"}, lists({{"1", "0", "1", "0"}, {"0", "1", "0", "0"}}),
                              lists({{"-1", "0", "1", "0"}, {"0", "0", "0", "1"}}))) == group);
  CHECK(first_refuted(reduced(algebra, {"p", "q"}, lists({{"1", "0", "0", "0"}, {"0", "1", "0", "1"}}),
                              lists({{"0", "-1", "0", "1"}, {"0", "0", "1", "0"}}))) == group);
  // A momentum is no direction of the group.
  CHECK(first_refuted(reduced(algebra, {"p", "q"},
                              lists({{"1", "0", "0", "0"}, {"0", "1", "0", "0"}, {"0", "0", "1", "0"}}),
                              lists({{"0", "0", "0", "1"}}))) == group);
  CHECK(first_refuted(reduced(algebra, {"p", "q"},
                              lists({{"1", "0", "0", "0"}, {"0", "1", "0", "0"}, {"0", "0", "0", "1"}}),
                              lists({{"0", "0", "1", "0"}}))) == group);
  for (const Data::List& orbit : {Data::List{"0", "1", "0", "0"}, Data::List{"1", "0", "0", "0"}}) {
    Data::List other = orbit;
    std::swap(other[0], other[1]);
    CHECK(first_refuted(reduced(algebra, {"p", "q"}, lists({orbit}),
                                lists({other, {"0", "0", "1", "0"}, {"0", "0", "0", "1"}}))) == of_a_group);
  }
}

TEST_CASE("legs that move a function and legs that move none") {
  const auto three = [](const char* potential, std::size_t moving, const Data::List& structure) {
    Data::List frame(3, Data(Data::List{"0"}));
    frame[moving] = Data::List{"1"};
    return with_legs(
        fmt::format("lagrangian = \"(a'^2 + b'^2 + c'^2)/2 - {}\"\nspace = {{ a = \"R\", b = \"R\", c = "
                    "\"R\" }}\n",
                    potential)
            .c_str(),
        {"a"}, frame, structure);
  };
  const auto unit = [](std::size_t i) {
    Data::List row(6, Data("0"));
    row[i] = "1";
    return row;
  };
  for (const std::size_t moving : {0, 1, 2}) {
    CAPTURE(moving);
    const std::size_t one = (moving + 1) % 3, other = (moving + 2) % 3;
    const Data::List momenta{"p", "q", "s"};
    // Along the leg that moves a: a symmetry unless the potential depends on a.
    const auto along = [&](const char* potential) {
      return reduced(three(potential, moving, {}), momenta, lists({unit(moving)}),
                     lists({unit(one), unit(other), unit(3), unit(4), unit(5)}));
    };
    CHECK(first_refuted(along("0")) == "nothing");
    CHECK(first_refuted(along("a^2")) == group);
    // Along the others, which commute, or are the affine algebra.
    const int i = static_cast<int>(one), j = static_cast<int>(other);
    for (const Data::List& structure :
         {Data::List{}, lists({Data::List{i, j, j, "1"}, Data::List{j, i, j, "-1"}})}) {
      const Data affine = three("a^2", moving, structure);
      const Data::List rest = lists({unit(moving), unit(3), unit(4), unit(5)});
      CHECK(first_refuted(reduced(affine, momenta, lists({unit(one), unit(other)}), rest)) == "nothing");
      CHECK(first_refuted(reduced(affine, momenta, lists({unit(one)}),
                                  lists({unit(other), unit(moving), unit(3), unit(4), unit(5)}))) ==
            of_a_group);
    }
  }
}

TEST_CASE("a group that leaves the surface") {
  Data plate = system_of(
      "lagrangian = \"(x'^2 + z'^2)/2\"\nspace = { x = \"R\", z = \"R\" }\nconstraints = { c = \"z' = 0\" "
      "}\n");
  REQUIRE(list_in(plate, "speeds").size() == 1);
  const auto along = [&](const Data::List& orbit, const Data::List& other) {
    return reduced(plate, {"p"}, lists({orbit}), lists({other, {"0", "0", "1"}}));
  };
  CHECK(first_refuted(along({"0", "1", "0"}, {"1", "0", "0"})) == "nothing");
  plate["positions"] = Data::List{"z - 1"};
  CHECK(first_refuted(along({"1", "0", "0"}, {"0", "1", "0"})) == "nothing");
  CHECK(first_refuted(along({"0", "1", "0"}, {"1", "0", "0"})) == group);
}

TEST_CASE("Casimirs are counted by brackets, in any order of the covectors") {
  const Data contact = system_of(R"toml(
lagrangian = "(x'^2 + y'^2 + z'^2)/2"
space = { x = "R", y = "R", z = "R" }
constraints = { c = "z' = y*x'" }
velocities = { u = "x'", w = "y'" }
)toml");
  const auto counted = [&](const std::array<std::size_t, 5>& order, int count, const Data::List& brackets) {
    Data::List covectors;
    for (const std::size_t l : order) {
      Data::List row(5, Data("0"));
      row[l] = "1";
      covectors.push_back(row);
    }
    Data d = reduced(contact, {"p", "q"}, {}, covectors);
    d["verdict"] = "refuted";
    d["speeds_by_momenta"] = Data::List{"p/(1 + y^2)", "q"};
    for (const auto& [key, value] : {std::pair("holds", Data(false)), std::pair("casimir_count", Data(count)),
                                     std::pair("brackets", Data(brackets))})
      d = with_in(d, "reductions", 0, key, value);
    return first_refuted(d);
  };
  const std::string close = "the brackets close, so there are as many as stated",
                    room = "brackets leave no room for more Casimirs";
  for (const auto& order :
       {std::array<std::size_t, 5>{0, 1, 2, 3, 4}, {3, 4, 0, 1, 2}, {3, 0, 1, 2, 4}, {4, 0, 3, 1, 2}}) {
    int p = 0, q = 0;
    for (int l = 0; l < 5; ++l) {
      if (order[static_cast<std::size_t>(l)] == 3) p = l;
      if (order[static_cast<std::size_t>(l)] == 4) q = l;
    }
    CHECK(counted(order, 1, {}) == close);
    CHECK(counted(order, 0, {}) == room);
    CHECK(counted(order, 0, lists({Data::List{p, q}})) == "nothing");
    CHECK(counted(order, 1, lists({Data::List{p, q}})) == close);
    CHECK(counted(order, -1, lists({Data::List{p, q}})) == "no more Casimirs are listed than counted");
    CHECK(counted(order, 6, {}) == close);
  }
}

namespace {

const Data::List& unit_rows() {  // dx, dy, dp, dq of (x, y, z, p, q)
  static const Data::List rows = lists({{"1", "0", "0", "0", "0"},
                                        {"0", "1", "0", "0", "0"},
                                        {"0", "0", "0", "1", "0"},
                                        {"0", "0", "0", "0", "1"}});
  return rows;
}

/// The particle with z' = y x', reduced by the shifts of z, and why there should be no factor: there is one, sqrt(1 + y^2).
Data particle_without_factor(const Data::List& slopes, const Data::List& brackets,
                             const Data::List& combination, const Data::List& covectors = unit_rows()) {
  const Data particle = system_of(R"toml(
lagrangian = "(x'^2 + y'^2 + z'^2)/2"
space = { x = "R", y = "R", z = "R" }
constraints = { c = "z' = y*x'" }
velocities = { u = "x'", w = "y'" }
)toml");
  Data d = reduced(particle, {"p", "q"}, lists({{"0", "0", "1", "0", "0"}}), covectors), none;
  d["verdict"] = "refuted";
  d["speeds_by_momenta"] = Data::List{"p/(1 + y^2)", "q"};
  none["reason"] = "contradiction";
  none["slopes"] = slopes;
  none["brackets"] = brackets;
  none["combination"] = combination;
  return with_in(with_in(d, "reductions", 0, "holds", false), "reductions", 0, "no_factor", none);
}

std::vector<std::string> refuted_in(const Data& certificate) {
  std::vector<std::string> all;
  for (const CheckedStep& step : check_certificate(certificate)) {
    if (!proved(step.verdict)) all.push_back(step.what.substr(step.what.find(": ") + 2));
  }
  return all;
}

}  // namespace

TEST_CASE("a factor is a function on the reduced space") {
  const Data line = reduced(system_of("lagrangian = \"x'^2/2\"\nspace = { x = \"R\" }\n"), {"p"},
                            lists({{"1", "0"}}), lists({{"0", "1"}}));
  CHECK(first_refuted(with_in(line, "reductions", 0, "factor", "1 + p^2")) == "nothing");
  CHECK(first_refuted(with_in(line, "reductions", 0, "factor", "1 + x^2")) == "with the factor it holds");
}

TEST_CASE("a bracket of rank two in four dimensions, whatever the covectors") {
  // X = d/dx + y d/dz, Y = d/dy + d/dw: on (y, w, p, q) the bracket is (d/dy + d/dw + M d/dp) ^ d/dq with M = (y p + q)/(2 + y^2).
  const Data carried = system_of(R"toml(
lagrangian = "(x'^2 + y'^2 + z'^2 + w'^2)/2 + z'*y'"
space = { x = "R", y = "R", z = "R", w = "R" }
constraints = { c = "z' = y*x'", d = "w' = y'" }
velocities = { u = "x'", v = "y'" }
)toml");
  const Data::List along_x{"1", "0", "0", "0", "0", "0"}, along_z{"0", "0", "1", "0", "0", "0"};
  Data d = reduced(carried, {"p", "q"}, lists({along_x, along_z}),
                   lists({{"0", "1", "0", "0", "0", "1"},
                          {"0", "0", "0", "1", "1", "2"},
                          {"0", "0", "0", "0", "1", "3"},
                          {"0", "2", "0", "0", "0", "-1"}})),
       none;
  d["verdict"] = "refuted";
  d["speeds_by_momenta"] = Data::List{"(2*p - y*q)/(2 + y^2)", "((1 + y^2)*q - y*p)/(2 + y^2)"};
  none["reason"] = "rank two";
  d = with_in(with_in(d, "reductions", 0, "holds", false), "reductions", 0, "no_factor", none);
  CHECK(first_refuted(d) == "nothing");
}

TEST_CASE("slopes of a factor that are not those of the equations contradict themselves, and deny nothing") {
  const std::vector<std::string> wrong{"the slopes of the logarithm of a factor are as stated"},
      no_contradiction{"that of the slopes does not"};
  const std::string w = "y/(1 + y^2)", k = "p/(1 + y^2)^2";
  const Data::List p_and_q = lists({Data::List{2, 3}}), x_and_p = lists({Data::List{0, 2}}),
                   q_twice = lists({Data::List{3, 3}});
  // The first of the four unknowns, the second with the third, the last: one equation of four notices each.
  CHECK(refuted_in(particle_without_factor({"0", "0", "0", Data(w + " + x")}, p_and_q,
                                           {"0", Data(k), "0", "0", "1", "1"})) == wrong);
  CHECK(refuted_in(particle_without_factor({"x", "0", "0", Data(w)}, x_and_p,
                                           {"0", Data(w), "0", "0", "0", "1"})) == wrong);
  CHECK(refuted_in(particle_without_factor({"0", "p", "y*p^2/(1 + y^2)", Data(w)}, x_and_p,
                                           {"0", Data(w), "0", "0", "0", "1"})) == wrong);
  // Those of the factor: shifts of z do not change it, the bracket of a field with itself has no rate, and each coefficient has its own.
  CHECK(refuted_in(particle_without_factor({"0", "0", "0", Data(w)}, p_and_q,
                                           {"0", Data(k), "0", "0", "1", "1"})) == no_contradiction);
  CHECK(refuted_in(particle_without_factor({"0", "0", "0", Data(w)}, q_twice,
                                           {"0", "0", "0", "0", "0", "1"})) == no_contradiction);
  Data::List scaled = unit_rows();
  scaled[2] = Data::List{"0", "0", "0", "y", "0"};
  CHECK(refuted_in(particle_without_factor({"0", "0", "0", Data(w)}, p_and_q,
                                           {"0", Data("y*" + k), "1/y", "0", "y", "1"}, scaled)) ==
        no_contradiction);
}
