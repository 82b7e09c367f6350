// What profiles say, and the names of all that is wrong with them.

#include "stages/icc/profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "kernels/base/error.h"
#include "stages/icc/make_table.h"
#include "stages/icc/profile_parts.h"
#include "tests/stages/icc/written_profile.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::profile_test {
namespace {

using icc::ColourSpace;
using icc::Profile;

Profile parsed(const ProfileBytes& bytes) {
  return Profile::parse(bytes, "press.icc");
}

TEST(Profile, TellsByItsHeaderAloneWhatItMakes) {
  const TempFolder folder;
  const auto made = [&](const ProfileBytes& bytes) {
    std::ofstream(folder / "a.icc", std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<long>(bytes.size()));
    return icc::made_channels(folder / "a.icc", files::FileSystem::real());
  };
  EXPECT_EQ(made(written_profile({})), 4U);
  EXPECT_EQ(made(written_profile({.space = cmsSig7colorData, .channels = 7, .grid = 2})), 7U);
  EXPECT_EQ(made(written_link(cmsSigRgbData, 3)), 3U);
  EXPECT_EQ(made(ProfileBytes(23)), 0U);
  EXPECT_EQ(made(ProfileBytes(128)), 0U);
  EXPECT_EQ(icc::made_channels(folder / "none.icc", files::FileSystem::real()), 0U);
}

TEST(Profile, SaysWhatItIs) {
  const Profile press = parsed(written_profile({}));
  EXPECT_EQ(press.kind(), icc::ProfileClass::kOutput);
  EXPECT_EQ(press.space(), ColourSpace::kCmyk);
  EXPECT_EQ(press.channels(), 4U);
  EXPECT_EQ(press.facts().version, "2.1");
  EXPECT_EQ(press.facts().description, "a made-up press");
  EXPECT_EQ(press.facts().ink_names,
            (std::vector<std::string>{"Cyan", "Magenta", "Yellow", "Black"}));
  EXPECT_EQ(press.digest().size(), 64U);
  EXPECT_EQ(press.place(), "press.icc");
}

TEST(Profile, NamesTheInksThatItHasAndNoOthers) {
  ProfileSpec spec = {.space = cmsSig5colorData, .channels = 5};
  EXPECT_TRUE(parsed(written_profile(spec)).facts().ink_names.empty());
  spec.ink_names = {"Cyan", "Magenta", "Yellow", "Orange", "Black"};
  const Profile press = parsed(written_profile(spec));
  EXPECT_EQ(press.space(), ColourSpace::kInks);
  EXPECT_EQ(press.channels(), 5U);
  EXPECT_EQ(press.facts().ink_names, spec.ink_names);
}

TEST(Profile, HasADigestOfAllItsBytes) {
  ProfileBytes bytes = written_profile({});
  const std::string digest = parsed(bytes).digest();
  EXPECT_EQ(parsed(bytes).digest(), digest);
  bytes[100] ^= std::byte{1};  // reserved
  EXPECT_NE(parsed(bytes).digest(), digest);
}

/// A profile with bytes behind its tags. Two words among them make XXH3 multiply by zero: in each block of
/// 1,024 bytes it multiplies the halves of a word after XOR with its secret, b8 fe 6c 39 ... for the
/// first word, 7c 01 81 2c ... for that of the next 64 bytes. The upper halves are only added up.
Profile forged(uint8_t first, uint8_t second) {
  ProfileBytes bytes = written_profile({});
  const size_t block = (bytes.size() / 1024 + 1) * 1024;
  bytes.resize(block + 2048);
  const auto put = [&](size_t at, std::initializer_list<uint8_t> values) {
    for (const uint8_t value : values) bytes[at++] = std::byte{value};
  };
  const auto size = static_cast<uint32_t>(bytes.size());
  put(0,
      {static_cast<uint8_t>(size >> 24),
       static_cast<uint8_t>(size >> 16),
       static_cast<uint8_t>(size >> 8),
       static_cast<uint8_t>(size)});
  put(block, {0xb8, 0xfe, 0x6c, 0x39, first});
  put(block + 64, {0x7c, 0x01, 0x81, 0x2c, second});
  return parsed(bytes);
}

TEST(Profile, CannotHaveTheDigestOfAnother) {
  const Profile honest = forged(5, 7), other = forged(7, 5);
  EXPECT_EQ(honest.facts().xxh3, other.facts().xxh3) << "else this test shows nothing";
  EXPECT_NE(honest.digest(), other.digest());
  EXPECT_EQ(icc::old_table_key(honest, nullptr, {}), icc::old_table_key(other, nullptr, {}));
  EXPECT_NE(icc::table_key(honest, nullptr, {}), icc::table_key(other, nullptr, {}));
  EXPECT_NE(icc::cache_key(honest, nullptr, {}), icc::cache_key(other, nullptr, {}));
}

TEST(Profile, IsReadFromAFile) {
  const TempFolder folder;
  const std::string path = folder / "press.icc";
  const ProfileBytes bytes = written_profile({});
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<long>(bytes.size()));
  EXPECT_EQ(Profile::read(path).digest(), parsed(bytes).digest());
  EXPECT_EQ(Profile::read(path).place(), path);
  EXPECT_THROW(Profile::read(folder / "other.icc"), Error);
}

