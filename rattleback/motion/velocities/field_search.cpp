#include <rattleback/motion/velocities/field_search.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/rational_kernel.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/geometry/action.hpp>

namespace rattleback {
namespace {

/// An ansatz with more fields than this leaves out the products of two angles.
constexpr std::size_t largest_ansatz = search_limits::fields_of_an_ansatz.count;
/// Points beyond the number that could suffice: each makes a wrong answer 2^-50 times less likely.
constexpr int spare_points = 4;

/// ∂/∂q for every coordinate, and the legs of rotation matrices and of Lie algebras.
std::vector<VectorField> elementary_fields(const Space& space) {
  std::vector<VectorField> fields;
  for (const Factor& factor : space.factors()) {
    const int first = first_leg(space, factor);
    const bool rotates = factor.kind == Factor::Kind::SO3 || factor.kind == Factor::Kind::SE3;
    const int legs = factor.kind == Factor::Kind::algebra ? factor.dimension() : rotates ? 3 : 0;
    for (int k = 0; k < legs; ++k) fields.push_back(VectorField::leg(space, first + k));
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier == Carrier::unit_quaternion) continue;
      for (const Symbol q : piece.functions) fields.push_back(FieldRates{{{q, Expr(1)}}, {}}.field(space));
    }
  }
  return fields;
}

struct Functions {
  std::vector<Expr> simple, products, polar;
};
Functions ansatz_functions(const Space& space) {
  Functions f;
  std::vector<Expr> angles, lines;
  for (const Factor& factor : space.factors()) {
    for (const Piece& piece : factor.pieces) {
      for (const Symbol q : piece.functions) {
        if (piece.carrier == Carrier::angle) {
          f.simple.push_back(cos(Expr(q)));
          f.simple.push_back(sin(Expr(q)));
          angles.emplace_back(q);
        } else {
          f.simple.emplace_back(q);
          if (piece.carrier == Carrier::real) lines.emplace_back(q);
        }
      }
    }
  }
  f.simple.emplace_back(1);  // last, so that translations are what others are written with
  for (const Expr theta : angles) {
    for (const Expr phi : angles) {
      if (theta == phi) continue;
      for (const Expr turn : {cos(phi), sin(phi)}) {
        for (const Expr pole :
             {cos(theta) / sin(theta), sin(theta) / cos(theta), 1 / sin(theta), 1 / cos(theta)})
          f.products.push_back(turn * pole);
      }
    }
    for (const Expr r : lines) {
      f.polar.push_back(cos(theta) / r);
      f.polar.push_back(sin(theta) / r);
    }
  }
  return f;
}

/// Σ factor · row with delayed reduction modulo p: eight products fit into the accumulator beside the remainder of earlier ones.
class RowSum {
 public:
  explicit RowSum(std::size_t columns) : sums_(columns, 0) {}

