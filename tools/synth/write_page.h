// Writing synthetic test pages to files.
#pragma once

#include <string>

#include "tools/synth/page.h"

namespace mezzo::synth {

/// Writes the page to a TIFF file in strips; any size, in bounded memory. `compression` is none,
/// packbits, lzw or deflate. Throws Error.
void write_synth_page(const std::string& path,
                      const SynthOptions& options,
                      const std::string& compression);

}  // namespace mezzo::synth
