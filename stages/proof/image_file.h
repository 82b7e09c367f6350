// Files of a proof, row after row: PNG, TIFF and PDF, 8-bit sRGB.
//
// Each says its resolution, so that a page has its size where it is placed or printed, and that its
// colours are sRGB. A file appears under its name only when it is complete.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "stages/files/file_system.h"

namespace mezzo::proof {

enum class ImageFormat { kPng, kTiff, kPdf };

struct ImageFormatName {
  ImageFormat format;
  std::string_view name;  ///< as users write it
};
inline constexpr ImageFormatName kImageFormats[] = {
    {ImageFormat::kPng, "png"}, {ImageFormat::kTiff, "tiff"}, {ImageFormat::kPdf, "pdf"}};

/// By the suffix of the name, in either case: .png, .tif, .tiff or .pdf.
std::optional<ImageFormat> format_of_name(std::string_view path);

struct ImageSize {
  uint32_t width_px = 1, height_px = 1;
  double dpi = 100;
};

class ImageFile {
 public:
  virtual ~ImageFile() = default;

  /// Appends a row: width_px pixels of three bytes. Throws Error: kDiskFull, kIo.
  virtual void add_row(const uint8_t* rgb) = 0;

  /// After the last row: the file gets its name, in the place of an older one. Throws Error:
  /// kCannotCreate, kDiskFull, kIo.
  virtual void finish() = 0;

  /// So far; after finish() of the whole file.
  virtual uint64_t bytes() const = 0;

  /// Makes the folder when it is missing. Throws Error: kCannotCreate, kDiskFull, kIo.
  static std::unique_ptr<ImageFile> create(const std::string& path,
                                           ImageFormat format,
                                           const ImageSize& size,
                                           files::FileSystem& files = files::FileSystem::real());
};

}  // namespace mezzo::proof
