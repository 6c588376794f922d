// Declared in view/pictures/raster.hpp. PNG [ISO 15948], compressed by zlib.
#include <new>

#include <zlib.h>

#include <rattleback/view/pictures/raster.hpp>

namespace rattleback {
namespace {

std::string deflated(const std::string& data) {
  uLongf size = compressBound(data.size());
  std::string packed(size, '\0');
  const int result = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(data.data()), data.size(), Z_BEST_COMPRESSION);
  if (result != Z_OK) throw std::bad_alloc();  // there is nothing else that could have failed
  packed.resize(size);
  return packed;
}

std::string big_endian(std::uint32_t v) {
  return {static_cast<char>(v >> 24U), static_cast<char>(v >> 16U), static_cast<char>(v >> 8U),
          static_cast<char>(v)};
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string both = type + data;
  const uLong check = crc32(0, reinterpret_cast<const Bytef*>(both.data()), static_cast<uInt>(both.size()));
  return big_endian(static_cast<std::uint32_t>(data.size())) + both +
         big_endian(static_cast<std::uint32_t>(check));
}

}  // namespace

std::string png_file(int width, int height, const std::vector<std::uint8_t>& rgb) {
  const std::size_t row = static_cast<std::size_t>(width) * 3;
  std::string data;
  data.reserve((row + 1) * static_cast<std::size_t>(height));
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    data += '\0';  // no filter
    data.append(rgb.begin() + static_cast<std::ptrdiff_t>(y * row),
                rgb.begin() + static_cast<std::ptrdiff_t>((y + 1) * row));
  }
  std::string head =
      big_endian(static_cast<std::uint32_t>(width)) + big_endian(static_cast<std::uint32_t>(height));
  head += {8, 2, 0, 0, 0};  // eight bits, RGB
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", head) + chunk("IDAT", deflated(data)) + chunk("IEND", "");
}

}  // namespace rattleback
