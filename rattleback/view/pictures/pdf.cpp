// Declared in view/pictures/picture.hpp. PDF 1.4 [ISO 32000]: one page of vector graphics, with an embedded TrueType font.
#include <cmath>
#include <new>

#include <fmt/format.h>
#include <zlib.h>

#include <rattleback/view/pictures/font_file.hpp>
#include <rattleback/view/pictures/glyphs.hpp>
#include <rattleback/view/pictures/picture.hpp>

namespace rattleback {
namespace {

std::string packed_by_zlib(const std::string& data) {
  uLongf size = compressBound(data.size());
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(data.data()),
                data.size(), Z_BEST_COMPRESSION) != Z_OK)
    throw std::bad_alloc();  // there is nothing else that could have failed
  packed.resize(size);
  return packed;
}

std::string stream_object(const std::string& entries, const std::string& data) {
  const std::string packed = packed_by_zlib(data);
  return fmt::format("<< {} /Length {} /Filter /FlateDecode >>\nstream\n{}\nendstream", entries,
                     packed.size(), packed);
}

std::string ink(Colour c, const char* op) {
  return fmt::format("{:.3f} {:.3f} {:.3f} {}\n", c.r / 255.0, c.g / 255.0, c.b / 255.0, op);
}

/// Objects numbered from 1, the table of where they begin, and the trailer.
std::string pdf_document(const std::vector<std::string>& objects) {
  std::string s = "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n";
  std::vector<std::size_t> at;
  for (std::size_t k = 0; k < objects.size(); ++k) {
    at.push_back(s.size());
    s += fmt::format("{} 0 obj\n{}\nendobj\n", k + 1, objects[k]);
  }
  const std::size_t table = s.size();
  s += fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects.size() + 1);
  for (const std::size_t place : at) s += fmt::format("{:010} 00000 n \n", place);
  return s + fmt::format("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{}\n%%EOF\n", objects.size() + 1,
                         table);
}

/// Which characters the glyphs are, so that words can be searched for and copied.
std::string unicode_map(const FontFile& font) {
  std::string s =
      "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo << /Registry (Adobe) "
      "/Ordering "
      "(UCS) /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 "
      "begincodespacerange\n<0000> "
      "<FFFF>\nendcodespacerange\n";
  for (std::size_t first = 0; first < font.characters.size(); first += 100) {
    const std::size_t last = std::min(first + 100, font.characters.size());
    s += fmt::format("{} beginbfchar\n", last - first);
    for (std::size_t k = first; k < last; ++k)
      s += fmt::format("<{:04X}> <{:04X}>\n", k + 1, font.characters[k]);
    s += "endbfchar\n";
  }
  return s + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n";
}

}  // namespace

/// The operators of a page, and the images that it shows.
class PdfPage {
 public:
  explicit PdfPage(const Picture& picture) : picture_(picture), font_(font_file(picture.all_words())) {
    s_ = "0.75 0 0 0.75 0 0 cm 1 J 1 j\n" + ink(picture.paper_, "rg") +  // 96 pixels are 72 points
         fmt::format("0 0 {:.2f} {:.2f} re f\n", picture.width_, picture.height_);
    for (const Picture::Item& item : picture.items_) draw(item);
  }

