#include <rattleback/proof/steady/family_description.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/proof/evidence/positivity.hpp>

namespace rattleback {
namespace {

constexpr std::size_t readable = legible::in_a_condition.count;

std::string joined(const std::vector<std::pair<std::string, Expr>>& values) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : values) parts.push_back(fmt::format("{} = {}", name, text(value)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Although its speeds are 0: the drift of an affine constraint.
bool is_carried_along(const SolvedVelocities& v, const SteadyFamily& f) {
  SymbolMap still;
  for (const Symbol z : v.speeds) still.emplace(z, Expr(0));
  std::vector<Expr> drift = substitute(v.psi, still);
  std::erase_if(drift, [](Expr e) { return e.is_zero() || vanishes_at_random_points(e); });
  return std::any_of(drift.begin(), drift.end(),
                     [&](Expr e) { return !vanishes_at_random_points(substitute(e, f.point.values)); });
}

}  // namespace

std::string point_text(const System& system, const SolvedVelocities& v, const SteadyFamily& f) {
  std::vector<std::pair<std::string, Expr>> values;
  const auto is_free = [&](Symbol s) { return std::find(f.free.begin(), f.free.end(), s) != f.free.end(); };
  bool rest = true;
  for (const Symbol q : system.space.functions()) {
    const bool given = std::find(f.point.given.begin(), f.point.given.end(), q.name()) != f.point.given.end();
    const bool influencing = std::find(f.small.configuration.begin(), f.small.configuration.end(), q) !=
                             f.small.configuration.end();
    const Expr value = short_form(f.point.values.at(q));
    // Which body axis is upright, unless it is the third.
    const bool upright = q.role() == Role::rotation && q.attributes().entry >= 6 && !value.is_zero() &&
                         !(q.attributes().entry == 8 && value == Expr(1));
    if (upright) values.emplace_back(q.name(), value);
    if (!upright && !is_free(q) && (given || (influencing && !value.is_zero())))
      values.emplace_back(q.name(), value);
  }
  for (const Symbol z : f.small.speeds) {
    const Expr value = short_form(f.point.values.at(z));
    rest = rest && value.is_zero();
    if (!is_free(z)) values.emplace_back(z.name(), value);
  }
  values.insert(values.begin(), f.shown.begin(), f.shown.end());
  rest = rest && !is_carried_along(v, f);
  if (rest) {
    std::erase_if(values, [&](const auto& named) {
      return std::any_of(f.small.speeds.begin(), f.small.speeds.end(),
                         [&](Symbol z) { return z.name() == named.first; });
    });
    return values.empty() ? "at rest" : "at rest, " + joined(values);
  }
  std::vector<std::string> names;
  for (const Symbol s : f.free) names.push_back(s.name());
  if (names.empty()) return joined(values);
  return fmt::format("{}{}{} free", joined(values), values.empty() ? "" : ", ", fmt::join(names, ", "));
}

namespace {

/// The spectrum at the model's values, what is free having the first of a few values at which the family is real and not degenerate; else none.
std::vector<std::complex<double>> spectrum_in_numbers(const System& system, const SteadyFamily& f) {
  Numbers at;
  for (const auto& [symbol, value] : parameter_values(system)) at.emplace(symbol, evaluate(value, {}));
  for (const double free : {1.0, 2.0, 5.0}) {
    for (const Symbol s : f.free) at.insert_or_assign(s, free);
    try {
      std::vector<std::complex<double>> all = spectrum(f.small, at);
      const auto is_finite = [](std::complex<double> l) {
        return std::isfinite(l.real()) && std::isfinite(l.imag());
      };
      if (std::ranges::all_of(all, is_finite)) return all;
    } catch (const NoValue&) {
      continue;
    }
  }
  return {};
}

/// Eigenvalues in double precision: for people. Zeros are known exactly, and those without eigenvectors come out of doubles worst of all.
std::vector<std::string> eigenvalues(const System& system, const SteadyFamily& f, int zeros) {
  std::vector<std::complex<double>> all = spectrum_in_numbers(system, f);
  std::vector<std::complex<double>*> by_size;
  for (auto& l : all) by_size.push_back(&l);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](auto* a, auto* b) { return std::abs(*a) < std::abs(*b); });
  for (std::size_t k = 0; k < std::min(by_size.size(), static_cast<std::size_t>(zeros)); ++k) *by_size[k] = 0;
  std::vector<std::string> out;
  for (const auto& l : all) {
    constexpr double rounding = 1e-7;
    const double re = std::abs(l.real()) < rounding ? 0 : l.real(),
                 im = std::abs(l.imag()) < rounding ? 0 : l.imag();
    out.push_back(im == 0 ? fmt::format("{:.6g}", re) : fmt::format("{:.6g}{:+.6g}i", re, im));
  }
  return out;
}

}  // namespace

