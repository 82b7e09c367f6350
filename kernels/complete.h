// Complete settings: the only ones that halftoners are made of.
//
// A plate knows numbers that its method needs and that its user may leave out: its resolution, and the usual
// angle of its ink (ParameterInfo::Source). complete() fills them in or refuses. make_halftoner() and the like
// (registry.h) take CompleteSettings, which nothing but complete() makes: no caller can forget these numbers.
// It is in registry.cpp, beside them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "kernels/settings.h"

namespace mezzo {

/// Settings with a valid value for every parameter of their method.
class CompleteSettings {
 public:
  /// What is known of the plate that the settings are for.
  struct Plate {
    double dpi = 0;           ///< its resolution; 0: not known
    std::string ink = {};     ///< name of its ink; empty: not known
    uint32_t ink_number = 0;  ///< of an ink without a name; 0 is black
  };

  const HalftoneSettings& operator*() const { return settings_; }
  const HalftoneSettings* operator->() const { return &settings_; }

 private:
  friend CompleteSettings complete(const HalftoneSettings& settings, const Plate& plate);
  explicit CompleteSettings(HalftoneSettings settings) : settings_(std::move(settings)) {}

  HalftoneSettings settings_;
};

/// Fills in what the user left out: numbers of the plate, and defaults. Throws Error(kUsage) for an unknown
/// method or parameter, a value out of range, a resolution that the method needs and nobody knows, another
/// one than the plate has, and the angle of an ink whose name is not known.
CompleteSettings complete(const HalftoneSettings& settings,
                          const CompleteSettings::Plate& plate = {});

}  // namespace mezzo
