#include <rattleback/view/vectors/wheel_axles.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/view/vectors/covariant_fit.hpp>

namespace rattleback {
namespace {

constexpr std::size_t fewest_links = legible::wheeled_links_of_a_recursion.count;

bool is_constant(Expr e) {
  return std::ranges::all_of(symbols_of(e), [](Symbol s) { return s.role() == Role::parameter; });
}

class AxleSearch {
 public:
  explicit AxleSearch(const System& system) : system_(system) {}

  std::optional<WheelAxles> found() {
    if (!read_constraints()) return std::nullopt;
    bool located = false;
    for (const bool swapped : {false, true}) {
      if (swapped) std::swap(found_.x, found_.y);
      if ((located = find_headings())) break;
    }
    if (!located || !find_arms() || !order_links()) return std::nullopt;
    return found_;
  }

 private:
  std::size_t count() const { return found_.axles.size(); }

  /// Coordinates of lines, two of which no constraint depends on, and as many angles as constraints.
  bool read_constraints() {
    const Space& space = system_.space;
    const std::size_t n = static_cast<std::size_t>(space.dimension());
    if (system_.parametrization || system_.constraints.size() < fewest_links ||
        system_.constraints.size() + 2 != n)
      return false;
    std::vector<Expr> functions;
    for (const Constraint& c : system_.constraints) functions.push_back(c.expression);
    rows_ = velocity_rows(space, functions);
    if (!std::ranges::all_of(rows_.affine, [](bool affine) { return affine; }) ||
        !std::ranges::all_of(rows_.b.entries(), [](Expr e) { return e.is_zero(); }))
      return false;
    std::vector<int> plain;
    SymbolMap at_origin;
    for (int i = 0; i < space.dimension(); ++i) {
      const auto q = space.coordinate(i);
      if (!q) return false;
      std::vector<Expr> slopes;
      for (const Expr e : rows_.a.entries()) slopes.push_back(derivative(e, *q));
      if (!vanish_at_random_states(Matrix::column(slopes))) continue;
      plain.push_back(i);
      at_origin.emplace(*q, Expr(0));
      std::erase_if(slopes, [](Expr e) { return e.is_zero(); });
      found_.defects.insert(found_.defects.end(), slopes.begin(), slopes.end());
    }
    if (plain.size() != 2) return false;
    rows_.a = substitute(rows_.a, at_origin);
    found_.x = plain[0];
    found_.y = plain[1];
    for (int i = 0; i < space.dimension(); ++i)
      if (i != found_.x && i != found_.y) found_.angles.push_back(i);
    return true;
  }

  Expr angle(std::size_t j) const { return *system_.space.coordinate(found_.angles[j]); }
  Expr combination(const std::vector<int>& turns) const {
    Expr sum = 0;
    for (std::size_t j = 0; j < turns.size(); ++j) sum = sum + Expr(turns[j]) * angle(j);
    return sum;
  }

  /// The constraint forbids motion along (−sin θ, cos θ), with θ an angle, or a heading found before plus or minus one.
  bool find_headings() {
    const std::size_t n = found_.angles.size();
    found_.axles.assign(n, {});
    std::vector<std::vector<int>> candidates;
    for (std::size_t j = 0; j < n; ++j) {
      candidates.emplace_back(n, 0);
      candidates.back()[j] = 1;
    }
    std::vector<bool> done(n, false);
    for (std::size_t round = 0; round < n; ++round) {
      for (std::size_t i = 0; i < n; ++i) {
        if (done[i]) continue;
        const auto fits = [&](const std::vector<int>& turns) {
          const Expr theta = combination(turns);
          return vanish_at_random_states(Matrix{{rows_.a(static_cast<int>(i), found_.x) * cos(theta) +
                                                 rows_.a(static_cast<int>(i), found_.y) * sin(theta)}});
        };
        const auto at = std::ranges::find_if(candidates, fits);
        if (at == candidates.end()) continue;
        done[i] = true;
        found_.axles[i].turns = *at;
        found_.axles[i].heading = combination(*at);
        for (std::size_t j = 0; j < n; ++j)
          for (const int sign : {1, -1}) {
            std::vector<int> next = found_.axles[i].turns;
            next[j] += sign;
            if (std::ranges::find(candidates, next) == candidates.end()) candidates.push_back(next);
          }
      }
      if (std::ranges::all_of(done, [](bool d) { return d; })) return true;
    }
    return false;
  }

