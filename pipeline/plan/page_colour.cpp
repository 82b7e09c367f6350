#include "pipeline/plan/page_colour.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "kernels/base/error.h"
#include "kernels/base/utf8.h"
#include "kernels/prepress/ink_key.h"
#include "manifests/named_files.h"
#include "pipeline/plan/job_plan.h"
#include "pipeline/text.h"
#include "stages/band/bit_reader.h"
#include "stages/colour/table_cache.h"
#include "stages/colour/table_file.h"
#include "stages/tiff/plate/file_origin.h"

namespace mezzo::plan {
namespace {

using icc::ColourSpace;
using icc::Profile;

/// Measured, and rounded up: lcms2 reads the tables of a profile into memory, and copies of them become
/// a transform.
constexpr uint64_t kCopiesToRead = 6, kCopiesToMake = 10, kCopiesOfTable = 2;
/// Of kProgramBytes; nothing else has them while tables are made.
constexpr uint64_t kFreeToMake = 16ULL << 20;

std::string_view name_of(ColourSpace space) {
  switch (space) {
    case ColourSpace::kGrey:
      return "grey";
    case ColourSpace::kRgb:
      return "RGB";
    case ColourSpace::kCmyk:
      return "CMYK";
    case ColourSpace::kLab:
      return "CIELAB";
    case ColourSpace::kInks:
      break;
  }
  return "inks";
}

/// "Coated FOGRA39", or the name of its file.
std::string title_of(const Profile& profile) {
  if (!profile.facts().description.empty()) return profile.facts().description;
  return std::filesystem::path(profile.place()).filename().string();
}

icc::Intent intent_named(const std::string& name) {
  for (const auto intent :
       {icc::Intent::kPerceptual, icc::Intent::kSaturation, icc::Intent::kAbsolute}) {
    if (icc::name_of(intent) == name) return intent;
  }
  return icc::Intent::kRelative;
}

icc::BlackMode black_named(const std::string& name) {
  return name == "k-only"    ? icc::BlackMode::kOnlyBlack
         : name == "k-plane" ? icc::BlackMode::kPlane
         : name == "profile" ? icc::BlackMode::kProfile
                             : icc::BlackMode::kUsual;
}

/// The planes of cyan, magenta, yellow and black, in that order; nothing where one is missing.
std::optional<std::vector<uint32_t>> process_planes(const std::vector<std::string>& inks) {
  std::vector<uint32_t> planes;
  for (const std::string_view ink : {"cyan", "magenta", "yellow", "black"}) {
    const auto found = std::ranges::find_if(
        inks, [&](const std::string& other) { return prepress::is_same_ink(other, ink); });
    if (found == inks.end()) return std::nullopt;
    const auto is_it = [&](const std::string& other) { return prepress::is_same_ink(other, ink); };
    if (std::ranges::count_if(inks, is_it) > 1) return std::nullopt;  // two inks of that name
    planes.push_back(static_cast<uint32_t>(found - inks.begin()));
  }
  return planes;
}

/// The samples of a page that a profile can be of.
struct Source {
  ColourSpace space;
  std::vector<uint32_t> planes;
};

std::optional<Source> source_of(const PageInfo& page, const manifests::ColourSettings& colour) {
  switch (page.model) {
    case PageInfo::Model::kRgb:
      return Source{ColourSpace::kRgb, {0, 1, 2}};
    case PageInfo::Model::kLab:
      return Source{ColourSpace::kLab, {0, 1, 2}};
    case PageInfo::Model::kGrey:
      if (is_bilevel(page) || colour.grey != "managed") return std::nullopt;
      return Source{ColourSpace::kGrey, {0}};
    case PageInfo::Model::kInks:
      break;
  }
  const auto planes = process_planes(page.inks);
  if (!planes) return std::nullopt;
  return Source{ColourSpace::kCmyk, *planes};
}

const std::string& assumed_of(const manifests::ColourSettings& colour, ColourSpace space) {
  return space == ColourSpace::kRgb    ? colour.assumed_rgb
         : space == ColourSpace::kCmyk ? colour.assumed_cmyk
                                       : colour.assumed_grey;
}

/// Names of inks become those of plates, so they must be fit for that and tell the inks apart.
void refuse_bad_names(const std::vector<std::string>& inks, const std::string& profile) {
  for (size_t i = 0; i < inks.size(); ++i) {
    const bool is_twice = std::any_of(
        inks.begin(), inks.begin() + static_cast<ptrdiff_t>(i), [&](const std::string& other) {
          return prepress::is_same_ink(other, inks[i]);
        });
    if (!inks[i].empty() && is_clean_text(inks[i]) && !is_twice) continue;
    throw Error(ErrorKind::kData,
                fmt::format("{}: the profile names its ink number {} {}",
                            profile,
                            i + 1,
                            is_twice ? "as one before it" : "with no text that could be read"),
                "take another profile");
  }
}

std::vector<std::string> inks_of_output(ColourSpace space,
                                        const std::vector<std::string>& named,
                                        uint32_t count,
                                        const manifests::ColourSettings& colour,
                                        const std::string& profile) {
  if (space == ColourSpace::kCmyk) return {"cyan", "magenta", "yellow", "black"};
  if (space == ColourSpace::kGrey) return {"black"};
  if (space != ColourSpace::kInks) {
    throw Error(
        ErrorKind::kUnsupported,
        fmt::format("{}: a press prints inks, and this profile is of {}", profile, name_of(space)));
  }
  const std::vector<std::string>& inks = named.empty() ? colour.inks : named;
  refuse_bad_names(inks, profile);
  if (inks.size() == count) return inks;
  throw Error(
      ErrorKind::kUnsupported,
      fmt::format("{}: the profile has {} inks and names {} of them", profile, count, inks.size()),
      "give all in their order with 'colour: {inks: [..]}'");
}

/// Of the table of two profiles, or of a link.
prepress::ColourShape shape_of(const Profile& input, const Profile* output) {
  const uint32_t outputs = output != nullptr ? output->channels() : input.facts().output_channels;
  return {input.channels(), outputs, icc::default_grid(input.channels())};
}

}  // namespace

/// What converts one page.
class ColourTables::Choice {
 public:
  Choice(ColourTables& tables,
         const manifests::JobPage& settings,
         const std::string& place,
         Source source)
      : tables_(tables),
        page_(settings),
        colour_(page_.settings.colour),
        place_(place),
        source_(std::move(source)) {}