  std::string document() const {
    std::string widths, images;
    for (std::size_t k = 0; k < font_.advances.size(); ++k)
      widths += fmt::format("{:.0f} ", 1000.0 * font_.advances[k] / glyphs::units);
    for (std::size_t k = 0; k < images_.size(); ++k)
      images += fmt::format("/I{} {} 0 R ", k, first_image + k);
    std::vector<std::string> objects{
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        fmt::format(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {:.2f} {:.2f}] /Contents 4 0 R /Resources << "
            "/Font << /F 5 0 R >> /XObject << {}>> >> >>",
            0.75 * picture_.width_, 0.75 * picture_.height_, images),
        stream_object("", s_),
        "<< /Type /Font /Subtype /Type0 /BaseFont /FIGURE+DejaVuSans /Encoding /Identity-H /DescendantFonts "
        "[6 0 R] "
        "/ToUnicode 9 0 R >>",
        fmt::format(
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /FIGURE+DejaVuSans /CIDSystemInfo << /Registry "
            "(Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 R /DW 500 /W [1 [{}]] "
            "/CIDToGIDMap /Identity >>",
            widths),
        "<< /Type /FontDescriptor /FontName /FIGURE+DejaVuSans /Flags 4 /FontBBox [-1021 -463 1793 1232] "
        "/ItalicAngle "
        "0 /Ascent 928 /Descent -236 /CapHeight 729 /StemV 80 /FontFile2 8 0 R >>",
        stream_object(fmt::format("/Length1 {}", font_.data.size()), font_.data),
        stream_object("", unicode_map(font_))};
    objects.insert(objects.end(), images_.begin(), images_.end());
    return pdf_document(objects);
  }

 private:
  static constexpr std::size_t first_image = 10;

  std::string place(Point p) const { return fmt::format("{:.2f} {:.2f}", p.x, picture_.height_ - p.y); }
  std::string rectangle(const Picture::Item& item) const {
    const Point p = item.path[0], size = item.path[1];
    return fmt::format("{:.2f} {:.2f} {:.2f} {:.2f} re", p.x, picture_.height_ - p.y - size.y, size.x,
                       size.y);
  }

  void draw(const Picture::Item& item) {
    using ItemKind = Picture::Item::Kind;
    switch (item.kind) {
      case ItemKind::stroke:
      case ItemKind::curve: line(item); break;
      case ItemKind::box: s_ += ink(item.colour, "rg") + rectangle(item) + " f\n"; break;
      case ItemKind::dots:  // strokes of no length with round ends
        s_ += ink(item.colour, "RG") + fmt::format("{:.3f} w\n", 2 * item.size);
        for (const Point p : item.path) s_ += place(p) + " m " + place(p) + " l\n";
        s_ += "S\n";
        break;
      case ItemKind::image: image(item); break;
      case ItemKind::words: words(item); break;
      case ItemKind::clip: s_ += "q " + rectangle(item) + " W n\n"; break;
      case ItemKind::unclip: s_ += "Q\n"; break;
    }
  }

  void line(const Picture::Item& item) {
    s_ += ink(item.colour, "RG") + fmt::format("{:.3f} w\n", item.size);
    if (item.dashed) s_ += fmt::format("0 J [{:.2f}] 0 d\n", 3 * item.size);
    s_ += place(item.path[0]) + " m\n";
    if (item.kind == Picture::Item::Kind::curve) {
      for (std::size_t i = 3; i < item.path.size(); i += 3)
        s_ += place(item.path[i - 2]) + " " + place(item.path[i - 1]) + " " + place(item.path[i]) + " c\n";
    } else {
      for (std::size_t i = 1; i < item.path.size(); ++i) s_ += place(item.path[i]) + " l\n";
    }
    s_ += item.dashed ? "S [] 0 d 1 J\n" : "S\n";
  }

  void image(const Picture::Item& item) {
    const Point p = item.path[0], size = item.path[1];
    s_ += fmt::format("q {:.2f} 0 0 {:.2f} {:.2f} {:.2f} cm /I{} Do Q\n", size.x, size.y, p.x,
                      picture_.height_ - p.y - size.y, images_.size());
    images_.push_back(stream_object(
        fmt::format(
            "/Type /XObject /Subtype /Image /Width {} /Height {} /ColorSpace /DeviceRGB /BitsPerComponent 8",
            item.columns, static_cast<int>(item.rgb.size()) / 3 / item.columns),
        std::string(item.rgb.begin(), item.rgb.end())));
  }

  void words(const Picture::Item& item) {
    const Point p = item.path[0];
    const double wide = item.how.size * width_of(item.text);
    const double shift = item.how.anchor == Picture::Anchor::start ? 0
                         : item.how.anchor == Picture::Anchor::end ? wide
                                                                   : wide / 2;
    std::string codes;
    for (const unsigned c : characters_of(item.text)) codes += fmt::format("{:04X}", font_.glyph_of(c));
    s_ += ink(item.colour, "rg") + ink(item.colour, "RG") +
          fmt::format("BT /F {:g} Tf {:.3f} w {} Tr ", item.how.size, item.how.size * 0.04,
                      item.how.bold ? 2 : 0);
    s_ += item.how.upwards ? fmt::format("0 1 -1 0 {:.2f} {:.2f} Tm", p.x, picture_.height_ - p.y - shift)
                           : fmt::format("1 0 0 1 {:.2f} {:.2f} Tm", p.x - shift, picture_.height_ - p.y);
    s_ += fmt::format(" <{}> Tj ET\n", codes);
  }

  const Picture& picture_;
  FontFile font_;
  std::string s_;
  std::vector<std::string> images_;
};

std::string Picture::pdf() const { return PdfPage(*this).document(); }

}  // namespace rattleback
