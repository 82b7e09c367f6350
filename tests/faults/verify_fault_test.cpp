// A bit flips somewhere between a strip's coder and the disk. The table says which levels of verification
// promise that no wrong plate is published then, and what they do not promise.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "kernels/base/error.h"
#include "tests/stages/tiff/plate/writer_support.h"
#include "tests/support/effort.h"

namespace mezzo::test::verify_fault_test {
namespace {

using tiff::Compression;
using tiff::VerifyLevel;

enum class Where {
  kBeforeDigest,  // in a strip that was coded, before the digest of its bytes
  kAfterDigest,   // after it, before the strip is written: in memory, page-locked or not
  kInWriting,     // between us and the disk
  kOnDisk,        // once the file is synced
};

struct Promise {
  Where where;
  const char* name;
  bool at_bytes, at_decode;
};
constexpr Promise kPromises[] = {
    {Where::kBeforeDigest, "a coded strip before its digest", false, true},
    {Where::kAfterDigest, "a coded strip after its digest", true, true},
    {Where::kInWriting, "bytes that are written", true, true},
    {Where::kOnDisk, "the file on the disk", true, true},
};

constexpr Compression kCodecs[] = {Compression::kNone,
                                   Compression::kPackBits,
                                   Compression::kG4,
                                   Compression::kG3,
                                   Compression::kDeflate,
                                   Compression::kLzw};

void flip(void* data, uint64_t bit) {
  auto* bytes = static_cast<uint8_t*>(data);
  bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] ^ 1U << bit % 8);
}

/// Flips one bit of all those that are written, or lie on the disk; counts them.
class FlippingFileSystem final : public files::FileSystem {
 public:
  uint64_t bits_written = 0, bits_on_disk = 0;
  uint64_t flip_written = UINT64_MAX, flip_on_disk = UINT64_MAX;

  ssize_t pwrite(int fd, const void* data, size_t bytes, uint64_t offset) override {
    std::vector<uint8_t> copy(bytes);
    std::memcpy(copy.data(), data, bytes);
    const uint64_t bit = flip_written - bits_written;
    if (flip_written >= bits_written && bit < bytes * 8) flip(copy.data(), bit);
    bits_written += bytes * 8;
    return files::FileSystem::pwrite(fd, copy.data(), bytes, offset);
  }
  // Without the wait for a real disk.
  int fsync(int fd) override {
    struct stat found {};
    if (::fstat(fd, &found) != 0 || !S_ISREG(found.st_mode)) return 0;
    bits_on_disk = static_cast<uint64_t>(found.st_size) * 8;
    if (flip_on_disk >= bits_on_disk) return 0;
    uint8_t byte = 0;
    const auto at = static_cast<off_t>(flip_on_disk / 8);
    if (::pread(fd, &byte, 1, at) != 1) return -1;
    flip(&byte, flip_on_disk % 8);
    return ::pwrite(fd, &byte, 1, at) == 1 ? 0 : -1;
  }
};

/// A plate of some size, some dots and some codec, and where its bit flips.
class FlipTrial {
 public:
  FlipTrial(Where where, VerifyLevel level, uint32_t seed)
      : where_(where),
        level_(level),
        random_(seed),
        compression_(kCodecs[seed % std::size(kCodecs)]),
        bits_(some_bits(random_)),
        page_(page_of(bits_.band(), 8 + 8 * static_cast<uint32_t>(random_() % 3))) {
    page_.ink = "magenta";
    page_.document_name = "document";
    page_.resolution = {1200, 1200};
  }

  enum class End { kRefused, kRight, kWrong };

  End run() {
    FlippingFileSystem clean;
    EXPECT_TRUE(attempt(clean, false));
    EXPECT_TRUE(is_right());
    std::filesystem::remove(path_);
    FlippingFileSystem files;
    const auto below = [this](uint64_t limit) {
      return std::uniform_int_distribution<uint64_t>(0, limit - 1)(random_);
    };
    if (where_ == Where::kInWriting) files.flip_written = below(clean.bits_written);
    if (where_ == Where::kOnDisk) files.flip_on_disk = below(clean.bits_on_disk);
    if (attempt(files, true)) return is_right() ? End::kRight : End::kWrong;
    EXPECT_TRUE(folder_.names().empty());
    return End::kRefused;
  }

  Compression compression() const { return compression_; }

 private:
  static Bits some_bits(std::mt19937& random) {
    const auto width = static_cast<uint32_t>(20 + random() % 700);
    const auto height = static_cast<uint32_t>(1 + random() % 120);
    switch (random() % 3) {
      case 0:
        return Bits::noise(width, height, static_cast<uint32_t>(random()));
      case 1:
        return Bits::bars(width, height);
      default:
        return Bits::diffused(width, height, static_cast<uint32_t>(random()));
    }
  }

