// Recomputes a plate with the method's reference schedule, on one thread, and compares every bit.
#pragma once

#include <cstdint>
#include <string>

#include "manifests/job.h"
#include "stages/page_info.h"
#include "stages/tiff_reader.h"

namespace mezzo {

struct VerifyRequest {
  const PageSettings& settings;
  const PageInfo& info;
  uint32_t plane = 0;
  uint32_t band_rows = 0;   ///< rows to hold at a time
  std::string plate;        ///< the file to compare with
  uint32_t plate_page = 0;  ///< page of it
  std::string final_path;   ///< for messages
};

/// Returns when all bits are equal. Throws Error(kBug) that names the first pixel that differs, or
/// what reading either file throws.
void verify_page(const VerifyRequest& request, PageReader& reader);

}  // namespace mezzo
