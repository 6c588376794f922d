#include <rattleback/view/programs/javascript_pieces.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace rattleback;

namespace {

JavascriptFunction powers(int count) {
  JavascriptFunction f{
      "f", "t, state, params, out", "function f(t, state, params, out) {\n", {}, "  return out;\n"};
  f.body.push_back({"a", "  const a = params.a;\n", true});
  f.body.push_back({"x", "  const x = state[0];\n"});
  for (int k = 1; k <= count; ++k)
    f.body.push_back({fmt::format("k{}", k),
                      fmt::format("  const k{0} = a*{1};\n", k, k == 1 ? "x" : fmt::format("k{}", k - 1))});
  f.body.push_back({"", fmt::format("  out[0] = a*k{} + Math.sin(x)*1e5;\n", count)});
  return f;
}

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++n;
  return n;
}

}  // namespace

TEST_CASE("short functions stay in one piece") {
  const std::string code = in_pieces(powers(3));
  CHECK(code.find("scratch") == std::string::npos);
  CHECK(count_of(code, "function ") == 1);
}

TEST_CASE(
    "a long function is cut; only what crosses a cut is stored, parameters are read again, the state is "
    "not") {
  const std::string code = in_pieces(powers(20), 130);
  const std::size_t parts = count_of(code, "function f_");
  CHECK(parts > 2);
  CHECK(count_of(code, "const a = params.a;") == parts);
  CHECK(count_of(code, "= state[0];") == 1);  // out may be the state
  CHECK(count_of(code, "] = k") == parts - 1);
  CHECK(count_of(code, "] = x;") == 1);
  CHECK(code.find("return f_" + std::to_string(parts) + "(t, state, params, out, f_scratch);") !=
        std::string::npos);
  CHECK(code.find(fmt::format("new Float64Array({})", parts)) != std::string::npos);
}
