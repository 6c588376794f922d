// The page: complete, safe whatever a model says, and independent of everything outside.
#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <string>

#include <fmt/format.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/view/pages/html.hpp>
#include <rattleback/view/pages/report.hpp>
#include <rattleback/view/pages/space_drawing.hpp>
#include <rattleback/view/pages/web.hpp>

using namespace rattleback;

namespace {

std::string page_of(const System& system, const std::string& source) {
  Report page;
  page.system = system;
  page.source = source;
  page.command = "rattleback report example";
  page.found = triage(page.system);
  page.equations = derivation(page.system, all_formalisms(), false);
  page.answers.emplace_back("energy", asked(question("energy"), page.system, 10));
  return as_html(page);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

}  // namespace

TEST_CASE("the page has every form, the verdicts and the source, and is the same every time") {
  const System sleigh = load_model("chaplygin-sleigh");
  const std::string page = page_of(sleigh, "# A story\n# in two lines.\n\ntitle = \"Sleigh\"\n");
  CHECK(page ==
        page_of(load_model("chaplygin-sleigh"), "# A story\n# in two lines.\n\ntitle = \"Sleigh\"\n"));
  CHECK(page.find("<p class=\"lead\">A story in two lines.</p>") != std::string::npos);
  CHECK(page.find("Hamel") != std::string::npos);
  CHECK(count(page, "<details class=\"form") >= 5);
  CHECK(page.find("<span class=\"name\">energy</span><span class=\"badge proved\">proved</span>") !=
        std::string::npos);
  CHECK(page.find("title = &quot;Sleigh&quot;") != std::string::npos);
}

TEST_CASE("the page asks for nothing outside itself") {
  std::string page = page_of(load_model("chaplygin-sleigh"), "");
  CHECK(page.size() < 3'000'000);
  for (std::size_t at;
       (at = page.find("<script>")) != std::string::npos;)  // code may well contain such letters
    page.erase(at, page.find("</script>", at) + 9 - at);
  CHECK(!std::regex_search(page, std::regex(R"((src|href)\s*=\s*"(?!#|data:))")));
  CHECK(page.find("@import") == std::string::npos);
  CHECK(page.find("url(fonts") == std::string::npos);
}

TEST_CASE("what a model says cannot become markup") {
  const std::string text = R"toml(title = "<script>alert(1)</script> & \"x\""
lagrangian = "1/2*x'^2"
[space]
x = "R"
)toml";
  const std::string page = page_of(read_model(text, "models/<b>.toml"), "# </pre><script>\n" + text);
  CHECK(page.find("<script>alert") == std::string::npos);
  CHECK(page.find("</pre><script>") == std::string::npos);
  CHECK(page.find("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;") != std::string::npos);
  CHECK(script_json(R"({"a":"</script>"})") == R"({"a":"<\/script>"})");
}

TEST_CASE("prose and LaTeX become HTML") {
  CHECK(prose_html("write `a < b` here") == "write <code>a &lt; b</code> here");
  CHECK(prose_html("an open ` quote") == "an open <code> quote</code>");
  const std::string html = latex_html(
      "% comment\n\\begin{align*}\n  x &= y \\\\\n\\end{align*}\nwith\n\\begin{align*}\n  z &= "
      "1\n\\end{align*}\n");
  CHECK(html.find("data-tex=\"\\begin{align*}\n  x &amp;= y") != std::string::npos);
  CHECK(html.find("<p class=\"note\">with</p>") != std::string::npos);
  CHECK(html.find("comment") == std::string::npos);
}

TEST_CASE("formulas in sentences and verbatim lines become HTML") {
  CHECK(latex_html("with $a < b$, $c$,\n") ==
        "<p class=\"note\">with <span data-tex=\"a &lt; b\">a &lt; b</span>, <span "
        "data-tex=\"c\">c</span>,</p>\n");
  CHECK(latex_html("\\begin{verbatim}\nm_1 = $m$ & n\n\\end{verbatim}\n") ==
        "<pre>m_1 = $m$ &amp; n\n</pre>\n");
}

TEST_CASE("long formulas come in pieces that a page can hold, cut between statements") {
  std::string latex = "\\begin{align*}\n";
  for (int k = 1; k <= 20; ++k) latex += fmt::format("  a_{{{}}} &= b \\\\\n    &\\quad + c \\\\\n", k);
  const std::string html = latex_html(latex + "\\end{align*}\n");
  CHECK(count(html, "class=\"formula") == 4);  // 40 rows, 12 at most
  CHECK(count(html, "\\begin{align*}\n    &amp;\\quad") == 0);
  CHECK(count(html, "a_{") == 2 * 20);  // for KaTeX, and as text
}

TEST_CASE("the story ends where the comment does") {
  CHECK(story_of("# One.\n# Two.\n#\n# Axes.\ntitle = 1\n") == "One. Two.");
  CHECK(story_of("title = 1\n# later\n").empty());
}

TEST_CASE("the drawing has a cell for every dimension, and dashes what is never reached") {
  const System sleigh = load_model("chaplygin-sleigh"), fake = load_model("fake-exact");
  const std::string free = space_drawing(sleigh, triage(sleigh)), bound = space_drawing(fake, triage(fake));
  CHECK(count(free, "<rect") == 3);
  CHECK(count(free, "class=\"never\"") == 0);
  CHECK(count(bound, "class=\"never\"") == 1);
}

TEST_CASE("pages have their scripts and style sheets") {
  for (const char* name : {"report.css", "report.js", "scene.js", "plots.js"}) CHECK(!web_file(name).empty());
  CHECK(web_file("nothing.js").empty());
  CHECK(has_typesetting() == !web_file("katex.css").empty());
}
