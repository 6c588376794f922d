#include <doctest/doctest.h>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/latex.hpp>
#include <rattleback/view/formulas/latex_rows.hpp>
#include <rattleback/view/formulas/named_parts.hpp>
#include <rattleback/view/formulas/shared_parts.hpp>

using namespace rattleback;

namespace {

/// The formulas with the parts put back, last first.
std::vector<Expr> put_back(const NamedParts& named) {
  std::vector<Expr> formulas = named.formulas;
  for (auto part = named.parts.rbegin(); part != named.parts.rend(); ++part) {
    for (Expr& f : formulas) f = substitute(f, {{symbol(part->name).symbol(), part->value}});
  }
  return formulas;
}

std::size_t widest_term(Expr e) {
  std::size_t widest = 0;
  for (const Expr term : e.is(Kind::sum) ? e.args() : std::span<const Expr>(&e, 1))
    widest = std::max(widest, set_width(latex(term)));
  return widest;
}

}  // namespace

TEST_CASE("a fraction too wide for the page gets names for its sides, and nothing else changes") {
  std::string above = "a1", below = "b1";
  for (int k = 2; k <= 40; ++k) {
    above += " + a" + std::to_string(k) + "*x";
    below += " + b" + std::to_string(k) + "*y";
  }
  const std::vector<Expr> formulas{parse("u + (" + above + ")/(" + below + ")"), parse("u*(x + y)")};
  NamedParts named{{}, formulas};
  fit_terms(named, {"z"}, article_width());
  CHECK(named.parts.size() == 2);
  CHECK(named.formulas[1] == formulas[1]);
  for (const Expr f : named.formulas) CHECK(widest_term(f) <= article_width().width);
  CHECK(put_back(named) == formulas);
  CHECK(named.parts[0].name.substr(0, 1) != "z");  // taken
}

TEST_CASE("a part within a part is named before it") {
  std::string inner = "c1";
  for (int k = 2; k <= 60; ++k) inner += " + c" + std::to_string(k);
  const std::vector<Expr> formulas{parse("sin((x*(" + inner + ")^2 + y)/(1 + x))")};
  NamedParts named{{}, formulas};
  fit_terms(named, {}, article_width());
  REQUIRE(!named.parts.empty());
  CHECK(widest_term(named.formulas[0]) <= article_width().width);
  for (std::size_t k = 0; k < named.parts.size(); ++k) {
    CHECK(widest_term(named.parts[k].value) <= article_width().width);
    for (std::size_t later = k; later < named.parts.size(); ++later)
      CHECK(!contains(named.parts[k].value, symbol(named.parts[later].name).symbol()));
  }
  CHECK(put_back(named) == formulas);
}

TEST_CASE("what a page would repeat gets a name when that saves much") {
  const Expr below = parse("m1*(x1'^2 + y1'^2) + m2*(x2'^2 + y2'^2) + m3*(x3'^2 + y3'^2)");
  std::vector<Expr> page;
  for (const char* above : {"A1*y2' - A2*x2'", "A3*y1' - A4*x1'", "A1*x2' - A4*y1'", "A2*x1' - A3*y2'"})
    page.push_back(parse(above) / below);
  const NamedParts named = with_shared_parts(page, {});
  REQUIRE(named.parts.size() == 1);
  CHECK(named.parts[0].value == below);
  CHECK(put_back(named) == page);
  CHECK(with_shared_parts(std::span(page).first(2), {}).parts.empty());  // a short page
  const std::vector<Expr> different{page[0], page[1] + pow(below + 1, 2), parse("a + b")};
  CHECK(put_back(with_shared_parts(different, {"z1"})) == different);
}

TEST_CASE("a line that stands in other lines, too, gets a name") {
  const Expr line = parse("p1/(I + m*R^2) + sin(theta)*(p1*sin(theta) - p2)/(J*cos(theta)^2)");
  const std::vector<Expr> page{line, parse("R*cos(phi)") * line, parse("R*sin(phi)") * line,
                               parse("m*R^2*p3*cos(theta)/(J + m*R^2)") * line};
  const NamedParts named = with_shared_parts(page, {});
  REQUIRE(named.parts.size() == 1);
  CHECK(named.parts[0].value == line);
  CHECK(put_back(named) == page);
  const std::vector<Expr> twice{line, parse("x*cos(phi) + y*sin(phi) + z"), page[1], parse("p3/(J + m*R^2)")};
  CHECK(with_shared_parts(twice, {}).parts.empty());
}
