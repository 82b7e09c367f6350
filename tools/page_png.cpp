#include "tools/page_png.h"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <exception>

#include "kernels/core/error.h"

namespace mezzo {
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

/// False when libpng gave up, by a jump that passes over no destructor.
bool write_png(const GreyImage& image, bool bilevel, std::string& file) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(png, &file, append, flush_nothing);
  png_set_IHDR(png,
               info,
               image.width_px,
               image.height_px,
               bilevel ? 1 : 8,
               PNG_COLOR_TYPE_GRAY,
               PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, 9);
  png_write_info(png, info);
  if (bilevel) png_set_packing(png);  // takes the low bit of a byte, and 255 has it
  for (size_t y = 0; y < image.height_px; ++y) {
    png_write_row(png, image.pixels.data() + y * image.width_px);
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return true;
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

std::string png_file(const GreyImage& image) {
  const bool bilevel =
      std::ranges::all_of(image.pixels, [](uint8_t pixel) { return pixel == 0 || pixel == 255; });
  std::string file;
  if (!write_png(image, bilevel, file)) {
    throw Error(ErrorKind::kOutOfMemory, "out of memory while making a picture for the page");
  }
  return file;
}

std::string png_uri(const GreyImage& image) {
  return "data:image/png;base64," + base64(png_file(image));
}

}  // namespace mezzo
