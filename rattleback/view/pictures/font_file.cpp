#include <rattleback/view/pictures/font_file.hpp>

#include <algorithm>
#include <set>

#include <rattleback/view/pictures/glyphs.hpp>

namespace rattleback {
namespace {

/// Numbers of a font have their high byte first.
void put16(std::string& s, int v) {
  s += static_cast<char>(static_cast<unsigned>(v) >> 8U & 255U);
  s += static_cast<char>(static_cast<unsigned>(v) & 255U);
}
void put32(std::string& s, unsigned v) {
  put16(s, static_cast<int>(v >> 16U));
  put16(s, static_cast<int>(v & 0xFFFFU));
}

struct Extent {
  int west = 0, south = 0, east = 0, north = 0;
};

/// One entry of the table `glyf`: contours of points on and off the curve, as differences of 16 bits.
std::string glyph_data(const glyphs::Letter& letter, Extent& extent, int& most_points, int& most_contours) {
  struct Node {
    int x, y;
    bool on;
  };
  std::vector<Node> nodes;
  std::vector<int> ends;
  for (int at = letter.begin; at < letter.end;) {
    const int count = glyphs::numbers[at++];
    for (int k = 0; k + 1 < count; ++k) {  // the last point is the first one again
      const Node node{glyphs::numbers[at + 2 * k], glyphs::numbers[at + 2 * k + 1], k % 2 == 0};
      // A straight piece has its control where it begins.
      if (node.on || node.x != nodes.back().x || node.y != nodes.back().y) nodes.push_back(node);
    }
    at += 2 * count;
    ends.push_back(static_cast<int>(nodes.size()) - 1);
  }
  if (nodes.empty()) return "";
  most_points = std::max(most_points, static_cast<int>(nodes.size()));
  most_contours = std::max(most_contours, static_cast<int>(ends.size()));
  extent = {nodes[0].x, nodes[0].y, nodes[0].x, nodes[0].y};
  for (const Node& n : nodes)
    extent = {std::min(extent.west, n.x), std::min(extent.south, n.y), std::max(extent.east, n.x),
              std::max(extent.north, n.y)};
  std::string s;
  for (const int v : {static_cast<int>(ends.size()), extent.west, extent.south, extent.east, extent.north})
    put16(s, v);
  for (const int end : ends) put16(s, end);
  put16(s, 0);  // no instructions
  for (const Node& n : nodes) s += n.on ? '\1' : '\0';
  for (std::size_t i = 0; i < nodes.size(); ++i) put16(s, nodes[i].x - (i > 0 ? nodes[i - 1].x : 0));
  for (std::size_t i = 0; i < nodes.size(); ++i) put16(s, nodes[i].y - (i > 0 ? nodes[i - 1].y : 0));
  if (s.size() % 2 != 0) s += '\0';
  return s;
}

/// Segments of the table `cmap`, format 4: one for each character.
std::string character_map(const std::vector<unsigned>& characters) {
  const int segments = static_cast<int>(characters.size()) + 1;
  int power = 1, exponent = 0;
  while (2 * power <= segments) power *= 2, ++exponent;
  std::string s;
  for (const int v : {0, 1, 3, 1}) put16(s, v);
  put32(s, 12);
  for (const int v : {4, 16 + 8 * segments, 0, 2 * segments, 2 * power, exponent, 2 * (segments - power)})
    put16(s, v);
  for (const unsigned c : characters) put16(s, static_cast<int>(c));
  for (const int v : {0xFFFF, 0}) put16(s, v);
  for (const unsigned c : characters) put16(s, static_cast<int>(c));
  put16(s, 0xFFFF);
  for (std::size_t k = 0; k < characters.size(); ++k)
    put16(s, static_cast<int>(k + 1) - static_cast<int>(characters[k]));
  put16(s, 1);
  for (int k = 0; k < segments; ++k) put16(s, 0);
  return s;
}

/// The table `name`: family and full name.
std::string name_table() {
  const std::vector<std::pair<int, std::string>> names{
      {1, "DejaVu Sans"}, {2, "Book"}, {3, "DejaVu Sans"}, {4, "DejaVu Sans"}, {6, "DejaVuSans"}};
  std::string head, texts;
  put16(head, 0);
  put16(head, static_cast<int>(names.size()));
  put16(head, 6 + 12 * static_cast<int>(names.size()));
  for (const auto& [id, text] : names) {
    for (const int v : {3, 1, 0x409, id, 2 * static_cast<int>(text.size()), static_cast<int>(texts.size())})
      put16(head, v);
    for (const char c : text) put16(texts, c);
  }
  return head + texts;
}

unsigned checksum(const std::string& table) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < table.size(); ++i)
    sum += static_cast<unsigned>(static_cast<unsigned char>(table[i])) << (24 - 8 * (i % 4));
  return sum;
}

