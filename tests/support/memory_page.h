// Pages that run through the executors without a file at either end.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "kernels/registry.h"
#include "pipeline/run/page_run.h"
#include "stages/tiff/plate/writer.h"

namespace mezzo::test {

/// Samples from memory. Throws at a row, when asked to.
class MemoryReader final : public tiff::PageReader {
 public:
  using Plane = std::vector<std::byte>;

  MemoryReader(const PageInfo& info, std::vector<Plane> planes)
      : info_(info), planes_(std::move(planes)) {}

  uint32_t row_quantum() const override { return quantum; }
  bool goes_back_cheaply() const override { return true; }
  size_t working_bytes(uint32_t, uint32_t) const override { return 0; }
  void read(std::span<const MutableSampleBand> planes, Team&) override {
    const MutableSampleBand& first = planes.front();
    if (first.first_row + first.rows > fail_at_row) throw Error(ErrorKind::kData, "bad row");
    const size_t row_bytes = size_t{info_.width_px} * info_.bytes_per_sample;
    for (size_t plane = 0; plane < planes.size(); ++plane) {
      for (uint32_t i = 0; i < first.rows; ++i) {
        std::memcpy(planes[plane].row(i),
                    planes_[plane].data() + (first.first_row + i) * row_bytes,
                    row_bytes);
      }
    }
  }

  uint32_t fail_at_row = UINT32_MAX;
  uint32_t quantum = 1;  ///< that it claims to have

 private:
  const PageInfo& info_;
  std::vector<Plane> planes_;
};

/// Takes strips, checks their order, and keeps a digest. Throws at a strip, when asked to.
class DigestPlate final : public tiff::StripWriter {
 public:
  void write_strip(const tiff::PlateStrip& strip) override {
    if (strips == fail_at_strip) throw Error(ErrorKind::kDiskFull, "no space");
    EXPECT_EQ(strip.rows.first_row, next_row_) << "strips come in order";
    EXPECT_FALSE(strip.coded.empty());
    EXPECT_EQ(strip.sums.coded, codec::byte_sum(strip.coded));
    next_row_ += strip.rows.rows;
    ++strips;
    sum_ += strip.sums.rows;
  }
  std::string content_sum() const { return sum_.hex(); }

  uint32_t strips = 0;
  uint32_t fail_at_strip = UINT32_MAX;

 private:
  codec::RowSum sum_;
  uint32_t next_row_ = 0;
};

/// What a page came to; equal for equal bits.
struct Outcome {
  std::vector<std::string> plates;
  uint64_t pixels = 0;
  bool operator==(const Outcome&) const = default;
};

/// A page in memory, ready to run any number of times.
class MemoryPage {
 public:
  MemoryPage(PageInfo page_info, std::vector<MemoryReader::Plane> planes)
      : info(std::move(page_info)), reader(info, std::move(planes)) {}
  MemoryPage(const MemoryPage&) = delete;

  Outcome run(run::Executor& executor, uint32_t band_rows, uint32_t in_flight = 4) {
    const auto halftoner = make_halftoner(complete({})).halftoner;
    return run(executor, *halftoner, band_rows, in_flight);
  }

  Outcome run(run::Executor& executor,
              const Halftoner& halftoner,
              uint32_t band_rows,
              uint32_t in_flight = 4,
              std::vector<run::PlaneGroup> together = {}) {
    std::vector<DigestPlate> plates(info.inks.size());
    std::vector<run::PlaneRun> planes(info.inks.size());
    for (size_t i = 0; i < planes.size(); ++i) {
      plates[i].fail_at_strip = fail_at_strip;
      planes[i].halftoner = &halftoner;
      planes[i].plate = &plates[i];
      planes[i].page.width_px = info.width_px;
      planes[i].page.height_px = info.height_px;
      planes[i].page.rows_per_strip = kStripRows;
      planes[i].compression = tiff::Compression::kPackBits;
    }
    const plan::BandPlan bands{band_rows, in_flight, 0, 0};
    run::PageRun page(info,
                      bands,
                      ToneCurve(info.max_sample, info.polarity),
                      reader,
                      std::move(planes),
                      {},
                      {},
                      {},
                      std::move(together));
    Outcome outcome;
    std::atomic<uint64_t> pixels{0};
    executor.run(page, [&](uint64_t more) { pixels += more; });
    for (const DigestPlate& plate : plates) {
      EXPECT_EQ(plate.strips, (info.height_px + kStripRows - 1) / kStripRows);
      outcome.plates.push_back(plate.content_sum());
    }
    outcome.pixels = pixels;
    return outcome;
  }

  static constexpr uint32_t kStripRows = 24;
  const PageInfo info;
  MemoryReader reader;
  uint32_t fail_at_strip = UINT32_MAX;
};

}  // namespace mezzo::test
