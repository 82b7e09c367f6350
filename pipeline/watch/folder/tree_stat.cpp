#include "pipeline/watch/folder/tree_stat.h"

#include <algorithm>
#include <string_view>

#include "kernels/base/error.h"
#include "stages/files/folder.h"

namespace mezzo::watch {
namespace {

/// FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv.
class Fingerprint {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) mix(static_cast<unsigned char>(c));
    mix(0);
  }
  void add(uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) mix(static_cast<unsigned char>(number >> shift));
  }
  uint64_t value() const { return value_; }

 private:
  void mix(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001B3; }
  uint64_t value_ = 0xCBF29CE484222325;
};

}  // namespace

std::optional<TreeStat> stat_tree(int folder, const std::string& name) {
  const files::Descriptor root = files::open_folder(folder, name);
  if (!root) return std::nullopt;
  TreeStat tree;
  Fingerprint print;
  try {
    files::walk_tree(root.get(), name, files::Hidden::kVisit, [&](const files::TreeEntry& entry) {
      const files::FileStat& stat = entry.stat;
      print.add(entry.path);
      for (const uint64_t part : {stat.inode,
                                  stat.links,
                                  stat.bytes,
                                  static_cast<uint64_t>(stat.mode),
                                  static_cast<uint64_t>(stat.modified_ns),
                                  static_cast<uint64_t>(stat.changed_ns)}) {
        print.add(part);
      }
      if (!stat.is_regular()) return;
      tree.bytes += stat.bytes;
      tree.modified_ns = std::max(tree.modified_ns, stat.modified_ns);
    });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kLimit) return std::nullopt;
    tree.is_too_large = true;
  }
  tree.fingerprint = print.value();
  return tree;
}

}  // namespace mezzo::watch
