#include "pipeline/report/page_png.h"

#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <csetjmp>
#include <exception>

#include "kernels/base/error.h"

namespace mezzo::report {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// No exception may pass through libpng.
void append(png_structp png, png_bytep bytes, size_t count) {
  auto& file = *static_cast<std::string*>(png_get_io_ptr(png));
  try {
    file.append(reinterpret_cast<const char*>(bytes), count);
  } catch (const std::exception&) {
    png_error(png, "out of memory");
  }
}

void flush_nothing(png_structp) {}

/// A picture as libpng wants it.
struct Picture {
  uint32_t width_px, height_px;
  const uint8_t* pixels;
  int depth;
  int kind = PNG_COLOR_TYPE_GRAY;
  std::vector<png_color> palette = {};
};

/// False when libpng gave up, by a jump that passes over no destructor.
bool write_png(const Picture& picture, std::string& file) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(png, &file, append, flush_nothing);
  png_set_IHDR(png,
               info,
               picture.width_px,
               picture.height_px,
               picture.depth,
               picture.kind,
               PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (!picture.palette.empty()) {
    png_set_PLTE(png, info, picture.palette.data(), static_cast<int>(picture.palette.size()));
  }
  png_set_compression_level(png, 9);
  png_write_info(png, info);
  if (picture.depth < 8) png_set_packing(png);  // takes the low bits of a byte
  const size_t row_bytes = size_t{picture.width_px} * (picture.kind == PNG_COLOR_TYPE_RGB ? 3 : 1);
  for (size_t y = 0; y < picture.height_px; ++y) {
    png_write_row(png, picture.pixels + y * row_bytes);
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return true;
}

std::string file_of(const Picture& picture) {
  std::string file;
  if (!write_png(picture, file)) {
    throw Error(ErrorKind::kOutOfMemory, "out of memory while making a picture for the page");
  }
  return file;
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? static_cast<uint8_t>(bytes[i + k]) : 0U);
    }
    for (size_t k = 0; k < 4; ++k) {
      text += k <= count ? kAlphabet[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

std::string from_base64(std::string_view text) {
  std::string bytes;
  uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const size_t digit = kAlphabet.find(c);
    if (digit == std::string_view::npos) break;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xff);
  }
  return bytes;
}

std::string png_file(const GreyImage& image) {
  const bool bilevel =
      std::ranges::all_of(image.pixels, [](uint8_t pixel) { return pixel == 0 || pixel == 255; });
  // Packed to one bit, 255 is 1.
  return file_of({image.width_px, image.height_px, image.pixels.data(), bilevel ? 1 : 8});
}

std::string png_file(const IndexedImage& image) {
  const size_t colours = image.palette.size();
  MZ_ASSERT(colours >= 1 && colours <= 256);
  Picture picture{image.width_px, image.height_px, image.pixels.data(), 8, PNG_COLOR_TYPE_PALETTE};
  picture.depth = colours <= 2 ? 1 : colours <= 4 ? 2 : colours <= 16 ? 4 : 8;
  for (const Rgb& rgb : image.palette) picture.palette.push_back({rgb[0], rgb[1], rgb[2]});
  return file_of(picture);
}

std::string png_file(const ColourImage& image) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(image.pixels.data());
  return file_of({image.width_px, image.height_px, bytes, 8, PNG_COLOR_TYPE_RGB});
}

std::string with_software(std::string png) {
  constexpr size_t kBehindHeader = 8 + 25;  // the signature and IHDR
  std::string chunk("tEXtSoftware\0mezzotint", 22);
  const auto sum = static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size())));
  const auto big_endian = [](uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
    return bytes;
  };
  chunk = big_endian(static_cast<uint32_t>(chunk.size()) - 4) + chunk + big_endian(sum);
  return png.insert(kBehindHeader, chunk);
}

}  // namespace mezzo::report