  /// Whether the plate is published.
  bool attempt(files::FileSystem& files, bool flips) {
    try {
      const auto file =
          tiff::PlateFile::create(path_, 1 << 20, files::ExistingFile::kReplace, files);
      file->begin_page(page_, compression_);
      const uint64_t flipped = random_() % tiff::strip_count(page_);
      for (uint32_t s = 0; s < tiff::strip_count(page_); ++s) {
        write_strip(*file, s, flips && s == flipped);
      }
      file->end_page("program", "settings");
      SoloTeam team;
      publish(*file, team, level_);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  /// As the pipeline does: rows are summed, then coded, and what was coded is summed.
  void write_strip(tiff::PlateFile& file, uint32_t index, bool flips) {
    const BitBand rows = bits_.band().slice(index * page_.rows_per_strip, strip_rows(page_, index));
    tiff::PlateStrip strip{rows, {}, {codec::row_sum(rows), {}}};
    // Without compression the rows themselves are written.
    const bool is_coded = !file.takes_rows();
    std::vector<std::byte> bytes(rows.stride_bytes * rows.rows);
    std::memcpy(bytes.data(), rows.data, bytes.size());
    if (is_coded) bytes = tiff::encode_strip(rows, compression_);
    if (flips && where_ == Where::kBeforeDigest) flip(bytes.data(), random_() % (bytes.size() * 8));
    if (is_coded) strip.sums.coded = codec::byte_sum(bytes);
    if (flips && where_ == Where::kAfterDigest) flip(bytes.data(), random_() % (bytes.size() * 8));
    if (is_coded) {
      strip.coded = bytes;
    } else {
      strip.rows.data = reinterpret_cast<uint8_t*>(bytes.data());
    }
    file.write_strip(strip);
  }

  /// By its rows and all tags that we write but those that a single sample does without.
  bool is_right() {
    try {
      const tiff::Plate plate = tiff::read_plate(path_);
      tiff::PlatePage page = page_;
      page.rows_per_strip = std::min(page.rows_per_strip, page.height_px);
      return plate.page == page && plate.bits == bits_.bytes() &&
             plate.compression == compression_ && plate.software == "program" &&
             plate.description == "settings" &&
             tiff::PlateReader(path_).page(0).names == names_of(page_);
    } catch (const Error&) {
      return false;
    }
  }

  Where where_;
  VerifyLevel level_;
  std::mt19937 random_;
  Compression compression_;
  TempFolder folder_;
  std::string path_ = folder_ / "plate.tif";
  Bits bits_;
  tiff::PlatePage page_;
};

void expect_promise(const Promise& promise, VerifyLevel level, bool is_promised) {
  const uint32_t plates = effort::choose(240U, 500U);
  uint32_t ends[3] = {};
  for (uint32_t seed = 0; seed < plates; ++seed) {
    FlipTrial trial(promise.where, level, seed);
    const FlipTrial::End end = trial.run();
    ++ends[static_cast<size_t>(end)];
    if (end != FlipTrial::End::kWrong || !is_promised) continue;
    ADD_FAILURE() << "plate " << seed << ", " << to_string(trial.compression())
                  << ": published with a flip in " << promise.name;
  }
  const std::string name(to_string(level));
  std::printf("%-32s %-7s %3u refused, %2u right all the same, %3u wrong\n",
              promise.name,
              name.c_str(),
              ends[0],
              ends[1],
              ends[2]);
  EXPECT_EQ(ends[2] == 0, is_promised) << "the table promises too little, or too much";
}

TEST(VerifyFaults, PublishNoWrongPlateWhereALevelPromisesIt) {
  for (const Promise& promise : kPromises) {
    expect_promise(promise, VerifyLevel::kBytes, promise.at_bytes);
    expect_promise(promise, VerifyLevel::kDecode, promise.at_decode);
  }
}

/// Where a GPU has decoded a strip, its bytes are read back and summed, and not decoded again.
TEST(VerifyFaults, BelieveAStripThatIsDecodedAlready) {
  const TempFolder folder;
  const std::string path = folder / "plate.tif";
  Bits bits = Bits::bars(400, 64);
  const tiff::PlatePage page = page_of(bits.band(), 32);
  for (const bool decodes : {true, false}) {
    const auto file = tiff::PlateFile::create(path, 1 << 20);
    file->begin_page(page, Compression::kG4);
    for (uint32_t s = 0; s < tiff::strip_count(page); ++s) {
      const BitBand rows = bits.band().slice(s * page.rows_per_strip, strip_rows(page, s));
      const auto coded = tiff::encode_strip(rows, Compression::kG4);
      codec::RowSum of_others = codec::row_sum(rows);
      of_others += codec::row_sum(rows);
      file->write_strip({rows, coded, {of_others, codec::byte_sum(coded), decodes || s == 0}});
    }
    file->end_page("", "");
    SoloTeam team;
    if (decodes) {
      EXPECT_NO_THROW(file->seal(VerifyLevel::kDecode, team));
    } else {  // the second strip
      EXPECT_THROW(file->seal(VerifyLevel::kDecode, team), Error);
    }
  }
}

}  // namespace
}  // namespace mezzo::test::verify_fault_test
