// Declared in view/pages/report.hpp. The stage at the top of the page and the section with the curves of the run.
#include <fmt/format.h>

#include <rattleback/view/pages/html.hpp>
#include <rattleback/view/pages/report.hpp>

namespace rattleback {
namespace {

std::string figure_html(const Figure& figure, std::size_t number) {
  std::string s =
      fmt::format("<figure data-plot=\"{}\"><figcaption><b>{}</b>", number, escaped(figure.title));
  std::size_t color = 0;
  for (const Curve& c : figure.curves) {
    if (c.faint) continue;
    if (!c.name.empty())
      s += fmt::format("<span class=\"legend s{}\"><i></i><span data-name>{}</span></span>", color,
                       escaped(c.name));
    ++color;
  }
  if (!figure.note.empty()) s += fmt::format("<span class=\"note\">{}</span>", escaped(figure.note));
  return s + "</figcaption></figure>\n";
}

}  // namespace

std::string player_html(const Report& report) {
  if (!report.film) return fmt::format("<p class=\"note\">{}</p>\n", prose_html(report.no_film));
  const char* panel = report.live ? "<div id=\"live\" class=\"live\"></div>\n" : "";
  if (report.film->shapes.empty()) return panel;
  return std::string(stage_html()) + panel;
}

const char* stage_html() {
  return R"(<figure class="player">
<canvas id="stage" tabindex="0" role="img" aria-label="animation of the mechanism; Shift with arrow keys turns it, + and - zoom"></canvas>
<div class="controls">
<button id="play" type="button" aria-label="play"></button>
<input id="scrub" type="range" aria-label="time" value="0">
<output id="clock"></output>
<label>speed <select id="rate" aria-label="speed"><option value="0.1">0.1×</option><option value="0.25">0.25×</option><option value="0.5">0.5×</option><option value="1" selected>1×</option><option value="2">2×</option><option value="4">4×</option><option value="8">8×</option><option value="16">16×</option></select></label>
<label><input id="follow" type="checkbox"> follow</label>
<button id="reset" type="button">reset view</button>
<button id="full" type="button" title="F" hidden>full screen</button>
</div>
<div id="phases" class="phases" hidden></div>
</figure>
)";
}

std::string run_section(const Report& report) {
  if (!report.film) return {};
  std::string s = fmt::format("<section id=\"run\">\n<h2>A run</h2>\n<p>{}</p>\n<div class=\"plots\">\n",
                              prose_html(report.film->summary));
  for (std::size_t k = 0; k < report.film->figures.size(); ++k) s += figure_html(report.film->figures[k], k);
  return s + "</div>\n</section>\n";
}

}  // namespace rattleback
