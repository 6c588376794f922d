#include <rattleback/sweep/lane_spectrum.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <rattleback/native/variational_code.hpp>

namespace rattleback {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

std::vector<std::uint32_t> quaternions_of(const Flow& flow) {
  return {flow.quaternions().begin(), flow.quaternions().end()};
}

/// Numbers in (−1, 1) that look arbitrary and are the same in every run.
class Arbitrary {
 public:
  double operator()() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return static_cast<double>(state_ >> 11U) * 0x1p-52 - 1;
  }

 private:
  std::uint64_t state_ = 88172645463325252U;
};

/// How often directions are made orthonormal: for one a hundred times, so that MEGNO's integral is fine enough; several would be
/// lost in each other.
double intervals(double until, std::size_t count) {
  return count == 1 ? 100 : std::max(100.0, std::ceil(until));
}

}  // namespace

SpectrumMethod::SpectrumMethod(const Flow& flow, std::size_t count, std::size_t members)
    : count_(count),
      dimension_(flow.dimension()),
      rates_(directional_code(flow.rates(), flow.dimension())),
      lanes_(rates_, quaternions_of(flow), members * count * 100) {}

LaneSpectrum::LaneSpectrum(SpectrumMethod& method, const Code& parameters, const StepperSettings& settings,
                           const TimeIsUp& time_is_up)
    : method_(&method),
      parameters_(parameters),
      rates_(method.rates()),
      varied_(parameters.parameters),
      integrator_(method.lanes(), settings, time_is_up) {}

Flights LaneSpectrum::start(std::span<const double> states, std::span<const double> varied) const {
  const std::size_t n = method_->dimension(), k = method_->count(), members = states.size() / n;
  Flights flights{.time = 0, .end = 0, .state = Columns(2 * n, members * k), .constants = {}};
  Columns parameters(varied_, members);
  for (std::size_t m = 0; m < members; ++m)
    for (std::size_t p = 0; p < varied_; ++p) parameters[p][m] = varied[m * varied_ + p];
  const Columns constants = rates_(parameters_(parameters));
  flights.constants = constants;
  if (constants.members > 1 && k > 1) {
    flights.constants = Columns(constants.size(), members * k);
    for (std::size_t c = 0; c < constants.size(); ++c)
      for (std::size_t f = 0; f < members * k; ++f) flights.constants[c][f] = constants[c][f / k];
  }
  Arbitrary arbitrary;
  std::vector<double> directions(n * k);
  for (double& d : directions) d = arbitrary();
  for (std::size_t f = 0; f < members * k; ++f) {
    for (std::size_t i = 0; i < n; ++i) {
      flights.state[i][f] = states[(f / k) * n + i];
      flights.state[n + i][f] = directions[(f % k) * n + i];
    }
  }
  return flights;
}

std::vector<double> LaneSpectrum::orthonormalise(Flights& flights, std::size_t member) const {
  const std::size_t n = method_->dimension(), k = method_->count(), first = member * k;
  const auto entry = [&](std::size_t i, std::size_t j) -> double& { return flights.state[n + i][first + j]; };
  std::vector<double> logarithms;
  for (std::size_t j = 0; j < k; ++j) {
    for (std::size_t i = 0; j > 0 && i < n; ++i) flights.state[i][first + j] = flights.state[i][first];
    for (const std::uint32_t q : method_->quaternions()) {  // |q| = 1 is no direction of the motion
      double along = 0;
      for (std::size_t i = q; i < q + 4; ++i) along += flights.state[i][first] * entry(i, j);
      for (std::size_t i = q; i < q + 4; ++i) entry(i, j) -= along * flights.state[i][first];
    }
    for (std::size_t before = 0; before < j; ++before) {
      double along = 0;
      for (std::size_t i = 0; i < n; ++i) along += entry(i, before) * entry(i, j);
      for (std::size_t i = 0; i < n; ++i) entry(i, j) -= along * entry(i, before);
    }
    double size = 0;
    for (std::size_t i = 0; i < n; ++i) size += entry(i, j) * entry(i, j);
    size = std::sqrt(size);
    for (std::size_t i = 0; i < n; ++i) entry(i, j) /= size;
    logarithms.push_back(std::log(size));
  }
  return logarithms;
}

LaneSpectrum::Results LaneSpectrum::run(std::span<const double> states, std::span<const double> varied,
                                        double until) {
  const std::size_t n = method_->dimension(), k = method_->count(), members = states.size() / n;
  Results results{Columns(n, members),
                  std::vector<double>(members, 0.0),
                  std::vector<double>(members, 0.0),
                  std::vector<bool>(members, true),
                  Columns(k, members),
                  std::vector<double>(members, 0.0)};
  Flights flights = start(states, varied);
  for (std::size_t m = 0; m < members; ++m) orthonormalise(flights, m);
  const double parts = intervals(until, k), aligned = std::ceil(parts / 10);
  std::vector<double> weighted(members, 0.0), before(members, 0.0), mean(members, 0.0);
  for (double part = 1; part <= parts; ++part) {
    flights.end = until * part / parts;
    const double length = flights.end - flights.time, middle = (flights.end + flights.time) / 2;
    integrator_.run(flights);
    for (std::size_t m = 0; m < members; ++m) {
      if (!results.arrived[m]) continue;
      for (std::size_t j = 0; j < k; ++j) {
        results.arrived[m] = results.arrived[m] && flights.arrived[m * k + j];
        if (j == 0) results.steps[m] += flights.steps[m * k];
      }
      results.reached[m] = flights.reached[m * k];
      for (std::size_t i = 0; i < n; ++i) results.state[i][m] = flights.state[i][m * k];
      const std::vector<double> growth = orthonormalise(flights, m);
      for (std::size_t j = 0; part > aligned && j < k; ++j) results.exponents[j][m] += growth[j];
      weighted[m] += middle * growth[0];
      const double megno = 2 * weighted[m] / flights.end;
      mean[m] += (before[m] + megno) / 2 * length;
      before[m] = megno;
    }
    flights.time = flights.end;
  }
  const double counted = until * (parts - aligned) / parts;
  for (std::size_t m = 0; m < members; ++m) {
    std::vector<double> sorted;
    for (std::size_t j = 0; j < k; ++j)
      sorted.push_back(results.arrived[m] ? results.exponents[j][m] / counted : no_value);
    std::sort(sorted.rbegin(), sorted.rend());
    for (std::size_t j = 0; j < k; ++j) results.exponents[j][m] = sorted[j];
    results.megno[m] = results.arrived[m] ? mean[m] / until : no_value;
  }
  return results;
}

}  // namespace rattleback
