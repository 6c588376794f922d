#pragma once
/// Collocation at Gauss points on an adaptive mesh: a motion over a whole period, condensed to the state at its start.

#include <functional>
#include <optional>
#include <vector>

#include <Eigen/Core>

namespace rattleback {

/// Rates G(y, t; s) with their slopes: ∂G/∂y, ∂G/∂t, and one column for each number of s.
struct RatesWithSlopes {
  Eigen::VectorXd value;
  Eigen::MatrixXd by_state, by_numbers;
  Eigen::VectorXd by_time;
};
using OrbitRates =
    std::function<RatesWithSlopes(const Eigen::VectorXd& y, double t, const Eigen::VectorXd& s)>;

/// dy/dτ = T G(y, Tτ; s) for τ from 0 to 1. On each interval of the mesh, of length h, y is a polynomial that satisfies the equation
/// at `stages` Gauss points c_i,
///     Y_i = y_j + h T Σ_k a_ik G(Y_k),   y_{j+1} = y_j + h T Σ_k b_k G(Y_k);                                  (O.22)
/// the Y_i are eliminated by Newton's method, interval by interval, beginning with those of the last orbit. The error at the nodes is
/// of order h^(2·stages).
class CollocatedOrbit {
 public:
  CollocatedOrbit(OrbitRates rates, Eigen::Index states, Eigen::Index numbers, std::size_t intervals = 40,
                  int stages = 5);

  struct End {
    Eigen::VectorXd state;               ///< y(1)
    Eigen::MatrixXd by_start;            ///< ∂y(1)/∂y(0)
    Eigen::VectorXd by_period;           ///< ∂y(1)/∂T
    Eigen::MatrixXd by_numbers;          ///< ∂y(1)/∂s
    std::vector<double> least, largest;  ///< of each number of the state along the orbit
  };
  /// Nothing where Newton's method fails.
  std::optional<End> end(const Eigen::VectorXd& start, double period, const Eigen::VectorXd& s);

  /// Moves the mesh to where the last orbit needs it: equal shares of |y^(m+1)|^(1/(m+1)); more intervals where the estimated error
  /// of the polynomials is above 10^-6 of the size of the orbit, whose square is the error at the nodes.
  void adapt();
  /// The state of the last orbit at τ.
  Eigen::VectorXd at(double tau) const;
  std::size_t intervals() const { return mesh_.size() - 1; }

 private:
  struct Interval {
    std::vector<Eigen::VectorXd> deviations;  ///< Y_i − y_j
    std::vector<Eigen::VectorXd> slopes;      ///< T G(Y_i)
    Eigen::VectorXd start;
  };
  bool solve(std::size_t j, const Eigen::VectorXd& from, double period, const Eigen::VectorXd& s);

  OrbitRates rates_;
  Eigen::Index n_, numbers_;
  int m_;
  Eigen::VectorXd c_, b_;
  Eigen::MatrixXd a_;
  std::vector<double> mesh_;
  std::vector<Interval> pieces_;
  bool guessed_ = false;  ///< the pieces hold an orbit
};

}  // namespace rattleback