  chain::PageColourPtr by_link() {
    expect_table_of("colour.link", colour_.link);
    const Profile& link = named("colour.link", colour_.link);
    icc::check_link(link);
    if (link.space() != source_.space) {
      if (source_.space == ColourSpace::kGrey) return nullptr;
      throw Error(ErrorKind::kUnsupported,
                  fmt::format("{} is {}, and the device link {} takes {}",
                              place_,
                              name_of(source_.space),
                              link.place(),
                              name_of(link.space())));
    }
    const icc::ProfileFacts& facts = link.facts();
    return made(
        link,
        nullptr,
        inks_of_output(
            facts.output_space, facts.ink_names, facts.output_channels, colour_, link.place()),
        fmt::format("colour by the device link {}", title_of(link)));
  }

  chain::PageColourPtr by_profiles(const tiff::TiffFile& file,
                                   uint32_t number,
                                   std::vector<std::string>& notes) {
    const std::vector<std::byte> embedded =
        colour_.ignores_embedded ? std::vector<std::byte>() : file.profile(number);
    expect_table_of("profile", colour_.profile);
    need_.profile_bytes += embedded.empty()
                               ? bytes_of(key_of_assumed(), assumed_of(colour_, source_.space))
                               : embedded.size();
    const Profile& output = named("profile", colour_.profile);
    icc::check_output(output, intent_named(colour_.intent));
    const std::optional<Profile> input = input_of(embedded);
    if (!input) {
      notes.push_back(
          fmt::format("the page keeps its CMYK: its file has no profile, and "
                      "colour.assume.cmyk names none"));
      return nullptr;
    }
    const icc::ProfileFacts& facts = output.facts();
    std::vector<std::string> inks =
        inks_of_output(facts.space, facts.ink_names, facts.channels, colour_, output.place());
    if (input->digest() == output.digest()) return nullptr;  // it is in the inks of the press
    warn_of_ink(output, notes);
    return made(
        *input,
        &output,
        std::move(inks),
        fmt::format(
            "colour from {} to {}, {}", title_of(*input), title_of(output), colour_.intent));
  }

 private:
  /// A profile that settings name with this key.
  const Profile& named(const std::string& key, const std::string& path) {
    return tables_.profile(path, is_of_press(page_, key), need_);
  }

