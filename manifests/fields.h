// The one table of the keys of manifests, of press files and of the settings of hot folders.
//
// Settings of pages and hot folders are rows of settings/, which know their members, too. The other keys are in
// field_table.cpp and curve_fields.cpp. Reading, spelling suggestions and the JSON Schema all come from them, so they
// cannot disagree. The keys of `halftone:` that belong to a method (its parameters) come from the registry of methods
// and are not repeated here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/method_info.h"

namespace mezzo::manifests {

inline constexpr uint64_t kManifestVersion = 1;
inline constexpr size_t kMaxPageEntries = 5'000;
inline constexpr size_t kMaxSelectedPages = 100'000;  // of all files of a job, named in `pages`
inline constexpr size_t kMaxCurvePoints = 256;
inline constexpr size_t kMaxJobNameCharacters = 100;
inline constexpr size_t kMaxTimeWindows = 64;
inline constexpr size_t kMaxInksOfASet = 64;
inline constexpr size_t kMaxTitleBytes = 200;
inline constexpr size_t kMaxLineBytes = 1000;
inline constexpr size_t kMaxMeasures = 4096;                      // of a curve file
inline constexpr double kLeastMeasure = -50, kMostMeasure = 150;  // a dot area in percent

/// The maps of these files; a bit each, so that a field can be allowed in several.
enum Scope : unsigned {
  kInManifest = 1,
  kInLimits = 2,
  kInDefaults = 4,
  kInPage = 8,
  kInHalftone = 16,
  kInTone = 32,
  kInOutput = 64,
  kInFolder = 128,  ///< top of a hot folder's settings
  kInStability = 256,
  kInSeparations = 512,
  kInKeep = 1024,
  kInInk = 2048,        ///< an entry of `inks`
  kInInkOutput = 4096,  ///< `output` of an ink
  kInLinework = 8192,
  kInCrop = 16384,
  kInTrim = 32768,
  kInCopies = 65536,
  kInPress = 131072,  ///< top of a press file
  kInPressInk = 262144,
  kInPressOutput = 524288,
  kInLevels = 1048576,
  kInColour = 1U << 21,
  kInAssume = 1U << 22,
  kInInkLimit = 1U << 23,
  kInCurveFile = 1U << 24,  ///< top of a curve file
  kInCurveSource = 1U << 25,
  kInCurveBump = 1U << 26,
  kInCurves = 1U << 27,
  kInPressCurves = 1U << 28,
  kInProof = 1U << 29,
  kInPpf = 1U << 30,
};

/// Places of the settings of pages; with those of a press; of inks.
inline constexpr unsigned kInSettings = kInDefaults | kInPage;
inline constexpr unsigned kOfMachine = kInSettings | kInPress;
inline constexpr unsigned kInInks = kInInk | kInPressInk;

/// All that depends on one is in the table of kinds, manifests/kinds/kind.h.
enum class FieldType {
  kVersion,
  kJobName,
  kTitle,     ///< a name for people, of a line
  kLine,      ///< a line of text of at most `maximum` bytes
  kDate,      ///< 2026-11-20
  kInteger,   ///< minimum .. maximum
  kNumber,    ///< minimum .. maximum
  kByteSize,  ///< minimum .. maximum
  kLength,    ///< minimum .. maximum, in micrometres
  kRotation,  ///< 0, 90, 180 or 270
  kPercent,   ///< minimum .. maximum
  kNumbers,   ///< a list, each minimum .. maximum
  kPercents,  ///< likewise
  kBoolean,
  kEnd,       ///< true, and nothing else
  kChoice,    ///< one of choices()
  kChoices,   ///< a list of some of them
  kSchedule,  ///< one of the method's
  kText,      ///< a path, pattern or folder
  kFile,
  kTemplate,
  kFileTemplate,  ///< of a file beside the plates; choices() are its suffixes
  kSha256,
  kPageSelection,
  kCurve,
  kMeasures,  ///< pairs of percentages, at most `maximum` of them
  kDuration,  ///< minimum .. maximum, in milliseconds
  kTimeWindows,
  kInk,
  kInks,
  kInkShares,  ///< a map of inks and percentages
  kInkPattern,
  kLab,
  kOverprints,  ///< a list of inks and the colour of their overprint
  kFolder,
  kMap,           ///< with the fields of `inside`
  kInkMap,        ///< by names of inks, maps with the fields of `inside`
  kLengthOrMap,   ///< a length, minimum .. maximum, stands for all fields of `inside`
  kPercentOrMap,  ///< a percentage, minimum .. maximum, stands for the first field of `inside`
  kPageList,
};

struct Field {
  std::string_view name;
  unsigned scopes;  ///< where it is allowed
  FieldType type;
  std::string_view summary;
  bool is_required = false;
  double minimum = 0;
  double maximum = 0;
  std::vector<std::string_view> (*choices)() = nullptr;
  std::vector<std::string_view> (*meanings)() = nullptr;  ///< of the choices, or null
  Scope inside = kInManifest;                             ///< of a map: its fields
  Scope entries = kInManifest;                            ///< of a list of maps: their fields
  std::string_view default_json = {};  ///< the value when it is left out, as JSON
  bool or_file = false;  ///< a map, a file (the map's key `file`), or a list of either
  bool or_none = false;  ///< of a map: or the word `none`
};

/// Whether its value holds, or may hold, fields of `inside`.
constexpr bool has_fields(const Field& field) {
  return field.inside != kInManifest;
}

std::span<const Field> fields();
/// Parts of them, in files of their own: hot folders, curve files.
std::span<const Field> folder_fields();
std::span<const Field> curve_fields();

/// Kinds of measured curves.
std::vector<std::string_view> curve_kinds();

/// For the limits of fields: sizes are in bytes, times in milliseconds.
inline constexpr double kMiB = 1024.0 * 1024.0, kTiB = kMiB * kMiB;
inline constexpr double kSecond = 1000, kHour = 3600 * kSecond, kDay = 24 * kHour;
/// Of halftone: the file of a method that takes a tile.
inline constexpr std::string_view kTileKey = "file";

std::vector<const Field*> fields_of(Scope scope);
const Field* find_field(Scope scope, std::string_view name);

/// The scope and those of all maps inside it.
unsigned scopes_below(Scope root);

/// The place of a key, for messages: "at the top of the manifest", "in 'limits'", "in a page".
std::string scope_name(Scope scope);

/// All schedules of all methods, each name once; the parameters likewise.
std::vector<std::string_view> all_schedules();
std::vector<std::string_view> schedules_of(const MethodInfo& method);
std::vector<std::string_view> all_parameters();
const ParameterInfo* find_parameter(const MethodInfo& method, std::string_view name);

/// The number without trailing zeros or an exponent: 0.1, 50, 100000.
std::string plain_number(double value);

}  // namespace mezzo::manifests