bool is_open(const SteadyFamily& f) {
  return f.idle_to_first_order.empty() &&
         static_cast<int>(f.free.size()) == f.small.N.rows() + f.small.M.rows();
}

namespace {

/// What the inequalities say when they hold.
std::string described_kind(const SteadyFamily& f, const SpectralStability& spectrum) {
  if (is_open(f)) return "stable: every state near it is steady";
  if (spectrum.coefficients.size() == 1) return "every eigenvalue is 0";
  if (attracts(f, spectrum))
    return f.dimension() == 0 ? "asymptotically stable" : "stable, attracting up to the family";
  if (!spectrum.simple) return "spectrally stable, some eigenvalues are equal";
  return "spectrally stable";
}
std::string described_kind(const SteadyFamily& f, const StabilityFindings& j) {
  if (j.no_minimum) return "unstable at the model's values: the potential has no minimum there (O.15)";
  if (j.strict) return "stable at the model's values: the potential has a strict minimum (O.15)";
  if (j.minimum) return "stable: the energy has a minimum";
  const std::string kind = described_kind(f, j.spectrum);
  return j.grows && !j.there ? kind + ", but small motions grow with the time" : kind;
}
/// At the model's values, where a condition is an equality.
std::string kind_there(const SteadyFamily& f, const StabilityFindings& j) {
  if (j.stable && !*j.stable) return "unstable";
  return described_kind(f, *j.there) + (j.grows ? ", but small motions grow with the time" : "");
}

bool is_never_stable(const StabilityFindings& j) {
  return std::any_of(j.spectrum.conditions.begin(), j.spectrum.conditions.end(),
                     [](const Inequality& i) { return i.kind == Inequality::Kind::never; });
}

/// Conditions that hold for some values and fail for others, so that the model's values say more.
bool states_conditions(const StabilityFindings& j) {
  return !j.spectrum.conditions.empty() && !is_never_stable(j) && !contradiction(j.spectrum.conditions);
}

std::string verdict_text(const StabilityFindings& j, const std::string& kind) {
  if (!j.spectrum.decided) return "no conditions for a polynomial of this degree";
  if (j.spectrum.conditions.empty()) return kind;
  if (is_never_stable(j)) return "unstable";
  if (j.strict || j.no_minimum) return kind;
  std::vector<std::string> parts;
  for (const Inequality& i : j.spectrum.conditions) {
    parts.push_back(text(i));
    if (parts.back().size() > readable) return fmt::format("{} under conditions too long to print", kind);
  }
  if (const auto factors = contradiction(j.spectrum.conditions))
    return fmt::format("unstable where {}", nonzero_text(*factors));
  return fmt::format("{} iff {}", kind, fmt::join(parts, " and "));
}

}  // namespace

bool is_rest_with_zero_spectrum(const SteadyFamily& f, const StabilityFindings& j) {
  return f.free.empty() && j.spectrum.coefficients.size() == 1 &&
         std::all_of(f.small.speeds.begin(), f.small.speeds.end(),
                     [&](Symbol z) { return f.point.values.at(z).is_zero(); });
}

