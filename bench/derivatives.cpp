/// The graph itself: building, differentiating, evaluating modulo a prime, deciding identities.

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

#include "ginac.hpp"
#include "question.hpp"

using namespace bench;

namespace {

constexpr double limit = 10;

void building() {
  constexpr int side = 200;
  std::vector<Expr> x, y;
  for (int i = 0; i < side; ++i) {
    x.push_back(symbol("x" + std::to_string(i)));
    y.push_back(symbol("y" + std::to_string(i)));
  }
  const auto products = [&] {
    for (const Expr a : x) {
      for (const Expr b : y) (void)(a * b);
    }
  };
  const double first = seconds_of(products), again = seconds_of(products);
  constexpr double million = 1e-6 * side * side;
  fmt::print("products of two symbols:    {:.1f} million/s new, {:.1f} million/s met again\n",
             million / first, million / again);
}

std::vector<Expr> hessian(std::span<const Expr> gradient_of_L, std::span<const Symbol> v) {
  std::vector<Expr> entries;
  for (const Expr p : gradient_of_L) {
    for (const Symbol vj : v) entries.push_back(derivative(p, vj));
  }
  return entries;
}

#ifdef RATTLEBACK_HAVE_GINAC
Result by_ginac(const System& s) {
  GinacReader in;
  std::vector<GiNaC::symbol> v;
  for (const Symbol vi : s.space.velocities()) v.push_back(in.symbol(plain(vi.name())));
  const GiNaC::ex L = in.read(plain(s.lagrangian));
  Result r{Result::State::finished, 0, 0, 0, {}};
  r.seconds = seconds_of([&] {
    for (const auto& vi : v) {
      const GiNaC::ex p = L.diff(vi);
      for (const auto& vj : v) (void)p.diff(vj);
    }
  });
  return r;
}
#endif

/// ∂L/∂v and ∂²L/∂v∂v of the car with n trailers.
void differentiating() {
  fmt::print(
      "\nFirst and second derivatives of the Lagrangian of a car with n trailers by its n + 3 velocities:\n");
  fmt::print("{:>4}{:>8}{:>12}{:>9}{:>12}{:>9}{:>9} |{:>10}{:>8} |{:>10}{:>8} |{:>16}\n", "n", "nodes",
             "gradient", "nodes", "Hessian", "nodes", "both", "SymPy", "ratio", "GiNaC", "ratio",
             "mod p, nodes/s");
  for (const int n : {2, 5, 20}) {
    double first = 1e9, second = 1e9;
    std::size_t nodes = 0, after_first = 0, after_second = 0;
    std::vector<Expr> entries;
    for (int k = 0; k < 5; ++k) {
      const System s = car(600 + 10 * n + k, n).system;
      const std::size_t start = nodes_built();
      std::vector<Expr> p;
      first = std::min(first, seconds_of([&] { p = gradient(s.lagrangian, s.space.velocities()); }));
      after_first = nodes_built() - start;
      second = std::min(second, seconds_of([&] { entries = hessian(p, s.space.velocities()); }));
      after_second = nodes_built() - start;
      nodes = graph_size(std::span(&s.lagrangian, 1));
    }
    const ModularProgram program(entries);
    const double run = fastest_of(50, [&](int k) { (void)program.run_near(static_cast<std::uint64_t>(k)); });

    const System s = car(600, n).system;
    const Result python = sympy("derivatives.py", limit, as_job(s))["hessian"];
    Result ginac;
#ifdef RATTLEBACK_HAVE_GINAC
    ginac = in_child(limit, [&] { return by_ginac(s); });
#endif
    const double both = first + second;
    fmt::print("{:>4}{:>8}{:>12}{:>9}{:>12}{:>9}{:>9} |{:>10}{:>8} |{:>10}{:>8} |{:>14.0f} M\n", n, nodes,
               duration(first), after_first, duration(second), after_second, duration(both), python.time(),
               python.against(both), ginac.time(), ginac.against(both),
               1e-6 * static_cast<double>(program.size()) / run);
    std::fflush(stdout);
  }
}

struct Claim {
  const char* text;
  bool is_true;
};

/// Positive symbols: a, b, c. All others are real.
const std::vector<Claim>& claims() {
  static const std::vector<Claim> list{
      {"sin(x)^2 + cos(x)^2 - 1", true},
      {"sin(x + y + z) - sin(x)*cos(y + z) - cos(x)*sin(y + z)", true},
      {"cos(5*x) - 16*cos(x)^5 + 20*cos(x)^3 - 5*cos(x)", true},
      {"tan(x + y)*(1 - tan(x)*tan(y)) - tan(x) - tan(y)", true},
      {"sin(x/2)^2 - (1 - cos(x))/2", true},
      {"(sin(x) + sin(y))*cos((x + y)/2) - (cos(x) + cos(y))*sin((x + y)/2)", true},
      {"1/(sqrt(a) + sqrt(b)) - (sqrt(a) - sqrt(b))/(a - b)", true},
      {"sqrt(a*b) - sqrt(a)*sqrt(b)", true},
      {"sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(3)", true},
      {"(sqrt(x^2 + y^2) - x)*(sqrt(x^2 + y^2) + x) - y^2", true},
      {"exp(x + y) - exp(x)*exp(y)", true},
      {"cosh(x)^2 - sinh(x)^2 - 1", true},
      {"tanh(x) - (exp(2*x) - 1)/(exp(2*x) + 1)", true},
      {"cos(pi/5) - (1 + sqrt(5))/4", true},
      {"(a^2 + b^2)*(x^2 + y^2) - (a*x - b*y)^2 - (a*y + b*x)^2", true},
      {"1/(x*(x + 1)) + 1/((x + 1)*(x + 2)) - 2/(x*(x + 2))", true},
      {"sqrt(x^2) - x", false},
      {"sin(x + y) - sin(x) - sin(y)", false},
      {"sqrt(a + b) - sqrt(a) - sqrt(b)", false},
      {"sqrt(5 + 2*sqrt(6)) - sqrt(2) - sqrt(3) - 1/10^9", false},
  };
  return list;
}

Scope real_symbols(int run) {
  Scope scope;
  int order = 1000 * run;
  for (const char* name : {"a", "b", "c"}) {
    scope.define(name,
                 Symbol::make(name, {.role = Role::parameter, .sign = Sign::positive, .order = order++}));
  }
  for (const char* name : {"x", "y", "z"}) scope.define(name, Symbol::make(name, {.order = order++}));
  return scope;
}

/// What a contender says of the claims: right, no answer (a true identity it did not reduce to 0), wrong.
struct Score {
  int right = 0, open = 0, wrong = 0;
  double seconds = 0;
  std::string line() const {
    return fmt::format("{:>3} right {:>3} open {:>3} wrong   {:>9}", right, open, wrong, duration(seconds));
  }
};

void deciding() {
  Score us;
  [[maybe_unused]] Score ginac;  // its column, where GiNaC is there
  std::string exact;
  for (const Claim& claim : claims()) {
    Verdict v;
    us.seconds += fastest_of(5, [&](int run) { v = is_zero(parse(claim.text, real_symbols(700 + run))); });
    if (undecided(v)) {
      ++us.open;
    } else {
      ++(proved(v) == claim.is_true ? us.right : us.wrong);
    }
  }
  std::string job;
  for (const Claim& claim : claims()) job += fmt::format("claim\t{}\n", claim.text);
  auto python = sympy("derivatives.py", limit, job);
  fmt::print(
      "\n{} claims e = 0 with angles, roots and exponentials, {} of them false; a true identity that is not "
      "reduced to 0 is open:\n",
      claims().size(), std::ranges::count(claims(), false, &Claim::is_true));
  fmt::print("ours, is_zero      {}\n", us.line());
  Score sympy_score;
  for (const Claim& claim : claims()) {
    const Result& r = python[claim.text];
    sympy_score.seconds += r.seconds;
    const bool says_zero = r.state == Result::State::finished && r.value == 0;
    if (claim.is_true) ++(says_zero ? sympy_score.right : sympy_score.open);
    if (!claim.is_true) ++(says_zero ? sympy_score.wrong : sympy_score.right);
  }
  fmt::print("SymPy, simplify    {}  {}\n", sympy_score.line(), ratio(sympy_score.seconds, us.seconds));
#ifdef RATTLEBACK_HAVE_GINAC
  for (const Claim& claim : claims()) {
    GinacReader in;
    std::string text = claim.text;
    for (std::size_t at = 0; (at = text.find("pi", at)) != std::string::npos;) text.replace(at, 2, "Pi");
    const GiNaC::ex e = in.read(text);
    bool says_zero = false;
    ginac.seconds += seconds_of([&] { says_zero = e.expand().normal().is_zero(); });
    if (claim.is_true) ++(says_zero ? ginac.right : ginac.open);
    if (!claim.is_true) ++(says_zero ? ginac.wrong : ginac.right);
  }
  fmt::print("GiNaC, normal      {}  {}\n", ginac.line(), ratio(ginac.seconds, us.seconds));
#endif
}

}  // namespace

int main() {
  fmt::print("CPU time; the others stop after {:.0f} s.\n\n", limit);
  building();
  differentiating();
  deciding();
}