TEST(Profile, IsBuiltInForScreensAndCieLab) {
  EXPECT_EQ(Profile::srgb().space(), ColourSpace::kRgb);
  EXPECT_EQ(Profile::srgb().kind(), icc::ProfileClass::kDisplay);
  EXPECT_EQ(Profile::lab().space(), ColourSpace::kLab);
  // Of no time: whatever day it is made.
  EXPECT_EQ(Profile::srgb().facts().xxh3, "8c8da8eb4e695ede06edf0093fdf8756");
  EXPECT_EQ(Profile::lab().facts().xxh3, "68578597979f0e87452730ce887f4c4e");
}

TEST(Profile, KnowsHowMuchInkAPressGets) {
  EXPECT_NEAR(icc::most_ink(parsed(written_profile({}))), 400.0, 0.1);
  const ProfileSpec three = {.space = cmsSig3colorData, .channels = 3};
  EXPECT_NEAR(icc::most_ink(parsed(written_profile(three))), 300.0, 0.1);
}

TEST(Profile, IsGivenToLcmsWithoutTagsOfFloatingPoint) {
  ProfileBytes bytes = written_profile({});
  const icc::ProfileParts parts = icc::parse_parts(bytes, "press.icc");
  EXPECT_EQ(parts.tags.size(), 6U);
  // The first of the tags in the list becomes D2B0, of which nothing is read.
  constexpr std::array<std::byte, 4> kName = {
      std::byte{'D'}, std::byte{'2'}, std::byte{'B'}, std::byte{'0'}};
  std::ranges::copy(kName, bytes.begin() + 132);
  const Profile profile = parsed(bytes);
  EXPECT_EQ(icc::parse_parts(profile.bytes(), "press.icc").tags.size(), 5U);
}

/// The bytes of a profile with some of them changed.
class Broken {
 public:
  explicit Broken(ProfileBytes bytes) : bytes_(std::move(bytes)) {}
  Broken() : Broken(written_profile({})) {}

  Broken& put(size_t at, uint32_t value, size_t size = 4) {
    for (size_t i = 0; i < size; ++i) {
      bytes_[at + i] = static_cast<std::byte>(value >> (8 * (size - 1 - i)));
    }
    return *this;
  }
  Broken& put(size_t at, const char (&name)[5]) { return put(at, icc::signature(name)); }
  Broken& cut(size_t bytes) {
    bytes_.resize(bytes);
    return *this;
  }

