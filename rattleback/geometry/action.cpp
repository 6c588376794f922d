#include <rattleback/geometry/action.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

/// The components of one factor, the frame being inverted by hand: it is short for every factor we have.
std::vector<Expr> factor_components(const Factor& factor, const SymbolMap& rates) {
  const auto rate = [&](Symbol q) {
    const auto found = rates.find(q);
    return found == rates.end() ? Expr(0) : found->second;
  };
  const std::vector<Symbol> q = factor.functions();
  switch (factor.kind) {
    case Factor::Kind::line:
    case Factor::Kind::circle: return {rate(q[0])};
    case Factor::Kind::SO3: return {Expr(0), Expr(0), Expr(0)};
    case Factor::Kind::SE2: {  // the frame is orthogonal
      const Expr c = cos(Expr(q[2])), s = sin(Expr(q[2]));
      return {rate(q[2]), c * rate(q[0]) + s * rate(q[1]), c * rate(q[1]) - s * rate(q[0])};
    }
    case Factor::Kind::SE3: {  // V = Bᵀ r'
      const std::vector<Expr> r{rate(q[9]), rate(q[10]), rate(q[11])};
      const Matrix V = transpose(factor.rotation()) * Matrix::column(r);
      return {Expr(0), Expr(0), Expr(0), V[0], V[1], V[2]};
    }
    case Factor::Kind::H3: {  // only z' mixes: subtract what X_1 and X_2 do to z
      const auto along_z = [&](int i) {
        const auto found = factor.frame[static_cast<std::size_t>(i)].find(q[2]);
        return found == factor.frame[static_cast<std::size_t>(i)].end() ? Expr(0) : found->second;
      };
      return {rate(q[0]), rate(q[1]), rate(q[2]) - along_z(0) * rate(q[0]) - along_z(1) * rate(q[1])};
    }
    case Factor::Kind::algebra:
      return std::vector<Expr>(static_cast<std::size_t>(factor.dimension()), Expr(0));
  }
  throw Bug("a kind of factor without components");
}

std::string vector_text(const Matrix& a) {
  for (int k = 0; k < 3; ++k) {
    if (a == unit_vector(k)) return fmt::format("e{}", k + 1);
    if (a == -unit_vector(k)) return fmt::format("-e{}", k + 1);
  }
  return fmt::format("[{}, {}, {}]", text(a[0]), text(a[1]), text(a[2]));
}

/// On a rotation matrix every function that does not move is a number: its value at B = 1.
Matrix at_identity(const Factor& factor, Matrix a) {
  SymbolMap identity;
  const Matrix B = factor.rotation();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) identity.emplace(B(i, j).symbol(), Expr(i == j ? 1 : 0));
  }
  return substitute(a, identity);
}

bool stands_still(const VectorField& xi, const Matrix& a, const Factor& factor) {
  const Space& space = xi.space();
  const int first = first_leg(space, factor);
  for (const Expr e : a.entries()) {
    for (int k = 0; k < 3; ++k) {
      if (!vanishes_at_random_points(space.derivative(first + k, e))) return false;
    }
  }
  return true;
}

/// "left e3" when the angular velocity is constant in space, "right e3" when it is constant in the body.
std::string turn_text(const VectorField& xi, const Factor& factor) {
  const int first = first_leg(xi.space(), factor);
  Matrix Omega(3, 1);
  for (int k = 0; k < 3; ++k) Omega[k] = xi[first + k];
  if (stands_still(xi, Omega, factor)) return "right " + vector_text(at_identity(factor, Omega));
  const Matrix omega = factor.rotation() * Omega;
  if (stands_still(xi, omega, factor)) return "left " + vector_text(at_identity(factor, omega));
  for (Expr& e : Omega.entries()) e = short_form(e);
  return "right " + vector_text(Omega);
}

}  // namespace

