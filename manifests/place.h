// Where something is written in a manifest.
#pragma once

#include <cstdint>

namespace mezzo::manifests {

/// The place of a setting in the manifest; line 0 when it came from elsewhere.
struct Place {
  uint32_t line = 0;
  uint32_t column = 0;
  bool operator==(const Place&) const = default;
};

}  // namespace mezzo::manifests
