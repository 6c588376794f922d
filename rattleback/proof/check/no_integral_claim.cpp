#include <rattleback/proof/check/no_integral_claim.hpp>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>

namespace rattleback {
namespace {

/// The functions of the ansatz, each once and no constants.
struct ClaimedAnsatz {
  struct Block {
    std::vector<Expr> functions, powers;
  };
  std::vector<Block> blocks;
  std::vector<Expr> phi;
  std::unordered_map<Expr, int> place;
};

ClaimedAnsatz claimed_ansatz(const ClaimedSystem& claim, const Data& certificate) {
  ClaimedAnsatz ansatz;
  for (const Data& d : list_field(certificate, "ansatz")) {
    ansatz.blocks.push_back({formulas_field(claim, d, "functions", list_field(d, "functions").size()),
                             formulas_field(claim, d, "powers", list_field(d, "powers").size())});
    for (const Expr f : ansatz.blocks.back().functions) {
      for (const Expr power : ansatz.blocks.back().powers) {
        const Expr phi = f * power;
        if (phi.is(Kind::constant)) continue;
        if (ansatz.place.try_emplace(phi, static_cast<int>(ansatz.phi.size())).second)
          ansatz.phi.push_back(phi);
      }
    }
  }
  if (ansatz.phi.empty()) bad_certificate("no function is named");
  return ansatz;
}

/// The rank of the rates at states modulo the prime; nothing where such states prove no ranks, or there are none.
std::optional<int> rank_of_rates(const ClaimedSystem& claim, const std::vector<Expr>& phi) {
  constexpr int more = 6, tries = 40;
  const std::vector<Expr> rates = derivative_along(phi, claim.motion);
  for (const Symbol s : symbols_of(rates)) {
    const bool varies = std::ranges::find(claim.functions, s) != claim.functions.end() ||
                        std::ranges::find(claim.speeds, s) != claim.speeds.end();
    if (!varies && s.role() != Role::time)
      bad_certificate(fmt::format("`{}` has no value: a combination may depend on it", s.name()));
  }
  const ModularProgram program(rates);
  if (!program.is_faithful()) return std::nullopt;
  const int n = static_cast<int>(phi.size()), states = n + more;
  ModularMatrix values(states, n);
  int found = 0;
  for (std::uint64_t seed = 1; found < states && seed < static_cast<std::uint64_t>(tries) * states; ++seed) {
    const auto run = program.run(ModularPoint(seed));
    if (!run) continue;
    for (int j = 0; j < n; ++j) values(found, j) = run->value(static_cast<std::size_t>(j));
    ++found;
  }
  return rank(values);
}

/// Coefficients of the combinations that are no news, one row each, and Σ c_j φ_j − a E − b.
struct Exceptions {
  Matrix rows;
  std::vector<Expr> residuals;
};
Exceptions exceptions_of(const ClaimedSystem& claim, const Data& certificate, const ClaimedAnsatz& ansatz) {
  const auto number = [&](const Data* d) {
    const Expr e =
        d == nullptr || d->text() == nullptr ? Expr(claim.speeds.front()) : claim.formula(*d->text());
    if (!e.is(Kind::constant)) bad_certificate("a coefficient of a combination is not a rational number");
    return e;
  };
  const auto product = [&](const Data::List& entry) {
    const auto index = [&](std::size_t k, std::size_t bound) {
      return static_cast<std::size_t>(index_below(entry[k], bound));
    };
    const ClaimedAnsatz::Block& block = ansatz.blocks[index(0, ansatz.blocks.size())];
    return block.functions[index(1, block.functions.size())] * block.powers[index(2, block.powers.size())];
  };
  const Data::List& all = list_field(certificate, "exceptions");
  Exceptions found{Matrix(static_cast<int>(all.size()), static_cast<int>(ansatz.phi.size())), {}};
  for (std::size_t l = 0; l < all.size(); ++l) {
    std::vector<Expr> terms{-number(all[l].find("energy")) * energy_on_D(claim),
                            -number(all[l].find("constant"))};
    for (const Data& item : list_field(all[l], "terms")) {
      if (item.list() == nullptr || item.list()->size() != 4) bad_certificate("a term needs four entries");
      const Expr c = number(&item.list()->back()), phi = product(*item.list());
      terms.push_back(c * phi);
      if (!phi.is(Kind::constant)) found.rows(static_cast<int>(l), ansatz.place.at(phi)) += c;
    }
    found.residuals.push_back(sum(terms));
  }
  return found;
}

}  // namespace

std::vector<CheckedStep> no_integral_steps(const ClaimedSystem& claim, const Data& certificate) {
  if (claim.speeds.empty()) bad_certificate("nothing moves");
  const ClaimedAnsatz ansatz = claimed_ansatz(claim, certificate);
  const Exceptions trivial = exceptions_of(claim, certificate, ansatz);
  const int n = static_cast<int>(ansatz.phi.size()), k = trivial.rows.rows();
  const auto found = rank_of_rates(claim, ansatz.phi);
  const Verdict unknown = Undecided{"states modulo the prime prove no rank here", "check it by hand"};
  return {
      {"the combinations named are constant, or functions of the energy", is_zero(trivial.residuals)},
      {"they are independent",
       k == 0 ? Verdict(Proved{}) : at_least(rank(trivial.rows).value, k, "the rank of their coefficients")},
      {"the rates of the functions leave no other combination",
       found ? at_least(*found, n - k, "the rank of the rates") : unknown}};
}

std::vector<std::string> no_integral_stated(const Data& certificate) {
  std::vector<std::string> lines;
  const auto joined = [](const Data::List& all) {
    std::string s;
    for (const Data& e : all) {
      if (e.text() == nullptr) bad_certificate("a function is not a formula");
      s += (s.empty() ? "" : ", ") + *e.text();
    }
    return s;
  };
  for (const Data& d : list_field(certificate, "ansatz"))
    lines.push_back(fmt::format("functions: {} times {}", joined(list_field(d, "functions")),
                                joined(list_field(d, "powers"))));
  return lines;
}

}  // namespace rattleback