  /// The place of a tag's entry in the list: name, offset, size.
  size_t entry(const char (&name)[5]) const {
    for (size_t at = 132; at < 132 + 12 * size_t{100}; at += 12) {
      if (number(at) == icc::signature(name)) return at;
    }
    return 0;
  }
  size_t offset(const char (&name)[5]) const { return number(entry(name) + 4); }
  size_t size() const { return bytes_.size(); }
  uint32_t number(size_t at) const {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | std::to_integer<uint32_t>(bytes_[at + i]);
    return value;
  }
  const ProfileBytes& bytes() const { return bytes_; }

 private:
  ProfileBytes bytes_;
};

TEST(Profile, MayHaveMoreBytesThanItsHeaderSays) {
  const Broken good;
  for (const uint32_t less : {2U, 52U, 5000U}) {
    const Broken broken = Broken().put(0, static_cast<uint32_t>(good.size()) - less);
    const Profile profile = parsed(broken.bytes());
    EXPECT_EQ(profile.facts().description, "a made-up press");
    EXPECT_EQ(profile.bytes().size(), good.size());
    EXPECT_TRUE(std::ranges::equal(profile.bytes(), parsed(good.bytes()).bytes()))
        << "lcms2 is told the true size";
  }
  const Broken padded = Broken().cut(good.size() + 50);
  EXPECT_EQ(parsed(padded.bytes()).facts().description, "a made-up press");
}

TEST(Profile, NeedsNoDescription) {
  const Broken good;
  const size_t entry = good.entry("desc");
  for (const Broken& broken : {Broken().put(entry + 4, 0x7FFFFFF0),
                               Broken().put(entry + 8, 4),
                               Broken().put(good.offset("desc"), "text"),
                               Broken().put(good.offset("desc"), "none")}) {
    EXPECT_NO_THROW(parsed(broken.bytes()));
  }
}

