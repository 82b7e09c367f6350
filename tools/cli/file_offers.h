// What completion offers for files, and for what is in them.
#pragma once

#include <string>

#include "tools/cli/options.h"

namespace mezzo::cli {

Offer offer_tiffs();
Offer offer_manifests();

/// Numbers of the pages of a TIFF file, or names of the inks of its first page. Throw when it cannot
/// be read.
Offer offer_pages(const std::string& path);
Offer offer_inks(const std::string& path);

}  // namespace mezzo::cli
