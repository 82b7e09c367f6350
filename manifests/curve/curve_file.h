// Curve files: the measured curve of one ink on one press, or of its plates, and what it is good for.
//
// A curve holds for the press, ink, screen, resolution and paper that it was measured with, and for no
// other; a library of them is a folder. The file is YAML:
//
//     mezzotint-curve: 1
//     kind: press
//     press: XL 106, board
//     ink: cyan
//     screen: am ruling=175 angle=15 ...
//     dpi: 2400
//     paper: GC1
//     made: 2026-11-20
//     points: [[0%, 0%], [50%, 36.5%], [100%, 100%]]
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/band/tone_settings.h"
#include "manifests/job.h"

namespace mezzo::curve {

using PressCurve = ToneSettings::PressCurve;

/// The key that tells curve files from other documents.
inline constexpr std::string_view kCurveKey = "mezzotint-curve";

/// The measurement that a curve was made of.
struct CurveSource {
  std::string file;    ///< its name, for people
  std::string sha256;  ///< of its bytes, 64 hexadecimal digits; may be empty
  bool operator==(const CurveSource&) const = default;
};

/// A patch as it was measured: dot areas in percent.
struct Measure {
  double nominal = 0;   ///< of the wedge, 0 .. 100
  double measured = 0;  ///< on paper or plate; noise may lead a little out of 0 .. 100
  bool operator==(const Measure&) const = default;
};

struct CurveFile {
  std::string press;    ///< name of the press file
  std::string ink;      ///< as the press file has it
  std::string screen;   ///< screen_digest() of pipeline/plan/curves.h
  double dpi = 0;       ///< of the plates
  std::string paper;    ///< may be empty: for any paper, of a plate's curve
  std::string made;     ///< 2026-11-20; may be empty
  std::string expires;  ///< 2027-11-20, the last good day; may be empty: never
  std::string target;   ///< what the curve aims at: "linear", "tvi: 16%"; may be empty
  std::string reason;   ///< why it was made against a refusal; may be empty
  std::optional<CurveSource> source;
  std::vector<Measure> measures;  ///< raw, one a patch; may be empty
  PressCurve curve;               ///< kind, points, cut-off, bump; its digest is set by parsing
  std::optional<double>
      solid_percent;  ///< said where the last point is not 100 %: its second number

  bool operator==(const CurveFile&) const = default;
};

/// From text; `file` is its name in messages. Never touches the disk. Refuses, with line and column,
/// what is no curve, falls, or changes paper or solids without saying so in `cut_off`, `bump`, `solid`.
manifests::Checked<CurveFile> parse_curve_file(std::string_view text, const std::string& file);

/// Throws Error (kMissing, kIo, kLimit, kData) when the file cannot be read.
manifests::Checked<CurveFile> load_curve_file(const std::string& path);

/// Whether the file is meant to be a curve file. False also when it cannot be read.
bool is_curve_file(const std::string& path);

/// The text of the file, which parse_curve_file() reads as the same curve.
std::string curve_file_text(const CurveFile& file);

/// XXH3 of the curve's kind, points, cut-off and bump: equal digests, equal tones.
std::string digest_of(const PressCurve& curve);

/// "plate" or "press".
std::string_view name_of(PressCurve::Kind kind);

}  // namespace mezzo::curve
