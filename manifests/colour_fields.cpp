#include "manifests/colour_settings.h"
#include "manifests/fields.h"

namespace mezzo::manifests {
namespace {

constexpr unsigned kColourScopes = kInDefaults | kInPage | kInPress;

std::vector<std::string_view> counted_inks() {
  return {"process", "all"};
}

std::vector<std::string_view> embedded_names() {
  return {"use", "ignore"};
}

const Field kColourFields[] = {
    {.name = "profile",
     .scopes = kColourScopes,
     .type = FieldType::kFile,
     .summary =
         "ICC profile of the press, relative to the folder of the file that names it; pages "
         "in colour, and those of inks whose own profile is known, are converted to its inks"},
    {.name = "colour",
     .scopes = kColourScopes,
     .type = FieldType::kMap,
     .summary = "how pages are converted to the inks of `profile`",
     .inside = kInColour},
    {.name = "assume",
     .scopes = kInColour,
     .type = FieldType::kMap,
     .summary = "profiles of pages whose files have none: files, or sRGB, which is built in",
     .inside = kInAssume},
    {.name = "rgb",
     .scopes = kInAssume,
     .type = FieldType::kFile,
     .summary = "profile of RGB pages; without it those that have none are refused"},
    {.name = "cmyk",
     .scopes = kInAssume,
     .type = FieldType::kFile,
     .summary = "profile of CMYK pages; without it those that have none keep their inks"},
    {.name = "grey",
     .scopes = kInAssume,
     .type = FieldType::kFile,
     .summary = "profile of grey pages, for `grey: managed`"},
    {.name = "embedded",
     .scopes = kInColour,
     .type = FieldType::kChoice,
     .summary = "whether the profiles in files of pages count, or those of `assume` alone",
     .choices = embedded_names,
     .default_json = "\"use\""},
    {.name = "link",
     .scopes = kInColour,
     .type = FieldType::kFile,
     .summary = "a device link profile, which takes the place of all others"},
    {.name = "intent",
     .scopes = kInColour,
     .type = FieldType::kChoice,
     .summary = "rendering intent; absolute prints the colour of the page's paper, for proofs",
     .choices = intent_names,
     .default_json = "\"relative\""},
    {.name = "black_point",
     .scopes = kInColour,
     .type = FieldType::kBoolean,
     .summary = "black point compensation: the darkest colour of a page becomes that of the press",
     .default_json = "true"},
    {.name = "black",
     .scopes = kInColour,
     .type = FieldType::kChoice,
     .summary =
         "k-only: what is black ink alone on a CMYK page stays so, and RGB 0, 0, 0 becomes "
         "solid black; k-plane: the black of a CMYK page stays black ink, also below others; "
         "profile: as the profiles say; auto: k-only for CMYK, profile for others",
     .choices = black_names,
     .default_json = "\"auto\""},
    {.name = "neutrals",
     .scopes = kInColour,
     .type = FieldType::kChoice,
     .summary = "k-only: greys of an RGB page, R = G = B, are printed with black alone, which "
                "speckles in photographs",
     .choices = neutral_names,
     .default_json = "\"profile\""},
    {.name = "grey",
     .scopes = kInColour,
     .type = FieldType::kChoice,
     .summary =
         "k-only: grey pages are printed with black as they are; managed: converted by their "
         "profile",
     .choices = grey_names,
     .default_json = "\"k-only\""},
    {.name = "inks",
     .scopes = kInColour,
     .type = FieldType::kInks,
     .summary = "the inks of `profile` in their order, where it does not name them"},
    {.name = "tables",
     .scopes = kInColour,
     .type = FieldType::kFolder,
     .summary =
         "folder of tables that `mezzotint colour freeze` wrote: pages are converted by them, "
         "in years as today, and not by profiles"},
    {.name = "ink_limit",
     .scopes = kColourScopes,
     .type = FieldType::kPercentOrMap,
     .summary = "most ink on a spot of paper, such as 300%, summed over cyan, magenta, yellow and "
                "black; what is more is taken off the first three",
     .minimum = 100,
     .maximum = kMostInkPercent,
     .inside = kInInkLimit},
    {.name = "most",
     .scopes = kInInkLimit,
     .type = FieldType::kPercent,
     .summary = "the limit",
     .is_required = true,
     .minimum = 100,
     .maximum = kMostInkPercent},
    {.name = "count",
     .scopes = kInInkLimit,
     .type = FieldType::kChoice,
     .summary = "inks that count: the process inks with their light inks, or all of the page",
     .choices = counted_inks,
     .default_json = "\"process\""},
    {.name = "check",
     .scopes = kInInkLimit,
     .type = FieldType::kBoolean,
     .summary = "true: nothing is taken off, and the report says how much ink there is",
     .default_json = "false"},
};

}  // namespace

std::vector<std::string_view> intent_names() {
  return {"perceptual", "relative", "saturation", "absolute"};
}

std::vector<std::string_view> black_names() {
  return {"auto", "k-only", "k-plane", "profile"};
}

std::vector<std::string_view> neutral_names() {
  return {"profile", "k-only"};
}

std::vector<std::string_view> grey_names() {
  return {"k-only", "managed"};
}

std::span<const Field> colour_fields() {
  return kColourFields;
}

}  // namespace mezzo::manifests
