#include <rattleback/proof/hamiltonian/hamiltonized_base.hpp>

#include <algorithm>
#include <optional>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/symmetry/momentum.hpp>
#include <rattleback/proof/hamiltonian/cyclic_fields.hpp>
#include <rattleback/proof/hamiltonian/routh_hamiltonization.hpp>

namespace rattleback {
namespace {

/// Constant along the legs of the frame beside D: the orbits, and the fields of constant momenta.
bool is_on_base(const ChaplyginBundle& b, Expr phi) {
  for (int i = b.dimension(); i < b.frame.dimension(); ++i)
    if (!vanishes_at_random_points(b.frame[i](phi))) return false;
  return true;
}
bool are_on_base(const ChaplyginBundle& b, const std::vector<Expr>& functions) {
  return std::all_of(functions.begin(), functions.end(), [&](Expr phi) { return is_on_base(b, phi); });
}

/// a with W = â, in short form; nothing when it depends on where the system is.
std::optional<Matrix> constant_axis(const Matrix& W) {
  Matrix a{{short_form(W(2, 1))}, {short_form(W(0, 2))}, {short_form(W(1, 0))}};
  for (const Expr e : a.entries()) {
    for (const Symbol s : symbols_of(e))
      if (s.role() != Role::parameter) return std::nullopt;
  }
  return a;
}

/// What the base keeps of a rotation matrix B: all of it, or, when the other legs turn it about one axis a of space, the direction Bᵀa of
/// this axis in the body; about one axis of the body, its direction Ba in space.
void add_rotation(const ChaplyginBundle& b, const Matrix& B, int index, HamiltonizedBase& base) {
  const std::vector<Expr> entries(B.entries().begin(), B.entries().end());
  if (are_on_base(b, entries)) {
    base.rotations.push_back(index);
    return;
  }
  for (int i = b.dimension(); i < b.frame.dimension(); ++i) {
    Matrix rate = B;
    for (Expr& e : rate.entries()) e = b.frame[i](e);
    for (const bool in_space : {true, false}) {
      const auto a = constant_axis(in_space ? rate * transpose(B) : transpose(B) * rate);
      if (!a || vanishes_at_random_points(dot(*a, *a))) continue;
      const Matrix unit = (Expr(1) / sqrt(dot(*a, *a))) * ((in_space ? transpose(B) : B) * *a);
      const std::vector<Expr> direction(unit.entries().begin(), unit.entries().end());
      if (!are_on_base(b, direction)) continue;
      base.spheres.push_back(direction);
      return;
    }
  }
}

/// What rotations and translations in two coordinates leave alone: differences, sums, sums of squares.
std::vector<Expr> combinations(const ChaplyginBundle& b, const std::vector<Expr>& moved) {
  std::vector<Expr> found;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    for (std::size_t j = i + 1; j < moved.size(); ++j) {
      for (const Expr phi : {moved[j] - moved[i], moved[j] + moved[i], pow(moved[i], 2) + pow(moved[j], 2)})
        if (is_on_base(b, phi)) found.push_back(phi);
    }
  }
  return found;
}

/// As many of these coordinates, after the spheres and rotations, as are independent.
void add_lines(const ChaplyginBundle& b, const std::vector<Expr>& candidates, HamiltonizedBase& base) {
  std::vector<Expr> all;
  for (const std::vector<Expr>& unit : base.spheres) all.insert(all.end(), unit.begin(), unit.end());
  const std::size_t before = all.size();
  all.insert(all.end(), candidates.begin(), candidates.end());
  Matrix slopes(b.dimension(), static_cast<int>(all.size()));
  for (int a = 0; a < slopes.rows(); ++a) {
    for (int n = 0; n < slopes.columns(); ++n) slopes(a, n) = b.frame[a](all[static_cast<std::size_t>(n)]);
  }
  base.lines.clear();
  for (const int n : independent_columns(slopes))
    if (static_cast<std::size_t>(n) >= before) base.lines.push_back(all[static_cast<std::size_t>(n)]);
}

/// Nothing when the functions of the model do not show the base.
std::optional<HamiltonizedBase> shown_base(const ChaplyginBundle& b) {
  HamiltonizedBase base;
  std::vector<Expr> candidates, moved;
  int rotations = 0;
  for (const Factor& factor : b.system.space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier == Carrier::unit_quaternion) {
        add_rotation(b, factor.rotation(), rotations++, base);
        continue;
      }
      for (const Symbol q : piece.functions) (is_on_base(b, q) ? candidates : moved).emplace_back(q);
    }
  }
  add_lines(b, candidates, base);
  if (base.dimension() < b.dimension()) {
    const std::vector<Expr> more = combinations(b, moved);
    candidates.insert(candidates.end(), more.begin(), more.end());
    add_lines(b, candidates, base);
  }
  if (base.dimension() != b.dimension()) return std::nullopt;
  return base;
}

bool has_entry(const Matrix& a) {
  const auto entries = a.entries();
  return std::any_of(entries.begin(), entries.end(), [](Expr e) { return !vanishes_at_random_points(e); });
}

class Search {
 public:
  explicit Search(const System& system) : system_(system) {}

  bool by_multiplier(const ChaplyginBundle& bundle) {
    return is_of_the_model(bundle) && succeeds(bundle, chaplygin_multiplier(bundle), {});
  }
  bool at_fixed_momenta(const ChaplyginBundle& bundle) {
    return is_of_the_model(bundle) &&
           visit_cyclic_sets(bundle,
                             [this](const ChaplyginBundle& in, const std::vector<VectorField>& fields) {
                               return at_fixed_momenta(in, fields);
                             });
  }

  std::optional<HamiltonizedBase> found;
  std::string obstacle = "no multiplier in closed form was found";

 private:
  /// Not in body axes, which have another space.
  bool is_of_the_model(const ChaplyginBundle& bundle) const { return bundle.system.space == system_.space; }

  bool at_fixed_momenta(const ChaplyginBundle& bundle, const std::vector<VectorField>& fields) {
    try {
      const RouthReduction r = routh_reduction(bundle, fields);
      return succeeds(r.shape, multiplier_at_fixed_momenta(bundle, r), fields);
    } catch (const Inapplicable&) {  // the momenta do not determine the velocities
      return false;
    }
  }

  bool succeeds(const ChaplyginBundle& shape, const ChaplyginMultiplier& x,
                const std::vector<VectorField>& fields) {
    if (!proved(x.exists) || !x.f) return false;
    found = shown_base(shape);
    if (!found) {
      obstacle = "the functions of the model give no coordinates on the base";
      return false;
    }
    found->f = *x.f;
    found->twisted = has_entry(x.magnetic);
    for (const VectorField& Y : fields) found->conserved.push_back(momentum(system_, Y));
    return true;
  }

  const System& system_;
};

}  // namespace

HamiltonizedBase hamiltonized_base(const System& system) {
  Search search(system);
  visit_chaplygin_bundles(system, [&](const ChaplyginBundle& b) { return search.by_multiplier(b); });
  if (!search.found)
    visit_chaplygin_bundles(system, [&](const ChaplyginBundle& b) { return search.at_fixed_momenta(b); });
  if (search.found) return *search.found;
  throw Inapplicable("form-does-not-apply",
                     "the motion is not known to be Hamiltonian after a change of time", search.obstacle,
                     "ask chaplygin-multiplier and routh-hamiltonization");
}

}  // namespace rattleback
