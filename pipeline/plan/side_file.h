// A file that a sheet gets beside its plates; side_files.h plans them.
#pragma once

#include <cstddef>
#include <string>

namespace mezzo::plan {

enum class SideKind { kProof, kPpf };

struct SideFile {
  SideKind kind = SideKind::kProof;
  std::string path;
  size_t page = 0;  ///< of the sheet
};

}  // namespace mezzo::plan
