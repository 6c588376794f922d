// Declared in view/vectors/wheeled_chain.hpp. The recursion (T.6)-(T.8), executed on formulas, against Lagrange and d'Alembert.
#include <cstdint>
#include <utility>

#include <rattleback/motion/velocities/modular_motion.hpp>
#include <rattleback/view/vectors/wheeled_chain.hpp>

namespace rattleback {
namespace {

struct AxleSpeeds {
  std::vector<Expr> v, w;  ///< along the heading; rate of the heading
};

/// From the places of the axles, P_i + d_i e_i = P_(i-1) − b_i e_(i-1), without (T.6).
AxleSpeeds axle_speeds(const System& system, const WheeledChain& chain) {
  const auto direction = [&](std::size_t k) {
    return Matrix{{cos(chain.links[k].heading)}, {sin(chain.links[k].heading)}};
  };
  const std::size_t n = chain.links.size();
  std::vector<Matrix> place(n);
  place[chain.placed] = Matrix{{chain.x}, {chain.y}} - chain.ahead * direction(chain.placed);
  for (std::size_t k = chain.placed + 1; k < n; ++k)
    place[k] = place[k - 1] - chain.links[k].b * direction(k - 1) - chain.links[k].d * direction(k);
  for (std::size_t k = chain.placed; k > 0; --k)
    place[k - 1] = place[k] + chain.links[k].d * direction(k) + chain.links[k].b * direction(k - 1);
  AxleSpeeds speeds;
  for (std::size_t k = 0; k < n; ++k) {
    speeds.v.push_back(system.space.rate(place[k][0]) * direction(k)[0] +
                       system.space.rate(place[k][1]) * direction(k)[1]);
    speeds.w.push_back(system.space.rate(chain.links[k].heading));
  }
  return speeds;
}

}  // namespace

bool agrees_with_motion(const System& system, const WheeledChain& chain) {
  const auto [v, w] = axle_speeds(system, chain);
  const auto at = [&](std::size_t k) -> const WheeledLink& { return chain.links[k]; };
  const std::size_t n = chain.links.size();
  const auto own = [&](std::size_t k) {
    return Matrix{{-at(k).moment * w[k] * w[k] - at(k).force}, {at(k).moment * v[k] * w[k] - at(k).torque}};
  };
  const auto masses = [&](std::size_t k) { return Matrix{{at(k).mass, 0}, {0, at(k).inertia}}; };
  Matrix N = masses(n - 1), p = own(n - 1);
  std::vector<Expr> checked;
  for (std::size_t k = n - 1; k > 0; --k) {
    const Expr phi = at(k - 1).heading - at(k).heading;
    const Matrix T{{cos(phi), at(k).b * sin(phi)}, {sin(phi) / at(k).d, -at(k).b * cos(phi) / at(k).d}};
    const Matrix c = (w[k - 1] - w[k]) * Matrix{{-at(k).d * w[k]}, {v[k] / at(k).d}};
    const Matrix u{{0}, {at(k).joint_torque}};
    const Matrix moved = Matrix{{v[k]}, {w[k]}} - T * Matrix{{v[k - 1]}, {w[k - 1]}};
    checked.insert(checked.end(), moved.entries().begin(), moved.entries().end());
    p = own(k - 1) + u + transpose(T) * (p - u + N * c);
    N = masses(k - 1) + transpose(T) * N * T;
  }
  const Expr v_rate = symbol("v'"), w_rate = symbol("w'");
  const Matrix rest = N * Matrix{{v_rate}, {w_rate}} + p;
  checked.insert(checked.end(), rest.entries().begin(), rest.entries().end());
  return vanish_along_motion(system, checked, {{v_rate.symbol(), v[0]}, {w_rate.symbol(), w[0]}});
}

}  // namespace rattleback