  uint64_t bytes_of(const std::string& key, const std::string& path) const {
    return tables_.profile_bytes(path, is_of_press(page_, key));
  }

  /// Of this profile of the press or link, before it is read; what cannot be told is small.
  void expect_table_of(const std::string& key, const std::string& path) {
    need_.profile_bytes = bytes_of(key, path);
    const auto inputs = static_cast<uint32_t>(source_.planes.size());
    const uint32_t outputs = icc::made_channels(path, tables_.files_of(is_of_press(page_, key)));
    if (outputs == 0) return;
    need_.table_bytes = prepress::table_bytes({inputs, outputs, icc::default_grid(inputs)});
  }

  /// The setting of the profile of pages that have none.
  std::string key_of_assumed() const {
    return std::string("colour.assume.") + (source_.space == ColourSpace::kRgb    ? "rgb"
                                            : source_.space == ColourSpace::kCmyk ? "cmyk"
                                                                                  : "grey");
  }

  /// Nothing for CMYK without a profile, embedded or assumed. Throws Error.
  std::optional<Profile> input_of(const std::vector<std::byte>& bytes) {
    if (!bytes.empty()) {
      tables_.refuse_large_profile(bytes.size(), need_, place_ + ": its profile");
      return embedded(bytes);
    }
    if (source_.space == ColourSpace::kLab) return Profile::lab();
    const std::string& assumed = assumed_of(colour_, source_.space);
    if (!assumed.empty()) return fitting(named(key_of_assumed(), assumed));
    if (source_.space == ColourSpace::kCmyk) return std::nullopt;
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{} is {} and has no profile, so its colours are not known",
                            place_,
                            name_of(source_.space)),
                fmt::format("name the profile with 'colour: {{assume: {{{}: {}}}}}'{}",
                            source_.space == ColourSpace::kRgb ? "rgb" : "grey",
                            source_.space == ColourSpace::kRgb ? "sRGB" : "FILE.icc",
                            source_.space == ColourSpace::kRgb ? ", or embed it" : ""));
  }

  Profile embedded(const std::vector<std::byte>& bytes) const {
    try {
      return fitting(Profile::parse(bytes, place_ + ": its profile"));
    } catch (const Error& error) {
      throw Error(error.kind(),
                  error.finding(),
                  "embed another, or name one in 'colour: {assume: ..}' with 'embedded: ignore'");
    }
  }

  Profile fitting(const Profile& profile) const {
    icc::check_input(profile);
    if (profile.space() == source_.space) return profile;
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{} is of {}, and the page is {}",
                            profile.place(),
                            name_of(profile.space()),
                            name_of(source_.space)));
  }

  /// Where the press's profile asks for clearly more ink than its limit, one of them is wrong.
  void warn_of_ink(const Profile& output, std::vector<std::string>& notes) const {
    const double limit = page_.settings.ink_limit.percent;
    if (limit == 0) return;
    const double most = icc::most_ink(output);
    if (most <= limit + 5) return;
    notes.push_back(
        fmt::format("the profile {} asks for up to {:.0f} % of ink, and ink_limit is "
                    "{:.6g} %",
                    title_of(output),
                    most,
                    limit));
  }

  chain::PageColourPtr made(const Profile& input,
                            const Profile* output,
                            std::vector<std::string> inks,
                            std::string text) {
    icc::TableSettings settings{.intent = intent_named(colour_.intent),
                                .black_point = std::nullopt,
                                .black = black_named(colour_.black),
                                .neutrals_to_black = colour_.neutrals == "k-only",
                                .ink_names = colour_.inks};
    if (!colour_.black_point) settings.black_point = false;
    const bool is_cmyk = source_.space == ColourSpace::kCmyk;
    if (!is_cmyk && settings.black == icc::BlackMode::kPlane) {
      settings.black = icc::BlackMode::kUsual;
    }
    if (source_.space != ColourSpace::kRgb) settings.neutrals_to_black = false;
    if (colour_.black != "auto") text += ", black " + colour_.black;
    auto colour = std::make_shared<chain::PageColour>();
    colour->table = tables_.table(input, output, settings, colour_.tables, place_);
    const prepress::ColourShape shape =
        colour->table != nullptr ? colour->table->shape() : shape_of(input, output);
    if (shape.inputs != source_.planes.size() || shape.outputs != inks.size()) {
      throw Error(
          ErrorKind::kData,
          fmt::format("{}: the table of its colours takes {} samples and makes {} inks, and its "
                      "profiles {} and {}: a file in {} was put in the place of another",
                      place_,
                      shape.inputs,
                      shape.outputs,
                      source_.planes.size(),
                      inks.size(),
                      colour_.tables.empty() ? colour::table_cache_folder() : colour_.tables),
          "remove the files there");
    }
    colour->conversion = {.digest = colour->table != nullptr ? colour->table->digest() : "",
                          .planes = source_.planes,
                          .inks = std::move(inks),
                          .text = std::move(text)};
    return colour;
  }

  ColourTables& tables_;
  const manifests::JobPage& page_;
  const manifests::ColourSettings& colour_;
  const std::string& place_;
  Source source_;
  MakingSize need_;
};

