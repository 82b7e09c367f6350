#include <filesystem>

#include "kernels/band/drop_levels.h"
#include "kernels/prepress/scaler.h"
#include "kernels/registry.h"
#include "manifests/settings/make_field.h"
#include "manifests/settings/member.h"

namespace mezzo::manifests {
namespace {

using P = PageSettings;
using Row = Setting<PageSettings>;
constexpr auto kGeometry = &P::geometry;
constexpr auto kOutput = &P::output;
constexpr auto kCurves = &P::curves;

std::vector<std::string_view> protect_names() {
  return names_of(kProtectNames);
}
std::vector<std::string_view> method_names() {
  return names_of(methods());
}
std::vector<std::string_view> method_summaries() {
  return summaries_of(methods());
}
std::vector<std::string_view> engine_names() {
  return names_of(engines());
}
std::vector<std::string_view> existing_names() {
  return {"replace", "refuse", "overwrite"};
}
std::vector<std::string_view> verify_names() {
  return names_of(tiff::verify_levels());
}
std::vector<std::string_view> proof_suffixes() {
  return {".png", ".tif", ".tiff", ".pdf"};
}
std::vector<std::string_view> ppf_suffixes() {
  return {".ppf"};
}

constexpr Row kChannels[] = {
    {one_of(
         kInSettings,
         "extra_channels",
         extra_channel_names,
         "whether a page with channels beside its inks (spot colours of Photoshop, varnish, white, "
         "alpha among inks) is refused, or printed without them; inks: spot colours of Photoshop "
         "become inks with their names, and others are refused"),
     member<&P::extra_channels>()},
    {one_of(kInSettings,
            "spot_polarity",
            spot_polarity_names,
            "for extra_channels: inks, what the largest sample of a spot channel stands for: full "
            "ink, "
            "as in the inks beside it, or paper; no file says it, so it must be given"),
     member_or_none<&P::spot_polarity>()},
    {whole(kOfMachine,
           "assume_resolution",
           kLeastDpi,
           kMostDpi,
           "resolution in dpi of pages whose files do not say theirs"),
     member_or_none<&P::assumed_dpi>()},
};

constexpr auto kCrop = &Geometry::crop;
constexpr Field kCropMap[] = {map_of(
    kInCrop, kInSettings, "crop", "the rectangle of the page that is kept, as the page is shown")};
constexpr Row kCropRows[] = {
    {length(kInCrop, "left", 0, kMostLengthUm, "distance from the left edge"),
     member<kGeometry, kCrop, &Crop::left_um>()},
    {length(kInCrop, "top", 0, kMostLengthUm, "distance from the top edge"),
     member<kGeometry, kCrop, &Crop::top_um>()},
    {required(length(kInCrop, "width", 1, kMostLengthUm, "width to keep")),
     member<kGeometry, kCrop, &Crop::width_um>()},
    {required(length(kInCrop, "height", 1, kMostLengthUm, "height to keep")),
     member<kGeometry, kCrop, &Crop::height_um>()},
};

constexpr auto kTrim = &Geometry::trim;
constexpr Field kTrimMap[] = {{.name = "trim",
                               .scopes = kInSettings,
                               .type = FieldType::kLengthOrMap,
                               .summary = "margins to take off the page, or off what crop keeps of "
                                          "it, on all sides or each",
                               .maximum = kMostLengthUm,
                               .inside = kInTrim}};
constexpr Row kTrimRows[] = {
    {length(kInTrim, "left", 0, kMostLengthUm, "distance from the left edge"),
     member<kGeometry, kTrim, &Trim::left_um>()},
    {length(kInTrim, "top", 0, kMostLengthUm, "distance from the top edge"),
     member<kGeometry, kTrim, &Trim::top_um>()},
    {length(kInTrim, "right", 0, kMostLengthUm, "distance from the right edge"),
     member<kGeometry, kTrim, &Trim::right_um>()},
    {length(kInTrim, "bottom", 0, kMostLengthUm, "distance from the bottom edge"),
     member<kGeometry, kTrim, &Trim::bottom_um>()},
};

constexpr Row kRotate[] = {
    {make_field(FieldType::kRotation,
                kOfMachine,
                "rotate",
                "degrees by which the page is turned clockwise, after crop and trim"),
     member<kGeometry, &Geometry::rotate_degrees>()},
};

constexpr auto kCopies = &Geometry::copies;
constexpr Field kCopiesMap[] = {map_of(
    kInCopies,
    kInSettings,
    "copies",
    "step and repeat: the plate has rows of copies of the page, and is screened as one sheet")};
constexpr Row kCopiesRows[] = {
    {whole(kInCopies, "across", 1, kMostCopies, "copies beside each other"),
     member<kGeometry, kCopies, &Copies::across>()},
    {whole(kInCopies, "down", 1, kMostCopies, "copies below each other"),
     member<kGeometry, kCopies, &Copies::down>()},
    {length(kInCopies, "gap", 0, kMostGapUm, "paper between the copies"),
     member<kGeometry, kCopies, &Copies::gap_um>()},
};

std::optional<Problem> check_copies(const P& settings, const Given& given) {
  const bool has_effect = given.has("across") || given.has("down");
  if (settings.geometry.copies.gap_um == 0 || has_effect) return std::nullopt;
  return Problem{"gap",
                 "'gap' has no effect: it lies between copies, and there is one",
                 "give 'across', 'down' or both",
                 true};
}

constexpr Row kScaleAndProtect[] = {
    {one_of(kOfMachine,
            "scale",
            scale_names,
            "filter for output.resolution; auto: cubic for larger plates, area for smaller ones, "
            "nearest for pages of one bit; edges: cubic, with sharp type and line work, area for "
            "smaller plates"),
     member<&P::scale>()},
    {one_of(
         kOfMachine | kInInks,
         "protect",
         protect_names,
         "tones that a method leaves as they are: no dots on paper, no holes in solids; the pixels "
         "are counted in the report; left out for an ink: the page's"),
     {[](const P& s) -> SettingValue { return std::string(name_of(s.protect)); },
      [](P& s, const SettingValue& value) {
        s.protect = *protect_named(std::get<std::string>(value));
      }},
     kPerInk},
};

/// Not rows: a reader of its own reads them, and the registry is the table of parameters.
constexpr Field kHalftoneFields[] = {
    map_of(kInHalftone, kOfMachine | kInInks, "halftone", "halftoning method and its parameters"),
    {.name = "method",
     .scopes = kInHalftone,
     .type = FieldType::kChoice,
     .summary = "halftoning method; left out for an ink: the page's",
     .choices = method_names,
     .meanings = method_summaries,
     .default_json = "\"floyd-steinberg\""},
    {.name = "engine",
     .scopes = kInHalftone,
     .type = FieldType::kChoice,
     .summary = "processors that run the method; the result is the same on all; left out for an "
                "ink: the page's",
     .choices = engine_names,
     .default_json = "\"auto\""},
    {.name = "schedule",
     .scopes = kInHalftone,
     .type = FieldType::kSchedule,
     .summary = "one algorithm of the method, for comparisons; the result is the same"},
    {.name = kTileKey,
     .scopes = kInHalftone,
     .type = FieldType::kFile,
     .summary = "for method tile, its thresholds: a grey TIFF of 8 or 16 bits, relative to the "
                "folder of the file that names it; a hot folder takes it from its press file, by a "
                "whole path, or from a ticket"},
};

constexpr auto kLevels = &HalftoneSettings::levels;
constexpr std::string_view kLevelFormats[] = {"packed", "planes"};
constexpr Field kLevelsMap[] = {
    map_of(kInLevels,
           kOfMachine | kInInks,
           "levels",
           "drops of several sizes for printheads: 2 to 16 levels, the first of them no drop")};

template <bool kInPicolitres>
SettingValue drops_of(const P& settings) {
  const auto& levels = settings.halftone.levels;
  const bool is_it = levels && levels->in_picolitres == kInPicolitres && !levels->drops.empty();
  return is_it ? SettingValue(levels->drops) : SettingValue();
}

template <bool kInPicolitres>
void set_drops(P& settings, const SettingValue& value) {
  auto& levels = settings.halftone.levels;
  if (!levels) return;
  levels->drops = std::get<std::vector<double>>(value);
  levels->in_picolitres = kInPicolitres;
}

constexpr Row kLevelsRows[] = {
    {ranged(
         FieldType::kNumbers,
         kInLevels,
         "drops",
         0,
         10'000,
         "volume of each level in picolitres, rising from 0, such as [0, 7, 14, 21]; the largest "
         "drop is a solid"),
     {drops_of<true>, set_drops<true>}},
    {ranged(
         FieldType::kPercents,
         kInLevels,
         "volumes",
         0,
         100,
         "instead of `drops`: volume of each level in percent of the last, such as [0, 40%, 70%, "
         "100%]"),
     {drops_of<false>, set_drops<false>}},
    {percent(
         kInLevels,
         "overlap",
         0,
         100,
         "noise of floyd-steinberg by which the use of neighbouring drops overlaps; with less "
         "than 90% the grain vanishes where a tint has the volume of a drop, and gradients show "
         "lines there"),
     member<&P::halftone, kLevels, &LevelSettings::overlap_percent>()},
    {one_of(
         kInLevels,
         "format",
         words<kLevelFormats>,
         "packed: a plate whose pixels are levels, of 1 bit for 2 levels, 2 for up to 4, else 4; "
         "planes: a bilevel plate for each bit of the level, {ink}_1 for the lowest"),
     word_of<kLevelFormats, &P::halftone, kLevels, &LevelSettings::format>()},
};

std::optional<Problem> check_levels(const P& settings, const Given& given) {
  const bool has_drops = given.has("drops"), has_volumes = given.has("volumes");
  if (has_drops == has_volumes) {
    return Problem{has_drops ? "volumes" : "",
                   "'levels' must have one of 'drops' and 'volumes'",
                   "such as drops: [0, 7, 14, 21], in picolitres",
                   has_drops};
  }
  const LevelSettings& levels = *settings.halftone.levels;
  const char* key = has_drops ? "drops" : "volumes";
  if (const std::string fault = check(levels); !fault.empty()) return Problem{key, fault, ""};
  if (has_drops || levels.drops.back() == 100) return std::nullopt;
  return Problem{
      key,
      "the last of the volumes must be 100%, and is " + plain_number(levels.drops.back()) + "%",
      "volumes are percentages of the largest drop"};
}

constexpr Field kToneMap[] = {
    map_of(kInTone, kOfMachine | kInInks, "tone", "changes to the tones before halftoning")};
constexpr Row kToneRows[] = {
    {yes_or_no(kInTone,
               "invert",
               "exchange ink and paper of the page, before gamma and curve; for negative film see "
               "output.negative; left out for an ink: the page's"),
     member<&P::tone, &ToneSettings::invert>(),
     kStated | kPerInk},
    {number(
         kInTone,
         "gamma",
         0.1,
         10,
         "exponent of ink coverage; more than 1 prints lighter; left out for an ink: the page's"),
     member<&P::tone, &ToneSettings::gamma>(),
     kStated | kPerInk},
    {make_field(
         FieldType::kCurve,
         kInTone,
         "curve",
         "points of a transfer curve, [coverage of the page, coverage to print], rising; left "
         "out for an ink: the page's"),
     member_or_none<&P::tone, &ToneSettings::points>(),
     kPerInk},
};

constexpr Field kCurvesMaps[] = {
    map_of(kInPressCurves,
           kInPress,
           "curves",
           "measured curves of the press and its plates, which come behind gamma and curve"),
    map_of(kInCurves, kInSettings, "curves", "which curves of the press's library count")};

SettingValue curve_kinds_of(const P& settings) {
  const CurveSettings& curves = settings.curves;
  if (curves.has_plate && curves.has_press) return {};
  std::vector<std::string> kinds;
  if (curves.has_plate) kinds.emplace_back("plate");
  if (curves.has_press) kinds.emplace_back("press");
  return kinds;
}

void set_curve_kinds(P& settings, const SettingValue& value) {
  const auto& kinds = std::get<std::vector<std::string>>(value);
  settings.curves.has_plate = std::ranges::find(kinds, "plate") != kinds.end();
  settings.curves.has_press = std::ranges::find(kinds, "press") != kinds.end();
}

constexpr Row kCurvesRows[] = {
    {required(make_field(FieldType::kFolder,
                         kInPressCurves,
                         "library",
                         "folder of curve files, relative to that of the press file")),
     {member_or_none<kCurves, &CurveSettings::library>().get,
      [](P& s, const SettingValue& value) {
        const std::filesystem::path path(std::get<std::string>(value));
        s.curves.library = path.lexically_normal().string();
      }},
     kIsPath},
    {make_field(FieldType::kTitle,
                kInCurves | kInPressCurves,
                "paper",
                "paper that is printed on; only curves for it count"),
     member_or_none<kCurves, &CurveSettings::paper>()},
    {some_of(kInCurves | kInPressCurves,
             "kinds",
             curve_kinds,
             "kinds of curves that count; [] for none; left out: both"),
     {curve_kinds_of, set_curve_kinds}},
    {yes_or_no(
         kInPressCurves,
         "strict",
         "a page is refused when one of its inks has no curve, or an expired one; false: it is "
         "printed with a warning"),
     member<kCurves, &CurveSettings::is_strict>()},
};

/// In a manifest this is a mistake of single pages: the resolver reports it.
std::optional<Problem> check_curves(const P& settings, const Given& given) {
  if (given.document != kInFolder || !settings.curves.library.empty()) return std::nullopt;
  return Problem{"", std::string(kNoCurveLibrary), std::string(kNameCurveLibrary)};
}

constexpr Field kOutputMaps[] = {
    map_of(kInOutput, kInSettings, "output", "where plates go"),
    map_of(kInPressOutput, kInPress, "output", "where plates go, and how the setter wants them")};
constexpr unsigned kInOutputs = kInOutput | kInPressOutput;
constexpr Row kOutputRows[] = {
    {make_field(
         FieldType::kTemplate,
         kInOutputs,
         "path",
         "path of a plate, below the manifest's folder, with {stem}, {page}, {ink}, {label} of "
         "the ink, {n} (its place among the plates of the page), {job}; {date} and {time} of "
         "the job's begin, local; {id} of the job, so that each run writes new plates"),
     member<kOutput, &OutputSettings::path>(),
     kStated | kPerInk},
    {whole(kInOutput,
           "resolution",
           kLeastDpi,
           kMostDpi,
           "resolution of the plates in dpi, to which pages are scaled; left out: the page's"),
     member_or_none<kOutput, &OutputSettings::resolution_dpi>()},
    {one_of(kInOutputs,
            "compression",
            compression_names,
            "compression of the plates; auto takes the smallest of none, packbits and g4, and lzw "
            "where that saves another third of the raw size",
            compression_summaries),
     member<kOutput, &OutputSettings::compression>(),
     kStated | kQuoted | kPerInk},
    {yes_or_no(kInOutputs,
               "mirror",
               "exchange left and right of the finished plate, for emulsions that face down"),
     member<kOutput, &OutputSettings::mirror>()},
    {yes_or_no(
         kInOutputs, "negative", "exchange ink and paper of the finished plate, as the last step"),
     member<kOutput, &OutputSettings::negative>()},
    {one_of(
         kInOutputs,
         "existing",
         existing_names,
         "the file that may already have the plate's name; replace: a plate that mezzotint wrote "
         "is replaced, and any other file fails the page; refuse: every file fails the page; "
         "overwrite: every file is replaced"),
     {[](const P& s) -> SettingValue {
        return std::string(!s.output.replace      ? "refuse"
                           : s.output.replace_any ? "overwrite"
                                                  : "replace");
      },
      [](P& s, const SettingValue& value) {
        s.output.replace = std::get<std::string>(value) != "refuse";
        s.output.replace_any = std::get<std::string>(value) == "overwrite";
      }},
     kStated},
    {one_of(
         kInOutputs,
         "verify",
         verify_names,
         "what is proved of a plate before it gets its name; bytes: its file, read back, has the "
         "strips that were coded; decode: they decode to the rows that were halftoned; recompute: "
         "and those are what the method's reference makes of the page"),
     {[](const P& s) -> SettingValue { return std::string(tiff::to_string(s.output.verify)); },
      [](P& s, const SettingValue& value) {
        s.output.verify = *tiff::verify_level_named(std::get<std::string>(value));
      }}},
};

constexpr Field kProofMap[] = {map_or_none(
    kInProof,
    kOfMachine,
    "proof",
    "a picture of the print, counted from the bits of its plates once these are there; a "
    "proof that cannot be made is a warning; none: no proof, against `defaults`")};
constexpr Row kProofRows[] = {
    {whole(kInProof,
           "dpi",
           kLeastDpi,
           1200,
           "resolution of the proof; that of the plates where it is lower"),
     member<&P::proof, &ProofSettings::dpi>()},
    {file_template(kInProof,
                   "path",
                   proof_suffixes,
                   "path of the proof, below the folder of the plates, with {stem}, {page}, {job}, "
                   "{date}, {time} and {id}; its suffix says what it is: .png, .tif or .pdf"),
     member<&P::proof, &ProofSettings::path>()},
    {one_of(
         kInProof,
         "colours",
         proof_colour_names,
         "inks: by the colours of the press's inks over each other, as they print; profile: by the "
         "press's profile, with the curves of the plates undone"),
     member<&P::proof, &ProofSettings::colours>()},
    {number(
         kInProof,
         "yule_nielsen",
         1,
         10,
         "for colours: inks, how far paper spreads light between dots: the n of Yule and Nielsen, "
         "1 without"),
     member<&P::proof, &ProofSettings::yule_nielsen>()},
};

constexpr Field kPpfMap[] = {map_or_none(
    kInPpf,
    kOfMachine,
    "ppf",
    "a CIP3 PPF file for the press's console, with previews of the inks at 50.8 dpi, and "
    "its ink zones as a table in {stem}.zones.csv; none: none, against `defaults`")};
constexpr Row kPpfRows[] = {
    {file_template(kInPpf, "path", ppf_suffixes, "path of the file, as for a proof"),
     member<&P::ppf, &PpfSettings::path>()},
    {whole(kInPpf,
           "zones",
           1,
           100,
           "ink keys of the press; they lie across the width of the sheet, centred on it"),
     member<&P::ppf, &PpfSettings::zones>()},
    {length(kInPpf, "zone_width", 1'000, 1'000'000, "width of an ink zone"),
     member<&P::ppf, &PpfSettings::zone_width_um>()},
};

constexpr SettingGroup kPageGroups[] = {
    {.key = "", .rows = kChannels},
    {.key = "crop",
     .maps = kCropMap,
     .rows = kCropRows,
     .is_whole = true,
     .begin = [](P& s) { s.geometry.crop.emplace(); },
     .is_used = [](const P& s) { return s.geometry.crop.has_value(); }},
    {.key = "trim",
     .maps = kTrimMap,
     .rows = kTrimRows,
     .is_whole = true,
     .begin = [](P& s) { s.geometry.trim = {}; },
     .set_all =
         [](P& s, const SettingValue& value) {
           for (const Row& row : kTrimRows) row.in.set(s, value);
         }},
    {.key = "", .rows = kRotate},
    {.key = "copies",
     .maps = kCopiesMap,
     .rows = kCopiesRows,
     .is_whole = true,
     .begin = [](P& s) { s.geometry.copies = {}; },
     .check = check_copies},
    {.key = "", .rows = kScaleAndProtect},
    {.key = "halftone", .maps = kHalftoneFields},
    {.key = "levels",
     .maps = kLevelsMap,
     .rows = kLevelsRows,
     .is_whole = true,
     .begin = [](P& s) { s.halftone.levels.emplace(); },
     .is_used = [](const P& s) { return s.halftone.levels.has_value(); },
     .check = check_levels},
    {.key = "tone", .maps = kToneMap, .rows = kToneRows},
    {.key = "curves",
     .maps = kCurvesMaps,
     .rows = kCurvesRows,
     .is_used = [](const P& s) { return !s.curves.library.empty(); },
     .check = check_curves},
    {.key = "output", .maps = kOutputMaps, .rows = kOutputRows},
    {.key = "proof",
     .maps = kProofMap,
     .rows = kProofRows,
     .begin =
         [](P& s) {
           if (!s.proof) s.proof.emplace();
         },
     .clear = [](P& s) { s.proof.reset(); },
     .is_used = [](const P& s) { return s.proof.has_value(); }},
    {.key = "ppf",
     .maps = kPpfMap,
     .rows = kPpfRows,
     .begin =
         [](P& s) {
           if (!s.ppf) s.ppf.emplace();
         },
     .clear = [](P& s) { s.ppf.reset(); },
     .is_used = [](const P& s) { return s.ppf.has_value(); }},
};

}  // namespace

std::vector<std::string_view> extra_channel_names() {
  return {"refuse", "ignore", "inks"};
}

std::vector<std::string_view> spot_polarity_names() {
  return {"ink", "paper"};
}

std::vector<std::string_view> scale_names() {
  std::vector<std::string_view> names = names_of(prepress::kFilterNames);
  names.insert(names.begin(), "auto");
  return names;
}

std::vector<std::string_view> proof_colour_names() {
  return {kColoursByInks, kColoursByProfile};
}

std::string_view name_of(prepress::Protect protect) {
  return std::ranges::find(kProtectNames, protect, &ProtectName::protect)->name;
}

std::optional<prepress::Protect> protect_named(std::string_view name) {
  const auto* found = std::ranges::find(kProtectNames, name, &ProtectName::name);
  if (found == std::end(kProtectNames)) return std::nullopt;
  return found->protect;
}

std::span<const SettingGroup> page_groups() {
  return kPageGroups;
}

}  // namespace mezzo::manifests
