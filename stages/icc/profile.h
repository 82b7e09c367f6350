// ICC profiles: what a device's colours look like.
//
// A profile comes with a page or from a shop's disk, and either may be damaged or hostile. It is
// looked through before lcms2 sees it (profile_parts.h), lcms2 gets only the tags that tables need,
// and any error that lcms2 reports refuses the profile by its text. The tags D2B and B2D of floating
// point, which programs may leave aside, are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stages/files/file_system.h"

namespace mezzo::icc {

/// The devices of profiles that are used: scnr, mntr, prtr, spac, link.
enum class ProfileClass { kInput, kDisplay, kOutput, kSpace, kLink };

enum class ColourSpace {
  kGrey,  ///< 0 is black
  kRgb,   ///< 0 is black
  kCmyk,  ///< 0 is no ink
  kLab,
  kInks,  ///< 2CLR to FCLR, and CMY; 0 is no ink
};

/// Of the ICC, with its numbers.
enum class Intent : uint32_t { kPerceptual, kRelative, kSaturation, kAbsolute };

/// "perceptual", "relative", "saturation", "absolute".
std::string_view name_of(Intent intent);

/// What a profile says of itself.
struct ProfileFacts {
  std::string place;  ///< as messages name it
  ProfileClass kind = ProfileClass::kInput;
  ColourSpace space = ColourSpace::kRgb;  ///< of the device; what a link takes
  uint32_t channels = 0;
  ColourSpace output_space = ColourSpace::kLab;  ///< what a link gives
  uint32_t output_channels = 0;                  ///< of a link; 0 for others
  std::string version;                           ///< "2.1", "4.4"
  std::string description;                       ///< may be empty
  /// Of the device, of a link's output; empty where inks have no names in the profile. Grey and RGB
  /// have none.
  std::vector<std::string> ink_names;
  Intent intent = Intent::kPerceptual;  ///< that a link was made for
  std::string digest;                   ///< 64 hexadecimal digits of SHA-256 over all its bytes
  std::string xxh3;                     ///< 32 of XXH3-128, which a stranger can forge
};

/// An immutable profile; copies share its bytes.
class Profile {
 public:
  /// `place` names the profile in messages: a path, or "page.tif: its profile". Throws Error: kData
  /// for a damaged profile, kUnsupported for one that colour is not made with, kLimit for one that is
  /// too large.
  static Profile parse(std::span<const std::byte> bytes, const std::string& place);

  /// Of a file. Throws as parse(), and kMissing, kIo.
  static Profile read(const std::string& path,
                      files::FileSystem& files = files::FileSystem::real());

  /// sRGB (IEC 61966-2-1), built in.
  static const Profile& srgb();

  /// CIELab of the D50 illuminant, for pages that are CIELab and have no profile.
  static const Profile& lab();

  const ProfileFacts& facts() const { return *facts_; }
  const std::string& place() const { return facts_->place; }
  const std::string& digest() const { return facts_->digest; }
  ProfileClass kind() const { return facts_->kind; }
  ColourSpace space() const { return facts_->space; }
  uint32_t channels() const { return facts_->channels; }

  /// What lcms2 is given: the profile, with those tags alone that tables are made of.
  std::span<const std::byte> bytes() const { return *bytes_; }

 private:
  Profile(std::shared_ptr<const ProfileFacts> facts,
          std::shared_ptr<const std::vector<std::byte>> bytes);

  std::shared_ptr<const ProfileFacts> facts_;
  std::shared_ptr<const std::vector<std::byte>> bytes_;
};

/// Throw Error(kUnsupported) for a profile that cannot play a part: of a page's colours; of a press,
/// or of a proof in RGB, for an intent; of a device link.
void check_input(const Profile& profile);
void check_output(const Profile& profile, Intent intent);
void check_link(const Profile& profile);

/// Channels of the colours that a profile of a press or a device link makes, by its header alone; 0 where
/// that tells nothing. Throws no Error.
uint32_t made_channels(const std::string& path, files::FileSystem& files);

/// Where a list of inks has this one, by any of its names (kernels/prepress/ink_key.h).
std::optional<uint32_t> ink_named(const std::vector<std::string>& inks, std::string_view name);

/// The most ink that an output profile ever asks for, in percent of one solid: 299.4 for Ghostscript's
/// CMYK. 0 where it is not known. Throws Error(kData).
double most_ink(const Profile& output);

/// Of lcms2, "2.14".
std::string lcms_version();

}  // namespace mezzo::icc
