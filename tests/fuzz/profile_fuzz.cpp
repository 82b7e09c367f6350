// ICC profiles of strangers: parsed, and made into tables in every part that they can play.

#include <algorithm>

#include "stages/icc/make_table.h"
#include "tests/fuzz/support.h"
#include "tests/stages/icc/written_profile.h"

namespace mezzo::fuzz {
namespace {

using icc::BlackMode;
using icc::Profile;

void play_all(const Profile& profile) {
  const icc::TableSettings few = {.black = BlackMode::kProfile, .grid = 3};
  passes([&] { make_link_table(profile, few); });
  passes([&] { make_table(profile, Profile::srgb(), few); });
  passes([&] { most_ink(profile); });
  for (const icc::Intent intent :
       {icc::Intent::kPerceptual, icc::Intent::kRelative, icc::Intent::kAbsolute}) {
    const icc::TableSettings settings = {
        .intent = intent, .black = BlackMode::kOnlyBlack, .ink_limit_percent = 250, .grid = 3};
    passes([&] { make_table(Profile::srgb(), profile, settings); });
    passes([&] { make_table(profile, profile, settings); });
  }
}

void put_number(Bytes& bytes, size_t at, size_t value) {
  for (size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(value >> (24 - 8 * i));
}

}  // namespace

std::vector<Bytes> seeds() {
  const auto built_in = [](const Profile& profile) {
    return Bytes(profile.bytes().begin(), profile.bytes().end());
  };
  return {test::written_profile({.grid = 3}),
          test::written_profile({.version = 4.3, .grid = 3}),
          test::written_profile({.pcs = cmsSigXYZData, .grid = 2}),
          test::written_profile({.space = cmsSigRgbData, .channels = 3, .grid = 3}),
          test::written_profile({.space = cmsSig5colorData,
                                 .channels = 5,
                                 .ink_names = {"C", "M", "Y", "K", "Gold"},
                                 .grid = 2}),
          test::written_link(cmsSigCmykData, 4),
          built_in(Profile::srgb()),
          built_in(Profile::lab())};
}

void change(Bytes& input, Random& random) {
  change_bytes(input, random);
}

void mend(Bytes& input) {
  if (input.size() < 132) return;
  put_number(input, 0, input.size());
  put_number(input, 36, 0x61637370);  // acsp
}

bool run(const Bytes& input) {
  return passes([&] { play_all(Profile::parse(input, "fuzz.icc")); });
}

}  // namespace mezzo::fuzz
