// The tags of one page, read and checked.
#pragma once

#include <optional>
#include <string>

#include "stages/page_info.h"
#include "stages/tiff/handle.h"
#include "stages/tiff/read/layout.h"
#include "stages/tiff/read/limits.h"
#include "stages/tiff/tags.h"

namespace mezzo::tiff {

struct PageDescription {
  PageInfo info;
  PageLayout layout;
  /// Tag ImageDescription, on one line; empty without one, and nothing where it cannot be read.
  std::optional<std::string> description = "";
};

/// The page as the samples of its three colours instead of their grey; a page without colours stays as
/// it is.
PageDescription in_colour(PageDescription page);

/// Reads and checks all tags that decide pixels, inks, sizes and colours. Throws Error: kUnsupported, kData,
/// kLimit, kIo, which names the place, the tag, the value found and the value expected.
PageDescription describe_page(const Tags& tags, const InputLimits& limits, const PagePlace& place);

/// The page with its extra channels as inks behind the others; `largest` says what their largest
/// sample stands for, which no file does. Throws Error(kUnsupported, kLimit).
PageDescription with_spot_inks(PageDescription page,
                               Polarity largest,
                               const InputLimits& limits,
                               const PagePlace& place);

}  // namespace mezzo::tiff
