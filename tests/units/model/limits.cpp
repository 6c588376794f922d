// Malformed, hostile and enormous files: an error, or a model, in bounded time and memory.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <rattleback/model/reading/load.hpp>

using namespace rattleback;

namespace {

const std::string head = "lagrangian = \"1/2*x'^2\"\n[space]\nx = \"R\"\n";

std::string repeated(const std::string& what, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += what;
  return out;
}

std::string slug_of(const std::string& text) {
  const auto start = std::chrono::steady_clock::now();
  std::string slug = "read";
  try {
    read_model(text, "hostile.toml");
  } catch (const Error& error) {
    slug = error.slug;
    CHECK(report(error).size() < 2000);
  }
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
  return slug;
}

}  // namespace

TEST_CASE("nesting is bounded") {
  CHECK(slug_of("a = " + std::string(1'000'000, '[')) == "toml-syntax");
  CHECK(slug_of("a = " + repeated("{a=", 300'000)) == "toml-syntax");
  CHECK(slug_of("a" + repeated(".a", 1'000'000) + " = 1") == "toml-syntax");
  CHECK(slug_of("[a" + repeated(".a", 1'000'000) + "]") == "toml-syntax");
  CHECK(slug_of(head + "[define]\nv = \"" + std::string(100'000, '(') + "x" + std::string(100'000, ')') +
                "\"\n") == "expression-too-deep");
  CHECK(slug_of(head + "[define]\nv = \"" + std::string(100'000, '-') + "x\"\n") == "expression-too-deep");
}

TEST_CASE("numbers are bounded") {
  CHECK(slug_of(head + "[parameters]\np = 1e999999\n") == "number-too-large");
  CHECK(slug_of(head + "[parameters]\np = " + std::string(100'000, '9') + "\n") == "number-too-large");
  CHECK(slug_of(head + "[define]\na = \"9^9^9^9\"\n") == "number-too-large");
  std::string squares = head + "[define]\na0 = \"9^999\"\n";
  for (int i = 1; i < 60; ++i)
    squares += "a" + std::to_string(i) + " = \"a" + std::to_string(i - 1) + "^2\"\n";
  CHECK(slug_of(squares) == "number-too-large");
}

TEST_CASE("matrices and products of rotations are bounded") {
  CHECK(slug_of(head + "[define]\nv = \"[" + repeated("x,", 50'000) + "x]\"\n") == "matrix-too-large");
  const std::string vector = "\"[" + repeated("x,", 5000) + "x]\"";
  CHECK(slug_of(head + "[define]\nv = " + vector + "\nm = \"v*transpose(v)\"\n") == "matrix-too-large");
  std::string doubling = head + "[define]\nR0 = \"Rz(x)*Rx(x)\"\n";
  for (int i = 1; i < 60; ++i)
    doubling +=
        "R" + std::to_string(i) + " = \"R" + std::to_string(i - 1) + "*R" + std::to_string(i - 1) + "\"\n";
  CHECK(slug_of(doubling) == "read");
}

TEST_CASE("long but honest files are read") {
  std::string chain = head + "[define]\na0 = \"x\"\n";
  for (int i = 1; i < 3000; ++i)
    chain += "a" + std::to_string(i) + " = \"a" + std::to_string(i - 1) + "*(1 + a" + std::to_string(i - 1) +
             ")\"\n";
  CHECK(slug_of(chain) == "read");
  CHECK(slug_of(head + "[define]\ny = \"x" + repeated(" + x*sin(x)", 80'000) + "\"\n") == "read");
  CHECK(slug_of(head + "#" + std::string(9'900'000, 'x') + "\n") == "read");
  std::string parameters = head + "[parameters]\n";
  for (int i = 0; i < 100'000; ++i) parameters += "p" + std::to_string(i) + " = 1\n";
  CHECK(slug_of(parameters) == "read");
}

TEST_CASE("what is no text is refused") {
  CHECK(slug_of(std::string("a = 1\n\0", 7)) == "toml-syntax");
  CHECK(slug_of("a = \"\xFF\"") == "invalid-utf8");
  CHECK(slug_of("a = \"\xC0\x80\"") == "invalid-utf8");          // overlong
  CHECK(slug_of("a = \"\xED\xA0\x80\"") == "invalid-utf8");      // a surrogate
  CHECK(slug_of("a = \"\xF4\x90\x80\x80\"") == "invalid-utf8");  // beyond U+10FFFF
  CHECK(slug_of("a = \"\xE2\x82") == "invalid-utf8");            // cut short
  CHECK(slug_of(std::string("\xFF\xFE") + "t\0"[0]) == "invalid-utf8");
  CHECK(slug_of(std::string(10'000'001, '#')) == "file-too-large");
  CHECK(slug_of("") == "missing-space");
}

TEST_CASE("a report shows no control characters") {
  try {
    read_model("\"\\u001b[31m\" = 1\n\x1b", "hostile.toml");
    FAIL("accepted");
  } catch (const Error& error) {
    for (const char c : report(error)) CHECK((c == '\n' || static_cast<unsigned char>(c) >= 0x20));
  }
}

TEST_CASE("files that cannot be read") {
  const auto slug = [](const std::string& path) {
    try {
      load_model(path);
    } catch (const Error& error) {
      return error.slug;
    }
    return std::string("read");
  };
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "rattleback-model-limits";
  fs::create_directories(folder);
  CHECK(slug(folder.string() + "/") == "unreadable-file");
  CHECK(slug((folder / "absent.toml").string()) == "unknown-model");
  const fs::path large = folder / "large.toml";
  std::ofstream(large) << "#";
  fs::resize_file(large, 20'000'000'000);  // sparse: refused by its size, not read
  CHECK(slug(large.string()) == "file-too-large");
  fs::remove_all(folder);
  CHECK(slug("/dev/zero") == "file-too-large");
}
