#include <rattleback/proof/steady/zeros_on_torus.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/solving/dense.hpp>

namespace rattleback {
namespace {

constexpr long bits = 64;

struct Box {
  std::vector<double> middle, radius;

  double width() const { return *std::max_element(radius.begin(), radius.end()); }
  Box inflated() const {
    Box b = *this;
    for (double& r : b.radius) r = 1.25 * r + 1e-9;
    return b;
  }
};

Ball ball(double middle, double radius) {
  Ball b;
  arf_set_d(arb_midref(b.raw()), middle);
  mag_set_d(arb_radref(b.raw()), radius);  // rounded up
  return b;
}

Ball ball_product(const Ball& a, const Ball& b) {
  Ball c;
  arb_mul(c.raw(), a.raw(), b.raw(), bits);
  return c;
}

/// f, then the entries of ∂f/∂q row by row.
class Map {
 public:
  Map(std::span<const Expr> f, std::vector<Symbol> angles, const SymbolMap& values)
      : n_(angles.size()), angles_(std::move(angles)) {
    const std::vector<Expr> at = substitute(std::vector<Expr>(f.begin(), f.end()), values);
    value_ = at;
    const Matrix J = jacobian(at, angles_);
    slopes_.assign(J.entries().begin(), J.entries().end());
  }

  std::size_t size() const { return n_; }
  std::optional<std::vector<Ball>> value(const Box& box, bool midpoint) const {
    return evaluate_ball(value_, point(box, midpoint), bits);
  }
  std::optional<std::vector<Ball>> slopes(const Box& box) const {
    return evaluate_ball(slopes_, point(box, false), bits);
  }

 private:
  BallPoint point(const Box& box, bool midpoint) const {
    BallPoint at(1);
    for (std::size_t i = 0; i < n_; ++i)
      at.enclose(angles_[i], ball(box.middle[i], midpoint ? 0 : box.radius[i]));
    return at;
  }

  std::size_t n_;
  std::vector<Symbol> angles_;
  std::vector<Expr> value_, slopes_;
};

enum class Test : std::uint8_t { none, one, open };

/// Krawczyk's test on the box, which becomes K(B) where that has exactly one zero.                               (O.14)
Test krawczyk(const Map& map, Box& box, int& index) {
  const auto f = map.value(box, true), J = map.slopes(box);
  if (!f || !J) return Test::open;
  const auto n = static_cast<Eigen::Index>(map.size());
  const auto entry = [&](Eigen::Index i, Eigen::Index j) -> const Ball& {
    return (*J)[static_cast<std::size_t>(i * n + j)];
  };
  Eigen::MatrixXd middle(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) middle(i, j) = entry(i, j).midpoint();
  }
  if (!middle.allFinite() || !dense::is_invertible(middle)) return Test::open;
  const Eigen::MatrixXd Y = dense::inverse_fully_pivoted(middle);
  if (!Y.allFinite()) return Test::open;
  Box inside = box;
  bool within = true;
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    Ball k = ball(box.middle[at], 0);
    for (Eigen::Index l = 0; l < n; ++l)
      arb_sub(k.raw(), k.raw(), ball_product(ball(Y(i, l), 0), (*f)[static_cast<std::size_t>(l)]).raw(),
              bits);
    for (Eigen::Index j = 0; j < n; ++j) {
      Ball factor = ball(i == j ? 1 : 0, 0);
      for (Eigen::Index l = 0; l < n; ++l)
        arb_sub(factor.raw(), factor.raw(), ball_product(ball(Y(i, l), 0), entry(l, j)).raw(), bits);
      arb_add(k.raw(), k.raw(), ball_product(factor, ball(0, box.radius[static_cast<std::size_t>(j)])).raw(),
              bits);
    }
    const Ball whole = ball(box.middle[at], box.radius[at]);
    if (arb_overlaps(k.raw(), whole.raw()) == 0) return Test::none;
    within = within && arb_contains_interior(whole.raw(), k.raw()) != 0;
    inside.middle[at] = k.midpoint();
    inside.radius[at] = std::nextafter(k.radius(), 10) + 1e-17;
  }
  if (!within) return Test::open;
  box = inside;
  index = dense::determinant(middle) > 0 ? 1 : -1;  // every matrix in J(B) is regular, so all have one sign
  return Test::one;
}

bool excluded(const Map& map, const Box& box) {
  const auto f = map.value(box, false);
  return f && std::any_of(f->begin(), f->end(), [](const Ball& b) { return !b.contains_zero(); });
}

/// The same point of the torus, up to the radii.
bool same(const EnclosedZero& a, const EnclosedZero& b) {
  for (std::size_t i = 0; i < a.at.size(); ++i) {
    const double turns = std::remainder(a.at[i] - b.at[i], 2 * std::numbers::pi);
    if (std::abs(turns) > a.radius + b.radius + 1e-12) return false;
  }
  return true;
}

void add(std::vector<EnclosedZero>& all, const Box& box, int index) {
  const EnclosedZero zero{box.middle, box.width(), index};
  if (std::none_of(all.begin(), all.end(), [&](const EnclosedZero& z) { return same(z, zero); }))
    all.push_back(zero);
}

std::pair<Box, Box> halves(const Box& box) {
  const auto widest = std::max_element(box.radius.begin(), box.radius.end()) - box.radius.begin();
  const auto i = static_cast<std::size_t>(widest);
  Box low = box, high = box;
  low.radius[i] = high.radius[i] = box.radius[i] / 2;
  low.middle[i] -= low.radius[i];
  high.middle[i] += high.radius[i];
  // Middles are rounded: let the halves overlap a little rather than leave a gap.
  low.radius[i] = high.radius[i] = box.radius[i] / 2 * (1 + 1e-12) + 1e-15;
  return {low, high};
}

}  // namespace

std::optional<std::vector<EnclosedZero>> zeros_on_torus(std::span<const Expr> f,
                                                        const std::vector<Symbol>& angles,
                                                        const SymbolMap& values, int most_boxes) {
  constexpr double smallest = 1e-5, half_turn = 3.1416;  // a little more than π
  if (f.size() != angles.size() || angles.empty()) return std::nullopt;
  const Map map(f, angles, values);
  std::vector<Box> left{
      {std::vector<double>(angles.size(), 0.01), std::vector<double>(angles.size(), half_turn)}};
  std::vector<EnclosedZero> zeros;
  for (int count = 0; !left.empty(); ++count) {
    Budget::check();
    if (count > most_boxes) return std::nullopt;
    const Box box = left.back();
    left.pop_back();
    if (excluded(map, box)) continue;
    Box larger = box.inflated();
    int index = 0;
    const Test found = krawczyk(map, larger, index);
    if (found == Test::none) continue;
    if (found == Test::one) {
      for (int k = 0; k < 3 && krawczyk(map, larger, index) == Test::one; ++k) continue;  // sharper
      if (larger.width() > smallest) return std::nullopt;  // too wide to tell zeros apart
      add(zeros, larger, index);
      continue;
    }
    if (box.width() < smallest) return std::nullopt;
    const auto [low, high] = halves(box);
    left.push_back(low);
    left.push_back(high);
  }
  return zeros;
}

}  // namespace rattleback
