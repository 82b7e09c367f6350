// The inks of a page and the samples beside its colours, by its tags. Internal to stages/tiff.
#pragma once

#include <cstdint>
#include <string>

#include "stages/page_info.h"
#include "stages/tiff/read/layout.h"
#include "stages/tiff/read/limits.h"
#include "stages/tiff/tags.h"

namespace mezzo::tiff {

/// What a page says whose extra channels are not printed: "2 extra channels ignored".
std::string note_on_extra_channels(uint64_t count);

/// Tells the samples of a pixel that are colours from alpha and extra channels: fills in `colours` and `alpha` of the
/// layout, and extra channels with their names. The layout has its meaning, and `colours` unless these are inks. Throws
/// Error: kData, kUnsupported, kLimit, with `where` before the message; kIo.
void read_extra_samples(const Tags& tags,
                        const InputLimits& limits,
                        const std::string& where,
                        PageLayout& layout,
                        PageInfo& info);

/// Reads names and range of the inks of a separated page; `has_other_inks`: tag InkSet says that they are not CMYK.
/// Throws likewise.
void read_inks(const Tags& tags,
               const std::string& where,
               bool has_other_inks,
               PageLayout& layout,
               PageInfo& info);

}  // namespace mezzo::tiff