bool is_of_press(const manifests::JobPage& page, const std::string& key) {
  const manifests::Origin* origin = page.origins ? page.origins->find(key) : nullptr;
  return origin != nullptr && origin->layer == manifests::Layer::kPress;
}

const Profile& ColourTables::profile(const std::string& path,
                                     bool is_of_press,
                                     const MakingSize& need) {
  if (path == manifests::kSrgb) return Profile::srgb();
  const std::pair key(path, is_of_press);
  const auto known = profiles_.find(key);
  if (known != profiles_.end()) return known->second;
  files::FileSystem& files = files_of(is_of_press);
  refuse_large_profile(profile_bytes(path, is_of_press), need, path);
  return profiles_.emplace(key, Profile::read(path, files)).first->second;
}

/// 0 for sRGB, which is built in, and for a file that cannot be found.
uint64_t ColourTables::profile_bytes(const std::string& path, bool is_of_press) const {
  if (path.empty() || path == manifests::kSrgb) return 0;
  const auto mark = files::mark_of(files_of(is_of_press), path);
  return mark ? mark->bytes : 0;
}

uint64_t ColourTables::bytes_to_make(const MakingSize& need) const {
  const uint64_t all =
      bytes() + kCopiesToMake * need.profile_bytes + kCopiesOfTable * need.table_bytes;
  return all > kFreeToMake ? all - kFreeToMake : 0;
}

/// What is named would also do to make the table, so that one refusal does not follow another.
void ColourTables::refuse_large_profile(uint64_t bytes,
                                        const MakingSize& need,
                                        const std::string& place) const {
  const uint64_t wanted = this->bytes() + kCopiesToRead * bytes;
  if (wanted <= std::max(room_bytes_, kPlanBytes)) return;
  refuse_profiles(
      std::max(bytes, need.profile_bytes), std::max(wanted, bytes_to_make(need)), place);
}

void ColourTables::refuse_large_making(const MakingSize& need, const std::string& place) const {
  const uint64_t wanted = bytes_to_make(need);
  if (wanted <= std::max(room_bytes_, kPlanBytes)) return;
  refuse_profiles(need.profile_bytes, wanted, place);
}

void ColourTables::refuse_profiles(uint64_t bytes,
                                   uint64_t wanted,
                                   const std::string& place) const {
  throw Error(ErrorKind::kLimit,
              fmt::format("{}: to make tables of the ICC profiles of {}, a job needs at least {} "
                          "of memory, the limit is {}",
                          place,
                          bytes_text(bytes),
                          limit_text(kProgramBytes + wanted),
                          bytes_text(kProgramBytes + room_bytes_)),
              "raise limits.memory or --memory");
}

