// Curves as other programs keep them: Argyll's .cal, CGATS, Photoshop's .acv and .amp, told by their
// content, and our own curve files. And the tables that other programs read.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/band/tone_settings.h"
#include "manifests/job.h"

namespace mezzo::curve {

/// The curve of one ink: paper stays paper, solids solid, and nothing falls.
struct InkCurve {
  std::string ink;
  std::vector<CurvePoint> points;  ///< 2 to 256, from 0 to 100 percent
  bool operator==(const InkCurve&) const = default;
};

/// The meaning of the levels 0 to 255 of Photoshop, which its files do not tell.
enum class Levels { kUnknown, kInk, kLight };
inline constexpr std::string_view kLevels[] = {"ink", "light"};

struct CurveOptions {
  Levels levels = Levels::kUnknown;    ///< needed for .acv and .amp
  std::vector<std::string> inks = {};  ///< names of the curves of .acv and .amp, in their order
};

/// From the bytes of a file; `file` is its name in messages. A curve that would print on paper, or would
/// leave solids with holes, is refused.
manifests::Checked<std::vector<InkCurve>> parse_curves(const std::string& bytes,
                                                       const std::string& file,
                                                       const CurveOptions& options);

/// Throws Error (kMissing, kIo, kLimit, kData) when the file cannot be read.
manifests::Checked<std::vector<InkCurve>> load_curves(const std::string& path,
                                                      const CurveOptions& options);

/// Argyll's calibration, 256 rows of CMYK; of a process ink that has no curve its line. Throws
/// Error(kUnsupported) for an ink that is none of the four.
std::string cal_text(std::span<const InkCurve> curves);

/// CGATS with INK, NOMINAL and OUTPUT, which load_curves() reads back.
std::string cgats_text(std::span<const InkCurve> curves);

}  // namespace mezzo::curve