  void add(ModP factor, const std::vector<ModP>& row, std::size_t from) {
    if (++added_ > before_reduction) {
      added_ = 1;
      for (Wide& s : sums_) {
        while (s >= limit) s -= limit;
      }
    }
    const Wide f = factor.word();
    for (std::size_t j = from; j < sums_.size(); ++j) sums_[j] += f * row[j].word();
  }
  /// Words stand for a·2^64, so products of two have that factor twice.
  ModP operator[](std::size_t j) const {
    static const ModP radix = ModP(static_cast<long>(ModP(1).word())), twice = inverse(radix * radix);
    return ModP(static_cast<long>(sums_[j] % ModP::modulus)) * twice;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr Wide limit = Wide{ModP::modulus} << 64U;  // < 2^126; products are < 2^124
  static constexpr int before_reduction = 8;
  std::vector<Wide> sums_;
  int added_ = 0;
};

/// Equations that come one by one, kept in echelon form: what follows from earlier ones adds nothing.
class Equations {
 public:
  /// Is the row independent of those before it?
  bool add(std::vector<ModP> row) {
    RowSum taken(row.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const ModP factor = row[pivots_[r]] - taken[pivots_[r]];
      if (!factor.is_zero()) taken.add(factor, rows_[r], pivots_[r]);
    }
    for (std::size_t j = 0; j < row.size(); ++j) row[j] -= taken[j];
    const auto pivot = std::find_if(row.begin(), row.end(), [](ModP e) { return !e.is_zero(); });
    if (pivot == row.end()) return false;
    const ModP scale = inverse(*pivot);
    for (auto e = pivot; e != row.end(); ++e) *e *= scale;
    pivots_.push_back(static_cast<std::size_t>(pivot - row.begin()));
    rows_.push_back(std::move(row));
    return true;
  }
  int rank() const { return static_cast<int>(rows_.size()); }
  bool settled =
      false;  ///< further points brought nothing new; otherwise there were no more points, and much may be missing
  /// The unknowns that do not vanish in every solution. A row has no entry at the pivots of earlier rows, so solutions follow from
  /// the last row to the first.
  std::vector<int> support(int columns) const {
    std::vector<bool> is_pivot(static_cast<std::size_t>(columns)), occurs(is_pivot.size());
    for (const std::size_t pivot : pivots_) is_pivot[pivot] = true;
    for (std::size_t free = 0; free < is_pivot.size(); ++free) {
      if (is_pivot[free]) continue;
      std::vector<std::pair<std::size_t, ModP>> solution{{free, ModP(1)}};  // its entries that are not zero
      for (std::size_t r = rows_.size(); r-- > 0;) {
        ModP value;
        for (const auto& [j, x] : solution) value -= rows_[r][j] * x;
        if (!value.is_zero()) solution.emplace_back(pivots_[r], value);
      }
      for (const auto& [j, x] : solution) occurs[j] = true;
    }
    std::vector<int> found;
    for (int j = 0; j < columns; ++j)
      if (occurs[static_cast<std::size_t>(j)]) found.push_back(j);
    return found;
  }
  ModularMatrix matrix(int columns) const {
    ModularMatrix m(std::max(1, static_cast<int>(rows_.size())), columns);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      std::copy(rows_[i].begin(), rows_[i].end(), m.row(static_cast<int>(i)).begin());
    return m;
  }

 private:
  std::vector<std::vector<ModP>> rows_;
  std::vector<std::size_t> pivots_;
};

class Search {
 public:
  Search(const Space& space, const std::vector<VectorField>& ansatz, const Conditions& conditions)
      : space_(space),
        count_(static_cast<int>(ansatz.size())),
        program_(outputs(space, ansatz)),
        conditions_(conditions) {}

  /// All conditions; with `fixed`, these symbols have the same value at every point: values that have the roots which are
  /// taken of them.
  Equations equations(const std::vector<Symbol>& fixed) const {
    constexpr int choices = search_limits::parameters_of_a_field_search.count;
    for (int choice = 0; choice + 1 < choices && !fixed.empty(); ++choice) {
      Equations found = equations(fixed, choice);
      if (found.rank() > 0 || found.settled) return found;
    }
    return equations(fixed, 0);
  }
  ModularMatrix system(const std::vector<Symbol>& fixed) const { return equations(fixed).matrix(count_); }

 private:
  Equations equations(const std::vector<Symbol>& fixed, int choice) const {
    Equations equations;
    const ModularPoint first(seed(-choice));
    int spare = spare_points;
    for (int k = 1; spare > 0 && k < 4 * count_ + 40; ++k) {
      ModularPoint point(seed(k));
      for (const Symbol s : fixed) point.set(s, first.value<ModP>(s));
      const auto run = program_.run(point);
      std::vector<std::vector<ModP>> rows;
      if (!run || !conditions_(point, FieldsAt(program_, *run, space_, count_), rows)) continue;
      bool news = false;
      for (std::vector<ModP>& row : rows) news = equations.add(std::move(row)) || news;
      spare = news ? spare_points : spare - 1;
    }
    equations.settled = spare == 0 || equations.rank() == count_;
    return equations;
  }
  static std::uint64_t seed(int k) { return 7'000'003U + 1'000'003U * static_cast<std::uint64_t>(k); }
  static std::vector<Expr> outputs(const Space& space, const std::vector<VectorField>& ansatz) {
    std::vector<Expr> all;
    for (const VectorField& X : ansatz)
      all.insert(all.end(), X.coefficients().begin(), X.coefficients().end());
    all.insert(all.end(), space.functions().begin(), space.functions().end());
    return all;
  }

