// TOML: what it means, compared with another reader, and where it stands.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <toml++/toml.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/text/toml.hpp>

using namespace rattleback;

namespace {

Toml parsed(const std::string& text) { return parse_toml(Source(text, "a.toml")); }

std::string refused(const std::string& text) {
  try {
    parsed(text);
  } catch (const Error& error) {
    return error.slug + " " + std::to_string(error.where.at(0).line) + ":" +
           std::to_string(error.where[0].column);
  }
  return "accepted";
}

/// Do both readers see the same value? Keys of toml++ are sorted, ours are in the order of the file.
void compare(const Toml& ours, const toml::node& theirs) {
  switch (ours.kind) {
    case Toml::Kind::table: {
      REQUIRE(theirs.is_table());
      CHECK(ours.items.size() == theirs.as_table()->size());
      for (const Toml& item : ours.items) {
        const toml::node* other = theirs.as_table()->get(item.key);
        REQUIRE_MESSAGE(other != nullptr, item.key);
        compare(item, *other);
      }
      return;
    }
    case Toml::Kind::array:
      REQUIRE(theirs.is_array());
      REQUIRE(ours.items.size() == theirs.as_array()->size());
      for (std::size_t i = 0; i < ours.items.size(); ++i) compare(ours.items[i], *theirs.as_array()->get(i));
      return;
    case Toml::Kind::string: CHECK(theirs.value<std::string>() == ours.text); return;
    case Toml::Kind::boolean: CHECK(theirs.value<bool>() == ours.truth); return;
    case Toml::Kind::number: {
      REQUIRE(theirs.is_number());
      const bool based = ours.text.size() > 2 && ours.text[0] == '0' &&
                         std::isalpha(static_cast<unsigned char>(ours.text[1])) != 0;
      const int base = !based ? 10 : ours.text[1] == 'x' ? 16 : ours.text[1] == 'o' ? 8 : 2;
      if (theirs.is_integer())
        CHECK(theirs.value<std::int64_t>() ==
              std::stoll(based ? ours.text.substr(2) : ours.text, nullptr, base));
      if (theirs.is_floating_point()) CHECK(theirs.value<double>() == doctest::Approx(std::stod(ours.text)));
      return;
    }
    case Toml::Kind::date: CHECK((theirs.is_date() || theirs.is_time() || theirs.is_date_time())); return;
  }
}

void agrees(const std::string& text) {
  INFO(text);
  compare(parsed(text), toml::parse(text));
}

}  // namespace

TEST_CASE("the zoo means the same to another reader") {
  for (const std::string& name : zoo()) {
    const Source source = read_source(find_model(name));
    compare(parse_toml(source), toml::parse(source.text()));
  }
}

TEST_CASE("what TOML allows, agrees with another reader") {
  agrees("");
  agrees("# a comment\n\n  \t\n");
  agrees("a = 1\r\nb = 'x'\r\n");
  agrees("\"quoted key\" = 1\n\"x'\" = 2\n'y\"' = 3\n");
  agrees("a.b.c = 1\na.b.d = 2\na.e = 3\n");
  agrees("[a.b]\nx = 1\n[a]\ny = 2\n");
  agrees("[[a]]\nx = 1\n[[a]]\nx = 2\n[a.b]\ny = 3\n");
  agrees("a = [1, 2, # two\n 3,\n]\nb = [[1, 2], [], ['x']]\n");
  agrees("a = { x = 1, y.z = { w = true } }\nb = {}\n");
  agrees("i = [0, +1, -17, 1_000, 0xff, 0o17, 0b101]\nf = [0.5, -1.25, 6.02e23, 1e-3, 5E+2, 1_0.2_5]\n");
  agrees("d = [1979-05-27, 07:32:00, 1979-05-27T07:32:00Z]\n");
  agrees("s = \"tab\\t quote\\\" \\u00e9 \\U0001F600 \\\\\"\n");
  agrees("s = \"\"\"\nfirst\nsecond \\\n   joined \"quoted\" \"\"\"\n");
  agrees("s = '''\nraw \\n 'text' '''\n");
  agrees("s = \"\"\"two quotes \"\"\"\"\"\n");
  agrees("s = ''''that,' she said'''\n");
}

TEST_CASE("what TOML forbids is refused where it stands") {
  CHECK(refused("a = 1\na = 2\n") == "duplicate-name 2:1");
  CHECK(refused("[a]\n[a]\n") == "duplicate-name 2:2");
  CHECK(refused("a = {}\n[a.b]\n") == "duplicate-name 2:2");
  CHECK(refused("a.b = 1\n[a]\n") == "duplicate-name 2:2");
  CHECK(refused("a = [1]\n[[a]]\n") == "duplicate-name 2:3");
  CHECK(refused("[[a]]\n[a]\n") == "duplicate-name 2:2");
  CHECK(refused("a = { b = 1, b = 2 }\n") == "duplicate-name 1:14");
  CHECK(refused("a = 1 b = 2\n") == "toml-syntax 1:7");
  CHECK(refused("a\n") == "toml-syntax 1:2");
  CHECK(refused("a = \n") == "toml-syntax 1:5");
  CHECK(refused("= 1\n") == "toml-syntax 1:1");
  CHECK(refused("[a\n") == "toml-syntax 1:3");
  CHECK(refused("a = \"x\n") == "toml-syntax 1:5");
  CHECK(refused("a = '''x\n") == "toml-syntax 1:5");
  CHECK(refused("a = \"\\q\"\n") == "toml-syntax 1:6");
  CHECK(refused("a = \"\\ud800\"\n") == "toml-syntax 1:6");
  CHECK(refused("a = \"\x01\"\n") == "toml-syntax 1:6");
  CHECK(refused("a = [1, 2\n") == "toml-syntax 1:5");
  CHECK(refused("a = [1 2]\n") == "toml-syntax 1:8");
  CHECK(refused("a = { b = 1\n}\n") == "toml-syntax 1:5");
  CHECK(refused("a = 01\n") == "toml-syntax 1:5");
  CHECK(refused("a = 1__0\n") == "toml-syntax 1:5");
  CHECK(refused("a = 1_\n") == "toml-syntax 1:5");
  CHECK(refused("a = .5\n") == "toml-syntax 1:5");
  CHECK(refused("a = 5.\n") == "toml-syntax 1:5");
  CHECK(refused("a = x\n") == "toml-syntax 1:5");
  CHECK(refused("\"\"\"a\"\"\" = 1\n") == "toml-syntax 1:1");
}

TEST_CASE("the order of keys is the order of the file") {
  const Toml t = parsed("[space]\nz = 1\na = 2\nm = 3\n");
  std::string order;
  for (const Toml& item : t.find("space")->items) order += item.key;
  CHECK(order == "zam");
}

TEST_CASE("every character of a string has its place") {
  const Source source("a = \"\"\"x\\u00e9y\\\n   z\"\"\"", "a.toml");
  const Toml t = parse_toml(source);
  const Toml& s = *t.find("a");
  CHECK(s.text == "x\xC3\xA9yz");
  const auto from = [&](std::size_t offset) { return span_within(source, s, offset, 1).begin; };
  CHECK(from(0) == 7);   // x
  CHECK(from(1) == 8);   // the escape
  CHECK(from(3) == 14);  // y
  CHECK(from(4) == 20);  // z, on the next line
  CHECK(from(5) == 23);  // past the end: a closing quote
  CHECK(source.place(span_within(source, s, 4, 1)).line == 2);
  CHECK(source.place(span_within(source, s, 4, 1)).column == 4);
}
