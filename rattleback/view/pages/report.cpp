#include <rattleback/view/pages/report.hpp>

#include <sstream>

#include <fmt/format.h>

#include <rattleback/model/system/notes.hpp>
#include <rattleback/view/formulas/sheet.hpp>
#include <rattleback/view/pages/html.hpp>
#include <rattleback/view/pages/player_page.hpp>
#include <rattleback/view/pages/web.hpp>

namespace rattleback {
namespace {

/// With or without what sets formulas, which is most of a small page.
std::string head(const Report& report, bool formulas = true) {
  std::string s =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"generator\" content=\"rattleback\">\n";
  s += fmt::format("<title>{}</title>\n", escaped(heading(report.system)));
  // An empty icon keeps browsers from asking for one.
  s += "<link rel=\"icon\" href=\"data:,\">\n";
  if (formulas) s += fmt::format("<style>{}</style>\n", web_file("katex.css"));
  s += fmt::format("<style>\n{}</style>\n</head>\n", web_file("report.css"));
  return s;
}

std::string navigation(const Report& report) {
  std::string s = "<nav aria-label=\"sections\"><ul>";
  const auto link = [&](const char* id, const char* label) {
    s += fmt::format("<li><a href=\"#{}\">{}</a></li>", id, label);
  };
  link("top", "Overview");
  link("model", "Model");
  link("equations", "Equations");
  if (!report.answers.empty()) link("verdicts", "Verdicts");
  if (report.film) link("run", "A run");
  link("source", "Source");
  return s + "</ul></nav>\n";
}

std::string hero(const Report& report) {
  std::string s =
      fmt::format("<header class=\"hero\" id=\"top\">\n<h1>{}</h1>\n", escaped(heading(report.system)));
  const std::string described = noted(report.system, "description");
  if (const std::string story = described.empty() ? story_of(report.source) : described; !story.empty())
    s += fmt::format("<p class=\"lead\">{}</p>\n", prose_html(story));
  s += player_html(report);
  if (!report.system.references.empty()) {
    s += "<ul class=\"references\">\n";
    for (const std::string& r : report.system.references) s += fmt::format("<li>{}</li>\n", escaped(r));
    s += "</ul>\n";
  }
  return s + "</header>\n";
}

std::string source_section(const Report& report) {
  return fmt::format(
      "<section id=\"source\">\n<h2>The model file</h2>\n<p>Save it, change it, and run "
      "<code>{}</code> again.</p>\n<pre>{}</pre>\n</section>\n",
      escaped(report.command), escaped(report.source));
}

std::string scripts(const Report& report, bool formulas = true) {
  std::string s =
      fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n",
                  script_json(report.film ? as_json(*report.film) : std::string("{\"film\":null}")));
  if (report.live) {
    s += fmt::format("<script type=\"application/json\" id=\"live-data\">{}</script>\n",
                     script_json(report.live->json));
    s += fmt::format("<script>const liveCode = {};</script>\n", report.live->script);
  }
  for (const char* file : {"katex.js", "scene.js", "plots.js", "player.js", "phases.js", "dop853.js",
                           "switching.js", "live.js", "laboratory.js", "report.js"}) {
    if (!formulas && std::string_view(file) == "katex.js") continue;
    // A script must not contain the tag that ends it.
    if (const std::string_view code = web_file(file); !code.empty())
      s += fmt::format("<script>{}</script>\n", code);
  }
  return s;
}

}  // namespace

std::string story_of(const std::string& source) {
  std::string story;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line) && line.starts_with("#");) {
    const std::size_t begin = line.find_first_not_of("# ");
    if (begin == std::string::npos) break;  // an empty comment line ends the story
    story += (story.empty() ? "" : " ") + line.substr(begin);
  }
  return story;
}

std::string player_page(const Report& report) {
  return head(report, false) + "<body>\n" + player_html(report) + scripts(report, false) +
         "</body>\n</html>\n";
}

std::string as_html(const Report& report) {
  return head(report) + "<body>\n" + navigation(report) + "<main>\n" + hero(report) + model_section(report) +
         equations_section(report) + verdicts_section(report) + run_section(report) + source_section(report) +
         fmt::format(
             "</main>\n<footer><p>Written by Rattleback. The page needs no network and no other "
             "file.</p></footer>\n{}</body>\n</html>\n",
             scripts(report));
}

}  // namespace rattleback
