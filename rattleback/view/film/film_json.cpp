// Declared in view/film/film.hpp. A film as data of a page. Five digits are more than a screen shows.
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/view/film/film.hpp>

namespace rattleback {
namespace {

/// Six digits each, which are more than a screen has; null for an infinity or NaN, for which JSON has no number. A film has up to a
/// million numbers.
std::string numbers(const std::vector<double>& values) {
  std::string s = "[";
  std::array<char, 32> digits;
  for (const double v : values) {
    if (s.size() > 1) s += ',';
    if (!std::isfinite(v)) {
      s += "null";
      continue;
    }
    const auto end =
        std::to_chars(digits.begin(), digits.end(), v == 0 ? 0 : v, std::chars_format::general, 6).ptr;
    s.append(digits.begin(), end);
  }
  return s + "]";
}

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

}  // namespace

const char* name_of(Shape::Kind kind) {
  switch (kind) {
    case Shape::Kind::sphere: return "sphere";
    case Shape::Kind::ellipsoid: return "ellipsoid";
    case Shape::Kind::disk: return "disk";
    case Shape::Kind::box: return "box";
    case Shape::Kind::blade: return "blade";
    case Shape::Kind::axes: return "axes";
    case Shape::Kind::line: return "line";
    case Shape::Kind::trace: return "trace";
    case Shape::Kind::surface: return "surface";
    case Shape::Kind::net: return "net";
  }
  return "";
}

namespace {

std::string shape_json(const Moving& m) {
  std::string s = fmt::format(R"({{"name":{},"kind":"{}","color":"{}","sizes":{},"axis":{})", quoted(m.name),
                              name_of(m.kind), m.color, numbers(m.sizes), numbers(m.axis));
  if (!m.pose.empty()) s += ",\"pose\":" + numbers(m.pose);
  if (!m.points.empty()) s += fmt::format(",\"corners\":{},\"points\":{}", m.corners, numbers(m.points));
  if (!m.mesh.empty()) s += fmt::format(",\"bands\":{},\"mesh\":{}", m.bands, numbers(m.mesh));
  return s + "}";
}

std::string curve_json(const Curve& c) {
  std::string s = fmt::format(R"({{"name":{},"x":{},"y":{})", quoted(c.name),
                              c.own_x.empty() ? quoted(c.x) : numbers(c.own_x),
                              c.own_y.empty() ? quoted(c.y) : numbers(c.own_y));
  if (c.faint) s += ",\"faint\":true";
  if (!c.breaks.empty()) s += fmt::format(",\"breaks\":[{}]", fmt::join(c.breaks, ","));
  return s + "}";
}

std::string figure_json(const Figure& f) {
  const char* kind = f.kind == Figure::Kind::time    ? "time"
                     : f.kind == Figure::Kind::plane ? "plane"
                                                     : "spectrum";
  std::vector<std::string> curves;
  for (const Curve& c : f.curves) curves.push_back(curve_json(c));
  return fmt::format(
      R"({{"title":{},"kind":"{}","x":{},"y":{},"equal":{},"tiny":{:g},"role":"{}","series":[{}]}})",
      quoted(f.title), kind, quoted(f.x), quoted(f.y), f.equal, f.least, f.role, fmt::join(curves, ","));
}

/// Phases and changes of contacts; nothing for a run without flight.
std::string flight_json(const Film& film) {
  const std::string can_fly = film.can_fly ? ",\n\"can_fly\":true" : "";
  if (film.phases.empty()) return can_fly;
  std::vector<std::string> phases, marks;
  for (const FilmPhase& p : film.phases)
    phases.push_back(fmt::format(R"({{"from":{:.9g},"to":{:.9g},"kind":{},"text":{}}})", p.from, p.to,
                                 quoted(p.kind), quoted(p.text)));
  for (const FilmMark& m : film.marks)
    marks.push_back(
        fmt::format(R"({{"t":{:.9g},"kind":{},"text":{}}})", m.time, quoted(m.kind), quoted(m.text)));
  return fmt::format(",\n\"phases\":[{}],\n\"marks\":[{}]{}", fmt::join(phases, ","), fmt::join(marks, ","),
                     can_fly);
}

/// Nothing where the model gives no units.
std::string units_json(const Film& film) {
  std::vector<std::string> units;
  for (const auto& [name, unit] : film.units) units.push_back(quoted(name) + ":" + quoted(unit));
  return units.empty() ? "" : fmt::format(",\n\"units\":{{{}}}", fmt::join(units, ","));
}

}  // namespace

std::string as_json(const Film& film) {
  std::vector<std::string> shapes, series{"\"t\":" + numbers(film.times)}, figures;
  for (const Moving& m : film.shapes) shapes.push_back(shape_json(m));
  for (const Series& s : film.series) series.push_back(quoted(s.name) + ":" + numbers(s.values));
  for (const Figure& f : film.figures) figures.push_back(figure_json(f));
  const std::string scene = film.shapes.empty()
                                ? "null"
                                : fmt::format(R"({{"above":{},"ground":{},"shapes":[{}]}})", film.above,
                                              film.ground, fmt::join(shapes, ",\n"));
  return fmt::format("{{\"film\":{{\"t\":{},\n\"scene\":{},\n\"series\":{{{}}},\n\"plots\":[{}]{}{}}}}}",
                     numbers(film.times), scene, fmt::join(series, ",\n"), fmt::join(figures, ",\n"),
                     flight_json(film), units_json(film));
}

}  // namespace rattleback
