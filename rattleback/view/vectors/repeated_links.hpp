#pragma once
/// Quantities of links that repeat along a chain: written once with an index i instead of once for every link.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

/// What a link of the chain is, by its index: a constant, or one that depends on whether i is odd or even, or is another at the root.
struct LinkQuantity {
  std::string name;  ///< "r"
  std::vector<std::pair<std::string, std::string>>
      values;  ///< left and right side: "r_1", "r_i for i = 2..100"
};

/// name = base + number, as in q12; nothing for other names.
struct NumberedName {
  std::string base;
  int number = 0;
};
std::optional<NumberedName> numbered_name(const std::string& name);

/// s ↦ a symbol with this name.
void put_name(SymbolMap& names, Symbol s, const std::string& name);

/// Formulas of link i: `own` replaces its coordinates and velocities, and a parameter with the number of the link is written m_i.
class IndexedFormulas {
 public:
  IndexedFormulas(int number, SymbolMap own) : number_(number), names_(std::move(own)) {}
  std::string operator()(Expr e);
  std::string operator()(const Matrix& m);

 private:
  void learn(const std::vector<Symbol>& symbols);
  int number_;
  SymbolMap names_;
};

/// Lines for values that are the same from some link on, or repeat in turn; at least `fewest` of them. Empty when they do not. `alone`, where
/// given, has the values for lines of one link.
std::vector<std::pair<std::string, std::string>> grouped_by_index(const std::string& name,
                                                                  const std::vector<std::string>& values,
                                                                  int first, int fewest = 3,
                                                                  const std::vector<std::string>& alone = {});

/// Does c_i, c_12, c_(i-1) or c_{i} occur, for the letter c?
bool occurs_indexed(const std::string& text, const std::string& letter);
/// The same text with another letter there.
std::string with_letter(std::string text, const std::string& letter, const std::string& other);

/// "q_1, q_2, ..., q_10 = a1, b1, ..., b5".
std::string listed_by_index(const std::string& letter, int first, const std::vector<std::string>& names);

}  // namespace rattleback
