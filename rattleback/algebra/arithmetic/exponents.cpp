#include <rattleback/algebra/arithmetic/exponents.hpp>

#include <algorithm>
#include <numeric>

namespace rattleback {
namespace {

std::size_t index(int g) { return static_cast<std::size_t>(g); }

}  // namespace

Exponents::Exponents(const Polynomial& p)
    : terms_(p.terms()),
      width_(index(p.ring().size())),
      bit_words_((width_ + 63) / 64),
      all_(terms_ * width_),
      bits_((terms_ + 1) * bit_words_) {
  std::uint64_t* together = bits_.data() + terms_ * bit_words_;
  for (std::size_t i = 0; i < terms_; ++i) {
    ulong* row = all_.data() + i * width_;
    fmpz_mpoly_get_term_exp_ui(row, p.raw(), static_cast<slong>(i), p.ring().context());
    std::uint64_t* bits = bits_.data() + i * bit_words_;
    for (std::size_t g = 0; g < width_; ++g) bits[g / 64] |= std::uint64_t{row[g] != 0} << g % 64;
    for (std::size_t w = 0; w < bit_words_; ++w) together[w] |= bits[w];
  }
}

std::vector<ulong> pattern(const Exponents& exponents, int g) {
  std::vector<ulong> powers(exponents.terms());
  ulong divisor = 0;
  for (std::size_t i = 0; i < powers.size(); ++i) {
    powers[i] = exponents[i][index(g)];
    divisor = std::gcd(divisor, powers[i]);
  }
  if (divisor > 1) std::ranges::for_each(powers, [&](ulong& n) { n /= divisor; });
  return powers;
}

bool joins_terms(std::vector<ulong> powers) {
  std::ranges::sort(powers);
  const auto distinct = std::distance(powers.begin(), std::unique(powers.begin(), powers.end()));
  return distinct > 1 && distinct < std::ssize(powers);
}

std::vector<std::size_t> grouped(const Exponents& exponents, const std::vector<int>& by) {
  std::vector<std::size_t> order(exponents.terms());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto before = [&](std::size_t i, std::size_t j) {
    for (const int g : by) {
      const ulong a = exponents[i][index(g)], b = exponents[j][index(g)];
      if (a != b) return a < b;
    }
    return false;
  };
  std::stable_sort(order.begin(), order.end(), before);
  return order;
}

bool same_powers(const Exponents& exponents, const std::vector<int>& of, std::size_t i, std::size_t j) {
  return std::ranges::all_of(of, [&](int g) { return exponents[i][index(g)] == exponents[j][index(g)]; });
}

}  // namespace rattleback
