/// rattleback explain NAME: the page behind an error, what a question decides, or the equation that a tag such as M.3 names.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/proof/questions/question.hpp>

#include "verb.hpp"

namespace rattleback::app {
namespace {

namespace fs = std::filesystem;

/// A folder of the documentation: in the source tree, or installed beside the program.
fs::path documentation(const std::string& folder) {
  const fs::path sources = fs::path(RATTLEBACK_SOURCE_DOCS) / folder;
  std::error_code ignored;
  if (fs::is_directory(sources, ignored)) return sources;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  return program.parent_path() / RATTLEBACK_INSTALL_DOCS / folder;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string replaced_all(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// [words](address) as its words.
std::string without_links(const std::string& line) {
  std::string text;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t close = line[at] == '[' ? line.find(']', at) : std::string::npos;
    const bool is_link = close != std::string::npos && line.compare(close, 2, "](") == 0;
    const std::size_t end = is_link ? line.find(')', close) : std::string::npos;
    text += end == std::string::npos ? line.substr(at, 1) : line.substr(at + 1, close - at - 1);
    at = end == std::string::npos ? at + 1 : end + 1;
  }
  return text;
}

/// One line of Markdown as plain text: links by their words, no emphasis, no escapes.
std::string plain(const std::string& line) {
  const std::size_t marks = line.find_first_not_of('#');
  const bool is_heading = marks != 0 && marks != std::string::npos && line[marks] == ' ';
  std::string text =
      without_links(is_heading ? line.substr(std::min(line.find_first_not_of("# "), line.size())) : line);
  for (const char* mark : {"**", "\\"}) text = replaced_all(text, mark, "");
  return text;
}

/// A page as plain text: code blocks are indented, everything else is plain().
std::string plain_text(const std::vector<std::string>& lines) {
  std::string all;
  bool in_code = false;
  for (const std::string& line : lines) {
    if (line.starts_with("```")) {
      in_code = !in_code;
    } else if (!line.starts_with("<!--")) {
      all += in_code ? "    " + line + "\n" : plain(line) + "\n";
    }
  }
  return all;
}

/// The first paragraph below the title, as one line.
std::string description(const std::vector<std::string>& page) {
  std::string text;
  for (const std::string& line : page) {
    if (line.empty() && !text.empty()) break;
    if (!line.empty() && !line.starts_with("#")) text += (text.empty() ? "" : " ") + plain(line);
  }
  const std::size_t end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

std::vector<std::string> cells(const std::string& row) {
  std::vector<std::string> all;
  std::istringstream in(row);
  for (std::string cell; std::getline(in, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    if (first != std::string::npos) all.push_back(cell.substr(first, last - first + 1));
  }
  return all;
}

std::string explained(const Question& q) {
  std::string text =
      fmt::format("{}: a question of `rattleback analyze MODEL --question {}`\n\n", q.name, q.name);
  text += fmt::format("It asks whether {}.\n", q.about);
  // Rows of tables of three columns that begin with the question, alone or among others; the head of the table says what they are.
  const std::vector<std::string> lines = lines_of(documentation("reference") / "questions.md");
  std::vector<std::string> head;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i + 1 < lines.size() && lines[i + 1].starts_with("|---")) head = cells(lines[i]);
    const std::vector<std::string> row = cells(lines[i]);
    if (row.size() != 3 || head.size() != 3 || !lines[i].starts_with('|') ||
        row[0].find(fmt::format("`{}`", q.name)) == std::string::npos)
      continue;
    text += fmt::format("\n{}: {}\n{}: {}\n", head[1], plain(row[1]), head[2], plain(row[2]));
  }
  return text + "\nAll questions, and what each decides on which space: docs/reference/questions.md\n";
}

/// The paragraphs around the line that defines a tag: the equation, what leads to it and what follows.
std::string explained_tag(const std::string& tag) {
  const std::string mark = fmt::format("({})", tag);
  for (const fs::directory_entry& entry : fs::directory_iterator(documentation("theory"))) {
    const std::vector<std::string> lines = lines_of(entry.path());
    const auto is_definition = [&](const std::string& line) {
      return line.starts_with("    ") && line.ends_with(mark);
    };
    const auto at = std::find_if(lines.begin(), lines.end(), is_definition);
    if (at == lines.end()) continue;
    const auto is_heading = [](const std::string& line) { return line.starts_with("#"); };
    const auto heading = std::find_if(std::make_reverse_iterator(at), lines.rend(), is_heading);
    auto first = at, last = at + 1;
    for (int gaps = 0; first != lines.begin() && !is_heading(*(first - 1)) && gaps < 2; --first)
      gaps += (first - 1)->empty() ? 1 : 0;
    for (int gaps = 0; last != lines.end() && !is_heading(*last) && gaps < 2; ++last)
      gaps += last->empty() ? 1 : 0;
    std::vector<std::string> part(first, last);
    while (!part.empty() && part.front().empty()) part.erase(part.begin());
    while (!part.empty() && part.back().empty()) part.pop_back();
    return fmt::format("{} of the theory manual, {}{}\n\n{}", mark, entry.path().stem().string(),
                       heading == lines.rend() ? "" : ": " + plain(*heading), plain_text(part));
  }
  return {};
}

/// One or two capitals, a dot, a number and perhaps a letter.
bool is_tag(const std::string& name) {
  const auto in = [](char low, char high) { return [=](char c) { return c >= low && c <= high; }; };
  const auto dot = std::find_if_not(name.begin(), name.end(), in('A', 'Z'));
  if (dot == name.begin() || dot - name.begin() > 2 || dot == name.end() || *dot != '.') return false;
  const auto rest = std::find_if_not(dot + 1, name.end(), in('0', '9'));
  return rest != dot + 1 && (rest == name.end() || (rest + 1 == name.end() && in('a', 'z')(*rest)));
}

void list_all() {
  fmt::print("errors:\n");
  for (const std::string_view slug : error_slugs()) {
    const fs::path page = documentation("reference/errors") / (std::string(slug) + ".md");
    fmt::print("  {:<28}{}\n", slug, description(lines_of(page)));
  }
  fmt::print("\nquestions:\n");
  for (const Question& q : all_questions()) fmt::print("  {:<28}{}\n", q.name, q.about);
  fmt::print("\ntags: equations of the theory manual, such as M.3\n");
}

int explain(const Arguments& args) {
  if (!args.positional()) {
    list_all();
    return Exit::done;
  }
  std::string name = *args.positional();
  if (name.starts_with('(') && name.ends_with(')')) name = name.substr(1, name.size() - 2);
  std::vector<std::string> known;
  for (const std::string_view slug : error_slugs()) known.emplace_back(slug);
  std::string text;
  if (std::find(known.begin(), known.end(), name) != known.end())
    text = plain_text(lines_of(documentation("reference/errors") / (name + ".md")));
  for (const Question& q : all_questions()) {
    known.push_back(q.name);
    if (q.name == name) text = explained(q);
  }
  if (is_tag(name)) text = explained_tag(name);
  if (!text.empty()) {
    fmt::print("{}", text);
    return Exit::done;
  }
  const auto close = nearest(name, known);
  throw Error("unknown-page", fmt::format("there is no page `{}`", name), "",
              close.empty() ? "`rattleback explain` lists errors and questions; a tag is written as M.3"
                            : fmt::format("did you mean `{}`?", fmt::join(close, "`, `")));
}

}  // namespace

Verb explain_verb() {
  return {"explain",
          "what an error, a question or a tag such as M.3 means",
          "[NAME]",
          "",
          {},
          {"rattleback explain unknown-symbol", "rattleback explain invariant-measure",
           "rattleback explain M.3", "rattleback explain"},
          explain};
}

}  // namespace rattleback::app
