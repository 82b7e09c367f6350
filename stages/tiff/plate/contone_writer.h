// Writes contone TIFFs, streaming: for proofs, test pages and the tests of the reader.
//
// Grey (MinIsBlack), RGB and CMYK of 8 or 16 bits; strips or tiles; contiguous or separate planes.
// It holds one strip, or one row of tiles, in memory. The file appears under its name only when it
// is complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "stages/files/publish.h"
#include "stages/tiff/plate/plate.h"

namespace mezzo::tiff {

enum class PlaneLayout { kContiguous, kSeparate };

struct ContoneOptions {
  uint32_t width_px = 0;
  uint32_t height_px = 0;
  uint32_t bits = 8;    ///< 8 or 16
  uint32_t planes = 1;  ///< 1 grey (0 is black), 3 RGB, 4 CMYK (0 is no ink)
  Compression compression = Compression::kNone;  ///< or kPackBits, kLzw, kDeflate, kZstd
  uint32_t rows_per_strip = 64;                  ///< when there are no tiles
  uint32_t tile_width_px = 0;                    ///< 0: strips; else a multiple of 16
  uint32_t tile_height_px = 0;
  PlaneLayout layout = PlaneLayout::kContiguous;
  double dpi = 0;                ///< 0: no resolution
  std::string description = {};  ///< ImageDescription; empty: none
};

/// One page on its way to a file. One thread at a time. BigTIFF when the raw size asks for it.
class ContoneWriter {
 public:
  /// Throws Error: kCannotCreate, kDiskFull, kIo.
  ContoneWriter(const std::string& path,
                const ContoneOptions& options,
                files::FileSystem& files = files::FileSystem::real());
  static std::unique_ptr<ContoneWriter> create(const std::string& path,
                                               const ContoneOptions& options) {
    return std::make_unique<ContoneWriter>(path, options);
  }
  ~ContoneWriter();

  /// Appends rows from the top: pixel after pixel, the samples of a pixel together, no gaps; 16-bit
  /// samples in host byte order. Throws Error: kDiskFull, kIo.
  void write_rows(const std::byte* interleaved, uint32_t rows);

  /// Completes the file, which has all its rows, and gives it its name, replacing an older one.
  /// Throws Error: kCannotCreate, kDiskFull, kIo.
  void finish();

 private:
  class Tiff;
  std::unique_ptr<Tiff> tiff_;
};

}  // namespace mezzo::tiff