  const Space& space_;
  int count_;
  ModularProgram program_;
  const Conditions& conditions_;
};

VectorField combination(const std::vector<VectorField>& ansatz, const std::vector<Rational>& x) {
  VectorField X(ansatz.front().space());
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!x[k].is_zero()) X = X + Expr(x[k]) * ansatz[k];
  }
  return X;
}

/// Σ c_k X_k = 0 with constants: a condition on values alone.
Conditions sum_vanishes(const Space& space) {
  return
      [n = space.dimension()](const ModularPoint&, const FieldsAt& at, std::vector<std::vector<ModP>>& rows) {
        for (int i = 0; i < n; ++i) {
          std::vector<ModP> row;
          for (int k = 0; k < at.fields(); ++k) row.push_back(at.value(k, i));
          rows.push_back(std::move(row));
        }
        return true;
      };
}

/// Σ c_k X_k = 0 with constants c has no solution but 0, where the position constraints hold.
bool are_independent(const Space& space, const std::vector<VectorField>& fields,
                     const std::vector<Symbol>& constants) {
  const Conditions vanish = sum_vanishes(space);
  return rank(Search(space, fields, vanish).system(constants)) == static_cast<int>(fields.size());
}

/// Fields that are independent over the constants, parameters included: multiples of earlier ones are left out.
std::vector<VectorField> independent_at_fixed_parameters(const Space& space, std::vector<VectorField> fields,
                                                         const std::vector<Symbol>& constants, int wanted) {
  std::stable_sort(fields.begin(), fields.end(), [](const VectorField& X, const VectorField& Y) {
    return graph_size(X.coefficients()) < graph_size(Y.coefficients());
  });
  std::vector<VectorField> kept;
  for (const VectorField& X : fields) {
    if (static_cast<int>(kept.size()) == wanted) break;
    std::vector<VectorField> more = kept;
    more.push_back(X);
    if (are_independent(space, more, constants)) kept = std::move(more);
  }
  return kept;
}

}  // namespace

FieldsAt::FieldsAt(const ModularProgram& program, const ModularRun& run, const Space& space, int fields)
    : program_(&program),
      run_(&run),
      space_(&space),
      fields_(fields),
      n_(static_cast<std::size_t>(space.dimension())) {}

ModP FieldsAt::value(int k, int i) const { return run_->value(index(k, i)); }

std::vector<ModP> FieldsAt::along(std::span<const ModP> function_rates) const {
  std::vector<ModP> direction(program_->symbols().size());
  for (std::size_t f = 0; f < space_->functions().size(); ++f)
    direction[*program_->index_of(space_->functions()[f])] = function_rates[f];
  return run_->tangent(direction);
}

std::vector<VectorField> field_ansatz(const Space& space) {
  const std::vector<VectorField> Y = elementary_fields(space);
  Functions f = ansatz_functions(space);
  if ((f.simple.size() + f.products.size()) * Y.size() > largest_ansatz) f.products.clear();
  std::vector<VectorField> ansatz;
  for (const auto* functions : {&f.products, &f.simple}) {
    for (const Expr g : *functions) {
      for (const VectorField& X : Y) ansatz.push_back(g * X);
    }
  }
  return ansatz;
}

std::vector<VectorField> field_ansatz_with_polar(const Space& space) {
  const std::vector<VectorField> Y = elementary_fields(space), others = field_ansatz(space);
  std::vector<VectorField> ansatz;
  for (const Expr g : ansatz_functions(space).polar) {
    for (const VectorField& X : Y) ansatz.push_back(g * X);
  }
  if (ansatz.size() + others.size() > largest_ansatz) ansatz.clear();
  ansatz.insert(ansatz.end(), others.begin(), others.end());
  return ansatz;
}

