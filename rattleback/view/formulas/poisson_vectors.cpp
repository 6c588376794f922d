#include <rattleback/view/formulas/poisson_vectors.hpp>

#include <algorithm>
#include <array>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

/// A vector of [define] with these entries.
std::optional<std::string> defined_as(const System& system, const std::vector<Symbol>& entries) {
  for (const Definition& d : system.definitions) {
    const auto* v = std::get_if<Matrix>(&d.value);
    if (v == nullptr || v->rows() != 3 || !v->is_column()) continue;
    if (std::equal(entries.begin(), entries.end(), v->entries().begin(),
                   [](Symbol s, Expr e) { return Expr(s) == e; }))
      return d.name;
  }
  return std::nullopt;
}

/// Neither the vector nor its components have a meaning in the model.
bool is_free(const System& system, const std::string& name) {
  const auto names = system.scope.names();
  return std::none_of(names.begin(), names.end(), [&](const std::string& known) {
    return known == name || (known.size() == name.size() + 1 && known.starts_with(name));
  });
}

PoissonVector named(const System& system, int k, bool row, std::vector<Symbol> entries) {
  constexpr std::array rows{"alpha", "beta", "gamma"}, columns{"b1", "b2", "b3"};
  PoissonVector v;
  v.name = (row ? rows : columns)[static_cast<std::size_t>(k)];
  if (const auto own = defined_as(system, entries)) {
    v.name = *own;
  } else if (!is_free(system, v.name)) {
    v.name += "_" + entries[0].attributes().family;
  }
  for (std::size_t i = 0; i < entries.size(); ++i)
    v.components.push_back(
        Symbol::make(v.name + std::to_string(i + 1), {.order = entries[i].attributes().order}));
  v.entries = std::move(entries);
  return v;
}

/// The three entries of row or column k of a matrix given row by row.
std::vector<Symbol> line_of(const Piece& matrix, int k, bool row) {
  std::vector<Symbol> entries;
  for (int i = 0; i < 3; ++i) entries.push_back(matrix.functions[row ? 3 * k + i : 3 * i + k]);
  return entries;
}

/// Which of the entries occur.
std::vector<Symbol> seen(const Piece& matrix, std::span<const Expr> formulas) {
  std::vector<Symbol> some;
  for (const Symbol s : symbols_of(formulas)) {
    if (std::find(matrix.functions.begin(), matrix.functions.end(), s) != matrix.functions.end())
      some.push_back(s);
  }
  return some;
}

std::optional<PoissonVector> only_line(const System& system, const Piece& matrix,
                                       const std::vector<Symbol>& occur) {
  for (const bool row : {true, false}) {
    for (int k = 0; k < 3; ++k) {
      const std::vector<Symbol> entries = line_of(matrix, k, row);
      const bool alone = std::all_of(occur.begin(), occur.end(), [&](Symbol s) {
        return std::find(entries.begin(), entries.end(), s) != entries.end();
      });
      if (alone && occur.size() > 1) return named(system, k, row, entries);
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<PoissonVector> poisson_vectors(const System& system, std::span<const Expr> formulas) {
  std::vector<PoissonVector> vectors;
  for (const Factor& factor : system.space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier != Carrier::unit_quaternion) continue;
      if (auto v = only_line(system, piece, seen(piece, formulas))) vectors.push_back(std::move(*v));
    }
  }
  return vectors;
}

SymbolMap as_components(const std::vector<PoissonVector>& vectors) {
  SymbolMap map;
  for (const PoissonVector& v : vectors) {
    for (std::size_t i = 0; i < v.entries.size(); ++i) map.emplace(v.entries[i], v.components[i]);
  }
  return map;
}

void use_components(const std::vector<PoissonVector>& vectors, const EquationsOfMotion& equations,
                    Sheet& sheet) {
  if (vectors.empty()) return;
  const SymbolMap components = as_components(vectors);
  std::vector<SheetLine> lines;
  for (const PoissonVector& v : vectors) {
    for (std::size_t i = 0; i < v.entries.size(); ++i)
      lines.push_back({v.components[i].name(), {short_form(equations.rate(v.entries[i].name()))}});
  }
  const auto is_speed = [&](const SheetLine& line) {
    return std::any_of(equations.speeds.begin(), equations.speeds.end(),
                       [&](Symbol z) { return z.name() == line.name; });
  };
  std::stable_partition(sheet.lines.begin(), sheet.lines.end(), is_speed);  // the reconstruction comes last
  sheet.lines.insert(sheet.lines.begin(), lines.begin(), lines.end());
  for (SheetLine& line : sheet.lines) {
    for (Expr& value : line.values) value = substitute(value, components);
  }
  for (std::vector<Statement>* list : {&sheet.multipliers, &sheet.reactions}) {
    for (Statement& s : *list) s.value = substitute(s.value, components);
  }
  for (Step& step : sheet.steps) {
    for (Statement& s : step.lines) {
      s.value = substitute(s.value, components);
      for (const auto& [entry, component] : components) {
        if (s.name == entry.name() + "'") s.name = component.symbol().name() + "'";
      }
    }
  }
}

}  // namespace rattleback
