// Certificates in frames whose brackets do not vanish: what is closed is closed by what the brackets add, and no index can be another.

#include "../forged_certificates.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>

using namespace rattleback;

namespace {

constexpr const char* three_legs =
    "lagrangian = \"(a'^2 + b'^2 + c'^2)/2\"\nspace = { a = \"R\", b = \"R\", c = \"R\" }\n";

struct Bracket {
  std::size_t i, j, k;
  const char* value;
};

/// Legs X_i on R³ by their images of a, b, c, with [X_i, X_j] = value X_k.
struct Legs {
  std::array<std::array<const char*, 3>, 3> images;
  std::vector<Bracket> brackets;
};

const Legs stretched{{{{"1", "0", "0"}, {"0", "1", "0"}, {"0", "0", "exp(a*b)"}}},
                     {{0, 2, 2, "b"}, {1, 2, 2, "a"}}};
const Legs mixed{{{{"1", "0", "0"}, {"0", "1", "a"}, {"0", "0", "exp(b)"}}},
                 {{0, 1, 2, "exp(-b)"}, {1, 2, 2, "1"}}};

const Legs both{{{{"1", "0", "0"}, {"0", "exp(a)", "0"}, {"0", "0", "exp(a*b)"}}},
                {{0, 1, 1, "1"}, {0, 2, 2, "b"}, {1, 2, 2, "a*exp(a)"}}};

using Order = std::array<std::size_t, 3>;
constexpr std::array<Order, 6> orders{{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}}};

/// The legs in another order: the new X_i is the old X_order[i].
Legs reordered(const Legs& legs, const Order& order) {
  Legs other{{{legs.images[order[0]], legs.images[order[1]], legs.images[order[2]]}}, {}};
  const auto now = [&](std::size_t i) {
    return static_cast<std::size_t>(std::ranges::find(order, i) - order.begin());
  };
  for (const Bracket& b : legs.brackets) other.brackets.push_back({now(b.i), now(b.j), now(b.k), b.value});
  return other;
}

/// Formulas in a, b, c and a', b', c', the components of the velocity along the legs.
struct InFrame {
  System system = read_model(three_legs, "frame.toml");
  Legs legs;

  Expr e(const std::string& text) const { return parse(text, system.scope); }
  Expr v(std::size_t i) const { return e(std::array{"a'", "b'", "c'"}[i]); }
  Expr slope(std::size_t i, Expr f) const {
    Expr all(0);
    for (const std::size_t k : {0, 1, 2})
      all += e(legs.images[i][k]) * derivative(f, e(std::array{"a", "b", "c"}[k]).symbol());
    return all;
  }
  /// A form on Q with the coordinates S_bc, S_ca, S_ab, on two legs.
  Expr form(const std::array<const char*, 3>& S, std::size_t i, std::size_t j) const {
    Expr all(0);
    for (const std::size_t k : {0, 1, 2}) {
      const std::size_t l = (k + 1) % 3, m = (k + 2) % 3;
      all += e(S[k]) *
             (e(legs.images[i][l]) * e(legs.images[j][m]) - e(legs.images[i][m]) * e(legs.images[j][l]));
    }
    return all;
  }
};

Data::List structure_of(const Legs& legs) {
  Data::List all;
  for (const Bracket& b : legs.brackets) {
    const auto i = static_cast<int>(b.i), j = static_cast<int>(b.j), k = static_cast<int>(b.k);
    all.push_back(Data::List{i, j, k, b.value});
    all.push_back(Data::List{j, i, k, fmt::format("-({})", b.value)});
  }
  return all;
}

Data::List rows_of_legs(const Legs& legs) {
  Data::List rows;
  for (const auto& row : legs.images) rows.push_back(Data::List{row[0], row[1], row[2]});
  return rows;
}

