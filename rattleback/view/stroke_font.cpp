#include <rattleback/view/stroke_font.hpp>

#include <array>

namespace rattleback {
namespace {

// Paths, separated by spaces, of points with two digits: across from 0 to 4, and up from 0 with the base line at 2.
constexpr std::array<const char*, 95> glyphs{
    "",                                       // space
    "2824 22",                                // !
    "1816 3836",                              // "
    "1218 3238 0646 0444",                    // #
    "473818070615354443321203 2921",          // $
    "0248 0818170708 3343423233",             // %
    "4216172837260403122244",                 // &
    "2826",                                   // '
    "38272332",                               // (
    "18272312",                               // )
    "2723 0446 0644",                         // *
    "2723 0545",                              // +
    "2211",                                   // ,
    "1535",                                   // -
    "22",                                     // .
    "0248",                                   // /
    "183847433212030718",                     // 0
    "172822 1232",                            // 1
    "07183847460242",                         // 2
    "0718384746354443321203 1535",            // 3
    "32380444",                               // 4
    "480805354443321203",                     // 5
    "473818070312324344351504",               // 6
    "084812",                                 // 7
    "183847463515060718 153544433212030415",  // 8
    "031232434738180706153546",               // 9
    "25 22",                                  // :
    "25 2211",                                // ;
    "460442",                                 // <
    "0646 0444",                              // =
    "064402",                                 // >
    "07183847462524 22",                      // ?
    "362615142434 36344447381807031242",      // @
    "022842 1434",                            // A
    "02083847463505 3544433202",              // B
    "4738180703123243",                       // C
    "02082847432202",                         // D
    "48080242 0535",                          // E
    "480802 0535",                            // F
    "47381807031232434525",                   // G
    "0208 4248 0545",                         // H
    "1838 2822 1232",                         // I
    "4843321203",                             // J
    "0208 4805 1642",                         // K
    "080242",                                 // L
    "0208254842",                             // M
    "02084248",                               // N
    "183847433212030718",                     // O
    "02083847463505",                         // P
    "183847433212030718 2442",                // Q
    "02083847463505 2542",                    // R
    "473818070615354443321203",               // S
    "0848 2822",                              // T
    "080312324348",                           // U
    "082248",                                 // V
    "0812253248",                             // W
    "0248 0842",                              // X
    "082548 2522",                            // Y
    "08480242",                               // Z
    "38282232",                               // [
    "0842",                                   // backslash
    "18282212",                               // ]
    "062846",                                 // ^
    "0141",                                   // _
    "1827",                                   // `
    "16364542 441403123243",                  // a
    "0802 0516364543321203",                  // b
    "4536160503123243",                       // c
    "4842 4536160503123243",                  // d
    "04444536160503123243",                   // e
    "382722 1636",                            // f
    "4641301001 4536160503123243",            // g
    "0802 0516364542",                        // h
    "2622 28",                                // i
    "262110 28",                              // j
    "0802 4604 1542",                         // k
    "282332",                                 // l
    "0602 05162522 25364542",                 // m
    "0602 0516364542",                        // n
    "163645433212030516",                     // o
    "0600 0516364543321203",                  // p
    "4640 4536160503123243",                  // q
    "0602 041636",                            // r
    "45361605143443321203",                   // s
    "272332 1636",                            // t
    "0603123243 4642",                        // u
    "062246",                                 // v
    "0612243246",                             // w
    "0246 0642",                              // x
    "0622 4610",                              // y
    "06460242",                               // z
    "38272615242332",                         // {
    "2820",                                   // |
    "18272635242312",                         // }
    "04153445",                               // ~
};
constexpr double advance = 5.6;

/// Letters of Latin-1 without their accents, from U+00C0 on.
constexpr const char* plain = "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYPsaaaaaaaceeeeiiiidnooooo/ouuuuypy";

/// One character for each code point: ASCII as it is, dashes as `-`, letters without accents, the rest as `?`.
std::string in_ascii(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      out += byte < 32 || byte == 127 ? ' ' : text[i];
    } else if (byte >= 0xC0) {
      const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
      const unsigned code = (byte & 0x1FU) << 6U | (next & 0x3FU);
      out += byte == 0xC3 ? plain[code - 0xC0] : byte == 0xE2 ? '-' : '?';
    }
  }
  return out;
}

}  // namespace

double stroke_width(const std::string& text) {
  const std::size_t letters = in_ascii(text).size();
  return letters == 0 ? 0 : advance * static_cast<double>(letters) - (advance - 4);
}

std::vector<std::vector<Point>> strokes_of(const std::string& text) {
  std::vector<std::vector<Point>> strokes;
  double left = 0;
  for (const char c : in_ascii(text)) {
    std::vector<Point> path;
    for (const char* p = glyphs[c - ' '];; ++p) {
      if (*p == ' ' || *p == '\0') {
        if (!path.empty()) strokes.push_back(std::move(path));
        path.clear();
        if (*p == '\0') break;
        continue;
      }
      path.push_back({left + (p[0] - '0'), static_cast<double>(p[1] - '0' - 2)});
      ++p;
    }
    left += advance;
  }
  return strokes;
}

}  // namespace rattleback
