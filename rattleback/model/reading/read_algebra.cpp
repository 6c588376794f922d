// Declared in model/reading/reading.hpp. [algebra]: a Lie algebra by its brackets.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/model/reading/reading.hpp>
#include <rattleback/model/text/keys.hpp>

namespace rattleback {
namespace {

constexpr int largest_algebra = input_limits::algebra.count;

/// The coefficients of an expression that is linear in the basis.
std::vector<Expr> coefficients(const Reading& reading, const Toml& item, Expr e,
                               const std::vector<Symbol>& basis) {
  std::vector<Expr> c = gradient(e, basis);
  bool linear = true;
  for (std::size_t d = 0; d < basis.size(); ++d) {
    for (const Symbol b : basis) linear = linear && !contains(c[d], b);
  }
  SymbolMap origin;
  for (const Symbol b : basis) origin.emplace(b, Expr(0));
  if (!linear || !substitute(e, origin).is_zero()) {
    reading.fail(item, Error("wrong-bracket", "a bracket must be a linear combination of the basis", "",
                             "write e.g. \"e1,e2\" = \"2*e3 - e1\""));
  }
  return c;
}

int basis_index(const Reading& reading, const Toml& item, const std::vector<std::string>& basis,
                std::string name) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!name.empty() && blank(name.back())) name.pop_back();
  name.erase(0, std::min(name.find_first_not_of(" \t"), name.size()));
  for (std::size_t a = 0; a < basis.size(); ++a) {
    if (basis[a] == name) return static_cast<int>(a);
  }
  const auto close = nearest(name, basis);
  reading.fail_at_key(item, Error("wrong-bracket", fmt::format("`{}` is not an element of the basis", name),
                                  fmt::format("the basis is {}", fmt::join(basis, ", ")),
                                  close.empty() ? "write brackets as \"e1,e2\" = \"e3\""
                                                : fmt::format("did you mean `{}`?", close[0])));
}

StructureCoefficients read_brackets(Reading& reading, const Toml& brackets,
                                    const std::vector<std::string>& names) {
  const int n = static_cast<int>(names.size());
  Scope scope = reading.system.scope;  // parameters, and the basis for this section alone
  std::vector<Symbol> basis;
  for (const std::string& name : names) {
    basis.push_back(Symbol::make(name));
    scope.define(name, Expr(basis.back()));
  }
  StructureCoefficients c(n);
  std::vector<bool> given(static_cast<std::size_t>(n) * n);
  for (const Toml& item : brackets.items) {
    const std::size_t comma = item.key.find(',');
    if (comma == std::string::npos)
      reading.fail_at_key(item,
                          Error("wrong-bracket", fmt::format("`{}` does not name two elements", item.key), "",
                                "write \"e1,e2\" = \"e3\" for [e1, e2] = e3"));
    const int a = basis_index(reading, item, names, item.key.substr(0, comma));
    const int b = basis_index(reading, item, names, item.key.substr(comma + 1));
    const std::vector<Expr> image = coefficients(reading, item, reading.scalar(item, scope), basis);
    given[static_cast<std::size_t>(a) * n + b] = true;
    for (int d = 0; d < n; ++d) {
      c(a, b, d) = image[static_cast<std::size_t>(d)];
      if (!given[static_cast<std::size_t>(b) * n + a]) c(b, a, d) = -c(a, b, d);
    }
  }
  return c;
}

}  // namespace

Factor read_algebra(Reading& reading, const Toml& section, int order) {
  require_known_keys(reading.source(), section, "algebra");
  const Toml& basis = reading.required(section, "basis", "[\"e1\", \"e2\", \"e3\"]");
  const std::vector<std::string> names = reading.texts(basis);
  if (names.empty() || static_cast<int>(names.size()) > largest_algebra) {
    reading.fail(basis,
                 Error("wrong-count", fmt::format("a basis of {} elements", names.size()),
                       fmt::format("a Lie algebra has 1 to {} here", largest_algebra), "name its elements"));
  }
  for (std::size_t a = 0; a < names.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (names[a] == names[b])
        throw Error("duplicate-name", fmt::format("`{}` is twice in the basis", names[a]), "",
                    "rename one of them")
            .at(reading.place(basis.items[a]))
            .at(reading.place(basis.items[b]));
    }
  }
  std::vector<std::string> velocities;
  for (std::size_t a = 1; a <= names.size(); ++a) velocities.push_back(fmt::format("xi{}", a));
  const Toml* given = section.find("velocities");
  if (given != nullptr) velocities = reading.texts(*given);
  if (velocities.size() != names.size()) {
    reading.fail(
        *given, Error("wrong-count",
                      fmt::format("{} velocities for {} basis elements", velocities.size(), names.size()), "",
                      "name one velocity for each element of the basis"));
  }
  for (std::size_t a = 0; a < velocities.size(); ++a)
    reading.declare(velocities[a], given == nullptr ? reading.place(basis) : reading.place(given->items[a]));

  StructureCoefficients c(static_cast<int>(names.size()));
  const Toml* brackets = section.find("brackets");
  if (brackets != nullptr) {
    reading.require(*brackets, Toml::Kind::table, "{ \"e1,e2\" = \"e3\" }");
    c = read_brackets(reading, *brackets, names);
  }
  try {
    Factor factor = algebra_factor("algebra", LieAlgebra(names, c), order, velocities);
    for (const Symbol v : factor.velocities) reading.system.scope.define(v.name(), Expr(v));
    return factor;
  } catch (Error& error) {
    error.at(brackets == nullptr ? reading.place(basis) : reading.place_of_key(*brackets));
    throw;
  }
}

}  // namespace rattleback
