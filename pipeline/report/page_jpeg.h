// Small pictures for pages of text, as JPEG: a fifth of the size of PNG for anything with grain.
#pragma once

#include <string>

#include "pipeline/report/image.h"

namespace mezzo::report {

/// Grey when every pixel is. Throws Error(kOutOfMemory) when libjpeg fails, which only lack of
/// memory causes.
std::string jpeg_file(const ColourImage& image);

/// "data:image/jpeg;base64,..."
std::string jpeg_uri(const ColourImage& image);

}  // namespace mezzo::report
