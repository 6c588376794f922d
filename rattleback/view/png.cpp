/// PNG [ISO 15948] with a small compressor of its own: a plot is long runs and rows like the row above.
#include <algorithm>
#include <array>

#include <rattleback/view/raster.hpp>

namespace rattleback {
namespace {

/// Bits of a deflate stream [RFC 1951] with the fixed codes of its section 3.2.6.
class Bits {
 public:
  void put(unsigned value, int count) {
    for (int k = 0; k < count; ++k) {
      bits_ |= (value >> static_cast<unsigned>(k) & 1U) << static_cast<unsigned>(used_);
      if (++used_ == 8) flush();
    }
  }
  /// Codes of letters are sent from their highest bit.
  void code(unsigned value, int count) {
    for (int k = count; k-- > 0;) put(value >> static_cast<unsigned>(k) & 1U, 1);
  }
  void letter(unsigned v) {
    if (v < 144) {
      code(0x30 + v, 8);
    } else if (v < 256) {
      code(0x190 + v - 144, 9);
    } else if (v < 280) {
      code(v - 256, 7);
    } else {
      code(0xC0 + v - 280, 8);
    }
  }
  std::string done() {
    if (used_ > 0) flush();
    return std::move(bytes_);
  }

 private:
  void flush() {
    bytes_ += static_cast<char>(bits_);
    bits_ = 0;
    used_ = 0;
  }
  std::string bytes_;
  unsigned bits_ = 0;
  int used_ = 0;
};

/// The class of a length or distance, with the bits that tell members of a class apart.
struct Class {
  unsigned index;
  int extra;
  unsigned offset;
};
/// Classes grow by one bit every `step` of them, after the first 2·step.
Class class_of(unsigned value, unsigned step) {
  unsigned index = 0, base = 0;
  for (int extra = 0;; ++extra) {
    const unsigned groups = extra == 0 ? 2 * step : step, size = 1U << static_cast<unsigned>(extra);
    if (value < base + groups * size) {
      const unsigned k = (value - base) / size;
      return {index + k, extra, value - base - k * size};
    }
    base += groups * size;
    index += groups;
  }
}

void put_copy(Bits& out, std::size_t length, std::size_t distance) {
  if (length == 258) {
    out.letter(285);
  } else {
    const Class c = class_of(static_cast<unsigned>(length) - 3, 4);
    out.letter(257 + c.index);
    out.put(c.offset, c.extra);
  }
  const Class d = class_of(static_cast<unsigned>(distance) - 1, 2);
  out.code(d.index, 5);
  out.put(d.offset, d.extra);
}

std::string deflated(const std::string& data, std::size_t stride) {
  Bits out;
  out.put(0b011, 3);  // the last block, fixed codes
  for (std::size_t i = 0; i < data.size();) {
    std::size_t length = 0, distance = 0;
    for (const std::size_t d : {std::size_t{3}, stride}) {
      if (d > i || d > 32768) continue;
      std::size_t n = 0;
      while (n < 258 && i + n < data.size() && data[i + n] == data[i + n - d]) ++n;
      if (n > length) {
        length = n;
        distance = d;
      }
    }
    if (length < 3) {
      out.letter(static_cast<unsigned char>(data[i++]));
    } else {
      put_copy(out, length, distance);
      i += length;
    }
  }
  out.letter(256);
  return out.done();
}

std::string big_endian(std::uint32_t v) {
  return {static_cast<char>(v >> 24U), static_cast<char>(v >> 16U), static_cast<char>(v >> 8U),
          static_cast<char>(v)};
}

std::uint32_t crc(const std::string& data) {
  std::uint32_t c = 0xFFFFFFFFU;
  for (const char byte : data) {
    c ^= static_cast<unsigned char>(byte);
    for (int k = 0; k < 8; ++k) c = (c & 1U) != 0 ? 0xEDB88320U ^ c >> 1U : c >> 1U;
  }
  return c ^ 0xFFFFFFFFU;
}

std::uint32_t adler(const std::string& data) {
  std::uint32_t a = 1, b = 0;
  for (const char byte : data) {
    a = (a + static_cast<unsigned char>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16U | a;
}

std::string chunk(const std::string& type, const std::string& data) {
  return big_endian(static_cast<std::uint32_t>(data.size())) + type + data + big_endian(crc(type + data));
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
  std::string stream = "\x78\x01";
  stream += deflated(data, row + 1) + big_endian(adler(data));
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", head) + chunk("IDAT", stream) + chunk("IEND", "");
}

}  // namespace rattleback
