#include <rattleback/proof/momenta/gauge_certificate.hpp>

#include <optional>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/motion/velocities/time_dependence.hpp>
#include <rattleback/proof/evidence/certificate_budget.hpp>
#include <rattleback/proof/evidence/certified_system.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Matrix along(const VectorField& Y, Matrix m) {
  for (Expr& e : m.entries()) e = Y(e);
  return m;
}

Transport bracket_of(const Transport& y, const Transport& z) {
  return {bracket(y.field, z.field), along(y.field, z.M) - along(z.field, y.M) + z.M * y.M - y.M * z.M};
}

/// The equations for f at one point: transports and conditions.
struct Known {
  std::vector<Transport> transports;
  Matrix N;
  int n, k;

  int directions() const {
    std::vector<VectorField> fields;
    for (const Transport& t : transports) fields.push_back(t.field);
    return fields.empty() ? 0 : rank(as_columns(fields.front().space(), fields)).value;
  }
  /// How many dimensions (W.8) leaves to f.
  int left() const {
    const int count = static_cast<int>(transports.size());
    Matrix rows(count * k + N.rows(), (n + 1) * k);
    for (int t = 0; t < count; ++t) {
      for (int b = 0; b < k; ++b) {
        for (int i = 0; i < n; ++i) rows(t * k + b, i * k + b) = transports[at(t)].field[i];
        for (int c = 0; c < k; ++c) rows(t * k + b, n * k + c) = -transports[at(t)].M(b, c);
      }
    }
    for (int r = 0; r < N.rows(); ++r) {
      for (int c = 0; c < k; ++c) rows(count * k + r, n * k + c) = N(r, c);
    }
    return k * (1 + directions()) - (rows.rows() == 0 ? 0 : rank(rows).value);
  }
};

struct Bound {
  Data::List brackets;
  int prolongations = 0;
};

/// Brackets that help, in the order of their legs.
std::optional<Data::List> helpful_brackets(Known known, int target) {
  constexpr std::size_t most = search_limits::brackets_of_a_bound.count;
  Data::List pairs;
  int left = known.left(), directions = known.directions();
  for (std::size_t j = 1; left > target && j < known.transports.size() && j < most; ++j) {
    for (std::size_t i = 0; left > target && i < j; ++i) {
      Budget::check();
      known.transports.push_back(bracket_of(known.transports[i], known.transports[j]));
      const int less = known.left(), more = known.directions();
      if (less < left || more > directions) {
        pairs.push_back(Data::List{static_cast<int>(i), static_cast<int>(j)});
        left = less;
        directions = more;
      } else {
        known.transports.pop_back();
      }
    }
  }
  return left <= target ? std::optional(pairs) : std::nullopt;
}

std::optional<Bound> upper_bound(Known known, int count) {
  constexpr int deepest = search_limits::prolongations_of_a_bound.count;
  const std::vector<Transport> given = known.transports;
  for (int depth = 0; depth <= deepest; ++depth) {
    if (auto pairs = helpful_brackets(known, count + 1)) return Bound{*std::move(pairs), depth};
    if (known.N.rows() == 0) return std::nullopt;
    const Matrix before = known.N;
    for (const Transport& t : given) known.N = above(known.N, along(t.field, before) + before * t.M);
    known.N = rows_of(known.N, independent_rows(known.N));
  }
  return std::nullopt;
}

/// f with f^b J_b + f^0 = F.
std::optional<std::vector<Expr>> coefficients_of(Expr F, const GaugeSystem& gauge,
                                                 const std::vector<Symbol>& z) {
  const int k = static_cast<int>(gauge.momenta.size());
  Matrix slopes(static_cast<int>(z.size()), k - 1), right(static_cast<int>(z.size()), 1);
  SymbolMap rest;
  for (const Symbol s : z) rest.emplace(s, Expr(0));
  for (int a = 0; a < slopes.rows(); ++a) {
    right[a] = substitute(derivative(F, z[at(a)]), rest);
    for (int b = 0; b + 1 < k; ++b)
      slopes(a, b) = substitute(derivative(gauge.momenta[at(b)].momentum, z[at(a)]), rest);
  }
  const auto f = solve(slopes, right);
  if (!f) return std::nullopt;
  std::vector<Expr> all;
  std::vector<Expr> terms{substitute(F, rest)};
  for (int b = 0; b + 1 < k; ++b) {
    all.push_back(short_form(f->x[b]));
    terms.push_back(-all.back() * substitute(gauge.momenta[at(b)].momentum, rest));
  }
  all.push_back(short_form(sum(terms)));
  return all;
}

Data noted_row(std::vector<Expr> es, std::vector<Expr>& noted) {
  for (Expr& e : es) e = short_form(e);
  noted.insert(noted.end(), es.begin(), es.end());
  return texts(es);
}

Data matrices(const std::vector<Transport>& all, std::size_t from, std::size_t to, std::vector<Expr>& noted) {
  Data::List list;
  for (std::size_t t = from; t < to; ++t)
    list.push_back(noted_row({all[t].M.entries().begin(), all[t].M.entries().end()}, noted));
  return list;
}

}  // namespace

Data gauge_certificate(const System& system, const EquationsOfMotion& motion, const GaugeSystem& gauge,
                       const std::vector<Expr>& closed, const std::vector<Expr>& constants) try {
  return certificate_within_budget([&] {
    if (contains_time(system)) return Data();
    const int k = static_cast<int>(gauge.momenta.size());
    const auto bound =
        upper_bound({gauge.given, gauge.own_conditions, system.space.dimension(), k}, gauge.count());
    if (!bound) return Data();
    std::vector<Expr> noted = constants;
    Data::List fields, sections, solutions;
    for (std::size_t a = 0; a < gauge.group_size; ++a)
      fields.push_back(noted_row(gauge.given[a].field.coefficients(), noted));
    for (const VectorField& xi : gauge.sections) sections.push_back(noted_row(xi.coefficients(), noted));
    for (const Expr F : closed) {
      if (const auto f = coefficients_of(F, gauge, motion.speeds)) solutions.push_back(noted_row(*f, noted));
    }
    const Data turns = matrices(gauge.given, 0, gauge.group_size, noted),
               slopes = matrices(gauge.given, gauge.group_size, gauge.given.size(), noted);
    Data d = certified_system(system, motion, noted);
    if (d.is_null()) return d;
    d["certificate"] = "gauge-momenta";
    d["gauge_count"] = gauge.count();
    d["fields"] = fields;
    d["sections"] = sections;
    d["turns"] = turns;
    d["slopes"] = slopes;
    d["brackets"] = bound->brackets;
    d["prolongations"] = bound->prolongations;
    d["solutions"] = solutions;
    if (!constants.empty()) d["constants"] = texts(constants);
    return d;
  });
} catch (const OutOfDomain&) {
  return {};
}

}  // namespace rattleback
