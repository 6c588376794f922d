#include <rattleback/view/programs/javascript_pieces.hpp>

#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>

namespace rattleback {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Names in a piece of code, without members (`Math.sin` is Math) and numbers.
std::set<std::string> names_in(const std::string& code) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at;
    while (end < code.size() && is_word(code[end])) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    const bool is_name =
        std::isdigit(static_cast<unsigned char>(code[at])) == 0 && (at == 0 || code[at - 1] != '.');
    if (is_name) names.insert(code.substr(at, end - at));
    at = end;
  }
  return names;
}

class Pieces {
 public:
  Pieces(const JavascriptFunction& f, std::size_t longest) : f_(f) {
    for (const JavascriptStatement& s : f.body) {
      if (s.again) {
        read_again_[s.name] = s.code;
        continue;
      }
      if (pieces_.empty() || pieces_.back().length > longest) pieces_.emplace_back();
      add(s);
    }
    if (pieces_.empty()) pieces_.emplace_back();
    for (const std::string& name : names_in(f.last)) need(name, pieces_.back(), pieces_.size() - 1);
  }

  std::string code() const {
    std::string parts, calls;
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      const bool is_last = k + 1 == pieces_.size();
      parts += fmt::format("function {}_{}({}, scratch) {{\n", f_.name, k + 1, f_.arguments);
      for (const std::string& name : pieces_[k].needs) {
        const auto again = read_again_.find(name);
        parts += again != read_again_.end()
                     ? again->second
                     : fmt::format("  const {} = scratch[{}];\n", name, slots_.at(name));
      }
      for (const JavascriptStatement* s : pieces_[k].body) {
        parts += s->code;
        if (const auto slot = slots_.find(s->name); slot != slots_.end())
          parts += fmt::format("  scratch[{}] = {};\n", slot->second, s->name);
      }
      parts += (is_last ? f_.last : "") + "}\n";
      calls += fmt::format("  {}{}_{}({}, {}_scratch);\n", is_last ? "return " : "", f_.name, k + 1,
                           f_.arguments, f_.name);
    }
    return fmt::format(
               "\nconst {}_scratch = new Float64Array({});  // what one part computes for the others\n",
               f_.name, slots_.size()) +
           parts + f_.head + calls + "}\n";
  }

 private:
  struct Piece {
    std::vector<const JavascriptStatement*> body;
    std::set<std::string> needs;
    std::size_t length = 0;
  };

  void add(const JavascriptStatement& s) {
    Piece& piece = pieces_.back();
    for (const std::string& name : names_in(s.code)) need(name, piece, pieces_.size() - 1);
    piece.body.push_back(&s);
    piece.length += s.code.size();
    if (!s.name.empty()) home_[s.name] = pieces_.size() - 1;
  }
  void need(const std::string& name, Piece& piece, std::size_t number) {
    if (read_again_.contains(name)) piece.needs.insert(name);
    const auto home = home_.find(name);
    if (home == home_.end() || home->second == number) return;
    piece.needs.insert(name);
    slots_.emplace(name, slots_.size());
  }

  const JavascriptFunction& f_;
  std::vector<Piece> pieces_;
  std::map<std::string, std::string> read_again_;
  std::map<std::string, std::size_t> home_, slots_;
};

}  // namespace

std::string in_pieces(const JavascriptFunction& f, std::size_t longest) {
  std::string whole = f.head;
  for (const JavascriptStatement& s : f.body) whole += s.code;
  whole += f.last + "}\n";
  return whole.size() < longest ? whole : Pieces(f, longest).code();
}

}  // namespace rattleback
