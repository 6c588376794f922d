#include <rattleback/proof/check/claimed_system.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {
namespace {

const Data& field(const Data& d, const std::string& key) {
  const Data* found = d.find(key);
  if (found == nullptr) bad_certificate(fmt::format("the certificate has no `{}`", key));
  return *found;
}

const Data::List& list(const Data& d) {
  if (d.list() == nullptr) bad_certificate("a list is missing in the certificate");
  return *d.list();
}

Symbol declared(const Data& d) {
  Symbol::Attributes attributes;
  const int role = number_of(field(d, "role"));
  if (role < 0 || role > static_cast<int>(Role::multiplier)) bad_certificate("a symbol has no such role");
  attributes.role = static_cast<Role>(role);
  if (const Data* positive = d.find("positive")) {
    if (positive->get_if<bool>() == nullptr) bad_certificate("`positive` is neither true nor false");
    if (*positive->get_if<bool>()) attributes.sign = Sign::positive;
  }
  if (const Data* family = d.find("family")) {
    attributes.family = text_of(*family);
    attributes.entry = number_of(field(d, "entry"));
  }
  return Symbol::make(text_of(field(d, "name")), attributes);
}

/// Every symbol has one name and one role; `t` is the time, `pi` the number, and nothing else is either.
void declare(ClaimedSystem& claim, Symbol symbol, std::set<std::string>& names) {
  const std::string& name = symbol.name();
  if (!names.insert(name).second) bad_certificate(fmt::format("`{}` is declared twice", name));
  if ((name == "t") != (symbol.role() == Role::time) || (name == "pi") != (symbol.role() == Role::constant))
    bad_certificate(fmt::format("`{}` is declared in a role that it cannot have", name));
  if (symbol.is_positive() && symbol.role() != Role::parameter && symbol.role() != Role::plain &&
      symbol.role() != Role::constant)
    bad_certificate(fmt::format("`{}` is declared positive, and only parameters are", name));
  claim.scope.define(name, Expr(symbol));
}

std::vector<Expr> formulas(const ClaimedSystem& claim, const Data& d) {
  std::vector<Expr> out;
  for (const Data& item : list(d)) out.push_back(claim.formula(text_of(item)));
  return out;
}

void read_frame(ClaimedSystem& claim, const Data& d) {
  for (const Data& leg : list(field(d, "frame"))) {
    const std::vector<Expr> images = formulas(claim, leg);
    if (images.size() != claim.functions.size()) bad_certificate("a leg of the frame has the wrong length");
    SymbolMap map;
    for (std::size_t k = 0; k < images.size(); ++k) map.emplace(claim.functions[k], images[k]);
    claim.frame.push_back(std::move(map));
  }
  claim.structure = coefficients_field(claim, d, "structure", static_cast<int>(claim.velocities.size()));
}

/// The frame depends on the configuration, the motion on configuration, speeds and time.
void require_closed(const ClaimedSystem& claim) {
  for (const SymbolMap& leg : claim.frame) {
    for (const auto& [function, image] : leg) require_listed({image}, {&claim.functions}, "a frame");
  }
  for (const auto& c : claim.structure) require_listed({c.value}, {&claim.functions}, "a frame");
  for (const auto* rates : {&claim.admissible, &claim.speed_rates})
    require_listed(*rates, {&claim.functions, &claim.speeds, &time_alone()}, "the motion");
  require_of_velocities(claim, {claim.lagrangian});
  require_of_velocities(claim, claim.forces);
  require_of_velocities(claim, claim.constraints);
}

}  // namespace

void bad_certificate(const std::string& what) {
  throw Error("bad-certificate", what, "",
              "use the `certificate` that `prove --format json` prints, unchanged");
}

void require_listed(const std::vector<Expr>& formulas, Variables variables, const char* where) {
  for (const Symbol s : symbols_of(formulas)) {
    const bool constant =
        s.role() == Role::parameter || s.role() == Role::plain || s.role() == Role::constant;
    const auto listed = [&](const auto* all) { return std::find(all->begin(), all->end(), s) != all->end(); };
    if (!constant && std::none_of(variables.begin(), variables.end(), listed))
      bad_certificate(fmt::format("`{}` does not belong in {}", s.name(), where));
  }
}

const std::vector<Symbol>& time_alone() {
  static const std::vector<Symbol> time{Symbol::make("t", {.role = Role::time})};
  return time;
}

