#include <rattleback/trial/measure_trial.hpp>

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/solving/normal_gram.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/trial/neighbourhood.hpp>

namespace rattleback {
namespace {

/// div Γ = Σ_i X_i[v^i] + Σ_a ∂ż^a/∂z^a in a unimodular frame, by differences.
double divergence(const Flow& flow, Neighbourhood& near, const std::vector<double>& y) {
  double sum = 0;
  for (int i = 0; i < near.legs(); ++i) {
    const Eigen::VectorXd leg = Eigen::VectorXd::Unit(near.legs(), i);
    sum += Neighbourhood::slope([&](double h) { return near.velocity(near.moved(y, leg, h))[i]; });
  }
  for (std::size_t a = flow.first_speed(); a < y.size(); ++a) {
    sum += Neighbourhood::slope([&](double h) {
      std::vector<double> at = y;
      at[a] += h;
      return near.rates(at)[a];
    });
  }
  return sum;
}

/// log √det(A Aᵀ), A = dφ along the legs that normal_gram() takes: a density on N is one for its volume in that scale, not for δ(φ), which the
/// flow beside N keeps.
class VolumeOfPositions {
 public:
  VolumeOfPositions(const System& system, const Flow& flow, const SymbolMap& values) {
    const std::vector<Expr> phi = position_relations(system);
    if (phi.empty()) return;
    std::vector<SymbolMap> legs;
    for (int i = 0; i < system.space.dimension(); ++i) legs.push_back(system.space.leg(i));
    const std::vector<Expr> gram{substitute(normal_gram(phi, legs), values)};
    gram_.emplace(flow, std::vector<std::string>{"gram"}, gram);
  }

  double operator()(const std::vector<double>& y) { return gram_ ? std::log((*gram_)(0, y)[0]) / 2 : 0; }

 private:
  std::optional<Observer> gram_;
};

bool has_unimodular_frame(const Space& space) {
  for (const Factor& factor : space.factors()) {
    if (factor.kind == Factor::Kind::algebra) return false;
  }
  return true;
}

/// The last variables of the density are the speeds of this flow, in any order.
bool is_density_of(const Flow& flow, const Data* variables) {
  if (variables == nullptr || variables->list() == nullptr) return false;
  std::size_t found = 0;
  for (const Data& v : *variables->list()) {
    for (const Symbol z : flow.equations().speeds)
      found += v.text() != nullptr && *v.text() == z.name() ? 1 : 0;
  }
  return found == flow.equations().speeds.size();
}

}  // namespace

Finding try_density(const System& system, const Answer& answer, Random& random) {
  const Data* density = answer.answer.find("density");
  Finding found{"invariant-measure", "", "divergence by differences at random states",
                Finding::Result::not_tried, ""};
  if (answer.outcome != Outcome::proved || density == nullptr || density->text() == nullptr) {
    found.detail = "no density in closed form";
    return found;
  }
  found.statement =
      fmt::format("{} is invariant", density->text()->size() < 80 ? *density->text() : "the density");
  int states = 0;
  double largest = 0;
  std::string where;
  for (int k = 0; k < 12 && states < 6; ++k) {
    try {
      AtValues at = k < 2 ? at_values(system, {}) : at_random_values(system, random);
      at.system.simulation.initial.clear();
      const Flow flow(at.system);
      if (!has_unimodular_frame(system.space) || !is_density_of(flow, answer.answer.find("variables"))) {
        found.detail = "the density is written in other speeds than the motion";
        return found;
      }
      const auto y = random_state(flow, random);
      if (!y) continue;
      Neighbourhood near(flow);
      const std::vector<Expr> rho{substitute(parse(*density->text(), system.scope), at.values)};
      Observer observed(flow, {"rho"}, rho);
      VolumeOfPositions volume(at.system, flow, at.values);
      const std::vector<double> dy = near.rates(*y);
      const double growth = Neighbourhood::slope([&](double h) {
        std::vector<double> at_h = *y;
        for (std::size_t i = 0; i < at_h.size(); ++i) at_h[i] += h * dy[i];
        return std::log(std::abs(observed(0, at_h)[0])) + volume(at_h);
      });
      const double div = divergence(flow, near, *y);
      const double error = std::abs(growth + div) / (1 + std::abs(growth) + std::abs(div));
      if (!std::isfinite(error)) continue;
      ++states;
      if (error >= largest) {
        largest = error;
        where = at.set.empty() ? "at the model's values" : "--set " + at.set;
      }
    } catch (const Error&) {      // no motion at these values
    } catch (const Exhausted&) {  // roots of these values that the zero tests cannot take
      Budget::check();
    }
  }
  if (states == 0) {
    found.detail = "no state with finite rates was drawn";
    return found;
  }
  constexpr double rounding = 1e-5;
  found.result = largest < rounding ? Finding::Result::stands : Finding::Result::contradicted;
  found.detail = fmt::format("{} states, largest error {:.1e} {}", states, largest, where);
  return found;
}

}  // namespace rattleback
