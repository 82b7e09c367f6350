#include <algorithm>

#include "kernels/prepress/scaler.h"
#include "kernels/registry.h"
#include "manifests/fields.h"
#include "manifests/geometry.h"
#include "manifests/job.h"
#include "stages/tiff/compression.h"

namespace mezzo::manifests {
namespace {

template <typename Infos>
std::vector<std::string_view> names_of(const Infos& infos) {
  std::vector<std::string_view> names;
  for (const auto& info : infos) names.push_back(info.name);
  return names;
}

template <typename Infos>
std::vector<std::string_view> summaries_of(const Infos& infos) {
  std::vector<std::string_view> summaries;
  for (const auto& info : infos) summaries.push_back(info.summary);
  return summaries;
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

std::vector<std::string_view> compression_names() {
  return names_of(tiff::compressions());
}

std::vector<std::string_view> compression_summaries() {
  return summaries_of(tiff::compressions());
}

std::vector<std::string_view> existing_names() {
  return {"replace", "refuse", "overwrite"};
}

std::vector<std::string_view> verify_names() {
  return names_of(tiff::verify_levels());
}

std::vector<std::string_view> protect_names() {
  return names_of(kProtectNames);
}

std::vector<std::string_view> level_formats() {
  return {"packed", "planes"};
}

std::vector<std::string_view> proof_suffixes() {
  return {".png", ".tif", ".tiff", ".pdf"};
}

std::vector<std::string_view> ppf_suffixes() {
  return {".ppf"};
}

constexpr unsigned kInSettings = kInDefaults | kInPage;
constexpr unsigned kOfMachine = kInSettings | kInPress;
constexpr unsigned kInInks = kInInk | kInPressInk;
constexpr unsigned kOnTop = kInManifest | kInFolder;

const Field kFields[] = {
    {.name = "mezzotint",
     .scopes = kOnTop,
     .type = FieldType::kVersion,
     .summary = "version of the manifest's format",
     .is_required = true},
    {.name = "mezzotint-press",
     .scopes = kInPress,
     .type = FieldType::kVersion,
     .summary = "version of the press file's format",
     .is_required = true},
    {.name = "name",
     .scopes = kInPress,
     .type = FieldType::kTitle,
     .summary = "name of the press, for reports and messages",
     .is_required = true},
    {.name = "resolution",
     .scopes = kInPress,
     .type = FieldType::kInteger,
     .summary =
         "resolution of the plates in dpi, to which pages are scaled: output.resolution of a "
         "manifest; left out: the page's",
     .minimum = kLeastDpi,
     .maximum = kMostDpi},
    {.name = "job",
     .scopes = kInManifest,
     .type = FieldType::kJobName,
     .summary = "name of the job, for reports and for {job} in paths",
     .is_required = true},
    {.name = "priority",
     .scopes = kOnTop,
     .type = FieldType::kInteger,
     .summary = "order among waiting jobs; the highest begins first",
     .minimum = 0,
     .maximum = 100,
     .default_json = "50"},
    {.name = "limits",
     .scopes = kOnTop,
     .type = FieldType::kMap,
     .summary = "the memory and processors that the job may use",
     .inside = kInLimits},
    {.name = "memory",
     .scopes = kInLimits,
     .type = FieldType::kByteSize,
     .summary = "memory budget of the program, such as 1 GiB",
     .minimum = kMiB,
     .maximum = 1024 * kTiB,
     .default_json = "\"1 GiB\""},
    {.name = "device_memory",
     .scopes = kInLimits,
     .type = FieldType::kByteSize,
     .summary =
         "memory budget on each GPU, such as 4 GiB; left out: nine tenths of its free memory",
     .minimum = kMiB,
     .maximum = 1024 * kTiB},
    {.name = "threads",
     .scopes = kInLimits,
     .type = FieldType::kInteger,
     .summary = "most processors to use; 0 means all",
     .minimum = 0,
     .maximum = 1024,
     .default_json = "0"},
    {.name = "press",
     .scopes = kOnTop,
     .type = FieldType::kFile,
     .summary =
         "press file, with the settings that belong to the machine; `defaults` and pages count "
         "before it"},
    {.name = "defaults",
     .scopes = kOnTop,
     .type = FieldType::kMap,
     .summary = "settings of all pages, unless a page has its own",
     .inside = kInDefaults},
    {.name = "pages_total",
     .scopes = kInManifest,
     .type = FieldType::kInteger,
     .summary = "number of entries in pages; with 'end: true' as the last line, a manifest that "
                "was cut off is always noticed",
     .minimum = 1,
     .maximum = kMaxPageEntries},
    {.name = "pages",
     .scopes = kInManifest,
     .type = FieldType::kPageList,
     .summary = "the pages to print, in this order",
     .is_required = true},
    {.name = "end",
     .scopes = kInManifest,
     .type = FieldType::kEnd,
     .summary = "last line of a manifest that gives pages_total"},
    {.name = "input",
     .scopes = kInPage,
     .type = FieldType::kText,
     .summary = "a TIFF file, a pattern (* ? [..]) or a folder, relative to the manifest's folder",
     .is_required = true},
    {.name = "pages",
     .scopes = kInPage,
     .type = FieldType::kPageSelection,
     .summary = "pages of a multi-page file, counted from 1, such as 1-3, 7"},
    {.name = "sha256",
     .scopes = kInPage,
     .type = FieldType::kSha256,
     .summary = "digest that the input file must have"},
    {.name = "literal",
     .scopes = kInPage,
     .type = FieldType::kBoolean,
     .summary = "input is the name of one file, even with * ? [..] in it",
     .default_json = "false"},
    {.name = "ink",
     .scopes = kInPage,
     .type = FieldType::kInk,
     .summary =
         "ink that a page of one ink stands for, for separations in files of their own; pages "
         "whose names differ in their ink alone must agree in size and resolution"},
    {.name = "linework",
     .scopes = kInPage,
     .type = FieldType::kMap,
     .summary =
         "TIFF of one bit a pixel, such as type, that has the size and resolution of the "
         "page's plates; its ink is printed over them after halftoning; a list holds several: "
         "what one prints, no other knocks out",
     .inside = kInLinework,
     .or_file = true},
    {.name = "file",
     .scopes = kInLinework,
     .type = FieldType::kFile,
     .summary =
         "the line work, relative to the manifest's folder; with {ink} in its name, a file for "
         "every ink, none of which may be missing",
     .is_required = true},
    {.name = "ink",
     .scopes = kInLinework,
     .type = FieldType::kInk,
     .summary = "ink that prints the line work; all: every ink, for register marks",
     .default_json = "\"black\""},
    {.name = "overprint",
     .scopes = kInLinework,
     .type = FieldType::kBoolean,
     .summary =
         "true: other inks are printed below the line work, too; false: they are knocked out "
         "there; left out: true for black, false for others"},
    {.name = "extra_channels",
     .scopes = kInSettings,
     .type = FieldType::kChoice,
     .summary = "whether a page with channels beside its inks (spot colours of Photoshop, varnish, "
                "white, alpha among inks) is refused, or printed without them; inks: spot colours "
                "of Photoshop become inks with their names, and others are refused",
     .choices = extra_channel_names,
     .default_json = "\"refuse\""},
    {.name = "spot_polarity",
     .scopes = kInSettings,
     .type = FieldType::kChoice,
     .summary = "for extra_channels: inks, what the largest sample of a spot channel stands for: "
                "full ink, as in the inks beside it, or paper; no file says it, so it must be "
                "given",
     .choices = spot_polarity_names},
    {.name = "assume_resolution",
     .scopes = kOfMachine,
     .type = FieldType::kInteger,
     .summary = "resolution in dpi of pages whose files do not say theirs",
     .minimum = kLeastDpi,
     .maximum = kMostDpi},
    {.name = "crop",
     .scopes = kInSettings,
     .type = FieldType::kMap,
     .summary = "the rectangle of the page that is kept, as the page is shown",
     .inside = kInCrop},
    {.name = "trim",
     .scopes = kInSettings,
     .type = FieldType::kLengthOrMap,
     .summary = "margins to take off the page, or off what crop keeps of it, on all sides or each",
     .minimum = 0,
     .maximum = kMostLengthUm,
     .inside = kInTrim},
    {.name = "left",
     .scopes = kInCrop | kInTrim,
     .type = FieldType::kLength,
     .summary = "distance from the left edge",
     .minimum = 0,
     .maximum = kMostLengthUm,
     .default_json = "\"0 mm\""},
    {.name = "top",
     .scopes = kInCrop | kInTrim,
     .type = FieldType::kLength,
     .summary = "distance from the top edge",
     .minimum = 0,
     .maximum = kMostLengthUm,
     .default_json = "\"0 mm\""},
    {.name = "right",
     .scopes = kInTrim,
     .type = FieldType::kLength,
     .summary = "distance from the right edge",
     .minimum = 0,
     .maximum = kMostLengthUm,
     .default_json = "\"0 mm\""},
    {.name = "bottom",
     .scopes = kInTrim,
     .type = FieldType::kLength,
     .summary = "distance from the bottom edge",
     .minimum = 0,
     .maximum = kMostLengthUm,
     .default_json = "\"0 mm\""},
    {.name = "width",
     .scopes = kInCrop,
     .type = FieldType::kLength,
     .summary = "width to keep",
     .is_required = true,
     .minimum = 1,
     .maximum = kMostLengthUm},
    {.name = "height",
     .scopes = kInCrop,
     .type = FieldType::kLength,
     .summary = "height to keep",
     .is_required = true,
     .minimum = 1,
     .maximum = kMostLengthUm},
    {.name = "rotate",
     .scopes = kOfMachine,
     .type = FieldType::kRotation,
     .summary = "degrees by which the page is turned clockwise, after crop and trim",
     .default_json = "0"},
    {.name = "copies",
     .scopes = kInSettings,
     .type = FieldType::kMap,
     .summary = "step and repeat: the plate has rows of copies of the page, and is screened as one "
                "sheet",
     .inside = kInCopies},
    {.name = "across",
     .scopes = kInCopies,
     .type = FieldType::kInteger,
     .summary = "copies beside each other",
     .minimum = 1,
     .maximum = kMostCopies,
     .default_json = "1"},
    {.name = "down",
     .scopes = kInCopies,
     .type = FieldType::kInteger,
     .summary = "copies below each other",
     .minimum = 1,
     .maximum = kMostCopies,
     .default_json = "1"},
    {.name = "gap",
     .scopes = kInCopies,
     .type = FieldType::kLength,
     .summary = "paper between the copies",
     .minimum = 0,
     .maximum = kMostGapUm,
     .default_json = "\"0 mm\""},
    {.name = "scale",
     .scopes = kOfMachine,
     .type = FieldType::kChoice,
     .summary = "filter for output.resolution; auto: cubic for larger plates, area for smaller "
                "ones, nearest for pages of one bit; edges: cubic, with sharp type and line work, "
                "area for smaller plates",
     .choices = scale_names,
     .default_json = "\"auto\""},
    {.name = "protect",
     .scopes = kOfMachine | kInInks,
     .type = FieldType::kChoice,
     .summary = "tones that a method leaves as they are: no dots on paper, no holes in solids; the "
                "pixels are counted in the report; left out for an ink: the page's",
     .choices = protect_names,
     .default_json = "\"none\""},
    {.name = "halftone",
     .scopes = kOfMachine | kInInks,
     .type = FieldType::kMap,
     .summary = "halftoning method and its parameters",
     .inside = kInHalftone},
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
    {.name = "levels",
     .scopes = kOfMachine | kInInks,
     .type = FieldType::kMap,
     .summary = "drops of several sizes for printheads: 2 to 16 levels, the first of them no drop",
     .inside = kInLevels},
    {.name = "drops",
     .scopes = kInLevels,
     .type = FieldType::kNumbers,
     .summary = "volume of each level in picolitres, rising from 0, such as [0, 7, 14, 21]; the "
                "largest drop is a solid",
     .minimum = 0,
     .maximum = 10'000},
    {.name = "volumes",
     .scopes = kInLevels,
     .type = FieldType::kPercents,
     .summary = "instead of `drops`: volume of each level in percent of the last, such as [0, 40%, "
                "70%, 100%]",
     .minimum = 0,
     .maximum = 100},
    {.name = "overlap",
     .scopes = kInLevels,
     .type = FieldType::kPercent,
     .summary = "noise of floyd-steinberg by which the use of neighbouring drops overlaps; with "
                "less than 90% the grain vanishes where a tint has the volume of a drop, and "
                "gradients show lines there",
     .minimum = 0,
     .maximum = 100,
     .default_json = "\"100%\""},
    {.name = "format",
     .scopes = kInLevels,
     .type = FieldType::kChoice,
     .summary =
         "packed: a plate whose pixels are levels, of 1 bit for 2 levels, 2 for up to 4, else 4; "
         "planes: a bilevel plate for each bit of the level, {ink}_1 for the lowest",
     .choices = level_formats,
     .default_json = "\"packed\""},
    {.name = "tone",
     .scopes = kOfMachine | kInInks,
     .type = FieldType::kMap,
     .summary = "changes to the tones before halftoning",
     .inside = kInTone},
    {.name = "invert",
     .scopes = kInTone,
     .type = FieldType::kBoolean,
     .summary = "exchange ink and paper of the page, before gamma and curve; for negative film see "
                "output.negative; left out for an ink: the page's",
     .default_json = "false"},
    {.name = "gamma",
     .scopes = kInTone,
     .type = FieldType::kNumber,
     .summary = "exponent of ink coverage; more than 1 prints lighter; left out for an ink: the "
                "page's",
     .minimum = 0.1,
     .maximum = 10,
     .default_json = "1.0"},
    {.name = "curve",
     .scopes = kInTone,
     .type = FieldType::kCurve,
     .summary =
         "points of a transfer curve, [coverage of the page, coverage to print], rising; left "
         "out for an ink: the page's"},
    {.name = "curves",
     .scopes = kInPress,
     .type = FieldType::kMap,
     .summary = "measured curves of the press and its plates, which come behind gamma and curve",
     .inside = kInPressCurves},
    {.name = "curves",
     .scopes = kInSettings,
     .type = FieldType::kMap,
     .summary = "which curves of the press's library count",
     .inside = kInCurves},
    {.name = "library",
     .scopes = kInPressCurves,
     .type = FieldType::kFolder,
     .summary = "folder of curve files, relative to that of the press file",
     .is_required = true},
    {.name = "paper",
     .scopes = kInCurves | kInPressCurves,
     .type = FieldType::kTitle,
     .summary = "paper that is printed on; only curves for it count"},
    {.name = "kinds",
     .scopes = kInCurves | kInPressCurves,
     .type = FieldType::kChoices,
     .summary = "kinds of curves that count; [] for none; left out: both",
     .choices = curve_kinds},
    {.name = "strict",
     .scopes = kInPressCurves,
     .type = FieldType::kBoolean,
     .summary =
         "a page is refused when one of its inks has no curve, or an expired one; false: it is "
         "printed with a warning",
     .default_json = "false"},
    {.name = "output",
     .scopes = kInSettings,
     .type = FieldType::kMap,
     .summary = "where plates go",
     .inside = kInOutput},
    {.name = "output",
     .scopes = kInPress,
     .type = FieldType::kMap,
     .summary = "where plates go, and how the setter wants them",
     .inside = kInPressOutput},
    {.name = "path",
     .scopes = kInOutput | kInPressOutput,
     .type = FieldType::kTemplate,
     .summary =
         "path of a plate, below the manifest's folder, with {stem}, {page}, {ink}, {label} of the "
         "ink, {n} (its place among the plates of the page), {job}; {date} and {time} of the job's "
         "begin, local; {id} of the job, so that each run writes new plates",
     .default_json = "\"plates/{stem}_{ink}.tif\""},
    {.name = "resolution",
     .scopes = kInOutput,
     .type = FieldType::kInteger,
     .summary = "resolution of the plates in dpi, to which pages are scaled; left out: the page's",
     .minimum = kLeastDpi,
     .maximum = kMostDpi},
    {.name = "compression",
     .scopes = kInOutput | kInPressOutput,
     .type = FieldType::kChoice,
     .summary = "compression of the plates; auto takes the smallest of none, packbits and g4, and "
                "lzw where that saves another third of the raw size",
     .choices = compression_names,
     .meanings = compression_summaries,
     .default_json = "\"auto\""},
    {.name = "mirror",
     .scopes = kInOutput | kInPressOutput,
     .type = FieldType::kBoolean,
     .summary = "exchange left and right of the finished plate, for emulsions that face down",
     .default_json = "false"},
    {.name = "negative",
     .scopes = kInOutput | kInPressOutput,
     .type = FieldType::kBoolean,
     .summary = "exchange ink and paper of the finished plate, as the last step",
     .default_json = "false"},
    {.name = "existing",
     .scopes = kInOutput | kInPressOutput,
     .type = FieldType::kChoice,
     .summary =
         "the file that may already have the plate's name; replace: a plate that mezzotint "
         "wrote is replaced, and any other file fails the page; refuse: every file fails the "
         "page; overwrite: every file is replaced",
     .choices = existing_names,
     .default_json = "\"replace\""},
    {.name = "verify",
     .scopes = kInOutput | kInPressOutput,
     .type = FieldType::kChoice,
     .summary =
         "what is proved of a plate before it gets its name; bytes: its file, read back, has the "
         "strips that were coded; decode: they decode to the rows that were halftoned; recompute: "
         "and those are what the method's reference makes of the page",
     .choices = verify_names,
     .default_json = "\"decode\""},
    // Files beside the plates.
    {.name = "proof",
     .scopes = kOfMachine,
     .type = FieldType::kMap,
     .summary = "a picture of the print, counted from the bits of its plates once these are there; "
                "a proof that cannot be made is a warning; none: no proof, against `defaults`",
     .inside = kInProof,
     .or_none = true},
    {.name = "dpi",
     .scopes = kInProof,
     .type = FieldType::kInteger,
     .summary = "resolution of the proof; that of the plates where it is lower",
     .minimum = kLeastDpi,
     .maximum = 1200,
     .default_json = "100"},
    {.name = "path",
     .scopes = kInProof,
     .type = FieldType::kFileTemplate,
     .summary = "path of the proof, below the folder of the plates, with {stem}, {page}, {job}, "
                "{date}, {time} and {id}; its suffix says what it is: .png, .tif or .pdf",
     .choices = proof_suffixes,
     .default_json = "\"proofs/{stem}.png\""},
    {.name = "colours",
     .scopes = kInProof,
     .type = FieldType::kChoice,
     .summary =
         "inks: by the colours of the press's inks over each other, as they print; profile: by "
         "the press's profile, with the curves of the plates undone",
     .choices = proof_colour_names,
     .default_json = "\"inks\""},
    {.name = "yule_nielsen",
     .scopes = kInProof,
     .type = FieldType::kNumber,
     .summary = "for colours: inks, how far paper spreads light between dots: the n of Yule and "
                "Nielsen, 1 without",
     .minimum = 1,
     .maximum = 10,
     .default_json = "2"},
    {.name = "ppf",
     .scopes = kOfMachine,
     .type = FieldType::kMap,
     .summary =
         "a CIP3 PPF file for the press's console, with previews of the inks at 50.8 dpi, and "
         "its ink zones as a table in {stem}.zones.csv; none: none, against `defaults`",
     .inside = kInPpf,
     .or_none = true},
    {.name = "path",
     .scopes = kInPpf,
     .type = FieldType::kFileTemplate,
     .summary = "path of the file, as for a proof",
     .choices = ppf_suffixes,
     .default_json = "\"ppf/{stem}.ppf\""},
    {.name = "zones",
     .scopes = kInPpf,
     .type = FieldType::kInteger,
     .summary = "ink keys of the press; they lie across the width of the sheet, centred on it",
     .minimum = 1,
     .maximum = 100,
     .default_json = "23"},
    {.name = "zone_width",
     .scopes = kInPpf,
     .type = FieldType::kLength,
     .summary = "width of an ink zone",
     .minimum = 1'000,
     .maximum = 1'000'000,
     .default_json = "\"32.5 mm\""},
    {.name = "paper_lab",
     .scopes = kInPress,
     .type = FieldType::kLab,
     .summary = "colour of the paper, for proofs: CIELAB, D50"},
    {.name = "overprints",
     .scopes = kInPress,
     .type = FieldType::kOverprints,
     .summary =
         "colours of inks over each other, for proofs; one that is left out follows from those "
         "of its inks"},
    {.name = "lab",
     .scopes = kInPressInk,
     .type = FieldType::kLab,
     .summary =
         "colour of the solid ink on the paper, for proofs: CIELAB, D50; that of a varnish is "
         "the paper's. Left out: the usual one of process inks, grey for others"},
    {.name = "film",
     .scopes = kInPressInk,
     .type = FieldType::kNumber,
     .summary = "ink of a solid in g/m2, for estimates of its use",
     .minimum = 0.01,
     .maximum = 1000,
     .default_json = "1.0"},
    {.name = "density",
     .scopes = kInPressInk,
     .type = FieldType::kNumber,
     .summary = "density of the ink in g/ml, likewise",
     .minimum = 0.1,
     .maximum = 10,
     .default_json = "1.0"},
    {.name = "inks",
     .scopes = kInSettings,
     .type = FieldType::kInkMap,
     .summary = "settings of single inks by their names (Black, K and Schwarz are one); they count "
                "before those of any page, and those of a page before those of `defaults`. `drop` "
                "instead of settings: the ink is not printed; `keep`: it is, against `defaults`",
     .inside = kInInk},
    {.name = "inks",
     .scopes = kInPress,
     .type = FieldType::kInkMap,
     .summary =
         "the inks of the press, in the order of printing; spot: all others, without which they "
         "are refused. Left out: any ink, in the order of the page",
     .inside = kInPressInk},
    {.name = "names",
     .scopes = kInPressInk,
     .type = FieldType::kInks,
     .summary = "further names that pages have for the ink, on this press"},
    {.name = "label",
     .scopes = kInInks,
     .type = FieldType::kInk,
     .summary = "short name of the ink for {label} in paths, such as C; left out: the ink's name"},
    {.name = "plate",
     .scopes = kInInks,
     .type = FieldType::kInk,
     .summary = "another name for the plate of the ink; its dots stay where they are"},
    {.name = "as",
     .scopes = kInInks,
     .type = FieldType::kInk,
     .summary =
         "ink to whose plate this one is added, instead of a plate of its own; all: to every "
         "plate, for register marks"},
    {.name = "from",
     .scopes = kInInks,
     .type = FieldType::kInk,
     .summary = "the ink of the page that this one is a second plate of, with a tone of its own: "
                "light inks beside full ones"},
    {.name = "to",
     .scopes = kInInks,
     .type = FieldType::kInkShares,
     .summary = "inks to whose plates this one is added, and how much of it, for spot colours that "
                "are printed with process inks"},
    {.name = "output",
     .scopes = kInInks,
     .type = FieldType::kMap,
     .summary = "where the plate of the ink goes",
     .inside = kInInkOutput},
    {.name = "path",
     .scopes = kInInkOutput,
     .type = FieldType::kTemplate,
     .summary = "path of the ink's plate, as in `output`; left out: the page's"},
    {.name = "compression",
     .scopes = kInInkOutput,
     .type = FieldType::kChoice,
     .summary = "compression of the ink's plate; left out: the page's",
     .choices = compression_names,
     .meanings = compression_summaries},
};

}  // namespace

std::vector<std::string_view> extra_channel_names() {
  return {"refuse", "ignore", "inks"};
}

std::vector<std::string_view> proof_colour_names() {
  return {kColoursByInks, kColoursByProfile};
}

std::vector<std::string_view> spot_polarity_names() {
  return {"ink", "paper"};
}

std::vector<std::string_view> scale_names() {
  std::vector<std::string_view> names = names_of(prepress::kFilterNames);
  names.insert(names.begin(), "auto");
  return names;
}

std::string_view name_of(prepress::Protect protect) {
  return std::ranges::find(kProtectNames, protect, &ProtectName::protect)->name;
}

std::optional<prepress::Protect> protect_named(std::string_view name) {
  const auto* found = std::ranges::find(kProtectNames, name, &ProtectName::name);
  if (found == std::end(kProtectNames)) return std::nullopt;
  return found->protect;
}

std::vector<std::string_view> curve_kinds() {
  return {"plate", "press"};
}

std::span<const Field> fields() {
  static const std::vector<Field> all = [] {
    std::vector<Field> together(std::begin(kFields), std::end(kFields));
    for (const auto& more : {folder_fields(), curve_fields(), colour_fields()}) {
      together.insert(together.end(), more.begin(), more.end());
    }
    return together;
  }();
  return all;
}

}  // namespace mezzo::manifests
