#include "pipeline/cluster/engine/cluster_engine.h"

#include <fmt/format.h>

namespace mezzo::cluster {

std::string array_text(std::span<const uint32_t> units) {
  std::string text;
  for (size_t i = 0; i < units.size();) {
    size_t last = i;
    while (last + 1 < units.size() && units[last + 1] == units[last] + 1) ++last;
    text += text.empty() ? "" : ",";
    text += last == i ? fmt::format("{}", units[i]) : fmt::format("{}-{}", units[i], units[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace mezzo::cluster