/// The folder of tables and the tables, each beginning at a multiple of four.
std::string assembled(const std::vector<std::pair<std::string, std::string>>& tables) {
  const int count = static_cast<int>(tables.size());
  int power = 1, exponent = 0;
  while (2 * power <= count) power *= 2, ++exponent;
  std::string s, body;
  put32(s, 0x00010000);
  for (const int v : {count, 16 * power, exponent, 16 * (count - power)}) put16(s, v);
  for (const auto& [tag, table] : tables) {
    s += tag;
    put32(s, checksum(table));
    put32(s, static_cast<unsigned>(12 + 16 * tables.size() + body.size()));
    put32(s, static_cast<unsigned>(table.size()));
    body += table;
    while (body.size() % 4 != 0) body += '\0';
  }
  return s + body;
}

}  // namespace

unsigned FontFile::glyph_of(unsigned character) const {
  const auto found = std::lower_bound(characters.begin(), characters.end(), character);
  return found != characters.end() && *found == character
             ? static_cast<unsigned>(found - characters.begin()) + 1
             : 0;
}

FontFile font_file(const std::string& text) {
  FontFile font;
  std::set<unsigned> wanted;
  for (const unsigned c : characters_of(text)) wanted.insert(c);
  std::string glyf, loca, hmtx;
  Extent all;
  int most_points = 0, most_contours = 0, widest = 0;
  put32(loca, 0);
  put32(loca, 0);  // glyph 0 is empty
  put16(hmtx, glyphs::units / 2);
  put16(hmtx, 0);
  for (int k = 0; k < glyphs::letter_count; ++k) {
    const glyphs::Letter& letter = glyphs::letters[k];
    if (!wanted.contains(letter.character)) continue;
    Extent extent;
    glyf += glyph_data(letter, extent, most_points, most_contours);
    all = {std::min(all.west, extent.west), std::min(all.south, extent.south),
           std::max(all.east, extent.east), std::max(all.north, extent.north)};
    put32(loca, static_cast<unsigned>(glyf.size()));
    put16(hmtx, letter.advance);
    put16(hmtx, extent.west);
    widest = std::max(widest, letter.advance);
    font.characters.push_back(letter.character);
    font.advances.push_back(letter.advance);
  }
  const int count = static_cast<int>(font.characters.size()) + 1;
  constexpr int ascent = 1901, descent = 483;  // of DejaVu Sans
  std::string head, hhea, maxp, os2, post;
  put32(head, 0x00010000);
  put32(head, 0x00010000);
  put32(head, 0);  // of the whole file; filled in below
  put32(head, 0x5F0F3CF5);
  for (const int v :
       {0, glyphs::units, 0, 0, 0, 0, 0, 0, 0, 0, all.west, all.south, all.east, all.north, 0, 8, 2, 1, 0})
    put16(head, v);
  put32(hhea, 0x00010000);
  for (const int v : {ascent, -descent, 0, widest, all.west, 0, all.east, 1, 0, 0, 0, 0, 0, 0, 0, count})
    put16(hhea, v);
  put32(maxp, 0x00010000);
  for (const int v : {count, most_points, most_contours, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}) put16(maxp, v);
  for (const int v : {4, widest / 2, 400, 5, 0, 1331, 1229, 0, 0, 1331, 1229, 0, 0, 102, 530, 0})
    put16(os2, v);
  os2.append(10, '\0');  // panose
  os2.append(16, '\0');  // ranges of Unicode
  os2 += "    ";
  for (const int v : {64, font.characters.empty() ? 0 : static_cast<int>(font.characters.front()),
                      font.characters.empty() ? 0 : static_cast<int>(font.characters.back()), ascent,
                      -descent, 0, ascent, descent})
    put16(os2, v);
  os2.append(8, '\0');  // pages of code
  for (const int v : {1120, 1493, 0, 32, 0}) put16(os2, v);
  put32(post, 0x00030000);
  post.append(28, '\0');
  const std::vector<std::pair<std::string, std::string>> tables{
      {"OS/2", os2},          {"cmap", character_map(font.characters)},
      {"glyf", glyf},         {"head", head},
      {"hhea", hhea},         {"hmtx", hmtx},
      {"loca", loca},         {"maxp", maxp},
      {"name", name_table()}, {"post", post}};
  font.data = assembled(tables);
  std::string adjustment;
  put32(adjustment, 0xB1B0AFBAU - checksum(font.data));
  std::size_t head_at = 12 + 16 * tables.size();
  for (std::size_t k = 0; tables[k].first != "head"; ++k) head_at += (tables[k].second.size() + 3) / 4 * 4;
  font.data.replace(head_at + 8, 4, adjustment);
  return font;
}

}  // namespace rattleback
