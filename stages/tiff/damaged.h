// Errors of a page whose TIFF file is damaged, cut short, contradicts itself, or is not supported.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "kernels/base/error.h"

namespace mezzo::tiff {

constexpr std::string_view kExportAgain = "export the page again";
constexpr std::string_view kOtherCompression = "save the page with another compression";

/// Error(kData) with the advice to export the page again.
inline Error damaged_page(const std::string& finding) {
  return {ErrorKind::kData, finding, kExportAgain};
}

/// The base of what checks the tags of one page.
class PageCheck {
 protected:
  /// Messages begin with `where`.
  explicit PageCheck(std::string where) : where_(std::move(where)) {}

  /// Throws Error. The advice on kData, unless another is given, is to export the page again.
  [[noreturn]] void fail(ErrorKind kind,
                         const std::string& why,
                         std::string_view advice = {}) const {
    const bool is_damage = advice.empty() && kind == ErrorKind::kData;
    throw Error(kind, where_ + ": " + why, is_damage ? kExportAgain : advice);
  }

  const std::string where_;
};

}  // namespace mezzo::tiff
