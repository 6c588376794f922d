/// Compiled for several instruction sets; see angle_rows.hpp. RATTLEBACK_ANGLES is the name of its function.
#include <cstring>

#include <rattleback/native/angle.hpp>
#include <rattleback/native/angle_rows.hpp>
#include <rattleback/native/pack.hpp>

namespace rattleback::angles {

void RATTLEBACK_ANGLES(double* rows, std::size_t n) {
  constexpr std::size_t width = lanes_of_a_pack;
  Bits joined = bits(quadrant(Pack{}, once));
  const auto some = [&](std::size_t i, std::size_t bytes) {
    Pack x{};
    std::memcpy(&x, rows + i, bytes);
    const Pack in = quadrant(x, once);
    const SineCosine<Pack> both = sine_cosine(x, in, once);
    joined = joined | bits(in);
    std::memcpy(rows + i, &both.sine, bytes);
    std::memcpy(rows + n + i, &both.cosine, bytes);
  };
  std::size_t i = 0;
  for (; i + width <= n; i += width) some(i, sizeof(Pack));
  if (i < n) some(i, sizeof(double) * (n - i));
  unsigned long long all = 0;
  for (std::size_t l = 0; l < width; ++l) all |= joined.b[l];
  std::memcpy(rows + 2 * n, &all, sizeof all);
}

}  // namespace rattleback::angles