/// v·v/2 under the forces that give a multiplier f the slopes σ = df/f + `bent` and the gyroscopic form F = S/f:
/// Q_i = σ_i v·v − v_i σ·v + F_ij v^j, and v_i' = Q_i − C_il^m v^l v_m.
struct Forced {
  Data certificate;
  Data::List slopes, gyroscopic, twist;
  std::string multiplier;
};
Forced forced(const Legs& legs, const char* multiplier, const std::array<const char*, 3>& S,
              const char* bent) {
  const InFrame in{.legs = legs};
  const Expr f = in.e(multiplier);
  std::array<Expr, 3> sigma, rates;
  Expr square(0), along(0);
  for (const std::size_t i : {0, 1, 2}) {
    sigma[i] = in.slope(i, f) / f + (i == 1 ? in.e(bent) : Expr(0));
    square += in.v(i) * in.v(i);
    along += sigma[i] * in.v(i);
  }
  Forced all{.certificate = system_of(three_legs),
             .slopes = {},
             .gyroscopic = {},
             .twist = {},
             .multiplier = multiplier};
  Data::List forces;
  for (const std::size_t i : {0, 1, 2}) {
    rates[i] = sigma[i] * square - in.v(i) * along;
    for (const std::size_t j : {0, 1, 2}) {
      const Expr Sij = in.form(S, i, j);
      rates[i] += Sij / f * in.v(j);
      if (i >= j) continue;
      all.gyroscopic.push_back(Data::List{static_cast<int>(i), static_cast<int>(j), text(Sij / f)});
      all.twist.push_back(Data::List{static_cast<int>(i), static_cast<int>(j), text(Sij)});
    }
    forces.push_back(text(rates[i]));
    all.slopes.push_back(text(sigma[i]));
  }
  for (const Bracket& b : legs.brackets) {
    rates[b.i] -= in.e(b.value) * in.v(b.j) * in.v(b.k);
    rates[b.j] += in.e(b.value) * in.v(b.i) * in.v(b.k);
  }
  all.certificate["frame"] = rows_of_legs(legs);
  all.certificate["structure"] = structure_of(legs);
  all.certificate["forces"] = forces;
  all.certificate["speed_rates"] = Data::List{text(rates[0]), text(rates[1]), text(rates[2])};
  REQUIRE(first_refuted(all.certificate) == "nothing");
  return all;
}

Data without_multiplier(const Forced& motion) {
  Data group;
  group["group"] = "nothing";
  group["orbits"] = Data::List{};
  group["coframe"] = lists({{"1", "0", "0"}, {"0", "1", "0"}, {"0", "0", "1"}});
  group["slopes"] = motion.slopes;
  group["gyroscopic"] = motion.gyroscopic;
  return with(claiming(motion.certificate, "no-chaplygin-multiplier", "chaplygin-multiplier", "refuted"),
              "groups", Data::List(1, group));
}

Data with_multiplier(const Forced& motion) {
  Data all = claiming(motion.certificate, "chaplygin-multiplier", "chaplygin-multiplier", "proved");
  const std::string f = "(" + motion.multiplier + ")*";
  all["multiplier"] = motion.multiplier;
  all["form"] = Data::List{f + "a'", f + "b'", f + "c'"};
  all["twist"] = Data::List(1, Data(motion.twist));
  return all;
}

constexpr const char* multiplier = "2 + a*c + b";
constexpr std::array closed_form{"c - 3*a^2/2", "2*a*b", "a*c + b"},
    open_form{"c - a^2/2", "2*a*b", "a*c + b"};

}  // namespace

TEST_CASE("in any frame a closed form has a multiplier, and one that is not closed has none") {
  for (const Legs& frame : {stretched, mixed, both}) {
    for (const Order& order : orders) {
      CAPTURE(order[0]);
      CAPTURE(order[1]);
      const Legs legs = reordered(frame, order);
      const Forced closed = forced(legs, multiplier, closed_form, "0");
      CHECK(first_refuted(without_multiplier(closed)) == "no function has them");
      CHECK(first_refuted(with_multiplier(closed)) == "nothing");
      const Forced open = forced(legs, multiplier, open_form, "0");
      CHECK(first_refuted(without_multiplier(open)) == "nothing");
      CHECK(first_refuted(with_multiplier(open)) == "the two-forms are closed");
      if (order == orders[0])
        CHECK(first_refuted(without_multiplier(forced(legs, multiplier, closed_form, "a*c"))) == "nothing");
      for (const int k : {0, 1, 2}) {  // indices of a two-form increase
        Data::List more = closed.twist;
        more.push_back(Data::List{k, k, "a"});
        is_no_certificate(with(with_multiplier(closed), "twist", Data::List(1, Data(more))));
      }
      Data::List turned = closed.twist;
      turned[0] = Data::List{1, 0, "-(" + *turned[0].list()->back().text() + ")"};
      is_no_certificate(with(with_multiplier(closed), "twist", Data::List(1, Data(turned))));
    }
  }
}

TEST_CASE("a two-form that depends on the speeds is closed on no configuration") {
  Data forged = system_of(
      "lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\nforces = { x = \"x'*y'\", y = "
      "\"-x'^2\" "
      "}\n");
  forged = claiming(forged, "chaplygin-multiplier", "chaplygin-multiplier", "proved");
  forged["multiplier"] = "1";
  forged["form"] = Data::List{"x'", "y'"};
  forged["twist"] = Data::List(1, Data(lists({Data::List{0, 1, "x'"}})));
  is_no_certificate(forged);
}

