// The files of pipeline/report/page/, as the build put them into the library.
#pragma once

#include <string_view>

namespace mezzo::report::assets {

extern const std::string_view kIndex, kPage, kStyle;

}  // namespace mezzo::report::assets
