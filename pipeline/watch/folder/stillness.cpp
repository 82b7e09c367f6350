#include "pipeline/watch/folder/stillness.h"

#include <algorithm>

#include "kernels/base/error.h"
#include "stages/files/folder.h"
#include "stages/files/xxh3.h"

namespace mezzo::watch {

std::optional<TreeStat> stat_tree(int folder,
                                  const std::string& name,
                                  std::vector<files::FileMark>* marks) {
  const files::Descriptor root = files::open_folder(folder, name);
  if (!root) return std::nullopt;
  TreeStat tree;
  files::Xxh3 digest;
  try {
    files::walk_tree(root.get(), name, files::Hidden::kVisit, [&](const files::TreeEntry& entry) {
      const files::FileStat& stat = entry.stat;
      digest.add(entry.path.c_str(), entry.path.size() + 1);  // with its end
      const uint64_t parts[] = {stat.inode,
                                stat.links,
                                stat.bytes,
                                static_cast<uint64_t>(stat.mode),
                                static_cast<uint64_t>(stat.modified_ns),
                                static_cast<uint64_t>(stat.changed_ns)};
      digest.add(parts, sizeof parts);
      if (!stat.is_regular()) return;
      if (marks != nullptr) marks->push_back(stat);
      tree.bytes += stat.bytes;
      tree.modified_ns = std::max(tree.modified_ns, stat.modified_ns);
    });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kLimit) return std::nullopt;
    tree.is_too_large = true;
  }
  tree.fingerprint = digest.value64();
  return tree;
}

}  // namespace mezzo::watch
