#include "stages/files/xxh3.h"

#include <gtest/gtest.h>

namespace mezzo::files {
namespace {

// Of no bytes, as the reference implementation gives them.
TEST(Xxh3, HasTheDigestsOfTheReference) {
  const Xxh3 digest;
  EXPECT_EQ(digest.hex64(), "2d06800538d394c2");
  EXPECT_EQ(digest.hex128(), "99aa06d3014798d86001c324468d497f");
}

TEST(Xxh3, DoesNotDependOnHowBytesAreCut) {
  const std::string text(3000, 'x');
  Xxh3 whole, pieces;
  whole.add(text.data(), text.size());
  for (size_t at = 0; at < text.size(); at += 7) {
    pieces.add(text.data() + at, std::min<size_t>(7, text.size() - at));
  }
  EXPECT_EQ(whole.hex64(), pieces.hex64());
  EXPECT_EQ(whole.hex128(), pieces.hex128());
  EXPECT_NE(whole.hex128(), Xxh3().hex128());
}

}  // namespace
}  // namespace mezzo::files
