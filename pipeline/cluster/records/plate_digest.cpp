#include "pipeline/cluster/records/plate_digest.h"

#include <limits>

#include "kernels/base/error.h"
#include "stages/files/input_file.h"

namespace mezzo::cluster {

std::optional<DigestedFile> digest_file(const std::string& path) {
  for (bool is_first = true;; is_first = false) {
    // A link is not the file that was written there.
    if (!files::mark_of(files::FileSystem::real(), path)) return std::nullopt;
    try {
      const files::InputFile file(path, std::numeric_limits<uint64_t>::max());
      DigestedFile digested{file.mark(), "xxh3:" + file.xxh3()};
      file.check_unchanged();
      return digested;
    } catch (const Error& error) {
      // On a file system that several machines share, a file that another node replaces vanishes
      // under those who read it, or seems to change, as its times were remembered.
      if (is_first) continue;
      if (error.kind() == ErrorKind::kIo) throw;
      return std::nullopt;
    }
  }
}

}  // namespace mezzo::cluster
