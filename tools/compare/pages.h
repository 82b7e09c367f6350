// A contone and a halftone from files, for their comparison.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/quality/judge.h"
#include "stages/band/contone_buffer.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::compare {

/// An open page of a file: its only page, or the one that is named.
struct OpenPage {
  /// Throws as TiffFile does, and Error(kUsage) when there is no page `number` (from 1).
  OpenPage(const std::string& path, uint32_t number);

  std::unique_ptr<tiff::TiffFile> file;
  uint32_t index = 0;
  const PageInfo& info() const { return file->page(index); }
};

/// The rows of one plane of a page as ink, from the top: 0 is paper, info().max_sample is solid.
class PlaneRows {
 public:
  PlaneRows(const OpenPage& page, uint32_t plane);

  const PageInfo& info() const { return info_; }

  /// Valid until the next call. Throws Error as PageReader does, and kInterrupted after a signal.
  std::span<const uint16_t> next_row(Team& team);

 private:
  const PageInfo& info_;
  uint32_t plane_;
  std::unique_ptr<tiff::PageReader> reader_;
  uint32_t band_rows_ = 1;
  ContoneBuffer buffer_;
  std::vector<MutableSampleBand> band_;
  std::vector<uint16_t> row_;
  uint32_t next_row_ = 0;
};

/// The contone's plane that `halftone` is compared with: the one called `wanted` (a name, or a
/// number from 1); when `wanted` is empty, the only one, or the one that the plate names as its
/// ink. Throws Error(kUsage), which names the inks to choose from.
uint32_t choose_plane(const OpenPage& contone, const std::string& wanted, const OpenPage& halftone);

/// Reads both, band by band. Throws Error(kData) when they do not belong together: sizes differ,
/// the contone is bilevel, the halftone is not; and kInterrupted after a signal.
std::unique_ptr<quality::PagePair> open_pair(const OpenPage& contone,
                                             uint32_t plane,
                                             const OpenPage& halftone);

}  // namespace mezzo::compare
