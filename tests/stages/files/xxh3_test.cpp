#include "stages/files/xxh3.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <random>
#include <vector>

namespace mezzo::files::xxh3_test {
namespace {

// Of no bytes, as the reference implementation gives them.
TEST(Xxh3, HasTheDigestsOfTheReference) {
  const Xxh3 digest;
  EXPECT_EQ(digest.hex64(), "2d06800538d394c2");
  EXPECT_EQ(digest.hex128(), "99aa06d3014798d86001c324468d497f");
}

// xxhash.h alone means the loops in SSE2, of all bytes at once.
TEST(Xxh3, HasTheReferencesDigestOfAnyNumberOfBytes) {
  std::mt19937 random(1);
  std::vector<uint8_t> bytes(100'003);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  for (const size_t count : {1U,
                             16U,
                             17U,
                             128U,
                             240U,
                             241U,
                             256U,
                             257U,
                             1023U,
                             1024U,
                             1025U,
                             4097U,
                             65'536U,
                             100'003U}) {
    Xxh3 digest;
    for (size_t at = 0; at < count;) {
      const size_t piece = std::min<size_t>(count - at, 1 + random() % 5000);
      digest.add(bytes.data() + at, piece);
      at += piece;
    }
    EXPECT_EQ(digest.value64(), XXH3_64bits(bytes.data(), count)) << count;
    const XXH128_hash_t both = XXH3_128bits(bytes.data(), count);
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, both);
    std::string hex;
    for (const unsigned char byte : canonical.digest) {
      hex += "0123456789abcdef"[byte >> 4];
      hex += "0123456789abcdef"[byte & 15];
    }
    EXPECT_EQ(digest.hex128(), hex) << count;
  }
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
}  // namespace mezzo::files::xxh3_test