std::shared_ptr<const prepress::ColourTable> ColourTables::table(const Profile& input,
                                                                 const Profile* output,
                                                                 const icc::TableSettings& settings,
                                                                 const std::string& frozen,
                                                                 const std::string& place) {
  const std::string key = icc::table_key(input, output, settings);
  std::shared_ptr<const prepress::ColourTable>& table = tables_[key];
  if (table != nullptr) return table;
  const uint64_t needed = prepress::table_bytes(shape_of(input, output));
  if (bytes() + missing_bytes() + needed > room_bytes_) {
    missing_[key] = needed;
    return nullptr;
  }
  const auto make = [&] {
    const uint64_t output_bytes = output != nullptr ? output->bytes().size() : 0;
    refuse_large_making({input.bytes().size() + output_bytes, needed}, place);
    return output != nullptr ? icc::make_table(input, *output, settings)
                             : icc::make_link_table(input, settings);
  };
  if (!frozen_.empty()) {
    table = make();
    const std::string path = (std::filesystem::path(frozen_) / (key + ".lut")).string();
    const tiff::FileOrigin origin = tiff::origin_of_file(path);
    if (!tiff::may_replace(origin, tiff::FileOrigin::kOther)) {
      throw tiff::replaced_error(path, origin, "move the file away");
    }
    colour::write_table(path, *table);
  } else if (!frozen.empty()) {
    const auto path_of = [&](const std::string& name) {
      return (std::filesystem::path(frozen) / (name + ".lut")).string();
    };
    std::error_code error;
    std::string path = path_of(key);
    if (!std::filesystem::exists(path, error)) {
      path = path_of(icc::old_table_key(input, output, settings));
    }
    if (!std::filesystem::exists(path, error)) {
      throw Error(ErrorKind::kMissing,
                  fmt::format("{}: the folder {} has no table for it: its profiles or settings are "
                              "not those that were frozen",
                              place,
                              frozen),
                  "put them back, or run 'mezzotint colour freeze' again");
    }
    table = colour::read_table(path);
  } else {
    table = colour::cached_table(icc::cache_key(input, output, settings), make);
  }
  return table;
}

uint32_t ColourTables::press_inks(const manifests::JobPage& settings) {
  const manifests::ColourSettings& colour = settings.settings.colour;
  if (!colour.converts() || !settings.ink.empty() || !settings.conversions.empty()) return 0;
  const bool is_link = !colour.link.empty();
  const std::string key = is_link ? "colour.link" : "profile";
  const manifests::Origin* origin = settings.origins ? settings.origins->find(key) : nullptr;
  const bool is_of_press = origin != nullptr && origin->layer == manifests::Layer::kPress;
  try {
    const Profile& found = profile(is_link ? colour.link : colour.profile, is_of_press, {});
    return is_link ? found.facts().output_channels : found.channels();
  } catch (const Error&) {
    return 0;
  }
}

chain::PageColourPtr ColourTables::of_page(const tiff::TiffFile& file,
                                           uint32_t number,
                                           const PageInfo& page,
                                           const manifests::JobPage& settings,
                                           const std::string& place,
                                           std::vector<std::string>& notes) {
  const manifests::ColourSettings& colour = settings.settings.colour;
  if (!colour.converts() || !settings.ink.empty()) return nullptr;  // an ink is no colour
  const auto source = source_of(page, colour);
  if (!source) return nullptr;
  const bool is_lab = source->space == ColourSpace::kLab;
  const bool is_inverted =
      source->space == ColourSpace::kGrey && page.polarity == Polarity::kMaxIsInk;
  Choice choice(*this, settings, place, *source);
  const chain::PageColourPtr chosen =
      colour.link.empty() ? choice.by_profiles(file, number, notes) : choice.by_link();
  if (chosen == nullptr || (!is_lab && !is_inverted)) return chosen;
  auto result = std::make_shared<chain::PageColour>(*chosen);
  result->conversion.is_lab = is_lab;
  result->conversion.is_inverted = is_inverted;
  return result;
}

chain::PageColourPtr ColourTables::planned(const prepress::Conversion& conversion,
                                           const std::string& folder) {
  if (conversion.digest.empty()) return nullptr;
  std::shared_ptr<const prepress::ColourTable>& table = tables_[conversion.digest];
  if (table == nullptr) {
    const std::string name = conversion.digest + ".lut";
    table = colour::read_table((std::filesystem::path(folder) / name).string(), conversion.digest);
  }
  const prepress::ColourShape& shape = table->shape();
  if (shape.inputs != conversion.planes.size() || shape.outputs != conversion.inks.size()) {
    throw Error(
        ErrorKind::kData,
        fmt::format(
            "{}/{}.lut: the table takes {} samples and makes {} inks, and its plan has {} and {}",
            folder,
            conversion.digest,
            shape.inputs,
            shape.outputs,
            conversion.planes.size(),
            conversion.inks.size()),
        "make the plan again");
  }
  return std::make_shared<chain::PageColour>(chain::PageColour{conversion, table});
}

uint64_t ColourTables::missing_bytes() const {
  uint64_t bytes = 0;
  for (const auto& [key, missing] : missing_) bytes += missing;
  return bytes;
}

uint64_t ColourTables::bytes() const {
  uint64_t bytes = 0;
  for (const auto& [key, table] : tables_) {
    if (table != nullptr) bytes += table->bytes();
  }
  return bytes;
}

}  // namespace mezzo::plan
