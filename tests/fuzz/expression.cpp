// Any bytes as an expression: an expression or an Error with a place inside the text, in bounded time. What is read is
// written and read again, and must be the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rattleback;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    const Budget budget({.nodes = 200'000});
    const Expr e = parse(input);
    if (parse(text(e)) != e) std::abort();
  } catch (const Error& error) {
    for (const Place& place : error.where) {
      if (place.offset < 0 || place.offset > static_cast<int>(size) || place.length < 1) std::abort();
    }
    if (error.slug.empty() || error.summary.empty() || report(error).empty()) std::abort();
  } catch (const Exhausted&) {  // the budget at work
  }
  return 0;
}
