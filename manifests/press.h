// The press of a job, beside its settings, which are merged into those of pages: its name, and the
// inks that it can print.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/proof/neugebauer.h"

namespace mezzo::manifests {

/// The entry of a press file's `inks` that stands for all inks that it does not name.
inline constexpr std::string_view kSpotInks = "spot";

struct PressInk {
  std::string ink;
  std::vector<std::string> names = {};     ///< further ones, on this press
  std::optional<proof::Lab> lab = {};      ///< of its solid
  std::optional<double> film_gsm = {};     ///< of its solid, g/m2
  std::optional<double> density_gml = {};  ///< of the ink, g/ml
  bool operator==(const PressInk&) const = default;
};

/// The colour of several inks over each other.
struct PressOverprint {
  std::vector<std::string> inks;
  proof::Lab lab;
  bool operator==(const PressOverprint&) const = default;
};

struct Press {
  std::string name;
  std::string xxh3;            ///< of the press file's bytes, 32 hexadecimal digits
  std::vector<PressInk> inks;  ///< in the order of printing; empty: any, in the order of the page
  std::optional<proof::Lab> paper_lab = {};
  std::vector<PressOverprint> overprints = {};

  /// The place among `inks` of an ink that they name, under any of its names.
  std::optional<size_t> find(std::string_view ink) const;

  /// Likewise, and the place of `spot` for an ink that they do not name.
  std::optional<size_t> place_of(std::string_view ink) const;

  bool operator==(const Press&) const = default;
};

}  // namespace mezzo::manifests
