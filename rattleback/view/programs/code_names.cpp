#include <rattleback/view/programs/code_names.hpp>

#include <cctype>

namespace rattleback {

std::string as_identifier(std::string_view name) {
  std::string s;
  for (const char c : name) {
    if (c == '\'') {
      s += "_dot";
    } else {
      s += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
  }
  if (s.empty() || std::isdigit(static_cast<unsigned char>(s[0])) != 0) s.insert(0, "_");
  return s;
}

std::string CodeNames::fresh(std::string_view name) {
  std::string s = as_identifier(name);
  while (!taken_.insert(s).second) s += '_';
  return s;
}

const std::string& CodeNames::of(Symbol s) {
  const auto found = names_.find(s);
  return found != names_.end() ? found->second : names_.emplace(s, fresh(s.name())).first->second;
}

std::string CodeNames::identifier(Symbol s) const {
  if (const auto found = names_.find(s); found != names_.end()) return found->second;
  std::string name = as_identifier(s.name());
  while (taken_.contains(name)) name += '_';
  return name;
}

}  // namespace rattleback
