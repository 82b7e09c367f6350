// The tags of a directory by our own reader: what is absent, what is read, and what is refused by name.
#include "stages/tiff/tags.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "kernels/base/error.h"

namespace mezzo::test::tags_test {
namespace {

/// A file in memory.
class Memory final : public files::ByteStore {
 public:
  uint64_t size() const noexcept override { return bytes.size(); }
  size_t read_at(uint64_t offset,
                 std::span<std::byte> to,
                 int& error_number) const noexcept override {
    error_number = 0;
    read_bytes += to.size();
    if (offset >= bytes.size()) return 0;
    const size_t got = std::min<uint64_t>(to.size(), bytes.size() - offset);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), got, to.begin());
    return got;
  }

  std::vector<std::byte> bytes;
  mutable uint64_t read_bytes = 0;
};

/// An entry, and the number in its field: a value of the type's width, or an offset.
struct Entry {
  uint16_t tag = 0, type = 0;
  uint64_t count = 0, field = 0;
  size_t field_bytes = 0;  ///< 0: a whole word
};

constexpr uint64_t kDirectory = 16;

/// A file with this directory at kDirectory, and so many bytes behind it that count up from 1.
Memory file_with(tiff::FileFormat format, const std::vector<Entry>& entries, size_t behind = 0) {
  Memory file;
  file.bytes.resize(kDirectory);
  const auto append = [&](size_t width, uint64_t value) {
    file.bytes.resize(file.bytes.size() + width);
    format.put(std::span(file.bytes).last(width), value);
  };
  append(format.count_bytes(), entries.size());
  for (const Entry& entry : entries) {
    append(2, entry.tag);
    append(2, entry.type);
    append(format.word_bytes(), entry.count);
    const size_t width = entry.field_bytes == 0 ? format.word_bytes() : entry.field_bytes;
    append(width, entry.field);
    file.bytes.resize(file.bytes.size() + format.word_bytes() - width);
  }
  append(format.word_bytes(), 1234);
  for (size_t i = 1; i <= behind; ++i) file.bytes.push_back(static_cast<std::byte>(i & 0xFF));
  return file;
}

std::string refusal_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.finding();
  }
  return "read";
}

constexpr tiff::FileFormat kFormats[] = {
    {false, false}, {false, true}, {true, false}, {true, true}};

/// The offset behind a directory of so many entries.
uint64_t behind(tiff::FileFormat format, size_t entries) {
  return kDirectory + format.count_bytes() + entries * format.entry_bytes() + format.word_bytes();
}

