// The files of tools/gallery/page/, as the build put them into the program.
#pragma once

#include <string_view>

namespace mezzo::gallery::assets {

extern const std::string_view kPage, kStyle;

}  // namespace mezzo::gallery::assets