TEST(Profile, NeedsTheNamesOfInksThatItLists) {
  const Broken good(
      written_profile({.space = cmsSig5colorData,
                       .channels = 5,
                       .ink_names = {"Cyan", "Magenta", "Yellow", "Orange", "Black"}}));
  const size_t list = good.offset("clrt");
  const auto refusal = [](const Broken& broken) {
    try {
      (void)parsed(broken.bytes());
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal(good), "");
  EXPECT_NE(refusal(Broken(good).put(list + 8, 4))
                .find("its tag 'clrt' names 4 inks, and its header "
                      "says 5"),
            std::string::npos);
  EXPECT_NE(refusal(Broken(good).put(list, "text")).find("tag 'clrt'"), std::string::npos);
  EXPECT_NE(refusal(Broken(good).put(list + 8, 1000)).find("tag 'clrt'"), std::string::npos);
}

/// What a profile plays in a table.
enum class Part { kAny, kInput, kOutput, kLink };

struct BrokenCase {
  const char* name;
  Broken profile;
  ErrorKind kind;
  const char* finding;  ///< of the message, after the place
  Part part = Part::kAny;
};

const ErrorKind kData = ErrorKind::kData, kUnsupported = ErrorKind::kUnsupported;

/// A profile of version 4 whose table A2B0 has the curves of A2B1.
Broken with_curves_of_another() {
  const Broken good(written_profile({.version = 4.2}));
  const auto table = static_cast<uint32_t>(good.offset("A2B0"));
  const auto other = static_cast<uint32_t>(good.offset("A2B1"));
  EXPECT_EQ(good.number(table), icc::signature("mAB "));
  EXPECT_GT(other, table);
  return Broken(good).put(table + 28, other + good.number(other + 28) - table);
}

std::vector<BrokenCase> damaged_cases() {
  const Broken good;
  const size_t table = good.offset("A2B0"), entry = good.entry("A2B0");
  const Broken screen(ProfileBytes(Profile::srgb().bytes().begin(), Profile::srgb().bytes().end()));
  return {
      {"empty", Broken(ProfileBytes()), kData, "it has 0 bytes, and its header alone 132"},
      {"header_cut", Broken().cut(127), kData, "it has 127 bytes, and its header alone 132"},
      {"no_profile",
       Broken().put(36, "JFIF"),
       kData,
       "this is no ICC profile: its bytes 36 to 39 are 'JFIF'"},
      {"cut", Broken().cut(5000), kData, "it is cut off: 5000 of its"},
      {"shorter_than_a_tag", Broken().cut(9000).put(0, 9000), kData, "its tag '"},
      {"many_tags",
       Broken().put(128, 4000000000U),
       kData,
       "its list of 4000000000 tags is cut off"},
      {"list_cut", Broken().cut(180).put(0, 180), kData, "its list of 6 tags is cut off"},
      {"tag_outside", Broken().put(entry + 4, 0x7FFFFFF0), kData, "its tag 'A2B0' has"},
      {"tag_too_long",
       Broken().put(entry + 8, 0xFFFFFFFF),
       kData,
       "its tag 'A2B0' has 4294967295 bytes"},
      {"tag_in_the_list", Broken().put(entry + 4, 132), kData, "its tag 'A2B0' has"},
      {"tag_twice", Broken().put(good.entry("A2B1"), "A2B0"), kData, "it has two tags 'A2B0'"},
      {"table_of_text", Broken().put(table, "text"), kData, "its table 'A2B0' is of type 'text'"},
      {"table_cut",
       Broken().put(entry + 8, 600),
       kData,
       "its table 'A2B0' has 600 bytes, and would need"},
      {"table_in_its_head",
       Broken().put(entry + 8, 20),
       kData,
       "its table 'A2B0' has 20 bytes, and would need 52"},
      {"curves_of_another_table", with_curves_of_another(), kData, "and would need"},
      {"inputs_lie",
       Broken().put(table + 8, 3, 1),
       kData,
       "its table 'A2B0' makes 3 channels of 3, and its header says 3 of 4"},
      {"outputs_lie",
       Broken().put(table + 9, 2, 1),
       kData,
       "its table 'A2B0' makes 2 channels of 4, and its header says 3 of 4"},
      {"space_lies",
       Broken().put(16, "RGB "),
       kData,
       "its table 'A2B0' makes 3 channels of 4, and its header says 3 of 3"},
      {"huge_grid",
       Broken().put(table + 10, 255, 1),
       ErrorKind::kLimit,
       "the tables of the ICC profile have more than 16777216 values"},
      {"no_grid", Broken().put(table + 10, 1, 1), kData, "lcms2 cannot use the ICC profile"},
      {"curve_of_one_value",
       Broken().put(table + 48, 1, 2),
       kData,
       "lcms2 cannot use the ICC profile"},
      {"curve_unknown",
       Broken(screen).put(screen.offset("rTRC") + 8, 9, 2),
       kData,
       "tag 'rTRC': lcms2 cannot use the ICC profile: Unknown parametric curve type"},
      {"colorant_of_text",
       Broken(screen).put(screen.offset("gXYZ"), "text"),
       kData,
       "tag 'gXYZ': lcms2 cannot use the ICC profile"},
      {"white_of_text",
       Broken().put(good.offset("wtpt"), "text"),
       kData,
       "tag 'wtpt': lcms2 cannot use the ICC profile"},
  };
}

std::vector<BrokenCase> wrong_cases() {
  using Bytes = ProfileBytes;
  const Bytes rgb = written_profile({.space = cmsSigRgbData, .channels = 3});
  const Bytes lab = written_profile({.space = cmsSigLabData, .channels = 3});
  const Bytes seven = written_profile({.space = cmsSig7colorData, .channels = 7, .grid = 2});
  const Bytes one_way = written_profile({.has_from_pcs = false});
  const Bytes other_way = written_profile({.has_to_pcs = false});
  const Bytes link = written_link(cmsSigCmykData, 4);
  const Bytes too_large(icc::kMostProfileBytes + 1);
  return {
      {"too_large", Broken(too_large), ErrorKind::kLimit, "the ICC profile has 16777217 bytes"},
      {"version_5", Broken().put(8, 0x05000000), kUnsupported, "the ICC profile is of version 5.0"},
      {"version_4_5",
       Broken().put(8, 0x04500000),
       kUnsupported,
       "the ICC profile is of version 4.5"},
      {"version_1", Broken().put(8, 0x01000000), kUnsupported, "the ICC profile is of version 1.0"},
      {"named_colours",
       Broken().put(12, "nmcl"),
       kUnsupported,
       "the ICC profile lists named colours"},
      {"abstract",
       Broken().put(12, "abst"),
       kUnsupported,
       "the ICC profile changes colours without a device"},
      {"class_unknown",
       Broken().put(12, "cenc"),
       kUnsupported,
       "the ICC profile is of the class 'cenc'"},
      {"space_unknown",
       Broken().put(16, "HSV "),
       kUnsupported,
       "the ICC profile is of the colour space 'HSV '"},
      {"space_of_no_letters",
       Broken().put(16, 1),
       kUnsupported,
       "the ICC profile is of the colour space 0x00000001"},
      {"connection_unknown",
       Broken().put(20, "Luv "),
       kUnsupported,
       "the ICC profile connects by the colour space 'Luv '"},
      {"looks_like_nothing",
       Broken(other_way),
       kUnsupported,
       "the ICC profile does not say what its colours look like",
       Part::kInput},
      {"link_as_input",
       Broken(link),
       kUnsupported,
       "this ICC profile is a device link",
       Part::kInput},
      {"seven_inks_as_input",
       Broken(seven),
       kUnsupported,
       "colours of 7 inks cannot be converted",
       Part::kInput},
      {"cannot_print",
       Broken(one_way),
       kUnsupported,
       "the ICC profile has no table for the intent saturation; it has tables for: none",
       Part::kOutput},
      {"intent_missing",
       Broken(),
       kUnsupported,
       "the ICC profile has no table for the intent saturation; it has tables for: perceptual, "
       "relative",
       Part::kOutput},
      {"scanner_as_output",
       Broken(rgb).put(12, "scnr"),
       kUnsupported,
       "the ICC profile is not that of a press",
       Part::kOutput},
      {"display_of_cmyk",
       Broken().put(12, "mntr"),
       kUnsupported,
       "the ICC profile is not that of a press",
       Part::kOutput},
      {"lab_as_output",
       Broken(lab),
       kUnsupported,
       "the ICC profile is of CIELab, and a press has inks",
       Part::kOutput},
      {"link_as_output",
       Broken(link),
       kUnsupported,
       "this ICC profile is a device link",
       Part::kOutput},
      {"press_as_link", Broken(), kUnsupported, "this ICC profile is no device link", Part::kLink},
      {"link_to_screens",
       Broken(written_link(cmsSigRgbData, 3)),
       kUnsupported,
       "the device link gives RGB or CIELab",
       Part::kLink},
      {"link_without_table",
       Broken(link).put(132, "xxxx"),
       kUnsupported,
       "the device link has no table A2B0",
       Part::kLink},
  };
}

void PrintTo(const BrokenCase& each, std::ostream* out) {
  *out << each.name;
}

class BrokenProfiles : public ::testing::TestWithParam<BrokenCase> {};

void play(const Profile& profile, Part part) {
  switch (part) {
    case Part::kAny:
      break;
    case Part::kInput:
      return check_input(profile);
    case Part::kOutput:
      return check_output(profile, icc::Intent::kSaturation);
    case Part::kLink:
      return check_link(profile);
  }
}

TEST_P(BrokenProfiles, AreRefusedByName) {
  const BrokenCase& each = GetParam();
  try {
    play(parsed(each.profile.bytes()), each.part);
    FAIL() << "taken";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(error.kind(), each.kind) << text;
    EXPECT_TRUE(text.starts_with("press.icc: ")) << text;
    EXPECT_NE(text.find(each.finding), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

std::string name_of_case(const ::testing::TestParamInfo<BrokenCase>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Damaged,
                         BrokenProfiles,
                         ::testing::ValuesIn(damaged_cases()),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(Wrong, BrokenProfiles, ::testing::ValuesIn(wrong_cases()), name_of_case);

}  // namespace
}  // namespace mezzo::test::profile_test
