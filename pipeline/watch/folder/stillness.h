// For how long something has held still, by the settings of a hot folder: it was the same over
// several looks, a time apart, and its last change was seen long enough ago.
#pragma once

#include <cstdint>

#include "manifests/folder.h"
#include "pipeline/steady_time.h"

namespace mezzo::watch {

struct Stillness {
  SteadyTime changed{};  ///< when its last change was seen
  SteadyTime counted{};  ///< when it last was the same, at least `every` after the time before
  uint32_t looks = 0;    ///< so many

  /// Takes in a look; `is_same` as at the look before.
  void look(bool is_same, const manifests::FolderSettings& settings, SteadyTime now) {
    if (!is_same) *this = {.changed = now, .counted = now, .looks = 0};
    if (looks > 0 && now - counted < settings.every) return;
    ++looks;
    counted = now;
  }

  bool is_long_enough(const manifests::FolderSettings& settings, SteadyTime now) const {
    return looks >= settings.looks && now - changed >= settings.age;
  }

  /// When it may be, if nothing changes.
  SteadyTime due(const manifests::FolderSettings& settings) const {
    return looks >= settings.looks ? changed + settings.age : counted + settings.every;
  }
};

}  // namespace mezzo::watch
