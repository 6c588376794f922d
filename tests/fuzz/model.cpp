// Any bytes as a model file: a System, or an Error that points into the file, in bounded time.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/model/reading/load.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rattleback;
  try {
    const Budget budget({.nodes = 200'000});
    const System system = read_model(std::string(reinterpret_cast<const char*>(data), size), "fuzz.toml");
    if (system.space.dimension() == 0 ||
        system.forces.size() != static_cast<std::size_t>(system.space.dimension()))
      std::abort();
  } catch (const Error& error) {
    if (error.where.empty() || error.slug.empty() || error.fix.empty() || report(error).empty()) std::abort();
    for (const Place& place : error.where) {
      if (place.file != "fuzz.toml" || place.line < 0 || place.column < 0) std::abort();
    }
  } catch (const Exhausted&) {  // the budget at work
  }
  return 0;
}
