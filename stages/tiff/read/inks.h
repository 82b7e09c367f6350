// The inks of a page and the samples beside its colours, by its tags. Internal to stages/tiff.
#pragma once

#include <cstdint>
#include <string>

#include "stages/page_info.h"
#include "stages/tiff/read/layout.h"
#include "stages/tiff/read/limits.h"
#include "stages/tiff/tags.h"

namespace mezzo::tiff {

/// The note on a page whose extra channels are not printed: "2 extra channels ignored".
std::string note_on_extra_channels(uint64_t count);

/// Finds out which samples of a pixel are colours, alpha or extra channels: fills in `colours` and `alpha` of the
/// layout, and the extra channels with their names. The layout's `meaning` must be set, and its `colours` unless they
/// are inks. Throws Error: kData, kUnsupported, kLimit, with `where` before the message; kIo.
void read_extra_samples(const Tags& tags,
                        const InputLimits& limits,
                        const std::string& where,
                        PageLayout& layout,
                        PageInfo& info);

/// Reads names and range of the inks of a separated page. `has_other_inks`: tag InkSet says that they are not CMYK.
/// Throws the same errors.
void read_inks(const Tags& tags,
               const std::string& where,
               bool has_other_inks,
               PageLayout& layout,
               PageInfo& info);

}  // namespace mezzo::tiff
