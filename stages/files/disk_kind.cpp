#include "stages/files/disk_kind.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace mezzo::files {
namespace {

std::optional<uint32_t> kind_of_disk(const std::string& path) {
  struct statfs found {};
  if (::statfs(path.c_str(), &found) != 0) return std::nullopt;
  return static_cast<uint32_t>(found.f_type);
}

}  // namespace

bool is_on_own_disk(const std::string& path) {
  constexpr uint32_t kZfs = 0x2FC12FC1;  // in no header
  constexpr std::array<uint32_t, 7> kOwn = {EXT4_SUPER_MAGIC,
                                            XFS_SUPER_MAGIC,
                                            BTRFS_SUPER_MAGIC,
                                            kZfs,
                                            F2FS_SUPER_MAGIC,
                                            OVERLAYFS_SUPER_MAGIC,
                                            TMPFS_MAGIC};
  const auto kind = kind_of_disk(path);
  return kind && std::ranges::count(kOwn, *kind) > 0;
}

bool keeps_change_time(const std::string& path, const FileMark& mark) {
  if (is_on_own_disk(path)) return true;   // all of them do
  constexpr uint32_t kExFat = 0x2011BAB0;  // not in the headers of Debian 12
  const auto kind = kind_of_disk(path);
  const bool is_fat = kind == uint32_t{MSDOS_SUPER_MAGIC} || kind == kExFat;
  return kind && !is_fat && mark.changed_ns != mark.modified_ns;
}

}  // namespace mezzo::files
