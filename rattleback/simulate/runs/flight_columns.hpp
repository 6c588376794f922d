#pragma once
/// Columns of a run with flight: state, quasi-velocities, energy; then gaps and forces of contacts.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/simulate/runs/contact_phases.hpp>

namespace rattleback {

class FlightColumns {
 public:
  FlightColumns(ContactPhases& phases, bool energy_is_kept);

  std::vector<double> row(double t, std::span<const double> y, const ContactPhases::Touches& touches);
  double energy_at(double t, std::span<const double> y) { return (*observer_)(t, y)[states + velocities]; }

  std::vector<std::string> names;
  std::size_t states = 0, velocities = 0;

 private:
  void set(std::vector<double>& values, const std::string& name, double x) const;
  void add_friction(std::vector<double>& values, std::size_t k, double t, std::span<const double> y);

  ContactPhases& phases_;
  std::optional<Observer> observer_;
  std::size_t first_force_ = 0;
  std::vector<double> found_;
};

}  // namespace rattleback
