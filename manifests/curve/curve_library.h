// A library of curves: a folder of curve files, and the look-up of the one that fits exactly.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "manifests/curve/curve_file.h"

namespace mezzo::curve {

/// What a curve must have been measured with.
struct Wanted {
  PressCurve::Kind kind = PressCurve::Kind::kPress;
  std::string press;
  std::string ink;     ///< under any of its names (kernels/prepress/ink_key.h)
  std::string screen;  ///< screen_digest() of pipeline/plan/curves.h
  double dpi = 0;
  std::string paper;  ///< empty: none is said
};

struct LibraryCurve {
  std::string name;  ///< of its file
  CurveFile file;
};
using LibraryCurvePtr = std::shared_ptr<const LibraryCurve>;

class Library {
 public:
  /// Reads every *.yaml and *.yml of the folder. Throws Error: kMissing without the folder, kIo, kLimit,
  /// and kData for a file that is no good curve file, with its line.
  explicit Library(std::string folder);

  /// For tests, and for curves that are not on a disk.
  Library(std::string folder, std::vector<LibraryCurvePtr> curves);

  /// The one curve that was measured with all that is wanted; null when the library has none of that
  /// kind for the ink. Throws Error(kData) where it has some, and none or several fit: the message
  /// says of each what differs. The nearest one is never taken.
  LibraryCurvePtr find(const Wanted& wanted) const;

  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  std::vector<LibraryCurvePtr> curves_;  // by name
};

/// What a curve was measured with and is not wanted, as words: "ruling 175 lpi, the job has 150 lpi".
std::vector<std::string> differences(const CurveFile& file, const Wanted& wanted);

}  // namespace mezzo::curve
