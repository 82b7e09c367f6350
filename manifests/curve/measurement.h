// Measured patches, and what their wedge was printed with.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/curve/cgats.h"
#include "manifests/curve/spectrum.h"

namespace mezzo::curve {

inline constexpr size_t kMaxMeasuredInks = 16;

/// What a patch was printed as, and what was measured of it; what the file does not have is empty.
struct Patch {
  Place place;                       ///< of its line
  std::string id = {};               ///< SAMPLE_ID
  std::vector<double> nominal = {};  ///< 0 .. 100 percent of each of the inks; empty: not said
  std::optional<size_t> ink =
      {};  ///< where the file names one ink a patch; paper is that ink's, too
  std::optional<double> area = {};  ///< dot area in percent, as plate readers have it
  /// Through the red, green, blue and visual filter; an instrument may have had one alone.
  std::array<std::optional<double>, 4> densities = {};
  std::optional<Xyz> xyz = {};        ///< also of Lab and spectra; of a perfect white Y is 100
  std::optional<double> bright = {};  ///< Y, of any scale; also of reflectances and L*
};

/// What a wedge says of how it was printed; empty where it does not.
struct WedgeFacts {
  std::string press;
  std::string paper;
  std::optional<double> dpi;
  std::string curves;                  ///< "none", "plate" or "all": those that were on
  std::vector<std::string> inks;       ///< in the order of its columns
  std::vector<std::string> screens;    ///< digests, of these inks; one without inks is of all
  std::vector<std::string> curves_on;  ///< of these inks, with the digests of the curves
};

struct Measurement {
  std::shared_ptr<const manifests::SourceText> source;  ///< for messages
  std::vector<std::string> inks = {};
  std::vector<Patch> patches = {};  ///< at least one
  WedgeFacts facts = {};
  bool is_by_ink = false;  ///< a value is what one filter saw, that of its ink, also of paper: CSV
};

/// The meaning of a column `value` of CSV files.
enum class CsvValues { kUnknown, kArea, kDensity, kReflectance, kLightness };
inline constexpr std::string_view kCsvValues[] = {"area", "density", "reflectance", "lightness"};

struct ReadOptions {
  std::vector<std::string> inks = {};  ///< of nCLR columns, whose names no file has; may be empty
  CsvValues values = CsvValues::kUnknown;
  bool is_wedge = false;  ///< nothing has been measured yet: only nominal values are wanted
};

/// The place of the ink among these, where it is added when it is new; kMaxMeasuredInks when there is no
/// room for it.
size_t ink_index(std::vector<std::string>& inks, std::string_view name);

}  // namespace mezzo::curve
