// Colour tables that were made before, in files of the user's cache, since making one takes lcms2 up
// to a few seconds.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "kernels/prepress/colour_table.h"

namespace mezzo::colour {

/// The folder `colour` of the user's cache (files/cache_folder.h); empty when there is none.
std::string table_cache_folder();

/// The table of that key, or the one that `make` makes, which is then kept. `key` is all that decides
/// it: digests of profiles, settings, the version of what makes it. A file that is damaged, or cannot
/// be read or written, is as if it were not there. The folder keeps the 64 tables that were made
/// last. Processes and threads may ask for the same table at the same time. Throws what `make` throws.
std::shared_ptr<const prepress::ColourTable> cached_table(
    const std::string& key,
    const std::function<std::shared_ptr<const prepress::ColourTable>()>& make,
    const std::string& folder = table_cache_folder());

}  // namespace mezzo::colour
