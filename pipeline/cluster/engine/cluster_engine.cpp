#include "pipeline/cluster/engine/cluster_engine.h"

#include <fmt/format.h>

#include "kernels/base/error.h"
#include "pipeline/cluster/engine/local_engine.h"
#include "pipeline/cluster/engine/slurm_engine.h"

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

std::unique_ptr<ClusterEngine> make_cluster_engine(ClusterEngineKind kind,
                                                   const std::atomic<bool>& stop) {
  switch (kind) {
    case ClusterEngineKind::kSlurm:
      return make_slurm_engine(kSlurmPatience);
    case ClusterEngineKind::kLocal:
      return make_local_engine({}, stop);
    case ClusterEngineKind::kNone:
      break;
  }
  throw Error(ErrorKind::kUsage, "the plan's engine is 'none': somebody else runs its units");
}

}  // namespace mezzo::cluster
