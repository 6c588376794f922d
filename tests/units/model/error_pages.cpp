// Every slug has its page, every page its slug, and the example on a page produces exactly the report printed there.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/symmetry/false_symmetries.hpp>

using namespace rattleback;
namespace fs = std::filesystem;

namespace {

const fs::path docs = RATTLEBACK_SOURCE_DOCS;

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The first argument of a call, up to a comma outside brackets and strings.
std::string first_argument(const std::string& code, std::size_t i) {
  const std::size_t start = i;
  int depth = 0;
  for (bool quoted = false; i < code.size(); ++i) {
    const char c = code[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if ((c == ')' || c == ']' || c == '}') && --depth < 0) break;
    if (c == ',' && depth == 0) break;
  }
  return code.substr(start, i - start);
}

/// Slugs are the literals in the first argument of Error(…) and its derived types, Error name(…), ContactLimit{…}, fail(…) and fail_at_syntax(…).
std::set<std::string> slugs_in(const std::string& code) {
  static const std::regex call(
      R"(\b(Error|Inapplicable|NonlinearConstraint|NoParametrization|NoValue|Singular|Degenerate|NoDiagonalPivot|NoNumber|TooLarge|Unavailable|OffConstraint|NoCoqForm|ContactLimit|fail|fail_at_syntax)(\s+\w+)?\s*[({])"),
      literal("\"([a-z][a-z0-9]*(-[a-z0-9]+)*)\"");
  std::set<std::string> slugs;
  for (std::sregex_iterator m(code.begin(), code.end(), call), end; m != end; ++m) {
    const std::string argument = first_argument(code, static_cast<std::size_t>(m->position() + m->length()));
    for (std::sregex_iterator s(argument.begin(), argument.end(), literal); s != end; ++s)
      slugs.insert((*s)[1]);
  }
  return slugs;
}

std::set<std::string> slugs_of_the_program() {
  std::set<std::string> all;
  for (const char* folder : {"rattleback", "apps"}) {
    const fs::path root = docs.parent_path() / folder;
    if (!fs::exists(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cpp" && extension != ".hpp") continue;
      all.merge(slugs_in(content(entry.path())));
    }
  }
  return all;
}

std::set<std::string> slugs_with_a_page() {
  std::set<std::string> all;
  for (const auto& entry : fs::directory_iterator(docs / "reference" / "errors")) {
    if (entry.path().extension() == ".md" && entry.path().stem() != "README")  // the list of them
      all.insert(entry.path().stem().string());
  }
  return all;
}

/// The text of the first block of a language on a page.
std::string block(const std::string& page, const std::string& language) {
  const std::string opening = "```" + language + "\n";
  const std::size_t from = page.find(opening);
  if (from == std::string::npos) return {};
  const std::size_t start = from + opening.size();
  return page.substr(start, page.find("```", start) - start);
}

/// What a person sees for a model: the error, or the doubt of that slug.
std::string outcome(const std::string& model, const std::string& slug) {
  try {
    const System system = read_model(model, "model.toml");
    Triage found = triage(system);
    for (const Error& doubt : false_symmetries(system)) found.warnings.push_back(doubt);
    for (const Error& e : found.problems) {
      if (e.slug == slug) return report(e);
    }
    for (const Error& e : found.warnings) {
      if (e.slug == slug) return report(e, "warning");
    }
  } catch (const Error& e) {
    return report(e);
  }
  return "nothing";
}

}  // namespace

TEST_CASE("slugs are found where they are thrown") {
  CHECK(slugs_in("throw Error(\"one-two\", \"summary\")") == std::set<std::string>{"one-two"});
  CHECK(slugs_in("Error error(bad ? \"one\" : \"two\", f(\"three\"));") ==
        std::set<std::string>{"one", "two"});
  CHECK(slugs_in("fail(item, Error(\"one\", g(a, b)))") == std::set<std::string>{"one"});
  CHECK(slugs_in("Terror(\"no\")").empty());
}

TEST_CASE("every slug has a page and every page a slug") {
  const std::set<std::string> thrown = slugs_of_the_program(), written = slugs_with_a_page();
  CHECK(thrown.size() > 50);
  for (const std::string& slug : thrown)
    CHECK_MESSAGE(written.contains(slug), "no page docs/reference/errors/", slug, ".md");
  for (const std::string& slug : written) CHECK_MESSAGE(thrown.contains(slug), "nothing throws ", slug);
}

TEST_CASE("every slug has a kind") {
  const std::vector<std::string_view> listed = error_slugs();
  CHECK(std::set<std::string>(listed.begin(), listed.end()) == slugs_with_a_page());
  CHECK(kind_of("unknown-symbol") == ErrorKind::model);
  CHECK(kind_of("form-does-not-apply") == ErrorKind::inapplicable);
  CHECK(kind_of("division-by-zero") == ErrorKind::no_value);
  CHECK_THROWS_AS(kind_of("no-such-slug"), Bug);
  // A type that is caught is the type that was thrown, also with a place.
  CHECK_THROWS_AS(throw located(NonlinearConstraint("nonlinear-constraint", ""), Place{}),
                  NonlinearConstraint);
}

TEST_CASE("the example on a page produces the report printed there") {
  int examples = 0;
  for (const std::string& slug : slugs_with_a_page()) {
    const std::string page = content(docs / "reference" / "errors" / (slug + ".md"));
    CHECK(page.starts_with("# " + slug + "\n"));
    CHECK_MESSAGE(page.find("## What to do") != std::string::npos, slug);
    const std::string model = block(page, "toml");
    if (model.empty()) continue;
    ++examples;
    CHECK(outcome(model, slug) == block(page, "text"));
  }
  CHECK(examples > 40);
}
