#include <rattleback/view/film/support_net.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/system/initial_point.hpp>
#include <rattleback/model/system/support_patch.hpp>

namespace rattleback {
namespace {

using On = Support::Kind;

/// The surface over two letters, in the axes of the body that carries it.
struct Sheet {
  Matrix point;
  Symbol u, v;
};

Sheet sheet_of(const Support& support) {
  const Symbol u = Symbol::make("u of a net", {}), v = Symbol::make("v of a net", {});
  if (support.coordinates.rows() > 0)
    return {substitute(support.point,
                       {{support.coordinates[0].symbol(), u}, {support.coordinates[1].symbol(), v}}),
            u, v};
  Support over = support;
  if (over.axis.rows() == 0) over.axis = unit_vector(2);
  const std::vector<Expr> letters{u, v};
  over.coordinates = Matrix::column(letters);
  set_round_patch(over);
  return {over.point, u, v};
}

bool goes_round(On kind, int k) {
  switch (kind) {
    case On::sphere:
    case On::torus: return true;
    case On::cylinder:
    case On::cone: return k == 0;
    case On::revolution:
    case On::curve: return k == 1;
    default: return false;
  }
}

/// Where the motion starts, where the model says so: numbers for coordinates and parameters.
double start_of(const System& system, Expr q) {
  try {
    const SymbolMap at = initial_point(system);
    const auto found = at.find(q.symbol());
    if (found == at.end()) return 0;
    Numbers values;
    for (const auto& [s, value] : parameter_values(system)) values.emplace(s, evaluate(value, {}));
    const double x = evaluate(found->second, values);
    return std::isfinite(x) ? x : 0;
  } catch (const OutOfDomain&) {
    return 0;
  }
}

/// From where to where a coordinate is drawn: as the model says, once round, or twice as far as the motion starts.
std::pair<Expr, Expr> range_of(const System& system, const Support& s, int k) {
  if (s.drawn.rows() > 0 && !(s.drawn(k, 0).is_zero() && s.drawn(k, 1).is_zero()))
    return {s.drawn(k, 0), s.drawn(k, 1)};
  const Expr pi(Symbol::make("pi"));
  if (s.kind == On::sphere) {
    const bool all_round = k == 1 && !s.inside;
    return {all_round ? -pi : -pi / 2, all_round ? pi : pi / 2};
  }
  if (goes_round(s.kind, k)) return {Expr(0), 2 * pi};
  const double start = s.coordinates.rows() > 0 ? std::abs(start_of(system, s.coordinates[k])) : 0;
  const Expr far(Rational::from_double(std::max(1.0, std::ceil(2 * start))));
  if (s.kind == On::cylinder && start == 0) return {-2 * s.radius, 2 * s.radius};
  const bool from_axis = s.kind == On::cone || s.kind == On::revolution;
  return {from_axis ? Expr(0) : -far, far};
}

/// Lines with equally many corners, u = const. and then v = const., over the letters of the sheet.
std::vector<std::vector<Matrix>> lines_of(const System& system, const Support& s) {
  constexpr int lines = 12, corners = 24;
  const Sheet sheet = sheet_of(s);
  std::vector<std::vector<Matrix>> all;
  for (int k = 0; k < 2; ++k) {
    const Symbol fixed = k == 0 ? sheet.u : sheet.v, running = k == 0 ? sheet.v : sheet.u;
    const auto [a, b] = range_of(system, s, k);
    const auto [from, to] = range_of(system, s, 1 - k);
    for (int i = 0; i <= lines; ++i) {
      std::vector<Matrix>& line = all.emplace_back();
      for (int j = 0; j <= corners; ++j)
        line.push_back(substitute(
            sheet.point, {{fixed, a + (b - a) * i / lines}, {running, from + (to - from) * j / corners}}));
    }
  }
  return all;
}

Shape thin(const Contact& contact, Shape::Kind kind) {
  Shape s;
  s.name = contact.name + " surface";
  s.kind = kind;
  s.color = "grey";
  s.sizes = {Expr(1)};
  return s;
}

Shape net_on(const RigidBody& body, const Contact& contact, std::vector<std::vector<Matrix>> lines) {
  Shape net = thin(contact, Shape::Kind::net);
  net.at = body.r_G_S;
  net.rotation = body.attitude.to_space(Matrix::identity(3));
  net.axis = unit_vector(2);
  net.corners = static_cast<int>(lines.front().size());
  for (std::vector<Matrix>& line : lines) std::ranges::move(line, std::back_inserter(net.points));
  return net;
}

}  // namespace

std::vector<Shape> support_net(const System& system, const Contact& contact) {
  const Support& s = contact.support;
  if (s.kind == On::plane || s.kind == On::implicit) return {};
  std::vector<std::vector<Matrix>> lines = lines_of(system, s);
  const auto below = std::ranges::find(system.bodies, s.body, &RigidBody::name);
  if (below != system.bodies.end()) return {net_on(*below, contact, std::move(lines))};
  std::vector<Shape> all;
  for (std::vector<Matrix>& line : lines) {
    all.push_back(thin(contact, Shape::Kind::line));
    all.back().points = std::move(line);
  }
  return all;
}

}  // namespace rattleback
