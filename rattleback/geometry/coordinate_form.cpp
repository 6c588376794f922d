#include <rattleback/geometry/coordinate_form.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/linear_algebra.hpp>

namespace rattleback {
namespace {

bool turns(const SymbolMap& leg) {
  return std::any_of(leg.begin(), leg.end(),
                     [](const auto& image) { return image.first.role() == Role::rotation; });
}
bool moves(const SymbolMap& leg) {
  return std::any_of(leg.begin(), leg.end(),
                     [](const auto& image) { return image.first.role() != Role::rotation; });
}

/// X_k B = B ê_k?
bool is_body_rotation(const SymbolMap& leg, const std::vector<Symbol>& entries, int k) {
  Matrix B(3, 3), e(3, 1);
  e[k] = 1;
  for (int i = 0; i < 9; ++i) B[i] = entries[i];
  const Matrix image = B * hat(e);
  for (int i = 0; i < 9; ++i) {
    const auto found = leg.find(entries[i]);
    if ((found == leg.end() ? Expr(0) : found->second) != image[i]) return false;
  }
  return true;
}

}  // namespace

/// α_i = X_i(q) a_q for the legs that move coordinates: a square system.
std::optional<CoordinateForm> coordinate_form(const OneForm& alpha) {
  const Space& space = alpha.space();
  CoordinateForm form;
  for (const Symbol q : space.functions()) {
    if (q.role() != Role::rotation) form.coordinates.push_back(q);
  }
  std::vector<int> moving, turning;
  for (int i = 0; i < space.dimension(); ++i) {
    const bool t = turns(space.leg(i)), m = moves(space.leg(i));
    if (t == m) return std::nullopt;  // both, or neither
    (t ? turning : moving).push_back(i);
  }
  const int n = static_cast<int>(form.coordinates.size());
  if (static_cast<int>(moving.size()) != n) return std::nullopt;
  Matrix legs(n, n), right(n, 1);
  for (int i = 0; i < n; ++i) {
    right[i] = alpha[moving[i]];
    for (int j = 0; j < n; ++j) {
      const auto found = space.leg(moving[i]).find(form.coordinates[j]);
      if (found != space.leg(moving[i]).end()) legs(i, j) = found->second;
    }
  }
  const std::optional<Solution> a = solve(legs, right);
  if (!a || a->homogeneous.columns() > 0) return std::nullopt;
  form.a.assign(a->x.entries().begin(), a->x.entries().end());

  std::size_t next = 0;
  for (const Factor& factor : space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier != Carrier::unit_quaternion) continue;
      CoordinateForm::Rotation rotation{piece.functions, {}};
      for (int k = 0; k < 3; ++k, ++next) {
        if (next >= turning.size() || !is_body_rotation(space.leg(turning[next]), piece.functions, k))
          return std::nullopt;
        rotation.b.push_back(alpha[turning[next]]);
      }
      form.rotations.push_back(std::move(rotation));
    }
  }
  return form;
}

}  // namespace rattleback
