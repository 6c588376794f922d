#include <rattleback/algebra/arithmetic/error.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace rattleback {

Error::Error(std::string slug_, std::string summary_, std::string why_, std::string fix_)
    : slug(std::move(slug_)),
      summary(std::move(summary_)),
      why(std::move(why_)),
      fix(std::move(fix_)),
      message_(fmt::format("{}: {}", slug, summary)) {}

Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

ErrorKind Error::kind() const { return kind_of(slug); }

namespace {

using enum ErrorKind;

struct Row {
  std::string_view slug;
  ErrorKind kind;
};
/// Sorted by slug; each has a page docs/reference/errors/SLUG.md.
constexpr Row table[] = {
    {"acceleration", model},
    {"bad-certificate", usage},
    {"bad-parametrization", model},
    {"bad-table", model},
    {"bad-urdf", model},
    {"below-support", no_value},
    {"budget", unavailable},
    {"cannot-fly", inapplicable},
    {"cannot-resume", unavailable},
    {"conflicting-keys", model},
    {"degenerate-energy", model},
    {"dependent-constraints", model},
    {"dependent-frame", model},
    {"dimension-mismatch", model},
    {"division-by-zero", no_value},
    {"drifting-invariant", no_value},
    {"duplicate-name", model},
    {"empty-constraint", model},
    {"expression-too-deep", model},
    {"expression-too-long", model},
    {"file-too-large", unavailable},
    {"form-does-not-apply", inapplicable},
    {"incomplete-initial-state", usage},
    {"inconsistent-constraints", model},
    {"index-out-of-range", model},
    {"interrupted", unavailable},
    {"invalid-name", model},
    {"invalid-utf8", model},
    {"matrix-too-large", model},
    {"method-does-not-apply", inapplicable},
    {"missing-extension", unavailable},
    {"missing-key", model},
    {"missing-lagrangian", model},
    {"missing-space", model},
    {"model-too-large", unavailable},
    {"motion-ends", no_value},
    {"negative-energy", model},
    {"no-coq-form", inapplicable},
    {"no-coqc", unavailable},
    {"no-diagonal-pivot", no_value},
    {"no-inputs", inapplicable},
    {"no-joint-coordinate", model},
    {"no-parametrization", inapplicable},
    {"no-periodic-motion", inapplicable},
    {"no-start", inapplicable},
    {"no-value", usage},
    {"nonconvex-contact", no_value},
    {"nonlinear-constraint", inapplicable},
    {"not-a-lie-algebra", model},
    {"not-a-rotation", model},
    {"not-a-symmetry", model},
    {"not-antisymmetric", model},
    {"not-horizontal", inapplicable},
    {"not-periodic", model},
    {"not-positive", model},
    {"not-steady", inapplicable},
    {"not-symmetric", model},
    {"number-too-large", no_value},
    {"off-constraint", usage},
    {"open-loop", model},
    {"reserved-name", model},
    {"shape-mismatch", model},
    {"singular-constraint", model},
    {"singular-matrix", no_value},
    {"singular-state", no_value},
    {"substituted-constraint", model},
    {"syntax", model},
    {"tight-contact", no_value},
    {"toml-syntax", model},
    {"too-many-coordinates", model},
    {"trivial-constraint", model},
    {"unexpected-character", model},
    {"unknown-bianchi-type", model},
    {"unknown-body", model},
    {"unknown-coordinate", model},
    {"unknown-form", usage},
    {"unknown-function", model},
    {"unknown-joint", model},
    {"unknown-key", model},
    {"unknown-method", usage},
    {"unknown-model", usage},
    {"unknown-page", usage},
    {"unknown-parameter", usage},
    {"unknown-question", usage},
    {"unknown-section", model},
    {"unknown-space", model},
    {"unknown-symbol", model},
    {"unknown-symmetry", model},
    {"unknown-unit", model},
    {"unknown-wheel", model},
    {"unplaced-body", model},
    {"unreadable-file", unavailable},
    {"unsupported-contact", model},
    {"unused-parameter", model},
    {"unwritable-output", unavailable},
    {"usage", usage},
    {"velocities-not-a-frame", model},
    {"velocities-not-linear", model},
    {"velocity-not-allowed", model},
    {"wrong-arguments", model},
    {"wrong-axis", usage},
    {"wrong-bracket", model},
    {"wrong-count", model},
    {"wrong-direction", usage},
    {"wrong-number-of-velocities", model},
    {"wrong-reduction", model},
    {"wrong-type", model},
};

}  // namespace

