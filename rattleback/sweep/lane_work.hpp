#pragma once
/// SIMD evaluation of ensemble members: from initial states and varied parameters to final states.

#include <functional>

#include <rattleback/sweep/lane_integrator.hpp>

namespace rattleback {

/// From the parameters of members to the constants of a code, with the bits that a single motion has; of one member, where the
/// parameters are none.
class LaneConstants {
 public:
  explicit LaneConstants(const Code& code) : code_(code) {}
  Columns operator()(const Columns& parameters) const;

 private:
  Code code_;
};

/// Each thread needs its own.
class LaneWork {
 public:
  /// `integrate` takes flights by these rates to their ends; `parameters` takes the varied ones to all of them.
  LaneWork(std::function<void(Flights&)> integrate, const Code& rates, const Code& parameters,
           const Code& energy);

  struct Results {
    Flights flights;
    std::vector<double> energy_change;  ///< relative
  };
  /// States at t = 0 and varied parameters, member by member.
  Results run(std::span<const double> states, std::span<const double> varied, double until);

 private:
  Columns energy(const Columns& state, std::span<const double> time);

  std::function<void(Flights&)> integrate_;
  std::size_t dimension_, varied_;
  LaneConstants parameters_, rates_;
  LaneCode energy_code_;
  LaneConstants energy_;
  Columns rate_constants_, energy_constants_;
  bool is_set_ = false;
};

}  // namespace rattleback
