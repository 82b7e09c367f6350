// A contone and a halftone from files, for the judge.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/quality/judge.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::compare {

/// An open page of a file: page 1 of 1 for those who have one. Of a file with several pages, the
/// one that is named.
struct OpenPage {
  /// Throws as TiffFile does, and Error(kUsage) when there is no page `number` (from 1).
  OpenPage(const std::string& path, uint32_t number);

  std::unique_ptr<tiff::TiffFile> file;
  uint32_t index = 0;
  const PageInfo& info() const { return file->page(index); }
};

/// The contone's plane that `halftone` is compared with: the one called `wanted` (a name, or a
/// number from 1); when `wanted` is empty, the only one, or the one that a plate of ours names as
/// its ink. Throws Error(kUsage), which names the inks to choose from.
uint32_t choose_plane(const OpenPage& contone, const std::string& wanted, const OpenPage& halftone);

/// Reads both, band by band. Throws Error(kData) when they do not belong together: sizes differ,
/// the contone is bilevel, the halftone is not; and kInterrupted when a signal asks for the end.
std::unique_ptr<quality::PagePair> open_pair(const OpenPage& contone,
                                             uint32_t plane,
                                             const OpenPage& halftone);

}  // namespace mezzo::compare
