#include <rattleback/motion/symmetry/body_axes.hpp>

#include <algorithm>

namespace rattleback {
namespace {

Symbol free_name(const System& system, const std::string& name) {
  const std::vector<std::string> taken = system.scope.names();
  std::string free = name;
  while (std::find(taken.begin(), taken.end(), free) != taken.end()) free += "_";
  return Symbol::make(free, {.role = Role::velocity, .order = name == "xi1" ? 0 : 1});
}

BodyAxes turned(const System& system, int x, int y, Expr angle) {
  const Space& Q = system.space;
  std::vector<VectorField> legs;
  std::vector<Symbol> velocities(Q.velocities().begin(), Q.velocities().end());
  for (int i = 0; i < Q.dimension(); ++i) legs.push_back(VectorField::leg(Q, i));
  legs[static_cast<std::size_t>(x)][x] = cos(angle);
  legs[static_cast<std::size_t>(x)][y] = sin(angle);
  legs[static_cast<std::size_t>(y)][x] = -sin(angle);
  legs[static_cast<std::size_t>(y)][y] = cos(angle);
  velocities[static_cast<std::size_t>(x)] = free_name(system, "xi1");
  velocities[static_cast<std::size_t>(y)] = free_name(system, "xi2");
  return {in_frame(system, Frame(legs), velocities), as_columns(Q, legs)};
}

}  // namespace

System in_frame(const System& system, const Frame& e, const std::vector<Symbol>& velocities) {
  System other = system;
  other.space = in_frame(e, velocities);
  const Matrix columns = as_columns(system.space, e.fields());
  std::vector<Expr> w(velocities.begin(), velocities.end());
  const Matrix v = columns * Matrix::column(w);
  SymbolMap change;
  for (int i = 0; i < v.rows(); ++i)
    change.emplace(system.space.velocities()[static_cast<std::size_t>(i)], v[i]);
  other.lagrangian = substitute(system.lagrangian, change);
  for (Constraint& c : other.constraints) c.expression = substitute(c.expression, change);
  for (QuasiVelocity& z : other.velocities) z.expression = substitute(z.expression, change);
  if (!system.forces.empty()) {
    const Matrix Q = transpose(columns) * Matrix::column(substitute(system.forces, change));
    other.forces.assign(Q.entries().begin(), Q.entries().end());
  }
  other.symmetries.clear();  // their fields are written in the old frame
  return other;
}

std::vector<BodyAxes> planar_body_axes(const System& system, const std::vector<int>& fibre) {
  std::vector<BodyAxes> all;
  if (system.parametrization) return all;  // it is written in the velocities of the model
  std::vector<int> lines, circles;
  int leg = 0;
  for (const Factor& factor : system.space.factors()) {
    if (std::find(fibre.begin(), fibre.end(), leg) != fibre.end()) {
      if (factor.kind == Factor::Kind::line) lines.push_back(leg);
      if (factor.kind == Factor::Kind::circle) circles.push_back(leg);
    }
    leg += factor.dimension();
  }
  for (const int theta : circles) {
    const Expr angle = *system.space.coordinate(theta);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (std::size_t j = i + 1; j < lines.size(); ++j) {
        all.push_back(turned(system, lines[i], lines[j], angle));
        all.push_back(turned(system, lines[i], lines[j], -angle));
      }
    }
  }
  return all;
}

}  // namespace rattleback
