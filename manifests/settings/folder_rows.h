// The settings of a hot folder beside those of its pages, a row each. What folder.yaml shares with manifests is in
// field_table.cpp.
#pragma once

#include <span>

#include "manifests/folder_settings.h"
#include "manifests/settings/setting.h"

namespace mezzo::manifests {

struct FolderGroup {
  const Field* map = nullptr;  ///< that the rows are keys of; null: on top
  std::span<const Setting<FolderSettings>> rows;
};

/// All groups, in the order of schemas and keys.md.
std::span<const FolderGroup> folder_groups();

}  // namespace mezzo::manifests