void require_of_velocities(const ClaimedSystem& claim, const std::vector<Expr>& formulas) {
  require_listed(formulas, {&claim.functions, &claim.velocities, &time_alone()},
                 "a function of the velocities");
}

const Data::List& list_field(const Data& d, const std::string& key) {
  const Data* found = d.find(key);
  if (found == nullptr || found->list() == nullptr) bad_certificate(fmt::format("`{}` is not a list", key));
  return *found->list();
}

const std::string& text_field(const Data& certificate, const std::string& key) {
  return text_of(field(certificate, key));
}

int number_field(const Data& certificate, const std::string& key) {
  return number_of(field(certificate, key));
}

const std::string& text_of(const Data& d) {
  if (d.text() == nullptr) bad_certificate("a formula is missing in the certificate");
  return *d.text();
}

int number_of(const Data& d) {
  const long* n = d.get_if<long>();
  if (n == nullptr || !std::in_range<int>(*n)) bad_certificate("a number is missing in the certificate");
  return static_cast<int>(*n);
}

int index_below(const Data& d, std::size_t bound) {
  const int n = number_of(d);
  if (n < 0 || std::cmp_greater_equal(n, bound)) bad_certificate("an index is out of range");
  return n;
}

bool is_circle(const Data& certificate, const std::string& name) {
  bool found = false;
  for (const Data& circle : list_field(certificate, "circles")) found = text_of(circle) == name || found;
  return found;
}

std::vector<Symbol> symbols_in(const ClaimedSystem& claim, const Data& d, std::initializer_list<Role> roles,
                               const char* what) {
  std::vector<Symbol> out;
  for (const Expr e : formulas(claim, d)) {
    if (!e.is(Kind::symbol) || std::find(roles.begin(), roles.end(), e.symbol().role()) == roles.end())
      bad_certificate(fmt::format("what is listed as a {} is not declared as one", what));
    if (std::find(out.begin(), out.end(), e.symbol()) != out.end())
      bad_certificate(fmt::format("`{}` is listed twice in the certificate", e.symbol().name()));
    out.push_back(e.symbol());
  }
  return out;
}

std::vector<Expr> formulas_of(const ClaimedSystem& claim, const Data& list, std::size_t count,
                              Variables variables, const char* where) {
  std::vector<Expr> all = formulas(claim, list);
  if (all.size() != count) bad_certificate(fmt::format("there are not {} formulas for {}", count, where));
  require_listed(all, variables, where);
  return all;
}

std::vector<Expr> functions_on_D(const ClaimedSystem& claim, std::vector<Expr> formulas) {
  formulas = substitute(formulas, claim.psi);
  require_listed(formulas, {&claim.functions, &claim.speeds, &time_alone()}, "a function on D");
  return formulas;
}

std::vector<Expr> formulas_field(const ClaimedSystem& claim, const Data& certificate, const std::string& key,
                                 std::size_t count) {
  const std::vector<Expr> all = formulas(claim, field(certificate, key));
  if (all.size() != count) bad_certificate(fmt::format("`{}` is not a list of {} formulas", key, count));
  return functions_on_D(claim, all);
}

Matrix rows_field(const ClaimedSystem& claim, const Data& d, const std::string& key, int count) {
  const Data::List& rows = list_field(d, key);
  const int n = static_cast<int>(claim.velocities.size());
  if (static_cast<int>(rows.size()) != count)
    bad_certificate(fmt::format("`{}` does not have {} rows", key, count));
  Matrix m(count, n);
  for (int r = 0; r < count; ++r) {
    const std::vector<Expr> row = formulas_of(claim, rows[static_cast<std::size_t>(r)],
                                              claim.velocities.size(), {&claim.functions}, "a row on Q");
    for (int i = 0; i < n; ++i) m(r, i) = row[static_cast<std::size_t>(i)];
  }
  return m;
}

std::vector<ClaimedSystem::Coefficient> coefficients_field(const ClaimedSystem& claim,
                                                           const Data& certificate, const std::string& key,
                                                           int n) {
  std::vector<ClaimedSystem::Coefficient> all;
  for (const Data& item : list(field(certificate, key))) {
    const auto& entry = list(item);
    if (entry.size() != 4) bad_certificate("a structure coefficient needs three indices and a value");
    const auto at = [&](std::size_t place) { return index_below(entry[place], static_cast<std::size_t>(n)); };
    all.push_back({at(0), at(1), at(2), claim.formula(text_of(entry[3]))});
  }
  return all;
}