ErrorKind kind_of(std::string_view slug) {
  const auto* row = std::lower_bound(std::begin(table), std::end(table), slug,
                                     [](const Row& r, std::string_view s) { return r.slug < s; });
  if (row == std::end(table) || row->slug != slug)
    throw Bug("an error without a row in the table: " + std::string(slug));
  return row->kind;
}

std::vector<std::string_view> error_slugs() {
  std::vector<std::string_view> all;
  for (const Row& row : table) all.push_back(row.slug);
  return all;
}

Error& Error::at(Place place) {
  where.push_back(std::move(place));
  return *this;
}

namespace {

constexpr std::size_t widest_excerpt = 160;

/// Continuation bytes of UTF-8 take no column of their own.
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

/// Characters, not bytes.
std::size_t columns(std::string_view bytes) {
  return static_cast<std::size_t>(std::count_if(
      bytes.begin(), bytes.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Where the character of this column, counted from 1, begins.
std::size_t byte_of_column(std::string_view line, int column) {
  std::size_t byte = 0;
  for (int c = 0; byte < line.size(); ++byte) {
    if (!is_continuation(line[byte]) && ++c == column) break;
  }
  return byte;
}

std::string location(const Place& place) {
  if (place.line == 0) return place.file;
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

/// The source line with carets under the stretch. A very long line is cut to a window around the carets.
std::string excerpt(const Place& place) {
  if (place.text.empty()) return {};
  std::string_view line = place.text;
  std::size_t first = place.line > 0 ? byte_of_column(line, place.column)
                                     : static_cast<std::size_t>(std::max(0, place.offset));
  first = std::min(first, line.size());
  std::string lead;
  if (line.size() > widest_excerpt) {
    std::size_t from = first > widest_excerpt / 2 ? first - widest_excerpt / 2 : 0;
    while (from > 0 && is_continuation(line[from])) --from;
    std::size_t to = std::min(from + widest_excerpt, line.size());
    while (to < line.size() && is_continuation(line[to])) ++to;
    line = line.substr(from, to - from);
    first -= from;
    if (from > 0) lead = "… ";
  }
  const std::size_t before = columns(line.substr(0, std::min(first, line.size()))) + columns(lead);
  const auto width = static_cast<std::size_t>(std::clamp(place.length, 1, 60));
  const std::string number = place.line > 0 ? fmt::format("{:4}", place.line) : std::string(4, ' ');
  return fmt::format("{} | {}{}\n     | {}{}\n", number, lead, line, std::string(before, ' '),
                     std::string(width, '^'));
}

/// Input may hold anything; what a terminal would obey is not shown to it. A tab takes one column, as the carets assume.
std::string printable(std::string text) {
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\t') c = ' ';
    if ((byte < 0x20 && c != '\n' && c != ' ') || byte == 0x7F) c = '?';
  }
  return text;
}

}  // namespace

std::string report(const Error& error, const char* severity) {
  std::string out = fmt::format("{}[{}]: {}\n", severity, error.slug, error.summary);
  std::string arrow = "  --> ";
  for (const Place& place : error.where) {
    const std::string at = location(place);
    if (!at.empty()) out += arrow + at + "\n";
    out += excerpt(place);
    arrow = "  and ";
  }
  if (!error.why.empty()) out += fmt::format("  why: {}\n", error.why);
  if (!error.fix.empty()) out += fmt::format("  fix: {}\n", error.fix);
  return printable(std::move(out));
}

namespace {

/// Edit distance with insertions, deletions, substitutions and swaps of neighbours (Damerau).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

}  // namespace

std::vector<std::string> nearest(const std::string& name, const std::vector<std::string>& candidates) {
  const std::size_t tolerance = name.size() <= 2 ? 1 : 1 + name.size() / 3;
  if (name.size() > 64) return {};
  std::vector<std::pair<std::size_t, std::string>> scored;
  for (const std::string& candidate : candidates) {
    if (candidate == name || candidate.size() > 64) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance <= tolerance && distance < std::max(name.size(), candidate.size()))
      scored.emplace_back(distance, candidate);
  }
  std::sort(scored.begin(), scored.end());
  std::vector<std::string> out;
  for (auto& [distance, candidate] : scored) {
    if (out.size() < 3 && (out.empty() || out.back() != candidate)) out.push_back(std::move(candidate));
  }
  return out;
}

}  // namespace rattleback
