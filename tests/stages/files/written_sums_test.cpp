#include "stages/files/written_sums.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace mezzo::test::written_sums_test {
namespace {

/// A file in memory, with the sums of what was written to it.
class Store final : public files::ByteStore {
 public:
  uint64_t size() const noexcept override { return content.size(); }
  size_t read_at(uint64_t offset,
                 std::span<std::byte> to,
                 int& error_number) const noexcept override {
    if (is_broken) error_number = EIO;
    if (is_broken || offset >= content.size()) return 0;
    const size_t bytes = std::min<uint64_t>(to.size(), content.size() - offset);
    std::memcpy(to.data(), content.data() + offset, bytes);
    return bytes;
  }
  /// Returns what note() does.
  int write(uint64_t offset, std::string_view bytes) {
    const int result = sums.note(offset, std::as_bytes(std::span(bytes)), *this);
    if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size(), '.');
    content.replace(offset, bytes.size(), bytes);
    return result;
  }
  bool is_right() const {
    int error_number = 0;
    return sums.is_in(*this, error_number) && error_number == 0;
  }

  std::string content;
  files::WrittenSums sums;
  bool is_broken = false;
};

TEST(WrittenSums, FindEveryByteThatDiffers) {
  Store store;
  for (const auto& [offset, bytes] : {std::pair(0, "header.."),
                                      std::pair(8, "strip"),
                                      std::pair(20, "beyond"),
                                      std::pair(13, "between"),
                                      std::pair(4, "TAG."),
                                      std::pair(6, "gs"),
                                      std::pair(10, "RIPbe")}) {
    ASSERT_EQ(store.write(offset, bytes), 0) << bytes;
    ASSERT_TRUE(store.is_right()) << store.content;
  }
  EXPECT_EQ(store.content, "headTAgsstRIPbetweenbeyond");
  for (size_t i = 0; i < store.content.size(); ++i) {
    store.content[i] ^= 1;
    EXPECT_FALSE(store.is_right()) << i;
    store.content[i] ^= 1;
  }
  store.content.pop_back();
  EXPECT_FALSE(store.is_right());
}

TEST(WrittenSums, FindWhatALaterWriteWouldHide) {
  Store store;
  ASSERT_EQ(store.write(0, "header.."), 0);
  store.content[1] = 'E';
  EXPECT_EQ(store.write(4, "TAGS"), EIO);
}

TEST(WrittenSums, SayWhyNothingCanBeRead) {
  Store store;
  ASSERT_EQ(store.write(0, "header.."), 0);
  store.is_broken = true;
  EXPECT_EQ(store.write(4, "TAGS"), EIO);
  int error_number = 0;
  EXPECT_FALSE(store.sums.is_in(store, error_number));
  EXPECT_EQ(error_number, EIO);
}

}  // namespace
}  // namespace mezzo::test::written_sums_test
