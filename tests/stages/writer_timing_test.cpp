// How long plates take: encoding, writing, syncing, verifying. Not part of the usual run:
//   test_stages --gtest_also_run_disabled_tests --gtest_filter='*Timing*'
// It prints, and never fails for being slow.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "tests/stages/writer_support.h"

namespace mezzo {
namespace {

template <typename Work>
double milliseconds(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

TEST(WriterTiming, DISABLED_Encode) {
  const uint32_t width = 8192;
  Bits bits = Bits::diffused(width, 2048);
  const uint32_t rows = plate_rows_per_strip(width);
  for (const Compression compression : kRealCompressions) {
    size_t encoded = 0;
    double best = 1e9;
    for (int repeat = 0; repeat < 3; ++repeat) {
      encoded = 0;
      best = std::min(best, milliseconds([&] {
                        for (uint32_t y = 0; y < 2048; y += rows) {
                          encoded += encode_strip(bits.band().slice(y, rows), compression).size();
                        }
                      }));
    }
    std::printf("%-9s %7.0f Mpx/s, %5.1f %% of raw\n",
                std::string(to_string(compression)).c_str(),
                width * 2048.0 / 1e3 / best,
                100.0 * static_cast<double>(encoded) / static_cast<double>(bits.bytes().size()));
  }
  // The cost of a strip beside its rows: a handle, its tables, a header.
  for (const Compression compression : kRealCompressions) {
    const BitBand row = bits.band().slice(0, 1);
    const double ms = milliseconds([&] {
      for (int i = 0; i < 2000; ++i) encode_strip(row, compression);
    });
    std::printf("%-9s %6.1f us for a strip of one row\n",
                std::string(to_string(compression)).c_str(),
                ms / 2);
  }
}

/// Adds up what the calls of the system take.
class TimedFileSystem final : public FileSystem {
 public:
  double write_ms = 0;
  double read_ms = 0;
  double sync_ms = 0;
  double rename_ms = 0;
  bool writeback = true;

  ssize_t pread(int fd, void* data, size_t bytes, uint64_t offset) override {
    ssize_t n = 0;
    read_ms += milliseconds([&] { n = FileSystem::pread(fd, data, bytes, offset); });
    return n;
  }
  ssize_t pwrite(int fd, const void* data, size_t bytes, uint64_t offset) override {
    ssize_t n = 0;
    write_ms += milliseconds([&] { n = FileSystem::pwrite(fd, data, bytes, offset); });
    return n;
  }
  int fsync(int fd) override {
    int status = 0;
    sync_ms += milliseconds([&] { status = FileSystem::fsync(fd); });
    return status;
  }
  int rename(const std::string& from, const std::string& to, unsigned flags) override {
    int status = 0;
    rename_ms += milliseconds([&] { status = FileSystem::rename(from, to, flags); });
    return status;
  }
  void start_writeback(int fd, uint64_t offset, uint64_t bytes) override {
    if (writeback)
      write_ms += milliseconds([&] { FileSystem::start_writeback(fd, offset, bytes); });
  }
};

void time_plate(uint32_t side_px, Compression compression, bool writeback) {
  const TempFolder folder;
  Bits bits = Bits::diffused(side_px, side_px);
  const PlatePage page = page_of(bits.band());
  std::vector<std::vector<std::byte>> strips;
  for (uint32_t s = 0; s < strip_count(page); ++s) {
    strips.push_back(
        encode_strip(bits.band().slice(s * page.rows_per_strip, strip_rows(page, s)), compression));
  }
  for (int repeat = 0; repeat < 3; ++repeat) {
    TimedFileSystem files;
    files.writeback = writeback;
    const auto file =
        PlateFile::create(folder / "a.tif", bits.bytes().size(), ExistingFile::kReplace, files);
    const double write = milliseconds([&] {
      file->begin_page(page, compression);
      for (uint32_t s = 0; s < strips.size(); ++s) {
        file->write_strip(strips[s],
                          bits.band().slice(s * page.rows_per_strip, strip_rows(page, s)));
        // As long as one core needs to encode the strip.
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      file->end_page("", "");
    });
    SoloTeam team;
    const double publish = milliseconds([&] { mezzo::publish(*file, false, team); });
    std::printf(
        "%5u^2 %-8s writeback %d: write %6.1f ms (calls %5.1f), publish %6.1f ms: fsync %5.1f, "
        "rename %4.2f, read back %5.1f, decode and compare %6.1f\n",
        side_px,
        std::string(to_string(compression)).c_str(),
        writeback ? 1 : 0,
        write,
        files.write_ms,
        publish,
        files.sync_ms,
        files.rename_ms,
        files.read_ms,
        publish - files.sync_ms - files.rename_ms - files.read_ms);
  }
}

TEST(WriterTiming, DISABLED_Publish) {
  for (const uint32_t side : {8192U, 23168U}) {  // 8 MiB and 64 MiB of raw rows
    for (const bool writeback : {false, true}) {
      time_plate(side, Compression::kNone, writeback);
    }
    for (const Compression compression :
         {Compression::kLzw, Compression::kDeflate, Compression::kG4}) {
      time_plate(side, compression, true);
    }
  }
}

}  // namespace
}  // namespace mezzo
