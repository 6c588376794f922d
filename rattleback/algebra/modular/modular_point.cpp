#include <rattleback/algebra/modular/modular_point.hpp>

#include <rattleback/algebra/expression/charts.hpp>
#include <rattleback/algebra/expression/graph.hpp>
#include <rattleback/algebra/expression/variety.hpp>

namespace rattleback {
namespace {

/// Entry (i, j) of the rotation matrix of the quaternion w + x i + y j + z k, which need not have norm 1:
/// B = (w² − v·v) 1 + 2 v vᵀ + 2 w v̂, divided by w² + v·v.
template <class R>
R rotation_entry(R w, const std::array<R, 3>& v, int i, int j) {
  const R v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  const auto at = [&](int k) { return v[static_cast<std::size_t>(k)]; };
  R b = 2 * at(i) * at(j);
  if (i == j) {
    b += w * w - v2;
  } else {
    const R twist = 2 * w * at(3 - i - j);  // v̂(i, j) = −ε_ijk v_k
    b = (j - i + 3) % 3 == 1 ? b - twist : b + twist;
  }
  return b / (w * w + v2);
}

/// The point (2s, 2t, 1 − s² − t²)/(1 + s² + t²) of the sphere.
template <class R>
R sphere_component(R s, R t, int i) {
  const R s2 = s * s, t2 = t * t, component = i == 0 ? 2 * s : i == 1 ? 2 * t : 1 - s2 - t2;
  return component / (1 + s2 + t2);
}

}  // namespace

std::uint64_t ModularPoint::key_of(Symbol s) {
  const Symbol::Attributes& a = s.attributes();
  return a.role == Role::rotation || a.role == Role::direction ? hash_text(a.family) : s.hash();
}

std::uint64_t ModularPoint::uniform(std::uint64_t key, std::uint64_t salt) const {
  return mix(mix(mix(seed_, 0x51ED270B27B4F4A1U), salt), key);
}

template <class R>
R ModularPoint::value(Symbol s) const {
  if constexpr (std::is_same_v<R, ModP>) {
    if (const auto found = given_.find(s); found != given_.end()) return found->second;
  }
  const Symbol::Attributes& a = s.attributes();
  const auto redrawn = [&](std::uint64_t key) {
    const auto found = redrawn_.empty() ? redrawn_.end() : redrawn_.find(key);
    return found == redrawn_.end() ? key : mix(key, mix(found->second, 0x9E3779B97F4A7C15U));
  };
  const auto parameter = [&](std::uint64_t k) {
    if constexpr (std::is_same_v<R, ModP>) {
      if (completed_) {
        const auto found = given_.find(chart_symbol(a.family, static_cast<int>(k)));
        if (found != given_.end()) return found->second;
      }
    }
    return generator<R>(mix(redrawn(hash_text(a.family)), k));
  };
  if (a.role == Role::plain && !a.family.empty()) return parameter(static_cast<std::uint64_t>(a.entry));
  if (a.role == Role::rotation) {
    return rotation_entry(parameter(0), std::array{parameter(1), parameter(2), parameter(3)}, a.entry / 3,
                          a.entry % 3);
  }
  if (a.role == Role::direction) return sphere_component(parameter(4), parameter(5), a.entry);
  const R free = generator<R>(redrawn(s.hash()));
  return std::is_same_v<R, ModP> && s.is_positive() ? free * free : free;
}

ModularPoint ModularPoint::completed(const ModularVarietyPoint& on) const {
  ModularPoint point = *this;
  for (const auto& [symbol, value] : on.values) point.given_[symbol] = value;
  for (const auto& [symbol, circle] : on.circles) point.circles_[symbol] = circle;
  point.completed_ = true;
  return point;
}

std::optional<CirclePoint> ModularPoint::solved_circle(Symbol angle) const {
  const auto found = circles_.find(angle);
  if (found == circles_.end()) return std::nullopt;
  return found->second;
}

template ModP ModularPoint::value<ModP>(Symbol) const;
template ModAngle ModularPoint::value<ModAngle>(Symbol) const;
template ModExponent ModularPoint::value<ModExponent>(Symbol) const;

}  // namespace rattleback
