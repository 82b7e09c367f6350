// Settings of the files that a sheet may get beside its plates: a proof, and the presetting of ink keys.
#pragma once

#include <cstdint>
#include <string>

namespace mezzo::manifests {

/// A picture of the print, counted from the bits of its plates.
struct ProofSettings {
  uint32_t dpi = 100;                      ///< at most that of the plates, which it has else
  std::string path = "proofs/{stem}.png";  ///< template; .png, .tif, .tiff or .pdf
  std::string colours = "inks";            ///< a name of proof_colour_names()
  double yule_nielsen = 2;                 ///< n, for colours by inks
  bool operator==(const ProofSettings&) const = default;
};

/// A CIP3 PPF file with previews of the inks, and beside it a table of ink zones.
struct PpfSettings {
  std::string path = "ppf/{stem}.ppf";  ///< template
  uint32_t zones = 23;                  ///< ink keys across the sheet, centred on it
  uint32_t zone_width_um = 32'500;
  bool operator==(const PpfSettings&) const = default;
};

/// What the dots of a proof become colours by.
inline constexpr const char* kColoursByInks = "inks";
inline constexpr const char* kColoursByProfile = "profile";

}  // namespace mezzo::manifests
