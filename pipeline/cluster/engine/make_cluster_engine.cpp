#include "pipeline/cluster/engine/make_cluster_engine.h"

#include "kernels/base/error.h"
#include "pipeline/cluster/engine/local_engine.h"
#include "pipeline/cluster/engine/slurm_engine.h"

namespace mezzo::cluster {

std::unique_ptr<ClusterEngine> make_cluster_engine(ClusterEngineKind kind,
                                                   const std::atomic<bool>& stop) {
  switch (kind) {
    case ClusterEngineKind::kSlurm:
      return make_slurm_engine();
    case ClusterEngineKind::kLocal:
      return make_local_engine({}, stop);
    case ClusterEngineKind::kNone:
      break;
  }
  throw Error(ErrorKind::kUsage,
              "the plan's engine is 'none': its units are run by another program");
}

}  // namespace mezzo::cluster
