#include "stages/icc/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/base/error.h"
#include "kernels/prepress/ink_key.h"
#include "stages/files/input_file.h"
#include "stages/files/sha256.h"
#include "stages/files/xxh3.h"
#include "stages/icc/lcms.h"
#include "stages/icc/profile_parts.h"

namespace mezzo::icc {
namespace {

/// A colour space of the header.
struct Space {
  ColourSpace space;
  uint32_t channels;
};

[[noreturn]] void unsupported(const std::string& place, const std::string& text) {
  throw Error(ErrorKind::kUnsupported, fmt::format("{}: {}", place, text));
}

std::optional<Space> space_of(uint32_t name) {
  switch (name) {
    case signature("GRAY"):
      return Space{ColourSpace::kGrey, 1};
    case signature("RGB "):
      return Space{ColourSpace::kRgb, 3};
    case signature("CMYK"):
      return Space{ColourSpace::kCmyk, 4};
    case signature("CMY "):
      return Space{ColourSpace::kInks, 3};
    case signature("Lab "):
      return Space{ColourSpace::kLab, 3};
    default:
      break;
  }
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const size_t channels = kDigits.find(static_cast<char>(name >> 24));
  const bool is_ink = (name & 0xFFFFFF) == (signature("0CLR") & 0xFFFFFF);
  if (!is_ink || channels < 2 || channels > 15) return std::nullopt;
  return Space{ColourSpace::kInks, static_cast<uint32_t>(channels)};
}

Space known_space(uint32_t name, const std::string& place) {
  if (const std::optional<Space> space = space_of(name)) return *space;
  unsupported(
      place,
      fmt::format("the ICC profile is of the colour space {}; grey, RGB, CMYK, 2 to 15 inks "
                  "and CIELab are known. Take another profile",
                  signature_text(name)));
}

ProfileClass class_of(uint32_t name, const std::string& place) {
  switch (name) {
    case signature("scnr"):
      return ProfileClass::kInput;
    case signature("mntr"):
      return ProfileClass::kDisplay;
    case signature("prtr"):
      return ProfileClass::kOutput;
    case signature("spac"):
      return ProfileClass::kSpace;
    case signature("link"):
      return ProfileClass::kLink;
    case signature("nmcl"):
      unsupported(place,
                  "the ICC profile lists named colours (class 'nmcl'), which tell nothing of a "
                  "device. Take the profile of a page, a press or a link");
    case signature("abst"):
      unsupported(place,
                  "the ICC profile changes colours without a device (class 'abst'). Take the "
                  "profile of a page, a press or a link");
    default:
      unsupported(place,
                  fmt::format("the ICC profile is of the class {}, which is not known. Take the "
                              "profile of a page, a press or a link",
                              signature_text(name)));
  }
}

/// Fills in what the header says.
ProfileFacts facts_of(const ProfileHeader& header, const std::string& place) {
  ProfileFacts facts;
  facts.place = place;
  facts.kind = class_of(header.device_class, place);
  const Space space = known_space(header.space, place);
  facts.space = space.space;
  facts.channels = space.channels;
  facts.version = fmt::format("{}.{}", header.version >> 24, header.version >> 20 & 15);
  if (header.intent <= 3) facts.intent = static_cast<Intent>(header.intent);
  if (facts.kind == ProfileClass::kLink) {
    const Space output = known_space(header.pcs, place);
    facts.output_space = output.space;
    facts.output_channels = output.channels;
  } else if (header.pcs != signature("Lab ") && header.pcs != signature("XYZ ")) {
    unsupported(
        place,
        fmt::format("the ICC profile connects by the colour space {}; XYZ and Lab are known",
                    signature_text(header.pcs)));
  }
  return facts;
}

/// The text of the description, in English where it has several; without signs that no line has.
std::string description_of(void* profile) {
  std::array<char, 256> text{};
  cmsGetProfileInfoASCII(profile, cmsInfoDescription, "en", "US", text.data(), text.size());
  std::string line(text.data(), strnlen(text.data(), text.size()));
  std::erase_if(line, [](char c) { return c < ' ' || c > '~'; });
  return line;
}

std::vector<std::string> ink_names_of(void* profile,
                                      cmsTagSignature tag,
                                      uint32_t channels,
                                      const std::string& place) {
  std::vector<std::string> names;
  const auto* list = static_cast<const cmsNAMEDCOLORLIST*>(cmsReadTag(profile, tag));
  if (list == nullptr) return names;
  if (cmsNamedColorCount(list) != channels) {
    throw Error(
        ErrorKind::kData,
        fmt::format(
            "{}: the ICC profile is damaged: its tag {} names {} inks, and its header says {}",
            place,
            signature_text(tag),
            cmsNamedColorCount(list),
            channels),
        "export it again");
  }
  for (uint32_t i = 0; i < channels; ++i) {
    std::array<char, cmsMAX_PATH> name{};
    cmsNamedColorInfo(list, i, name.data(), nullptr, nullptr, nullptr, nullptr);
    names.emplace_back(name.data(), strnlen(name.data(), name.size()));
  }
  return names;
}

std::vector<std::string> ink_names_of(void* profile, const ProfileFacts& facts) {
  const bool is_link = facts.kind == ProfileClass::kLink;
  switch (is_link ? facts.output_space : facts.space) {
    case ColourSpace::kCmyk:
      return {"Cyan", "Magenta", "Yellow", "Black"};
    case ColourSpace::kInks:
      return is_link ? ink_names_of(
                           profile, cmsSigColorantTableOutTag, facts.output_channels, facts.place)
                     : ink_names_of(profile, cmsSigColorantTableTag, facts.channels, facts.place);
    default:
      return {};
  }
}

/// Whether the tag decides no colours and no names of inks, so that it need not be readable.
bool is_needless(uint32_t tag, const ProfileFacts& facts) {
  const bool is_link = facts.kind == ProfileClass::kLink;
  const ColourSpace inks = is_link ? facts.output_space : facts.space;
  const uint32_t names = is_link ? signature("clot") : signature("clrt");
  const bool is_word =
      tag == signature("desc") || tag == signature("clrt") || tag == signature("clot");
  return is_word && !(inks == ColourSpace::kInks && tag == names);
}

/// Has lcms2 look at the tags that matter, and says what it finds.
void read_tags(std::span<const std::byte> bytes, const ProfileParts& parts, ProfileFacts& facts) {
  LcmsContext lcms;
  const ProfileHandle profile = lcms.open(bytes, facts.place);
  for (const ProfileTag& tag : parts.tags) {
    if (is_needless(tag.name, facts)) continue;
    lcms.check(cmsReadTag(profile.get(), static_cast<cmsTagSignature>(tag.name)),
               fmt::format("{}: tag {}", facts.place, signature_text(tag.name)));
  }
  facts.ink_names = ink_names_of(profile.get(), facts);
  lcms.check(profile.get(), facts.place);
  LcmsContext lenient;  // an error in the description does not matter
  facts.description = description_of(lenient.open(bytes, facts.place).get());
}

/// The bytes of a profile that lcms2 has made, without the time of its making.
std::vector<std::byte> saved(const LcmsContext& lcms, const ProfileHandle& made) {
  lcms.check(made.get(), "built in");
  cmsUInt32Number size = 0;
  MZ_ASSERT(cmsSaveProfileToMem(made.get(), nullptr, &size));
  std::vector<std::byte> bytes(size);
  MZ_ASSERT(cmsSaveProfileToMem(made.get(), bytes.data(), &size));
  constexpr size_t kDate = 24, kDateBytes = 12;
  std::fill_n(bytes.begin() + kDate, kDateBytes, std::byte{0});
  return bytes;
}

bool has_tag(const Profile& profile, const char (&name)[5]) {
  const ProfileParts parts = parse_parts(profile.bytes(), profile.place());
  return std::ranges::find(parts.tags, signature(name), &ProfileTag::name) != parts.tags.end();
}

/// Colorants and curves in the place of tables.
bool has_matrix_or_curve(const Profile& profile) {
  if (profile.space() == ColourSpace::kGrey) return has_tag(profile, "kTRC");
  return profile.space() == ColourSpace::kRgb && has_tag(profile, "rXYZ") &&
         has_tag(profile, "gXYZ") && has_tag(profile, "bXYZ") && has_tag(profile, "rTRC") &&
         has_tag(profile, "gTRC") && has_tag(profile, "bTRC");
}

bool has_table_for(const Profile& output, Intent intent) {
  switch (intent) {
    case Intent::kPerceptual:
      return has_tag(output, "B2A0");
    case Intent::kSaturation:
      return has_tag(output, "B2A2");
    case Intent::kRelative:
    case Intent::kAbsolute:
      return has_tag(output, "B2A1");
  }
  return false;
}

std::string intents_of(const Profile& output) {
  std::string text;
  for (const Intent each : {Intent::kPerceptual, Intent::kRelative, Intent::kSaturation}) {
    if (!has_table_for(output, each)) continue;
    text += (text.empty() ? "" : ", ") + std::string(name_of(each));
  }
  return text.empty() ? "none" : text;
}

void refuse_too_many_inputs(const Profile& profile) {
  constexpr uint32_t kMost = 6;
  if (profile.channels() <= kMost) return;
  unsupported(profile.place(),
              fmt::format("colours of {} inks cannot be converted; up to {} can. Leave colour out "
                          "for this page, and map its inks",
                          profile.channels(),
                          kMost));
}

}  // namespace

std::string_view name_of(Intent intent) {
  constexpr std::array<std::string_view, 4> kNames = {
      "perceptual", "relative", "saturation", "absolute"};
  return kNames[static_cast<size_t>(intent)];
}

Profile::Profile(std::shared_ptr<const ProfileFacts> facts,
                 std::shared_ptr<const std::vector<std::byte>> bytes)
    : facts_(std::move(facts)), bytes_(std::move(bytes)) {}

Profile Profile::parse(std::span<const std::byte> bytes, const std::string& place) {
  const ProfileParts parts = parse_parts(bytes, place);
  ProfileFacts facts = facts_of(parts.header, place);
  const uint32_t others = facts.kind == ProfileClass::kLink ? facts.output_channels : 3;
  check_tables(bytes, parts, facts.channels, others, place);
  std::vector<std::byte> bare = bare_profile(bytes, parts);
  read_tags(bare, parts, facts);
  files::Sha256 digest;
  digest.add(bytes.data(), bytes.size());
  facts.digest = digest.hex();
  files::Xxh3 quick;
  quick.add(bytes.data(), bytes.size());
  facts.xxh3 = quick.hex128();
  return {std::make_shared<const ProfileFacts>(std::move(facts)),
          std::make_shared<const std::vector<std::byte>>(std::move(bare))};
}

Profile Profile::read(const std::string& path, files::FileSystem& files) {
  const std::string text = files::read_text(path, kMostProfileBytes, files);
  return parse(std::as_bytes(std::span(text)), path);
}

const Profile& Profile::srgb() {
  static const Profile profile = [] {
    LcmsContext lcms;
    return parse(saved(lcms, ProfileHandle(cmsCreate_sRGBProfileTHR(lcms.get()))), "sRGB");
  }();
  return profile;
}

const Profile& Profile::lab() {
  static const Profile profile = [] {
    LcmsContext lcms;
    ProfileHandle made(cmsCreateLab4ProfileTHR(lcms.get(), nullptr));
    lcms.check(made.get(), "built in");
    cmsSetDeviceClass(made.get(), cmsSigColorSpaceClass);
    cmsWriteTag(made.get(), cmsSigBToA0Tag, cmsReadTag(made.get(), cmsSigAToB0Tag));
    return parse(saved(lcms, made), "CIELab");
  }();
  return profile;
}

void check_input(const Profile& profile) {
  if (profile.kind() == ProfileClass::kLink) {
    unsupported(profile.place(),
                "this ICC profile is a device link, which has both sides of a conversion. Name it "
                "by 'link', or take the profile of a page's colours");
  }
  refuse_too_many_inputs(profile);
  if (has_matrix_or_curve(profile) || has_tag(profile, "A2B0")) return;
  unsupported(profile.place(),
              "the ICC profile does not say what its colours look like: it has neither the table "
              "A2B0 nor colorants and curves. Take another profile");
}

void check_output(const Profile& profile, Intent intent) {
  if (profile.kind() == ProfileClass::kLink) {
    unsupported(profile.place(),
                "this ICC profile is a device link, which has both sides of a conversion. Name it "
                "by 'link', or take the profile of a press");
  }
  const bool is_press = profile.kind() == ProfileClass::kOutput;
  const bool is_proof =
      profile.space() == ColourSpace::kRgb &&
      (profile.kind() == ProfileClass::kDisplay || profile.kind() == ProfileClass::kSpace);
  if (!is_press && !is_proof) {
    unsupported(profile.place(),
                "the ICC profile is not that of a press: its class is not 'prtr'. Take the profile "
                "of a press as output");
  }
  if (profile.space() == ColourSpace::kLab) {
    unsupported(profile.place(),
                "the ICC profile is of CIELab, and a press has inks. Take the profile of a press");
  }
  if (has_table_for(profile, intent) || has_matrix_or_curve(profile)) return;
  unsupported(profile.place(),
              fmt::format("the ICC profile has no table for the intent {}; it has tables for: {}. "
                          "Choose an intent that it has",
                          name_of(intent),
                          intents_of(profile)));
}

void check_link(const Profile& profile) {
  if (profile.kind() != ProfileClass::kLink) {
    unsupported(profile.place(),
                "this ICC profile is no device link: its class is not 'link'. Name it by "
                "'profile' or 'assume', or take a device link");
  }
  refuse_too_many_inputs(profile);
  const ColourSpace gives = profile.facts().output_space;
  if (gives == ColourSpace::kLab || gives == ColourSpace::kRgb) {
    unsupported(
        profile.place(),
        "the device link gives RGB or CIELab, and a press has inks. Take the link of a press");
  }
  if (has_tag(profile, "A2B0")) return;
  unsupported(profile.place(), "the device link has no table A2B0. Take another one");
}

uint32_t made_channels(const std::string& path, files::FileSystem& files) {
  constexpr size_t kClass = 12, kSpace = 16, kConnection = 20, kBytes = 24;  // ICC.1:2022, 7.2
  std::array<std::byte, kBytes> head;
  try {
    files::InputFile(path, kMostProfileBytes, files).read(0, head);
  } catch (const Error&) {
    return 0;
  }
  const auto name_at = [&](size_t at) {
    uint32_t name = 0;
    for (size_t i = at; i < at + 4; ++i) name = name << 8 | std::to_integer<uint32_t>(head[i]);
    return name;
  };
  const bool is_link = name_at(kClass) == signature("link");
  const auto space = space_of(name_at(is_link ? kConnection : kSpace));
  return space ? space->channels : 0;
}

std::optional<uint32_t> ink_named(const std::vector<std::string>& inks, std::string_view name) {
  for (uint32_t i = 0; i < inks.size(); ++i) {
    if (prepress::is_same_ink(inks[i], name)) return i;
  }
  return std::nullopt;
}

double most_ink(const Profile& output) {
  LcmsContext lcms;
  const ProfileHandle profile = lcms.open(output.bytes(), output.place());
  const double most = cmsDetectTAC(profile.get());
  lcms.check(profile.get(), output.place());
  // lcms2 counts the inks of 2CLR to 4CLR in solids, those of others in percent.
  const bool is_in_solids = output.space() == ColourSpace::kInks && output.channels() <= 4;
  return is_in_solids && most <= 4.0 ? 100.0 * most : most;
}

std::string lcms_version() {
  const int version = cmsGetEncodedCMMversion();
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace mezzo::icc
