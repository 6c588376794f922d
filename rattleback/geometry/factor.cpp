#include <rattleback/geometry/factor.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/geometry/named_algebras.hpp>

namespace rattleback {
namespace {

Symbol coordinate(std::string_view name, int order) {
  return Symbol::make(name, {.role = Role::coordinate, .order = order});
}

Symbol velocity(const std::string& name, int order) {
  return Symbol::make(name, {.role = Role::velocity, .order = order});
}

std::vector<Symbol> velocities(const VelocityNames& names, const VelocityNames& defaults, int order) {
  const VelocityNames& chosen = names.empty() ? defaults : names;
  if (chosen.size() != defaults.size()) {
    throw Error("wrong-number-of-velocities", "this factor has " + std::to_string(defaults.size()) +
                                                  " velocities, but " + std::to_string(chosen.size()) +
                                                  " names are given");
  }
  std::vector<Symbol> symbols;
  for (const std::string& name : chosen) symbols.push_back(velocity(name, order));
  return symbols;
}

VelocityNames numbered(const std::string& stem, int n) {
  VelocityNames names;
  for (int k = 1; k <= n; ++k) names.push_back(stem + std::to_string(k));
  return names;
}

/// The nine entries of B, row by row, as symbols of one family.
std::vector<Symbol> rotation_entries(std::string_view B, int order) {
  std::vector<Symbol> entries;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const std::string name = std::string(B) + std::to_string(i + 1) + std::to_string(j + 1);
      entries.push_back(Symbol::make(
          name, {.role = Role::rotation, .order = order, .family = std::string(B), .entry = 3 * i + j}));
    }
  }
  return entries;
}

Matrix as_matrix(const std::vector<Symbol>& entries) {
  Matrix B(3, 3);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) B(i, j) = entries[3 * i + j];
  }
  return B;
}

/// X_k B = B ê_k.
SymbolMap body_rotation(const std::vector<Symbol>& entries, int k) {
  const Matrix image = as_matrix(entries) * hat(unit_vector(k));
  SymbolMap leg;
  for (int i = 0; i < 9; ++i) leg.emplace(entries[i], image[i]);
  return leg;
}

Factor one_dimensional(Factor::Kind kind, Carrier carrier, Symbol q) {
  const Symbol v = velocity(q.name() + "'", q.attributes().order);
  return {kind, q.name(), {{carrier, {q}}}, {v}, {{{q, Expr(1)}}}, StructureCoefficients(1)};
}

}  // namespace

std::vector<Symbol> Factor::functions() const {
  std::vector<Symbol> all;
  for (const Piece& piece : pieces) all.insert(all.end(), piece.functions.begin(), piece.functions.end());
  return all;
}

Matrix Factor::rotation() const {
  if (kind == Kind::SE2) {
    const Expr theta = pieces[2].functions[0];
    return {{cos(theta), -sin(theta)}, {sin(theta), cos(theta)}};
  }
  if (kind != Kind::SO3 && kind != Kind::SE3) throw Bug("rotation() of a factor without one");
  return as_matrix(pieces[0].functions);
}

Matrix Factor::position() const {
  std::vector<Expr> r;
  for (const Piece& piece : pieces) {
    if (piece.carrier == Carrier::real) r.push_back(piece.functions[0]);
  }
  return Matrix::column(r);
}

Factor line(Symbol q) { return one_dimensional(Factor::Kind::line, Carrier::real, q); }
Factor circle(Symbol q) { return one_dimensional(Factor::Kind::circle, Carrier::angle, q); }
Factor line(std::string_view q, int order) { return line(coordinate(q, order)); }
Factor circle(std::string_view q, int order) { return circle(coordinate(q, order)); }

Factor special_orthogonal_3(std::string_view B, int order, const VelocityNames& names) {
  const std::vector<Symbol> entries = rotation_entries(B, order);
  return {Factor::Kind::SO3,
          std::string(B),
          {{Carrier::unit_quaternion, entries}},
          velocities(names, numbered("Omega", 3), order),
          {body_rotation(entries, 0), body_rotation(entries, 1), body_rotation(entries, 2)},
          so3().c()};
}

Factor special_euclidean_2(std::string_view x, std::string_view y, std::string_view theta, int order,
                           const VelocityNames& names) {
  const Symbol qx = coordinate(x, order), qy = coordinate(y, order), angle = coordinate(theta, order);
  const Expr c = cos(Expr(angle)), s = sin(Expr(angle));
  return {Factor::Kind::SE2,
          std::string(theta),
          {{Carrier::real, {qx}}, {Carrier::real, {qy}}, {Carrier::angle, {angle}}},
          velocities(names, {"omega", "v1", "v2"}, order),
          {{{angle, Expr(1)}}, {{qx, c}, {qy, s}}, {{qx, -s}, {qy, c}}},
          se2().c()};
}

Factor special_euclidean_3(std::string_view B, std::string_view r, int order, const VelocityNames& names) {
  const std::vector<Symbol> entries = rotation_entries(B, order);
  std::vector<Piece> pieces{{Carrier::unit_quaternion, entries}};
  VelocityNames defaults = numbered("Omega", 3);
  for (int i = 1; i <= 3; ++i) {
    pieces.push_back({Carrier::real, {coordinate(std::string(r) + std::to_string(i), order)}});
    defaults.push_back("V" + std::to_string(i));
  }
  std::vector<SymbolMap> frame{body_rotation(entries, 0), body_rotation(entries, 1),
                               body_rotation(entries, 2)};
  for (int k = 0; k < 3; ++k) {
    SymbolMap translation;
    for (int i = 0; i < 3; ++i) translation.emplace(pieces[i + 1].functions[0], Expr(entries[3 * i + k]));
    frame.push_back(std::move(translation));
  }
  return {Factor::Kind::SE3, std::string(B), pieces, velocities(names, defaults, order), frame, se3().c()};
}

Factor heisenberg(std::string_view x, std::string_view y, std::string_view z, int order,
                  const VelocityNames& names) {
  const Symbol qx = coordinate(x, order), qy = coordinate(y, order), qz = coordinate(z, order);
  return {Factor::Kind::H3,
          std::string(z),
          {{Carrier::real, {qx}}, {Carrier::real, {qy}}, {Carrier::real, {qz}}},
          velocities(names, {"v1", "v2", "v3"}, order),
          {{{qx, Expr(1)}, {qz, -Expr(qy) / 2}}, {{qy, Expr(1)}, {qz, Expr(qx) / 2}}, {{qz, Expr(1)}}},
          heisenberg_algebra().c()};
}

Factor algebra_factor(std::string_view name, const LieAlgebra& g, int order, const VelocityNames& names) {
  const int n = g.dimension();
  return {Factor::Kind::algebra,
          std::string(name),
          {},
          velocities(names, numbered("xi", n), order),
          std::vector<SymbolMap>(n),
          g.c()};
}

}  // namespace rattleback