std::vector<std::string> existence_conditions(const SteadyFamily& f) {
  std::vector<std::string> exists;
  for (const Inequality& i : f.exists) {
    if (i.kind != Inequality::Kind::sometimes) continue;
    const bool closed = std::any_of(f.free.begin(), f.free.end(), [&](Symbol s) { return contains(i.e, s); });
    exists.push_back(closed ? text(i.e) + " >= 0" : text(i));  // a root may vanish along a family
  }
  return exists;
}

std::string existence_text(const std::vector<std::string>& conditions) {
  std::string line;
  for (const std::string& condition : conditions)
    line += fmt::format("{} {}", line.empty() ? ", where" : " and",
                        condition.size() <= readable ? condition : "the roots are real");
  return line;
}

FamilyDescription family_description(const System& system, const SolvedVelocities& v, const SteadyFamily& f,
                                     const StabilityFindings& j) {
  FamilyDescription d{&f, {}, point_text(system, v, f), {}, {}, {}, j.spectrum.coefficients, {}};
  Data& record = d.record;
  std::string& line = d.said;
  record["point"] = d.point;
  Data::List free, conditions;
  for (const Symbol s : f.free) free.emplace_back(s.name());
  record["free"] = free;
  const std::vector<std::string> existence = existence_conditions(f);
  Data::List exists(existence.begin(), existence.end());
  line += existence_text(existence);
  record["exists"] = exists;
  const Symbol lambda = Symbol::make("lambda");
  const int idle = static_cast<int>(f.idle_to_first_order.size());  // eigenvalues 0 besides those of f.small
  const Expr p = short_form(pow(Expr(lambda), idle) * characteristic_polynomial(j.spectrum, lambda));
  d.existence = line;
  record["polynomial"] = Data();
  if (written_size(p) <= 20 * readable) record["polynomial"] = p;
  if (written_size(p) <= readable) line += fmt::format(": det(lambda - A) = {}", text(p));
  record["zeros"] = j.spectrum.zeros + idle;
  std::vector<std::string> spectrum = eigenvalues(system, f, j.spectrum.zeros);
  spectrum.insert(spectrum.end(), static_cast<std::size_t>(idle), "0");
  record["eigenvalues"] = spectrum;
  for (const Inequality& i : j.spectrum.conditions) {
    const std::string condition = text(i);
    conditions.push_back(condition.size() <= 20 * readable ? Data(condition) : Data());
  }
  record["conditions"] = conditions;
  const std::string kind = described_kind(f, j);
  const std::size_t judgement = line.size();
  record["kind"] = kind;
  record["stable"] = j.stable ? Data(*j.stable) : Data();
  record["stable_where"] = j.where.empty() ? Data() : Data(j.where);
  line += "; " + verdict_text(j, kind);
  record["lyapunov"] = j.lyapunov.empty() ? Data() : Data(j.lyapunov);
  if (!j.lyapunov.empty()) line += "; " + j.lyapunov;
  if (j.there) {
    line += "; at the model's values, on the border: " + kind_there(f, j);
    if (!j.where.empty()) line += fmt::format(" for {}", j.where);
  } else if (!j.where.empty()) {
    line += fmt::format("; at the model's values: {}", j.where);
  } else if (j.stable && states_conditions(j)) {
    line += *j.stable ? "; holds at the model's values" : "; fails at the model's values";
  }
  d.judgement = line.substr(judgement);
  return d;
}

namespace {

/// But for how many eigenvalues are 0.
bool have_equal_statements(const FamilyDescription& d, const FamilyDescription& other) {
  return d.existence == other.existence && d.judgement == other.judgement &&
         d.coefficients == other.coefficients;
}

}  // namespace

void drop_parts(const System& system, const SolvedVelocities& v, std::vector<FamilyDescription>& all) {
  std::vector<FamilyDescription> kept;
  for (FamilyDescription& d : all) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const FamilyDescription& other) {
      return &other != &d && have_equal_statements(d, other) &&
             other.family->free.size() > d.family->free.size() &&
             is_part(system, v, *d.family, *other.family);
    });
    if (!known) kept.push_back(d);
  }
  all = std::move(kept);
}

}  // namespace rattleback
