#include <rattleback/study/hopf_starts.hpp>

#include <cmath>
#include <complex>

namespace rattleback {

std::vector<OrbitStart> hopf_starts(const SteadyBranches& branches) {
  std::vector<OrbitStart> starts;
  std::vector<const Branch*> all{&branches.first};
  for (const Branch& other : branches.others) all.push_back(&other);
  for (const Branch* branch : all) {
    for (std::size_t k = 1; k + 1 < branch->points.size(); ++k) {
      const BranchPoint& p = branch->points[k];
      if (!description(branch->points[k - 1], p, branch->points[k + 1]).starts_with("Hopf")) continue;
      // The pair that is nearest to the imaginary axis.
      std::complex<double> pair = 0;
      double nearest = INFINITY;
      for (const auto& z : p.spectrum)
        if (z.imag() > 1e-6 && std::abs(z.real()) < nearest) {
          nearest = std::abs(z.real());
          pair = z;
        }
      if (pair == 0.0) continue;
      OrbitStart start{.period = 2 * M_PI / pair.imag(), .steady = true};
      start.state.assign(p.u.begin(), p.u.begin() + static_cast<std::ptrdiff_t>(branches.states));
      for (std::size_t a = 0; a < branches.fields.size(); ++a)
        start.rates.emplace_back(branches.fields[a], p.u[static_cast<Eigen::Index>(branches.states + a)]);
      if (branches.over_parameter)
        start.parameter = p.u[static_cast<Eigen::Index>(branches.states + branches.fields.size())];
      starts.push_back(std::move(start));
    }
  }
  return starts;
}

}  // namespace rattleback
