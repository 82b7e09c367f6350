#include "pipeline/watch/folder/shared_disk.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace mezzo::watch {
namespace {

bool is_shared(const struct statfs& status) {
  constexpr std::array<uint32_t, 7> kShared = {NFS_SUPER_MAGIC,
                                               SMB_SUPER_MAGIC,
                                               CIFS_SUPER_MAGIC,
                                               SMB2_SUPER_MAGIC,
                                               CEPH_SUPER_MAGIC,
                                               FUSE_SUPER_MAGIC,
                                               V9FS_MAGIC};
  return std::ranges::find(kShared, static_cast<uint32_t>(status.f_type)) != kShared.end();
}

}  // namespace

bool is_on_shared_disk(const std::string& path) {
  struct statfs status {};
  return ::statfs(path.c_str(), &status) != 0 || is_shared(status);
}

bool is_on_shared_disk(int fd) {
  struct statfs status {};
  return ::fstatfs(fd, &status) != 0 || is_shared(status);
}

}  // namespace mezzo::watch
