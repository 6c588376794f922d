#include <rattleback/model/text/xml.hpp>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/input_limits.hpp>

namespace rattleback {
namespace {

constexpr int deepest_element = input_limits::xml.count;

class XmlReader {
 public:
  explicit XmlReader(const Source& source) : source_(source), text_(source.text()) {}

  Xml document() {
    skip_misc();
    Xml root = element(0);
    skip_misc();
    if (at_ < text_.size()) fail("text after the last element", "delete it");
    return root;
  }

 private:
  [[noreturn]] void fail(std::string what, std::string fix) const {
    throw Error("bad-urdf", std::move(what), "the file is not well-formed XML", std::move(fix))
        .at(source_.place({std::min(at_, text_.size()), std::min(at_ + 1, text_.size())}));
  }
  bool next(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  void skip_past(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos)
      fail(fmt::format("`{}` is missing", end), fmt::format("add {}", end));
    at_ = found + end.size();
  }
  /// Comments, declarations and processing instructions.
  void skip_misc() {
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      if (next("<!--"))
        skip_past("-->");
      else if (next("<?"))
        skip_past("?>");
      else if (next("<!"))
        skip_past(">");
      else
        return;
    }
  }

  static bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == ':' || c == '.';
  }
  std::string name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    if (at_ == begin) fail("a name should stand here", "check this tag");
    return std::string(text_.substr(begin, at_ - begin));
  }

  static std::string decoded(std::string value) {
    for (const auto& [entity, c] : {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&quot;", "\""),
                                    std::pair("&apos;", "'"), std::pair("&amp;", "&")}) {
      const std::string_view e = entity;
      for (std::size_t p = 0; (p = value.find(e, p)) != std::string::npos; ++p) value.replace(p, e.size(), c);
    }
    return value;
  }

  Xml element(int depth) {
    if (depth > deepest_element) fail("elements are nested too deeply", "check the file");
    if (!next("<")) fail("an element should stand here", "write <robot name=\"...\">");
    Xml e;
    e.span.begin = at_++;
    e.name = name();
    for (skip_blanks(); !next("/>") && !next(">"); skip_blanks()) attribute(e);
    const bool empty = next("/>");
    at_ += empty ? 2 : 1;
    e.span.end = at_;
    if (empty) return e;
    while (true) {
      const std::size_t tag = text_.find('<', at_);
      if (tag == std::string_view::npos) {
        at_ = e.span.begin;
        fail(fmt::format("<{}> is never closed", e.name), fmt::format("add </{}>", e.name));
      }
      at_ = tag;
      skip_misc();
      if (next("</")) break;
      if (next("<")) e.children.push_back(element(depth + 1));
    }
    at_ += 2;
    if (name() != e.name) fail(fmt::format("</{}> is expected", e.name), "close the elements in order");
    skip_blanks();
    if (!next(">")) fail("`>` is missing", "close the tag");
    ++at_;
    return e;
  }

  void attribute(Xml& e) {
    if (at_ >= text_.size()) fail("the file ends within a tag", "close it");
    const std::string key = name();
    skip_blanks();
    if (!next("=")) fail(fmt::format("`=` is missing after `{}`", key), "write name=\"value\"");
    ++at_;
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '"' && quote != '\'') fail("a quote is missing", "write name=\"value\"");
    const std::size_t begin = ++at_, end = text_.find(quote, begin);
    if (end == std::string_view::npos) fail("a quote is never closed", "close it");
    e.attributes.emplace_back(key, decoded(std::string(text_.substr(begin, end - begin))));
    at_ = end + 1;
  }

  const Source& source_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const Xml* Xml::find(const std::string& child) const {
  const auto found = std::ranges::find(children, child, &Xml::name);
  return found == children.end() ? nullptr : &*found;
}

std::string Xml::get(const std::string& attribute, const std::string& otherwise) const {
  for (const auto& [key, value] : attributes)
    if (key == attribute) return value;
  return otherwise;
}

Xml parse_xml(const Source& source) { return XmlReader(source).document(); }

}  // namespace rattleback
