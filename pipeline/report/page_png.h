// Pictures inside a page of text: PNG in memory, as a data URI.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/report/image.h"

namespace mezzo::report {

/// RFC 4648, with padding, without line breaks.
std::string base64(std::string_view bytes);

/// The bytes again, up to the first character that is not a digit.
std::string from_base64(std::string_view text);

/// The image as a PNG file: 1 bit a pixel when all are black or white, else 8. Both sides at least
/// 1. Throws Error(kOutOfMemory) when libpng fails, which only lack of memory causes.
std::string png_file(const GreyImage& image);

/// Likewise, of the fewest bits a pixel that the palette needs.
std::string png_file(const IndexedImage& image);

/// Likewise, of 24 bits a pixel.
std::string png_file(const ColourImage& image);

/// The PNG file with a tag of the program that made it, for a file of its own.
std::string with_software(std::string png);

/// "data:image/png;base64,..."
template <typename Image>
std::string png_uri(const Image& image) {
  return "data:image/png;base64," + base64(png_file(image));
}

}  // namespace mezzo::report