std::vector<VectorField> space_fixed_ansatz(const Space& space) {
  std::vector<Expr> functions{Expr(1)};
  for (const Factor& factor : space.factors()) {
    for (const Piece& piece : factor.pieces) {
      const Expr q = piece.functions.front();
      if (piece.carrier == Carrier::real) functions.push_back(q);
      if (piece.carrier != Carrier::angle) continue;
      functions.push_back(cos(q));
      functions.push_back(sin(q));
    }
  }
  std::vector<VectorField> ansatz;
  int first = 0;  // of the factor's legs
  for (const Factor& factor : space.factors()) {
    const bool turns = !factor.pieces.empty() && factor.pieces.front().carrier == Carrier::unit_quaternion;
    for (int i = 0; turns && i < 3; ++i) {
      const Matrix B = factor.rotation();
      VectorField R(space);
      for (int k = 0; k < 3; ++k) R[first + k] = B(i, k);
      for (const Expr f : functions) ansatz.push_back(f * R);
    }
    first += factor.dimension();
  }
  return ansatz;
}

FoundFields fields_satisfying(const Space& space, const std::vector<VectorField>& ansatz,
                              const std::vector<Symbol>& constants, const Conditions& conditions) {
  FoundFields found;
  if (ansatz.empty()) return found;
  const int count = static_cast<int>(ansatz.size());
  const Equations at_one_value = Search(space, ansatz, conditions).equations(constants);
  const int at_fixed_values = count - at_one_value.rank();
  found.complete = at_one_value.settled;
  if (at_fixed_values == 0 || !found.complete) return found;
  // What serves all values of the parameters serves one: fields that do not occur there need not be asked again.
  std::vector<VectorField> occurring;
  for (const int k : at_one_value.support(count)) occurring.push_back(ansatz[static_cast<std::size_t>(k)]);
  const Equations for_all = Search(space, occurring, conditions).equations({});
  found.complete = for_all.settled;
  if (!found.complete) return found;
  const int columns = static_cast<int>(occurring.size()), for_all_values = columns - for_all.rank();
  const auto rational = rational_kernel(for_all.matrix(columns));
  if (rational) {
    for (const auto& x : *rational) found.fields.push_back(combination(occurring, x));
  }
  found.complete = rational.has_value();
  // Fields that vanish on N, such as φ(q) ∂/∂x, satisfy every condition there and say nothing.
  if (!found.fields.empty() && !are_independent(space, found.fields, constants))
    found.fields = independent_at_fixed_parameters(space, std::move(found.fields), constants, count);
  if (constants.empty() || at_fixed_values == for_all_values) return found;
  // Σ (c_k + c_kj p_j) Y_k, on the fields that occur at the fixed values.
  std::vector<VectorField> larger;
  for (const VectorField& Y : occurring) {
    for (const Symbol p : constants) larger.push_back(Expr(p) * Y);
    larger.push_back(Y);
  }
  found.complete = false;
  if (larger.size() > largest_ansatz) return found;
  const auto with_parameters = rational_kernel(Search(space, larger, conditions).system({}));
  if (!with_parameters) return found;
  for (const auto& x : *with_parameters) found.fields.push_back(combination(larger, x));
  found.fields = independent_at_fixed_parameters(space, std::move(found.fields), constants, at_fixed_values);
  found.complete = static_cast<int>(found.fields.size()) == at_fixed_values;
  return found;
}

std::optional<std::vector<Rational>> combination_of_others(const Space& space,
                                                           const std::vector<VectorField>& fields) {
  const Conditions vanish = sum_vanishes(space);
  const auto relations = rational_kernel(Search(space, fields, vanish).system({}));
  if (!relations) return std::nullopt;
  for (const std::vector<Rational>& x : *relations) {
    if (x[0].is_zero()) continue;
    std::vector<Rational> c;
    for (std::size_t k = 1; k < x.size(); ++k) c.push_back(-x[k] / x[0]);
    return c;
  }
  return std::nullopt;
}

}  // namespace rattleback