  /// q' = (turns)⁻¹ θ', so the coefficients of q' in a row give those of θ'.
  bool find_arms() {
    const int n = static_cast<int>(count());
    Matrix turns(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        turns(i, j) = found_.axles[static_cast<std::size_t>(i)].turns[static_cast<std::size_t>(j)];
    const auto inverse = unique_solution(turns, Matrix::identity(n));
    if (!inverse) return false;
    found_.from_headings = inverse->x;
    use_headings();
    for (const int j : found_.angles) found_.at_zero.emplace(*system_.space.coordinate(j), Expr(0));
    const Matrix rows = columns_of(rows_.a, found_.angles) * found_.from_headings;
    for (int i = 0; i < n; ++i) {
      const Expr across = substitute(rows_.a(i, found_.y), found_.at_zero);
      if (is_zero_constant(across)) return false;
      WheelAxle& axle = found_.axles[static_cast<std::size_t>(i)];
      for (int j = 0; j < n; ++j) {
        axle.arm.push_back(short_form(substitute(rows(i, j), found_.at_zero) / across));
        if (!is_constant(axle.arm.back())) return false;
      }
      prove_row(i, rows);
    }
    return true;
  }

  /// q = (turns)⁻¹ θ in new letters: proofs then deal with pairs of angles instead of sums of all.
  void use_headings() {
    const auto renamed = [&](auto original) {
      std::vector<Expr> letters;
      for (std::size_t k = 0; k < count(); ++k) {
        const Symbol s = original(k);
        letters.push_back(Symbol::make(fmt::format("heading{} {}", k, s.name()), s.attributes()));
      }
      const Matrix values = found_.from_headings * Matrix::column(letters);
      for (std::size_t k = 0; k < count(); ++k)
        found_.in_headings.emplace(original(k), values[static_cast<int>(k)]);
    };
    renamed([&](std::size_t k) { return *system_.space.coordinate(found_.angles[k]); });
    renamed([&](std::size_t k) {
      return system_.space.velocities()[static_cast<std::size_t>(found_.angles[k])];
    });
  }

  static bool is_zero_constant(Expr e) { return e.is_zero() || vanish_at_random_states(Matrix{{e}}); }

  /// The row is a multiple of −P_x' sin θ + P_y' cos θ.
  void prove_row(int i, const Matrix& rows) {
    const WheelAxle& axle = found_.axles[static_cast<std::size_t>(i)];
    const Expr cosine = cos(axle.heading), sine = sin(axle.heading);
    const Expr along_x = rows_.a(i, found_.x), along_y = rows_.a(i, found_.y);
    found_.defects.push_back(along_x * cosine + along_y * sine);
    for (int j = 0; j < rows.columns(); ++j) {
      const Expr other = found_.axles[static_cast<std::size_t>(j)].heading;
      const Expr across = axle.arm[static_cast<std::size_t>(j)] * cos(other - axle.heading);
      found_.defects.push_back(rows(i, j) * cosine - across * along_y);
      found_.defects.push_back(rows(i, j) * sine + across * along_x);
    }
  }

  /// arm_i − arm_k has entries at i and k only where the two links have a hitch in common.
  bool are_hitched(std::size_t i, std::size_t k) const {
    for (std::size_t j = 0; j < count(); ++j)
      if (j != i && j != k && !is_zero_constant(found_.axles[i].arm[j] - found_.axles[k].arm[j]))
        return false;
    return true;
  }

  /// A path through all axles along which every d_i is different from zero; the axles, and their arms, in its order.
  bool order_links() {
    std::size_t root = 0;
    while (root < count() && !path_from(root)) ++root;
    if (root == count()) return false;
    const std::vector<WheelAxle> stated = found_.axles;
    Matrix rates = found_.from_headings;
    for (std::size_t k = 0; k < count(); ++k) {
      WheelAxle& axle = found_.axles[k] = stated[order_[k]];
      for (std::size_t l = 0; l < count(); ++l) {
        axle.arm[l] = stated[order_[k]].arm[order_[l]];
        rates(static_cast<int>(l), static_cast<int>(k)) =
            found_.from_headings(static_cast<int>(l), static_cast<int>(order_[k]));
      }
    }
    found_.from_headings = rates;
    return true;
  }

  bool path_from(std::size_t root) {
    order_ = {root};
    std::vector<bool> used(count(), false);
    used[root] = true;
    while (order_.size() < count()) {
      const std::size_t before = order_.back();
      std::optional<std::size_t> next;
      for (std::size_t i = 0; i < count(); ++i) {
        if (used[i] || !are_hitched(i, before)) continue;
        if (next) return false;  // it branches
        next = i;
      }
      if (!next || is_zero_constant(found_.axles[before].arm[*next] - found_.axles[*next].arm[*next]))
        return false;
      used[*next] = true;
      order_.push_back(*next);
    }
    return true;
  }

  const System& system_;
  VelocityRows rows_;
  std::vector<std::size_t> order_;  ///< constraints along the chain
  WheelAxles found_;
};

}  // namespace

std::optional<WheelAxles> wheel_axles(const System& system) { return AxleSearch(system).found(); }

std::vector<Expr> shares(const WheelAxles& geometry, std::size_t j) {
  std::vector<Expr> all;
  for (std::size_t k = 0; k < geometry.axles.size(); ++k)
    all.push_back(geometry.from_headings(static_cast<int>(j), static_cast<int>(k)));
  return all;
}

}  // namespace rattleback
