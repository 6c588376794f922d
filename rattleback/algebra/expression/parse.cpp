#include <rattleback/algebra/expression/parse.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/vector_functions.hpp>

namespace rattleback {
namespace {

/// Gives errors that know only their offset the text they point into.
template <class Work>
auto with_text(std::string_view text, Work work) {
  try {
    return work();
  } catch (Error& error) {
    for (Place& place : error.where) {
      if (place.text.empty()) place.text = std::string(text);
    }
    throw;
  }
}

}  // namespace

const Value* Scope::find(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

const int* Scope::find_function(const std::string& name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &found->second;
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> all;
  for (const auto& [name, value] : values_) all.push_back(name);
  for (const auto& [name, arity] : functions_) all.push_back(name);
  return all;
}

Value parse_value(std::string_view text, const Scope& scope) {
  return with_text(text, [&] { return evaluate(parse_syntax(text), scope); });
}

Expr parse(std::string_view text, const Scope& scope) {
  return with_text(text, [&] { return evaluate_scalar(parse_syntax(text), scope); });
}

std::optional<Expr> try_parse(std::string_view text, const Scope& scope) {
  try {
    return parse(text, scope);
  } catch (const Error&) {  // of the text: a parser does nothing else that could fail
    return std::nullopt;
  }
}

Expr parse(std::string_view text) {
  static const Scope open(Scope::Unknown::becomes_a_symbol);
  return parse(text, open);
}

bool is_reserved(std::string_view name) {
  return name == "pi" || name == "t" || Function::find_builtin(name).has_value() ||
         find_vector_function(name) != nullptr;
}

}  // namespace rattleback