namespace {

/// The bracket on D* of a system at rest, as it is stated.
Data of_bracket(Data system, const Data::List& momenta, const Data::List& speeds, bool holds) {
  Data d = at_rest(claiming(std::move(system), "jacobi", "jacobi", holds ? "proved" : "refuted"));
  for (const Data& p : momenta) d = and_symbol(d, p.text()->c_str(), of(Role::momentum));
  d["momentum_names"] = momenta;
  d["speeds_by_momenta"] = speeds;
  d["holds"] = holds;
  d["casimirs"] = Data::List{};
  d["reductions"] = Data::List{};
  return d;
}

}  // namespace

TEST_CASE("without constraints the bracket is Poisson, whatever frame and speeds it is written in") {
  const Data oblique = system_of(
      "lagrangian = \"(a'^2 + b'^2 + c'^2)/2\"\nspace = { a = \"R\", b = \"R\", c = \"R\" }\n[velocities]\nu "
      "= "
      "\"a'\"\nv = \"b'\"\nw = \"c' - a*b'\"\n");
  for (const Legs& frame : {stretched, mixed, both}) {
    for (const Order& order : orders) {
      CAPTURE(order[0]);
      CAPTURE(order[1]);
      const Legs legs = reordered(frame, order);
      for (const Data& system : {system_of(three_legs), oblique}) {
        Data d = system;
        d["frame"] = rows_of_legs(legs);
        d["structure"] = structure_of(legs);
        const bool direct = *list_in(d, "speeds")[0].text() == "a'";
        const Data::List speeds = direct ? Data::List{"p", "q", "s"}
                                         // p = u, q = v + a (w + a v), s = w + a v
                                         : Data::List{"p", "q - a*s", "s*(1 + a^2) - a*q"};
        CHECK(first_refuted(of_bracket(d, {"p", "q", "s"}, speeds, true)) == "nothing");
        CHECK(first_refuted(of_bracket(d, {"p", "q", "s"}, speeds, false)) == "Jacobi's identity fails");
      }
    }
  }
}

TEST_CASE("a bracket that leaves D along the first coordinate") {
  const Data contact = system_of(R"toml(
lagrangian = "(z'^2 + x'^2 + y'^2)/2"
space = { z = "R", x = "R", y = "R" }
constraints = { c = "z' = y*x'" }
velocities = { u = "x'", w = "y'" }
)toml");
  REQUIRE(*list_in(contact, "velocities")[0].text() == "z'");
  const Data::List p{"p", "q"}, speeds{"p/(1 + y^2)", "q"};
  CHECK(first_refuted(of_bracket(contact, p, speeds, false)) == "nothing");
  CHECK(first_refuted(of_bracket(contact, p, speeds, true)) == "Jacobi's identity holds");
  Data counted = of_bracket(contact, p, speeds, false);
  counted["casimir_count"] = 0;
  counted["brackets"] = Data::List{};
  CHECK(first_refuted(counted) == "brackets leave no room for more Casimirs");
  // π dp and π dq, the last of five fields, are X_u and X_w.
  CHECK(first_refuted(with(counted, "brackets", lists({{3, 4}}))) == "nothing");
  const Data plane = system_of("lagrangian = \"(x'^2 + y'^2)/2\"\nspace = { x = \"R\", y = \"R\" }\n");
  is_no_certificate(of_bracket(plane, {"p"}, {"p"}, true));  // as many momenta as speeds
}

TEST_CASE("fields that commute because of the brackets of their frame leave one Casimir") {
  // ∂/∂b and ∂/∂c + ∂/∂a in the frame e^b ∂/∂a, ∂/∂b, ∂/∂c: D is integrable.
  const Data d = system_of(R"toml(
lagrangian = "(a'^2 + b'^2 + c'^2)/2"
space = { a = "R", b = "R", c = "R" }
constraints = { k = "a' = exp(-b)*c'" }
velocities = { u = "b'", w = "c'" }
)toml");
  for (const Order& order : {orders[0], orders[1], orders[2]}) {
    const Legs legs =
        reordered({{{{"exp(b)", "0", "0"}, {"0", "1", "0"}, {"0", "0", "1"}}}, {{1, 0, 0, "1"}}}, order);
    const auto turned = [&](const Data::List& three) {
      return Data::List{three[order[0]], three[order[1]], three[order[2]]};
    };
    Data here = with(d, "frame", rows_of_legs(legs));
    here["structure"] = structure_of(legs);
    here["admissible"] = turned({"exp(-b)*w", "u", "w"});
    here["velocities"] = turned({"a'", "b'", "c'"});
    here["constraints"] = Data::List{"a' - exp(-b)*c'"};
    Data counted = of_bracket(here, {"p", "q"}, {"p", "q/(1 + exp(-2*b))"}, true);
    counted["casimir_count"] = 1;
    counted["brackets"] = Data::List{};
    CHECK(first_refuted(counted) == "nothing");
    for (const Data::List& twice : {Data::List{"a - c"}, Data::List{"a - c", "(a - c)^2"}})
      CHECK(first_refuted(
                with(with(counted, "casimirs", twice), "casimir_count", static_cast<int>(twice.size()))) ==
            (twice.size() == 1 ? "nothing" : "they are independent"));
    CHECK(first_refuted(with(counted, "casimirs", Data::List{"a + c"})) ==
          "the Casimirs commute with everything");
    CHECK(first_refuted(with(counted, "casimir_count", 0)) == "brackets leave no room for more Casimirs");
    CHECK(first_refuted(with(with(counted, "casimir_count", 0), "brackets", lists({{3, 4}}))) ==
          "brackets leave no room for more Casimirs");
  }
}

