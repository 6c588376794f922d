#include <rattleback/proof/momenta/no_integral_certificate.hpp>

#include <algorithm>
#include <array>
#include <unordered_map>

#include <rattleback/algebra/arithmetic/rational_kernel.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/proof/check/data.hpp>
#include <rattleback/proof/evidence/certified_system.hpp>
#include <rattleback/proof/momenta/integral_ansatz.hpp>

namespace rattleback {
namespace {

/// Do points modulo the prime prove ranks of rates, and are there states alone, no parameters?
bool ranks_are_proved(const IntegralSearch& search) {
  std::vector<Expr> roots = search.ansatz;
  for (const auto& [symbol, rate] : search.rates) roots.push_back(rate);
  const auto is_parameter = [](Symbol s) { return s.role() == Role::parameter; };
  return std::ranges::none_of(symbols_of(roots), is_parameter) && ModularProgram(roots).is_faithful();
}

/// F and E at two points modulo the prime.
using Values = std::array<ModP, 4>;
std::optional<Values> at_two_points(Expr F, Expr E) {
  const std::array roots{F, E};
  const ModularProgram program(roots);
  constexpr std::uint64_t one = 101, other = 1'000'103;
  const auto a = program.run_near(one), b = program.run_near(other);
  if (!a || !b) return std::nullopt;
  return Values{a->value(0), a->value(1), b->value(0), b->value(1)};
}

std::optional<TrivialIntegral> trivial(const IntegralSearch& search, const Residues& x, Expr E) {
  TrivialIntegral found;
  std::vector<Expr> sum_of;
  for (std::size_t k = 0; k < x.places.size(); ++k) {
    const auto c = reconstructed(x.values[k]);
    if (!c) return std::nullopt;
    found.terms.emplace_back(search.ansatz[static_cast<std::size_t>(x.places[k])], *c);
    sum_of.push_back(Expr(*c) * found.terms.back().first);
  }
  const Expr F = sum(sum_of);
  const auto v = at_two_points(F, E);
  if (!v) return std::nullopt;
  const auto& [F1, E1, F2, E2] = *v;
  const auto a = reconstructed(F1 == F2 ? ModP(0) : (F1 - F2) / (E1 - E2));
  if (!a) return std::nullopt;
  const auto b = reconstructed(F1 - ModP::from(*a).value_or(ModP(0)) * E1);
  if (!b) return std::nullopt;
  found.energy = *a;
  found.constant = *b;
  const Verdict v0 = is_zero(F - Expr(*a) * E - Expr(*b));
  const auto* yes = std::get_if<Proved>(&v0);
  return yes != nullptr && yes->why.exact ? std::optional(found) : std::nullopt;
}

/// Block, function and power of every product.
std::unordered_map<Expr, std::array<int, 3>> places_of(const std::vector<AnsatzBlock>& blocks) {
  std::unordered_map<Expr, std::array<int, 3>> places;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    for (std::size_t i = 0; i < blocks[k].functions.size(); ++i) {
      for (std::size_t j = 0; j < blocks[k].powers.size(); ++j)
        places.try_emplace(blocks[k].functions[i] * blocks[k].powers[j],
                           std::array{static_cast<int>(k), static_cast<int>(i), static_cast<int>(j)});
    }
  }
  return places;
}

}  // namespace

std::optional<std::vector<TrivialIntegral>> trivial_integrals(const IntegralSearch& search,
                                                              const std::vector<Residues>& constant) {
  if (!ranks_are_proved(search)) return std::nullopt;
  const Expr E = substitute(energy(search.system), search.motion.velocities);
  try {
    const Budget budget(work_limits::no_integral);
    std::vector<TrivialIntegral> all;
    for (const Residues& x : constant) {
      auto found = trivial(search, x, E);
      if (!found) return std::nullopt;
      all.push_back(*std::move(found));
    }
    return all;
  } catch (const Exhausted&) {
    Budget::check();
    return std::nullopt;
  }
}

Data no_integral_certificate(const IntegralSearch& search, const std::vector<TrivialIntegral>& trivial) {
  const std::vector<AnsatzBlock> blocks = integral_ansatz_blocks(search.system, search.motion);
  std::vector<Expr> noted;
  Data::List ansatz, exceptions;
  for (const AnsatzBlock& block : blocks) {
    Data d;
    d["functions"] = texts(block.functions);
    d["powers"] = texts(block.powers);
    noted.insert(noted.end(), block.functions.begin(), block.functions.end());
    noted.insert(noted.end(), block.powers.begin(), block.powers.end());
    ansatz.push_back(std::move(d));
  }
  const auto places = places_of(blocks);
  for (const TrivialIntegral& x : trivial) {
    Data d;
    Data::List terms;
    for (const auto& [phi, c] : x.terms) {
      const auto& [k, i, j] = places.at(phi);
      terms.push_back(Data::List{k, i, j, Data(c)});
    }
    d["terms"] = terms;
    d["energy"] = Data(x.energy);
    d["constant"] = Data(x.constant);
    exceptions.push_back(std::move(d));
  }
  Data d = certified_system(search.system, search.motion, noted);
  if (d.is_null()) return d;
  d["certificate"] = "no-integrals";
  d["ansatz"] = ansatz;
  d["exceptions"] = exceptions;
  return d;
}

}  // namespace rattleback
