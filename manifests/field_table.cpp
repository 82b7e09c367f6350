#include "manifests/job.h"
#include "manifests/settings/make_field.h"
#include "manifests/settings/setting.h"

namespace mezzo::manifests {
namespace {

constexpr unsigned kOnTop = kInManifest | kInFolder;

const Field kJobFields[] = {
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
     .is_required = true,
     .entries = kInPage},
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
         "every ink; no file may be missing",
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
};

const Field kInkFields[] = {
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

std::vector<std::string_view> curve_kinds() {
  return {"plate", "press"};
}

std::span<const Field> fields() {
  static const std::vector<Field> all = [] {
    std::vector<Field> together(std::begin(kJobFields), std::end(kJobFields));
    const auto add = [&](const auto& more) {
      together.insert(together.end(), more.begin(), more.end());
    };
    add(fields_of(page_groups()));
    add(std::span(kInkFields));
    add(folder_fields());
    add(curve_fields());
    add(fields_of(colour_groups()));
    return together;
  }();
  return all;
}

}  // namespace mezzo::manifests