std::vector<Expr> jacobi_residuals(const std::vector<ClaimedSystem::Coefficient>& structure,
                                   const std::vector<SymbolMap>& frame) {
  std::map<std::array<int, 3>, Expr> c;
  std::set<int> legs;
  for (const auto& [i, j, k, value] : structure) {
    c[{i, j, k}] += value;
    legs.insert({i, j, k});
  }
  const auto coefficient = [&](int i, int j, int k) {
    const auto found = c.find({i, j, k});
    return found == c.end() ? Expr(0) : found->second;
  };
  std::vector<Expr> residuals;
  for (const auto& [index, value] : c) {
    residuals.push_back(value + coefficient(index[1], index[0], index[2]));
    for (std::size_t i = 0; i < frame.size(); ++i) {  // a leg that commutes with all: X_i[C_jk^l] = 0
      if (!legs.contains(static_cast<int>(i))) residuals.push_back(derivative_along(value, frame[i]));
    }
  }
  // [X_i, [X_j, X_k]] = X_i[C_jk^l] X_l + C_jk^m C_im^l X_l.
  const auto nested = [&](int i, int j, int k, int l) {
    std::vector<Expr> terms{Expr(0)};
    if (!frame.empty())
      terms.push_back(derivative_along(coefficient(j, k, l), frame[static_cast<std::size_t>(i)]));
    for (const int m : legs) terms.push_back(coefficient(j, k, m) * coefficient(i, m, l));
    return sum(terms);
  };
  for (const int i : legs) {
    for (const int j : legs) {
      for (const int k : legs) {
        if (i >= j || j >= k) continue;
        for (const int l : legs)
          residuals.push_back(nested(i, j, k, l) + nested(j, k, i, l) + nested(k, i, j, l));
      }
    }
  }
  return residuals;
}

Verdict at_least(int found, int asked, const char* of) {
  if (found >= asked) return Proved{};
  return Refuted{{.point = {}, .value = fmt::format("{} instead of {}", found, asked), .note = of}};
}

ClaimedSystem claimed_system(const Data& d) {
  ClaimedSystem claim;
  std::set<std::string> names;
  claim.scope.define(
      "t", Expr(Symbol::make("t", {.role = Role::time})));  // declared or not: it is never a constant
  claim.scope.declare("sign", 1);  // any function: nothing is known of it here, not even that it is odd
  for (const Data& s : list(field(d, "symbols"))) declare(claim, declared(s), names);
  // A coordinate that is a parameter would be constant. A symbol has one role, so no speed is a function, and declare() lets neither be positive.
  claim.functions = symbols_in(claim, field(d, "functions"), {Role::coordinate, Role::rotation},
                               "function of the configuration");
  claim.velocities = symbols_in(claim, field(d, "velocities"), {Role::velocity}, "velocity");
  claim.speeds = symbols_in(claim, field(d, "speeds"), {Role::velocity}, "speed");
  read_frame(claim, d);
  claim.lagrangian = claim.formula(text_field(d, "lagrangian"));
  claim.forces = formulas(claim, field(d, "forces"));
  claim.constraints = formulas(claim, field(d, "constraints"));
  claim.admissible = formulas(claim, field(d, "admissible"));
  claim.moves = d.find("speed_rates") != nullptr;
  if (claim.moves) claim.speed_rates = formulas(claim, field(d, "speed_rates"));
  const std::size_t n = claim.velocities.size();
  if (claim.frame.size() != n || claim.forces.size() != n || claim.admissible.size() != n ||
      (claim.moves && claim.speed_rates.size() != claim.speeds.size())) {
    bad_certificate("the lists of the certificate do not fit each other");
  }
  require_closed(claim);
  for (std::size_t i = 0; i < n; ++i) claim.psi.emplace(claim.velocities[i], claim.admissible[i]);
  for (const Symbol q : claim.functions) {
    std::vector<Expr> terms{Expr(0)};
    for (std::size_t i = 0; i < n; ++i) terms.push_back(claim.admissible[i] * claim.frame[i].at(q));
    claim.motion.emplace(q, sum(terms));
  }
  for (std::size_t a = 0; a < claim.speed_rates.size(); ++a)
    claim.motion.emplace(claim.speeds[a], claim.speed_rates[a]);
  claim.motion.emplace(Symbol::make("t", {.role = Role::time}), 1);
  return claim;
}

}  // namespace rattleback
