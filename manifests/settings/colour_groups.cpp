#include "manifests/settings/make_field.h"
#include "manifests/settings/member.h"

namespace mezzo::manifests {
namespace {

using P = PageSettings;
using C = ColourSettings;
using Row = Setting<PageSettings>;
constexpr auto kColour = &P::colour;

constexpr Row kProfile[] = {
    {file(kOfMachine,
          "profile",
          "ICC profile of the press, relative to the folder of the file that names it; pages in "
          "colour, and those of inks whose own profile is known, are converted to its inks"),
     member_or_none<kColour, &C::profile>(),
     kIsPath},
};

constexpr Field kAssumeMap[] = {
    map_of(kInAssume,
           kInColour,
           "assume",
           "profiles of pages whose files have none: files, or sRGB, which is built in")};
constexpr Row kAssumeRows[] = {
    {file(kInAssume, "rgb", "profile of RGB pages; without it those that have none are refused"),
     member_or_none<kColour, &C::assumed_rgb>(),
     kIsPath},
    {file(kInAssume,
          "cmyk",
          "profile of CMYK pages; without it those that have none keep their inks"),
     member_or_none<kColour, &C::assumed_cmyk>(),
     kIsPath},
    {file(kInAssume, "grey", "profile of grey pages, for `grey: managed`"),
     member_or_none<kColour, &C::assumed_grey>(),
     kIsPath},
};

constexpr std::string_view kEmbedded[] = {"use", "ignore"};
constexpr Field kColourMap[] = {
    map_of(kInColour, kOfMachine, "colour", "how pages are converted to the inks of `profile`")};
constexpr Row kColourRows[] = {
    {one_of(kInColour,
            "embedded",
            words<kEmbedded>,
            "whether the profiles in files of pages count, or those of `assume` alone"),
     word_of<kEmbedded, kColour, &C::ignores_embedded>()},
    {file(kInColour, "link", "a device link profile, which takes the place of all others"),
     member_or_none<kColour, &C::link>(),
     kIsPath},
    {one_of(kInColour,
            "intent",
            intent_names,
            "rendering intent; absolute prints the colour of the page's paper, for proofs"),
     member<kColour, &C::intent>()},
    {yes_or_no(kInColour,
               "black_point",
               "black point compensation: the darkest colour of a page becomes that of the press"),
     member<kColour, &C::black_point>()},
    {one_of(
         kInColour,
         "black",
         black_names,
         "k-only: what is black ink alone on a CMYK page stays so, and RGB 0, 0, 0 becomes solid "
         "black; k-plane: the black of a CMYK page stays black ink, also below others; profile: as "
         "the profiles say; auto: k-only for CMYK, profile for others"),
     member<kColour, &C::black>()},
    {one_of(
         kInColour,
         "neutrals",
         neutral_names,
         "k-only: greys of an RGB page, R = G = B, are printed with black alone, which speckles in "
         "photographs"),
     member<kColour, &C::neutrals>()},
    {one_of(kInColour,
            "grey",
            grey_names,
            "k-only: grey pages are printed with black as they are; managed: converted by their "
            "profile"),
     member<kColour, &C::grey>()},
    {make_field(FieldType::kInks,
                kInColour,
                "inks",
                "the inks of `profile` in their order, where it does not name them"),
     member_or_none<kColour, &C::inks>()},
    {make_field(
         FieldType::kFolder,
         kInColour,
         "tables",
         "folder of tables that `mezzotint colour freeze` wrote: pages are converted by them, "
         "in years as today, and not by profiles"),
     member_or_none<kColour, &C::tables>(),
     kIsPath},
};

constexpr std::string_view kCounted[] = {"process", "all"};
constexpr Field kLimitMap[] = {
    {.name = "ink_limit",
     .scopes = kOfMachine,
     .type = FieldType::kPercentOrMap,
     .summary = "most ink on a spot of paper, such as 300%, summed over cyan, magenta, yellow and "
                "black; what is more is taken off the first three",
     .minimum = 100,
     .maximum = kMostInkPercent,
     .inside = kInInkLimit}};
constexpr Row kLimitRows[] = {
    {required(percent(kInInkLimit, "most", 100, kMostInkPercent, "the limit")),
     member_or_none<&P::ink_limit, &InkLimit::percent>()},
    {one_of(kInInkLimit,
            "count",
            words<kCounted>,
            "inks that count: the process inks with their light inks, or all of the page"),
     word_of<kCounted, &P::ink_limit, &InkLimit::counts_spots>()},
    {yes_or_no(kInInkLimit,
               "check",
               "true: nothing is taken off, and the report says how much ink there is"),
     member<&P::ink_limit, &InkLimit::only_checks>()},
};

constexpr SettingGroup kColourGroups[] = {
    {.key = "", .rows = kProfile},
    {.key = "colour.assume", .maps = kAssumeMap, .rows = kAssumeRows},
    {.key = "colour",
     .maps = kColourMap,
     .rows = kColourRows,
     .is_used = [](const P& s) { return s.colour.converts(); }},
    {.key = "ink_limit",
     .maps = kLimitMap,
     .rows = kLimitRows,
     .is_whole = true,
     .begin = [](P& s) { s.ink_limit = {}; },
     .set_all = [](P& s,
                   const SettingValue& value) { s.ink_limit.percent = std::get<double>(value); },
     .is_used = [](const P& s) { return s.ink_limit.percent != 0; }},
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

std::span<const SettingGroup> colour_groups() {
  return kColourGroups;
}

}  // namespace mezzo::manifests
