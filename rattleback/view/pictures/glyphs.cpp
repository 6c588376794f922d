#include <rattleback/view/pictures/glyphs.hpp>

#include <algorithm>
#include <cctype>
#include <map>

namespace rattleback {
namespace {

const glyphs::Letter* letter_of(unsigned c) {
  const glyphs::Letter* end = glyphs::letters + glyphs::letter_count;
  const glyphs::Letter* found = std::lower_bound(
      glyphs::letters, end, c, [](const glyphs::Letter& l, unsigned x) { return l.character < x; });
  return found != end && found->character == c ? found : nullptr;
}

int advance_of(unsigned c) {
  const glyphs::Letter* letter = letter_of(c);
  return letter != nullptr ? letter->advance : glyphs::units / 2;
}

const std::map<std::string, std::string>& greek() {
  static const std::map<std::string, std::string> letters{
      {"alpha", "α"}, {"beta", "β"},   {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"}, {"zeta", "ζ"},
      {"eta", "η"},   {"theta", "θ"},  {"iota", "ι"},  {"kappa", "κ"}, {"lambda", "λ"},  {"mu", "μ"},
      {"nu", "ν"},    {"xi", "ξ"},     {"pi", "π"},    {"rho", "ρ"},   {"sigma", "σ"},   {"tau", "τ"},
      {"phi", "φ"},   {"chi", "χ"},    {"psi", "ψ"},   {"omega", "ω"}, {"Gamma", "Γ"},   {"Delta", "Δ"},
      {"Theta", "Θ"}, {"Lambda", "Λ"}, {"Xi", "Ξ"},    {"Pi", "Π"},    {"Sigma", "Σ"},   {"Phi", "Φ"},
      {"Psi", "Ψ"},   {"Omega", "Ω"}};
  return letters;
}

/// One name without primes: a Greek letter, an index at the end.
std::string word_of(const std::string& word) {
  std::size_t digits = word.size();
  while (digits > 0 && std::isdigit(static_cast<unsigned char>(word[digits - 1])) != 0) --digits;
  if (digits == 0) return word;
  std::string stem = word.substr(0, digits);
  if (stem.size() > 1 && stem.back() == '_') stem.pop_back();
  const auto found = greek().find(stem);
  if (found == greek().end() && stem.size() > 2)
    return word;  // a word with a number, not a letter with an index
  std::string s = found == greek().end() ? stem : found->second;
  for (std::size_t k = digits; k < word.size(); ++k)
    s += std::string("\xE2\x82") + static_cast<char>(0x80 + (word[k] - '0'));
  return s;
}

}  // namespace

std::vector<unsigned> characters_of(const std::string& text) {
  std::vector<unsigned> found;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const int more = byte < 0x80 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
    unsigned c = more == 0 ? byte : byte & (0x3FU >> more);
    for (int k = 1; k <= more && i + static_cast<std::size_t>(k) < text.size(); ++k)
      c = c << 6U | (static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]) & 0x3FU);
    found.push_back(c);
    i += static_cast<std::size_t>(more) + 1;
  }
  return found;
}

std::vector<Outline> outlines_of(const std::string& text) {
  std::vector<Outline> all;
  double x = 0;
  const double unit = 1.0 / glyphs::units;
  for (const unsigned c : characters_of(text)) {
    if (const glyphs::Letter* letter = letter_of(c)) {
      for (int at = letter->begin; at < letter->end;) {
        const int count = glyphs::numbers[at++];
        Outline outline;
        for (int k = 0; k < count; ++k, at += 2)
          outline.push_back({x + unit * glyphs::numbers[at], unit * glyphs::numbers[at + 1]});
        all.push_back(std::move(outline));
      }
    }
    x += unit * advance_of(c);
  }
  return all;
}

double width_of(const std::string& text) {
  double width = 0;
  for (const unsigned c : characters_of(text)) width += static_cast<double>(advance_of(c)) / glyphs::units;
  return width;
}

std::string label_of(const std::string& name) {
  std::string s, word;
  const auto flush = [&] {
    s += word_of(word);
    word.clear();
  };
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
      continue;
    }
    flush();
    s += c == '\'' ? "′" : std::string(1, c);
  }
  flush();
  return s;
}

}  // namespace rattleback