int first_leg(const Space& space, const Factor& factor) {
  const std::span<const Symbol> all = space.velocities();
  const auto found = std::find(all.begin(), all.end(), factor.velocities.front());
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

std::vector<Expr> components(const Space& space, const SymbolMap& rates) {
  std::vector<Expr> all;
  for (const Factor& factor : space.factors()) {
    const std::vector<Expr> own = factor_components(factor, rates);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

VectorField FieldRates::field(const Space& space) const {
  std::vector<Expr> xi = components(space, functions);
  for (const auto& [factor, Omega] : turns) {
    for (int k = 0; k < 3; ++k) xi[static_cast<std::size_t>(first_leg(space, *factor)) + k] = Omega[k];
  }
  return {space, xi};
}

std::vector<VectorField> left_translations(const Space& space, const Factor& factor) {
  const std::vector<Symbol> q = factor.functions();
  std::vector<VectorField> fields;
  const auto add = [&](const FieldRates& rates) { fields.push_back(rates.field(space)); };
  switch (factor.kind) {
    case Factor::Kind::line:
    case Factor::Kind::circle: add({{{q[0], Expr(1)}}, {}}); break;
    case Factor::Kind::SE2:
      add({{{q[0], Expr(1)}}, {}});
      add({{{q[1], Expr(1)}}, {}});
      add({{{q[0], -Expr(q[1])}, {q[1], Expr(q[0])}, {q[2], Expr(1)}}, {}});
      break;
    case Factor::Kind::
        H3: {  // X_1 = ∂_x + α y ∂_z, X_2 = ∂_y + β x ∂_z commute with ∂_x + β y ∂_z, ∂_y + α x ∂_z
      const auto along_z = [&](std::size_t leg, Symbol from, Symbol to) {
        const auto found = factor.frame[leg].find(q[2]);
        return found == factor.frame[leg].end() ? Expr(0) : substitute(found->second, {{from, Expr(to)}});
      };
      add({{{q[0], Expr(1)}, {q[2], along_z(1, q[0], q[1])}}, {}});
      add({{{q[1], Expr(1)}, {q[2], along_z(0, q[1], q[0])}}, {}});
      add({{{q[2], Expr(1)}}, {}});
      break;
    }
    case Factor::Kind::SO3:
    case Factor::Kind::SE3:
      for (int k = 0; k < 3; ++k) {
        FieldRates turning;
        turning.turns.emplace_back(&factor, transpose(factor.rotation()) * unit_vector(k));
        if (factor.kind == Factor::Kind::SE3) {
          const Matrix rate = cross(unit_vector(k), factor.position());
          for (int i = 0; i < 3; ++i) turning.functions.emplace(q[9 + static_cast<std::size_t>(i)], rate[i]);
        }
        add(turning);
      }
      for (std::size_t i = 9; i < q.size(); ++i) add({{{q[i], Expr(1)}}, {}});
      break;
    case Factor::Kind::algebra: break;
  }
  return fields;
}

std::vector<VectorField> right_translations(const Space& space, const Factor& factor) {
  std::vector<VectorField> fields;
  for (int k = 0; k < factor.dimension(); ++k)
    fields.push_back(VectorField::leg(space, first_leg(space, factor) + k));
  return fields;
}

std::string written(const VectorField& xi) {
  const Space& space = xi.space();
  std::vector<std::string> parts;
  for (const Factor& factor : space.factors()) {
    const int first = first_leg(space, factor);
    const auto moves = [&](int from, int count) {
      for (int k = from; k < from + count; ++k) {
        if (!xi[first + k].is_zero()) return true;
      }
      return false;
    };
    if (factor.kind == Factor::Kind::algebra) {
      for (int k = 0; k < factor.dimension(); ++k) {
        if (!xi[first + k].is_zero())
          parts.push_back(fmt::format("{} = \"{}\"", factor.velocities[static_cast<std::size_t>(k)].name(),
                                      text(xi[first + k])));
      }
      continue;
    }
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier == Carrier::unit_quaternion) {
        if (moves(0, 3))
          parts.push_back(
              fmt::format("{} = \"{}\"", piece.functions[0].attributes().family, turn_text(xi, factor)));
        continue;
      }
      for (const Symbol q : piece.functions) {
        const Expr rate = short_form(xi(Expr(q)));
        if (!rate.is_zero()) parts.push_back(fmt::format("{} = \"{}\"", q.name(), text(rate)));
      }
    }
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace rattleback