TEST(Tags, ReadsWholeNumbersOfAnyType) {
  for (const tiff::FileFormat format : kFormats) {
    const Memory file = file_with(format,
                                  {{256, 1, 1, 200, 1},
                                   {257, 3, 1, 40'000, 2},
                                   {258, 4, 1, 3'000'000'000, 4},
                                   {259, 3, 1, 5, 2},
                                   {262, 13, 1, 6, 4}});
    const tiff::Tags tags(file, format, kDirectory, "a.tif", "directory 1");
    EXPECT_EQ(tags.number(256), 200U);
    EXPECT_EQ(tags.number(257), 40'000U);
    EXPECT_EQ(tags.number(258), 3'000'000'000U);
    EXPECT_EQ(tags.number(259), 5U);
    EXPECT_EQ(tags.number(262), 6U);
    EXPECT_EQ(tags.number(263), std::nullopt);
    EXPECT_EQ(tags.number_or(263, 9), 9U);
    EXPECT_EQ(tags.next_offset(), 1234U);
    EXPECT_TRUE(tags.broken().empty());
  }
}

TEST(Tags, ReadsNumbersBehindTheDirectory) {
  for (const tiff::FileFormat format : kFormats) {
    const Memory file = file_with(format, {{320, 1, 9, behind(format, 1)}}, 9);
    const tiff::Tags tags(file, format, kDirectory, "a.tif", "directory 1");
    EXPECT_EQ(tags.numbers(320, 9), (std::vector<uint64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(refusal_of([&] { tags.numbers(320, 8); }),
              "a.tif: tag ColorMap has 9 values, expected at most 8");
  }
}

/// The same values, with a file that has fewer and fewer bytes of them.
TEST(Tags, RefusesValuesThatAreCut) {
  for (const tiff::FileFormat format : kFormats) {
    for (size_t there = 0; there < 18; ++there) {
      const Memory file = file_with(
          format, {{320, 3, 9, behind(format, 2)}, {333, 2, 18, behind(format, 2)}}, there);
      const tiff::Tags tags(file, format, kDirectory, "a.tif", "directory 1");
      const std::string at = " values at byte " + std::to_string(behind(format, 2)) +
                             ", outside of the file's data (" + std::to_string(file.size()) +
                             " bytes): it is truncated or damaged";
      EXPECT_EQ(refusal_of([&] { tags.numbers(320, 9); }), "a.tif: tag ColorMap has 9" + at);
      EXPECT_EQ(refusal_of([&] { tags.bytes(333); }), "a.tif: tag InkNames has 18" + at);
      EXPECT_EQ(refusal_of([&] { tags.byte_count(333); }), "a.tif: tag InkNames has 18" + at);
      EXPECT_EQ(refusal_of([&] { tiff::TagNumbers(tags, 320, 9); }),
                "a.tif: tag ColorMap has 9" + at);
      EXPECT_EQ(tags.text_if_readable(333), "");
      EXPECT_EQ(tags.broken(), (std::vector<uint16_t>{320, 333}));
    }
    const Memory whole = file_with(format, {{320, 3, 9, behind(format, 1)}}, 18);
    EXPECT_EQ(tiff::Tags(whole, format, kDirectory, "a.tif", "directory 1").numbers(320, 9).size(),
              9U);
  }
}

TEST(Tags, RefusesOffsetsBeyondAnyFile) {
  const tiff::FileFormat format{.is_big_tiff = true};
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  const Memory file =
      file_with(format, {{320, 3, most, 16}, {336, 3, 9, most - 4}, {258, 3, 9, 8}});
  const tiff::Tags tags(file, format, kDirectory, "a.tif", "directory 1");
  EXPECT_NE(refusal_of([&] { tags.numbers(320, most); }).find("outside of the file's data"),
            std::string::npos);
  EXPECT_NE(refusal_of([&] { tags.numbers(336, 9); }).find("outside of the file's data"),
            std::string::npos);
  EXPECT_NE(refusal_of([&] { tags.numbers(258, 9); }).find("outside of the file's data"),
            std::string::npos)
      << "in the header";
}

TEST(Tags, RefusesOtherCountsAndTypes) {
  const tiff::FileFormat format;
  const Memory file = file_with(format,
                                {{256, 3, 2, 0},
                                 {257, 3, 0, 0},
                                 {258, 2, 1, 0},
                                 {259, 99, 1, 0},
                                 {262, 8, 1, 0xFFFF, 2},
                                 {266, 16, 1, 0},
                                 {274, 11, 1, 0},
                                 {282, 2, 4, 0},
                                 {333, 3, 1, 0},
                                 {338, 0, 1, 0}});
  const tiff::Tags tags(file, format, kDirectory, "a.tif", "directory 1");
  const auto refusal = [&](uint16_t tag) { return refusal_of([&] { tags.number(tag); }); };
  EXPECT_EQ(refusal(256), "a.tif: tag ImageWidth has 2 values, expected 1");
  EXPECT_EQ(refusal(257), "a.tif: tag ImageLength has no value");
  EXPECT_EQ(refusal(258),
            "a.tif: tag BitsPerSample has values of type 2 (ASCII), expected whole numbers (BYTE, "
            "SHORT, LONG)");
  EXPECT_EQ(refusal(259),
            "a.tif: tag Compression has values of type 99 (unknown), expected whole numbers (BYTE, "
            "SHORT, LONG)");
  EXPECT_EQ(refusal(262),
            "a.tif: tag PhotometricInterpretation has values of type 8 (SSHORT), expected whole "
            "numbers (BYTE, SHORT, LONG)");
  EXPECT_EQ(refusal(266),
            "a.tif: tag FillOrder has values of type 16 (unknown), expected whole numbers (BYTE, "
            "SHORT, LONG)")
      << "a type of BigTIFF";
  EXPECT_EQ(refusal(274),
            "a.tif: tag Orientation has values of type 11 (FLOAT), expected whole numbers (BYTE, "
            "SHORT, LONG)");
  EXPECT_EQ(refusal_of([&] { tags.fraction(282); }),
            "a.tif: tag XResolution has values of type 2 (ASCII), expected fractions (RATIONAL)");
  EXPECT_EQ(refusal_of([&] { tags.bytes(333); }),
            "a.tif: tag InkNames has values of type 3 (SHORT), expected bytes");
  EXPECT_EQ(refusal(338),
            "a.tif: tag ExtraSamples has values of type 0 (unknown), expected whole numbers (BYTE, "
            "SHORT, LONG)");
  EXPECT_EQ(tags.broken(), (std::vector<uint16_t>{257, 259, 266, 338}));
}

TEST(Tags, RefusesOneThatIsThereTwice) {
  const tiff::FileFormat format;
  const Memory file = file_with(
      format, {{256, 3, 1, 5, 2}, {256, 3, 1, 6, 2}, {257, 3, 1, 7, 2}, {257, 3, 1, 7, 2}});
  const tiff::Tags tags(file, format, kDirectory, "a.tif", "directory 1");
  EXPECT_EQ(refusal_of([&] { tags.number(256); }),
            "a.tif: tag ImageWidth is there twice, with two entries that differ");
  EXPECT_EQ(tags.number(257), 7U);
}

TEST(Tags, ReadsFractionsAsTheyAreMeant) {
  for (const tiff::FileFormat format : kFormats) {
    // A fraction fits into the field of a BigTIFF alone; elsewhere it lies behind the directory.
    Memory file = file_with(format, {{282, 5, 1, behind(format, 2)}, {283, 11, 1, 0}}, 8);
    const std::span<std::byte> at = format.is_big_tiff
                                        ? std::span(file.bytes).subspan(kDirectory + 8 + 12, 8)
                                        : std::span(file.bytes).last(8);
    format.put(at.first(4), 3'000'000);
    format.put(at.last(4), 10'000);
    const tiff::Tags tags(file, format, kDirectory, "a.tif", "directory 1");
    EXPECT_EQ(tags.fraction(282), 300.0F);
    EXPECT_EQ(tags.fraction(285), std::nullopt);
    EXPECT_EQ(
        refusal_of([&] { tags.fraction(283); }),
        "a.tif: tag YResolution has values of type 11 (FLOAT), expected fractions (RATIONAL)");
    format.put(at.last(4), 0);
    const auto ratio_now = [&] {
      return tiff::Tags(file, format, kDirectory, "a.tif", "directory 1").fraction(282);
    };
    EXPECT_TRUE(std::isinf(ratio_now().value()));
    format.put(at.first(4), 0);
    EXPECT_EQ(ratio_now(), 0.0F);
  }
}

TEST(Tags, ReadsTextsUpToTheirEnd) {
  const tiff::FileFormat format;
  Memory file = file_with(format, {{269, 2, 6, behind(format, 2)}, {270, 2, 3, 0}}, 6);
  const std::string text("abc\0de", 6);
  std::ranges::transform(text, file.bytes.end() - 6, [](char c) { return std::byte(c); });
  const tiff::Tags tags(file, format, kDirectory, "a.tif", "directory 1");
  EXPECT_EQ(tags.text(269), "abc");
  EXPECT_EQ(tags.text_if_readable(269), "abc");
  EXPECT_EQ(tags.bytes(269).size(), 6U);
  EXPECT_EQ(tags.text(270), "");
  EXPECT_EQ(tags.text(271), "");
}

TEST(TagNumbers, AreReadPieceByPiece) {
  for (const tiff::FileFormat format : kFormats) {
    constexpr uint64_t kCount = 100'000;
    Memory file = file_with(format, {{273, 4, kCount, behind(format, 1)}}, kCount * 4);
    for (uint64_t i = 0; i < kCount; ++i) {
      format.put(std::span(file.bytes).subspan(behind(format, 1) + i * 4, 4), i * 7);
    }
    const tiff::Tags tags(file, format, kDirectory, "a.tif", "directory 1");
    tiff::TagNumbers numbers(tags, 273, kCount);
    file.read_bytes = 0;
    for (uint64_t i = 0; i < kCount; ++i) ASSERT_EQ(numbers.at(i), i * 7);
    EXPECT_EQ(file.read_bytes, kCount * 4);
    EXPECT_EQ(numbers.at(3), 21U) << "an earlier one";
    EXPECT_EQ(refusal_of([&] { tiff::TagNumbers(tags, 273, kCount + 1); }),
              "a.tif: tag StripOffsets has 100000 values, expected 100001");
    EXPECT_EQ(refusal_of([&] { tiff::TagNumbers(tags, 279, 1); }),
              "a.tif: tag StripByteCounts is missing");
  }
}

}  // namespace
}  // namespace mezzo::test::tags_test
