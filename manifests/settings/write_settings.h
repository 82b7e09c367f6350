// The settings of pages as the text of a manifest, written from their rows.
#pragma once

#include <string>

#include "manifests/job.h"

namespace mezzo::manifests {

struct SettingGroup;

/// Keys of `defaults`, in lines of that depth, two spaces each: all rows whose values are not the usual ones,
/// and those that are always stated. A map that stands for one value is a line.
std::string settings_text(const PageSettings& settings, int depth);

/// Likewise the keys of one map; nothing where it is not there.
std::string settings_text(const SettingGroup& group, const PageSettings& settings, int depth);

/// The settings of an ink that are not those of its page.
std::string overlay_text(const Overlay& over, int depth);

}  // namespace mezzo::manifests