TEST_CASE("legs twice in a frame, functions that no leg moves, nine of them") {
  Data twice = system_of(three_legs);
  twice["functions"] = Data::List{"a", "b"};
  twice["frame"] = lists({{"1", "0"}, {"0", "1"}, {"1", "0"}});
  CHECK(first_refuted(twice) == "the frame moves every function of the configuration");
  Data nine = system_of(three_legs);
  Data::List functions = list_in(nine, "functions"), frame = list_in(nine, "frame");
  for (const char* name : {"d", "e", "f", "g", "h", "k"}) {
    nine = and_symbol(nine, name, of(Role::coordinate));
    functions.push_back(name);
    for (Data& leg : frame) {
      Data::List longer = *leg.list();
      longer.push_back("0");
      leg = longer;
    }
  }
  nine["functions"] = functions;
  nine["frame"] = frame;
  CHECK(first_refuted(nine) == "the frame moves every function of the configuration");
}

TEST_CASE("the trace of legs that move a function counts as a volume, and that of others does not") {
  // One leg moves a; the other scales with it.
  Data line = system_of("lagrangian = \"(a'^2 + b'^2)/2\"\nspace = { a = \"R\", b = \"R\" }\n");
  line["functions"] = Data::List{"a"};
  line["frame"] = lists({{"1"}, {"0"}});
  line["structure"] = lists({Data::List{0, 1, 1, "a"}, Data::List{1, 0, 1, "-a"}});
  line["speed_rates"] = Data::List{"-a*b'^2", "a*a'*b'"};
  line = claiming(line, "invariant-measure", "invariant-measure", "proved");
  CHECK(first_refuted(with(line, "density", "1")) == "nothing");
  CHECK(first_refuted(with(line, "density", "exp(a)")) == "the density is invariant");
  // A leg that moves a, and the affine algebra, which moves nothing.
  Data algebra = system_of(three_legs);
  algebra["functions"] = Data::List{"a"};
  algebra["frame"] = lists({{"1"}, {"0"}, {"0"}});
  algebra["structure"] = lists({Data::List{1, 2, 2, "1"}, Data::List{2, 1, 2, "-1"}});
  algebra["speed_rates"] = Data::List{"0", "-c'^2", "b'*c'"};
  algebra = claiming(algebra, "invariant-measure", "invariant-measure", "proved");
  CHECK(first_refuted(with(algebra, "density", "1")) == "the density is invariant");
}

TEST_CASE("forces in a frame are turned by its brackets") {
  // ∂/∂c is a symmetry: no leg, no kinetic energy and no component of the force depends on c.
  for (const bool is_stretched : {true, false}) {
    const Legs& frame = is_stretched ? stretched : mixed;
    const char* along_c = is_stretched ? "exp(-a*b)" : "exp(-b)";
    for (const Order& order : orders) {
      CAPTURE(order[0]);
      CAPTURE(order[1]);
      const Legs legs = reordered(frame, order);
      Data d = at_rest(claiming(system_of(three_legs), "symmetries", "symmetries", "proved"));
      d["frame"] = rows_of_legs(legs);
      d["structure"] = structure_of(legs);
      Data::List field(3, Data("0"));
      for (std::size_t i = 0; i < 3; ++i) field[i] = order[i] == 2 ? along_c : "0";
      d["fields"] = Data::List(1, Data(field));
      CHECK(first_refuted(with(d, "forces", Data::List{"a + 1", "b - 2*a", "a*b + 3"})) == "nothing");
      for (std::size_t i = 0; i < 3; ++i) {
        Data::List forces(3, Data("0"));
        forces[i] = "c";
        CHECK(first_refuted(with(d, "forces", forces)) == "the forces are invariant under it");
      }
    }
  }
}
