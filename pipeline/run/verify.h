// Recomputes plates with the method's reference schedule, on one thread, and compares every bit.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/prepress/finish.h"
#include "kernels/prepress/overlay.h"
#include "kernels/together/ink_colours.h"
#include "manifests/plate_settings.h"
#include "pipeline/run/textures.h"
#include "stages/band/bit_reader.h"
#include "stages/page_info.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::run {

/// Inks that were halftoned together, in their order: numbers of plates.
struct VerifyInks {
  std::vector<uint32_t> plates;
  together::InkColours colours;
};

struct VerifyRequest {
  const std::vector<manifests::PlateSettings>& settings;  ///< one for each ink
  prepress::Finish finish;
  const PageInfo& info;
  uint32_t band_rows = 0;                 ///< rows to hold at a time, if the method sets none
  std::vector<std::string> plates;        ///< the files to compare with, one for each ink
  std::vector<std::string> names;         ///< for messages
  std::vector<InkTexture> textures;       ///< of the inks (textures.h)
  std::vector<VerifyInks> together = {};  ///< the other inks are halftoned by themselves
  std::vector<BitReader*> linework = {};  ///< of the page, at its first row
  std::vector<std::vector<prepress::Overlay>>
      overlays;                   ///< for each ink the effect of each of these
  uint32_t plate_page = 0;        ///< page of the plates
  files::FileSystem& files;       ///< that the plates are read through
  std::function<void()> on_band;  ///< called before each band and round; may throw to stop
};

/// Returns when all bits of all plates are equal. Throws Error(kBug) with the first pixel that
/// differs, Error(kIo) where a plate cannot be read, both with its name, or the error of reading the
/// page.
void verify_page(const VerifyRequest& request, tiff::PageReader& reader);

}  // namespace mezzo::run
