// The error of a page whose TIFF file is damaged, cut short, or contradicts itself.
#pragma once

#include <string>

#include "kernels/base/error.h"

namespace mezzo::tiff {

constexpr std::string_view kExportAgain = "export the page again";
constexpr std::string_view kOtherCompression = "save the page with another compression";

/// Error(kData) with the advice to export the page again.
inline Error damaged_page(const std::string& finding) {
  return {ErrorKind::kData, finding, kExportAgain};
}

}  // namespace mezzo::tiff
