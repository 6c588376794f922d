// Certificates of how many gauge momenta there are: what is forged is refuted at the step that it forges.

#include "../forged_certificates.hpp"

#include <rattleback/algebra/arithmetic/error.hpp>

using namespace rattleback;

namespace {

const std::string counted = "the equations leave no more momenta than counted",
                  closed = "the equations close, so there are as many as counted",
                  sections_left = "they are independent, and no others are independent of them",
                  slopes = "the coefficients have the slopes stated",
                  turns = "the group turns the sections as stated";

Data momenta_of(const char* model) { return honest("momenta", model, "gauge-momenta"); }

Data counting(const Data& certificate, int count) { return with(certificate, "gauge_count", count); }

/// All entries of the first matrix of a list 1.
Data with_ones(const Data& certificate, const char* key) {
  Data::List all = list_in(certificate, key), first = *all[0].list();
  for (Data& e : first) e = "1";
  all[0] = first;
  return with(certificate, key, all);
}

}  // namespace

TEST_CASE("what analyze says of gauge momenta, the checker finds by itself") {
  for (const char* model : {"chaplygin-sleigh", "falling-disk", "vertical-disk", "suslov"})
    CHECK(first_refuted(momenta_of(model)) == "nothing");
}

TEST_CASE("momenta are neither added nor left out") {
  const Data sleigh = momenta_of("chaplygin-sleigh");  // none
  CHECK_THROWS_AS(first_refuted(counting(sleigh, 1)), Error);  // it says that none was found
  CHECK(first_refuted(with(counting(sleigh, 1), "verdict", "proved")) == closed);
  const Data disk = momenta_of("vertical-disk");  // two, in closed form
  REQUIRE(list_in(disk, "solutions").size() == 2);
  CHECK(first_refuted(counting(disk, 1)) == counted);
  CHECK(first_refuted(with(disk, "solutions", Data::List{})) == "nothing");  // the equations close
  const Data::List solutions = list_in(disk, "solutions");
  CHECK(first_refuted(with(disk, "solutions", Data::List{solutions[0], solutions[0]})) ==
        "they are independent");
  CHECK(first_refuted(with(disk, "solutions", Data::List{solutions[0], zeros(3)})) == "they are independent");
  const Data falling = momenta_of("falling-disk");  // two, hypergeometric
  REQUIRE(list_in(falling, "solutions").empty());
  CHECK(first_refuted(counting(falling, 1)) == counted);
  CHECK(first_refuted(with(falling, "solutions", Data::List{Data::List{"1", "0", "0"}})) ==
        "the coefficients stated make conserved momenta");
}

TEST_CASE("sections, symmetries and slopes") {
  const Data disk = momenta_of("falling-disk");
  Data::List sections = list_in(disk, "sections");
  const Data first = sections.front();
  sections.pop_back();
  Data fewer = counting(with(disk, "sections", sections), 1);
  fewer["turns"] = Data::List(list_in(disk, "fields").size(), zeros(4));
  fewer["slopes"] = Data::List(list_in(disk, "slopes").size(), zeros(4));
  CHECK(first_refuted(fewer) == sections_left);
  CHECK(first_refuted(with_ones(disk, "sections")) == "the sections lie in D");
  CHECK(first_refuted(with_ones(disk, "slopes")) == "and no others");
  CHECK(first_refuted(with_ones(disk, "turns")) == turns);
  Data::List fields = list_in(disk, "fields"), lean = *fields[0].list();
  lean[2] = "1";
  fields[0] = lean;
  CHECK(first_refuted(with(disk, "fields", fields)) == "the Lagrangian is invariant under it");
}

TEST_CASE("data that is no certificate of gauge momenta is an error") {
  const Data disk = momenta_of("vertical-disk");
  for (const Data& broken :
       {with(disk, "fields", Data::List{}), counting(disk, -1), with(disk, "slopes", Data::List(9, zeros(1))),
        with(disk, "solutions", Data::List{zeros(1)}), with(disk, "brackets", Data::List{Data::List{0, 99}}),
        with(disk, "prolongations", Data())})
    CHECK_THROWS_AS(check_certificate(broken), const Error&);
  CHECK(first_refuted(counting(disk, 3)) == closed);
}

TEST_CASE(
    "brackets and prolongations that are named, and solutions that are not, change nothing that is true") {
  for (const char* model :
       {"homogeneous-ball", "rubber-ball", "zero-reaction-particle", "nonholonomic-particle",
        "ball-on-turntable", "brockett-integrator", "zero-reaction-no-measure"}) {
    CAPTURE(model);
    const Data honest_one = momenta_of(model), unsolved = with(honest_one, "solutions", Data::List{});
    const int transports =
        static_cast<int>(list_in(honest_one, "fields").size() + list_in(honest_one, "slopes").size());
    const int count = static_cast<int>(*honest_one.find("gauge_count")->get_if<long>());
    for (const Data& certificate : {honest_one, unsolved}) {
      CHECK(first_refuted(certificate) == "nothing");
      for (int i = 0; i < transports; ++i) {
        for (int j = 0; j < transports; ++j) {
          const Data more =
              with(certificate, "brackets", Data::List{Data::List{i, j}, Data::List{transports, j}});
          CHECK(first_refuted(more) == "nothing");
          if (i == 0) CHECK(first_refuted(with(more, "prolongations", j)) == "nothing");
        }
      }
      if (count < static_cast<int>(list_in(certificate, "sections").size()))
        CHECK(first_refuted(counting(certificate, count + 1)) != "nothing");
      if (count > 0) CHECK(first_refuted(counting(certificate, count - 1)) == counted);
      for (const Data& pair :
           {Data(Data::List{transports, 0}), Data(Data::List{0, transports}), Data(Data::List{0}),
            Data(Data::List{0, 0, 0}), Data(Data::List{-1, 0}), Data("0"), Data(Data::List{"0", 0})})
        CHECK_THROWS_AS(check_certificate(with(certificate, "brackets", Data::List{pair})), const Error&);
    }
  }
}

TEST_CASE("coefficients of gauge momenta do not depend on time, also where the Lagrangian does") {
  const auto with_mass = [](const std::string& mass, const char* potential) {
    return asked(question("momenta"),
                 read_model("lagrangian = \"(x'^2 + y'^2 + " + mass + "*z'^2)/2 - " + potential + R"toml("
space = { x = "R", y = "R", z = "R" }
constraints = { k = "z' = y*x'" }
)toml",
                            "contact.toml"),
                 60);
  };
  // f' (1 + m y^2) + f m y = 0, whatever the time: one solution for a constant mass, and none for another.
  const auto count = [](const Answer& a) { return *a.answer.find("gauge_count")->get_if<long>(); };
  CHECK(count(with_mass("2", "y")) == 1);
  CHECK(with_mass("2", "y").outcome == Outcome::proved);
  for (const char* mass : {"exp(t)", "(2 + sin(t))"}) {
    CAPTURE(mass);
    const Answer a = with_mass(mass, "y");
    CHECK(count(a) == 0);
    CHECK(a.outcome != Outcome::proved);
    CHECK(with_mass(mass, "0").outcome == Outcome::proved);  // y'
  }
  // A potential that changes along y alone leaves (Y.1) as it is.
  CHECK(count(with_mass("2", "y*sin(t)")) == 1);
}
