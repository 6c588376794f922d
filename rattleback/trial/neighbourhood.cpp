#include <rattleback/trial/neighbourhood.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/geometry/space.hpp>
#include <rattleback/simulate/states/manifold.hpp>

namespace rattleback {
namespace {

std::vector<Expr> velocities_of(const Flow& flow) {
  const auto v = flow.system().space.velocities();
  return {v.begin(), v.end()};
}

std::vector<std::string> names_of(std::size_t count) { return std::vector<std::string>(count); }

/// The functions that are coordinates of the state, those of rotation matrices left out.
std::vector<Symbol> coordinates_of(const Flow& flow) {
  std::vector<Symbol> all;
  for (const Factor& factor : flow.system().space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier != Carrier::unit_quaternion) all.push_back(piece.functions[0]);
    }
  }
  return all;
}

/// X_i f for every leg i and coordinate f, leg by leg.
std::vector<Expr> motions_of(const Flow& flow) {
  std::vector<Expr> all;
  const Space& space = flow.system().space;
  for (int i = 0; i < space.dimension(); ++i) {
    for (const Symbol f : coordinates_of(flow)) {
      const auto found = space.leg(i).find(f);
      all.push_back(found == space.leg(i).end() ? Expr(0) : found->second);
    }
  }
  return all;
}

}  // namespace

Neighbourhood::Neighbourhood(const Flow& flow)
    : flow_(&flow),
      legs_(flow.system().space.dimension()),
      velocity_(flow, names_of(static_cast<std::size_t>(legs_)), velocities_of(flow)),
      motion_of_functions_(flow, names_of(motions_of(flow).size()), motions_of(flow)),
      rates_(flow) {
  std::size_t quaternion = 0;
  for (const Factor& factor : flow.system().space.factors()) {
    const bool turns = factor.kind == Factor::Kind::SO3 || factor.kind == Factor::Kind::SE3;
    for (int i = 0; i < factor.dimension(); ++i) {
      quaternion_of_leg_.push_back(turns && i < 3 ? static_cast<int>(flow.quaternions()[quaternion]) : -1);
      axis_of_leg_.push_back(i);
    }
    if (turns) ++quaternion;
  }
  for (const Symbol f : coordinates_of(flow)) {
    const auto state = flow.state();
    place_of_function_.push_back(
        static_cast<std::size_t>(std::find(state.begin(), state.end(), f) - state.begin()));
  }
}

Neighbourhood::State Neighbourhood::moved(const State& y, const Eigen::VectorXd& w, double h) {
  State to = y;
  const std::vector<double> rates = motion_of_functions_(0, y);
  const std::size_t n = place_of_function_.size();
  for (int i = 0; i < legs_; ++i) {
    const double step = h * w[i];
    for (std::size_t f = 0; f < n; ++f)
      to[place_of_function_[f]] += step * rates[static_cast<std::size_t>(i) * n + f];
    if (quaternion_of_leg_[static_cast<std::size_t>(i)] < 0) continue;
    // q ← q (1, ½ step e_k): B' = B ê_k.
    const auto q = static_cast<std::size_t>(quaternion_of_leg_[static_cast<std::size_t>(i)]);
    Eigen::Vector3d turn = Eigen::Vector3d::Zero();
    turn[axis_of_leg_[static_cast<std::size_t>(i)]] = step / 2;
    const double a = y[q];
    const Eigen::Vector3d v(y[q + 1], y[q + 2], y[q + 3]);
    const Eigen::Vector3d cross(v[1] * turn[2] - v[2] * turn[1], v[2] * turn[0] - v[0] * turn[2],
                                v[0] * turn[1] - v[1] * turn[0]);
    const Eigen::Vector3d change = a * turn + cross;
    to[q] -= v.dot(turn);
    for (int k = 0; k < 3; ++k) to[q + 1 + static_cast<std::size_t>(k)] += change[k];
  }
  for (const std::size_t q : flow_->quaternions()) {
    double norm = 0;
    for (std::size_t k = 0; k < 4; ++k) norm += to[q + k] * to[q + k];
    for (std::size_t k = 0; k < 4; ++k) to[q + k] /= std::sqrt(norm);
  }
  return to;
}

double Neighbourhood::slope(const std::function<double(double)>& f) {
  constexpr double h = 1e-3;
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

Eigen::VectorXd Neighbourhood::velocity(const State& y) {
  const std::vector<double>& v = velocity_(0, y);
  return Eigen::Map<const Eigen::VectorXd>(v.data(), legs_);
}

Neighbourhood::State Neighbourhood::rates(const State& y) {
  State dy(y.size());
  rates_(0, y.data(), dy.data());
  return dy;
}

Eigen::MatrixXd Neighbourhood::admissible(const State& y) {
  State at = y;
  const std::size_t first = flow_->first_speed(), count = y.size() - first;
  std::fill(at.begin() + static_cast<std::ptrdiff_t>(first), at.end(), 0.0);
  Manifold<double> manifold(*flow_);  // where all velocities are speeds: the admissible part of each
  manifold(0, at.data());
  const Eigen::VectorXd rest = velocity(at);
  Eigen::MatrixXd fields(legs_, static_cast<Eigen::Index>(count));
  for (std::size_t a = 0; a < count; ++a) {
    State unit = at;
    unit[first + a] += 1;
    manifold(0, unit.data());
    fields.col(static_cast<Eigen::Index>(a)) = velocity(unit) - rest;
  }
  return fields;
}

}  // namespace rattleback
