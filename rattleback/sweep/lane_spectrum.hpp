#pragma once
/// Lyapunov exponents and MEGNO of many motions at once: each direction of each motion has a lane.

#include <rattleback/sweep/lane_work.hpp>

namespace rattleback {

/// What all threads of a sweep share: motion and one direction as one system, (y, δ)' = (f, ∂f/∂y δ).
class SpectrumMethod {
 public:
  /// Exponents 1 … count.
  SpectrumMethod(const Flow& flow, std::size_t count, std::size_t members);

  std::size_t count() const { return count_; }
  std::size_t dimension() const { return dimension_; }
  const Code& rates() const { return rates_; }
  LaneMethod& lanes() { return lanes_; }
  const std::vector<std::uint32_t>& quaternions() const { return lanes_.quaternions(); }

 private:
  std::size_t count_, dimension_;
  Code rates_;
  LaneMethod lanes_;
};

/// Each thread needs its own.
class LaneSpectrum {
 public:
  /// `parameters` takes the varied ones to all of them.
  LaneSpectrum(SpectrumMethod& method, const Code& parameters, const StepperSettings& settings,
               const TimeIsUp& time_is_up = {});

  struct Results {
    Columns state;  ///< at the end
    std::vector<double> reached, steps;
    std::vector<bool> arrived;
    Columns exponents;  ///< the largest first; nan where the motion did not arrive
    std::vector<double> megno;
  };
  /// States at t = 0 and varied parameters, member by member. The first tenth of the time lets the directions align and does not count
  /// for the exponents (S.17); MEGNO is its mean over time. What comes out of a member does not depend on those beside it.
  Results run(std::span<const double> states, std::span<const double> varied, double until);

 private:
  Flights start(std::span<const double> states, std::span<const double> varied) const;
  /// ln of what the directions of a member are divided by.
  std::vector<double> orthonormalise(Flights& flights, std::size_t member) const;

  SpectrumMethod* method_;
  LaneConstants parameters_, rates_;
  std::size_t varied_;
  LaneIntegrator integrator_;
};

}  // namespace rattleback
