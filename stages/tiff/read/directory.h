// The tags of one page, read and checked.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "stages/page_info.h"
#include "stages/tiff/handle.h"
#include "stages/tiff/read/chain.h"
#include "stages/tiff/read/layout.h"
#include "stages/tiff/read/limits.h"

namespace mezzo::tiff {

struct PageDescription {
  PageInfo info;
  PageLayout layout;
  std::string description = {};  ///< ImageDescription, on one line; or empty
};

/// The bytes of a page's ICC profile; empty without one. Throws Error(kData, kIo).
std::vector<std::byte> read_profile(Handle& handle,
                                    const RawDirectory& directory,
                                    const PagePlace& place);

/// The page as the samples of its three colours instead of their grey; a page without colours stays as
/// it is.
PageDescription in_colour(PageDescription page);

/// Makes `directory` the current one of `handle` and checks all of it. Throws Error: kUnsupported,
/// kData, kLimit, kIo, which names the place, the tag, the value found and the value expected.
PageDescription describe_page(Handle& handle,
                              const RawDirectory& directory,
                              const InputLimits& limits,
                              const PagePlace& place);

/// The page with its extra channels as inks behind the others; `largest` says what their largest
/// sample stands for, which no file does. Throws Error(kUnsupported, kLimit).
PageDescription with_spot_inks(PageDescription page,
                               Polarity largest,
                               const InputLimits& limits,
                               const PagePlace& place);

}  // namespace mezzo::tiff
