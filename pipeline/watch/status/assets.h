// The files of the status page, as string literals.
#pragma once

#include <string_view>

namespace mezzo::watch::assets {

extern const std::string_view kPage;
extern const std::string_view kStyle;
extern const std::string_view kScript;
extern const std::string_view kParts;  ///< a module of the script
extern const std::string_view kIcon;
extern const std::string_view kNoPicture;  ///< in place of a thumbnail

}  // namespace mezzo::watch::assets
