// A bit flips in the page-locked memory that strips come down to from a GPU, or in the memory of the GPU:
// no wrong plate is published, by any level that promises it. A plane of the CPU stands in for the GPU's;
// suites that begin with Gpu need one.
#include <gtest/gtest.h>

#include <cstring>

#include "kernels/base/error.h"
#include "kernels/gpu/context.h"
#include "tests/faults/gpu/coded_flip.h"
#include "tests/stages/tiff/plate/writer_support.h"
#include "tests/support/memory_page.h"

namespace mezzo::test::plane_flip_test {
namespace {

using device_chain::Coding;
using device_chain::PlaneSettings;
using tiff::Compression;
using tiff::VerifyLevel;

constexpr uint32_t kStripRows = 16, kBandRows = 48;

/// What a plane on a GPU does, done by the CPU. Coded strips lie behind each other.
class CpuPlane final : public device_chain::Plane {
 public:
  CpuPlane(const Halftoner& halftoner, const PlaneSettings& settings)
      : halftoner_(halftoner),
        settings_(settings),
        state_(halftoner.make_state(settings.width_px)),
        row_bytes_((size_t{settings.width_px} + 31) / 32 * 4) {}

  size_t memory_bytes() const override { return row_bytes_ * settings_.band_rows + 4096; }

  void start(const device_chain::BandInput& in,
             const ToneCurve& curve,
             std::span<std::byte> memory,
             device_chain::Strips& strips,
             Halftoner::Done done) override {
    const uint32_t first = in.first, rows = in.rows;
    std::vector<uint8_t> bits(row_bytes_ * rows);
    const BitBand band{bits.data(), settings_.width_px, rows, row_bytes_, first};
    SoloTeam solo;
    halftoner_.run(in.page.rows_of_page(first, rows), curve, band, state_.get(), solo);
    strips = {};
    std::vector<std::byte> coded;
    for (uint32_t row = 0; row < rows; row += settings_.rows_per_strip) {
      const BitBand strip = band.slice(row, std::min(settings_.rows_per_strip, rows - row));
      device_chain::StripFacts& facts = strips.strips.emplace_back();
      facts.sum = codec::row_sum(strip);
      if (settings_.coding == Coding::kRaw) continue;
      const std::vector<std::byte> own = tiff::encode_strip(strip, Compression::kG4);
      facts.coded_sum = codec::byte_sum(own);
      facts.coded = memory.subspan(coded.size(), own.size());
      coded.insert(coded.end(), own.begin(), own.end());
    }
    if (settings_.coding == Coding::kRaw) {
      strips.rows = band;
      strips.rows.data = reinterpret_cast<uint8_t*>(memory.data());
      std::memcpy(memory.data(), bits.data(), bits.size());
    } else {
      std::memcpy(memory.data(), coded.data(), coded.size());
    }
    done(nullptr);
  }

  device_chain::PictureSums picture() override { return {}; }

 private:
  const Halftoner& halftoner_;
  const PlaneSettings settings_;
  const std::unique_ptr<HalftonerState> state_;
  const size_t row_bytes_;
};

/// Flips a bit of a strip, coded or not, once it is down.
class FlippingPlane final : public device_chain::Plane {
 public:
  FlippingPlane(std::unique_ptr<device_chain::Plane> plane, uint32_t strip, uint64_t seed)
      : plane_(std::move(plane)), strip_(strip), seed_(seed) {}

  size_t memory_bytes() const override { return plane_->memory_bytes(); }

  void start(const device_chain::BandInput& in,
             const ToneCurve& curve,
             std::span<std::byte> memory,
             device_chain::Strips& strips,
             Halftoner::Done done) override {
    const auto flip_and_pass_on =
        [this, first = in.first, memory, &strips, done](const auto& error) {
          const uint32_t before = first / kStripRows;
          if (!error && strip_ >= before && strip_ - before < strips.strips.size()) {
            flip_in(strips, strip_ - before, memory);
          }
          done(error);
        };
    plane_->start(in, curve, memory, strips, flip_and_pass_on);
  }

  device_chain::PictureSums picture() override { return plane_->picture(); }

 private:
  void flip_in(const device_chain::Strips& strips, uint32_t i, std::span<std::byte> memory) const {
    uint64_t begin = 0, bits = 0;
    if (const auto& coded = strips.strips[i].coded; !coded.empty()) {
      begin = 8 * static_cast<uint64_t>(coded.data() - memory.data());
      bits = 8 * coded.size();
    } else {
      begin = 8 * i * kStripRows * strips.rows.stride_bytes;  // of its first row
      bits = strips.rows.width_px;
    }
    const uint64_t bit = begin + seed_ % bits;
    memory[bit / 8] ^= static_cast<std::byte>(0x80U >> bit % 8);
  }

  const std::unique_ptr<device_chain::Plane> plane_;
  const uint32_t strip_;
  const uint64_t seed_;
};

struct Sent {
  Coding coding;
  Compression compression;  ///< of the plate
};
constexpr Sent kWays[] = {{Coding::kT6, Compression::kG4},
                          {Coding::kRaw, Compression::kG4},  // as bands that get larger
                          {Coding::kRaw, Compression::kLzw},
                          {Coding::kRaw, Compression::kNone}};

/// A page of one ink, and the file that its plate becomes.
class FlippedPage {
 public:
  explicit FlippedPage(Engine engine, const std::string& method = "floyd-steinberg")
      : halftoner_(make_halftoner(complete({.method = method, .engine = engine})).halftoner),
        reader_(info_, {ramp()}) {}

  static constexpr uint32_t kWidth = 333, kHeight = 130;
  static constexpr uint32_t kStrips = (kHeight + kStripRows - 1) / kStripRows;

  PlaneSettings settings(Coding coding) const {
    return {.page_width_px = kWidth,
            .page_height_px = kHeight,
            .width_px = kWidth,
            .height_px = kHeight,
            .band_rows = kBandRows,
            .rows_per_strip = kStripRows,
            .coding = coding,
            .decodes = coding == Coding::kT6};
  }
  const Halftoner& halftoner() const { return *halftoner_; }

  /// Whether the plate is published.
  bool publish_by(std::unique_ptr<device_chain::Plane> device,
                  Compression compression,
                  VerifyLevel level) {
    try {
      const auto file = tiff::PlateFile::create(path_, 1 << 20);
      std::vector<run::PlaneRun> planes(1);
      planes[0].halftoner = halftoner_.get();
      planes[0].device = std::move(device);
      planes[0].plate = file.get();
      planes[0].page.width_px = kWidth;
      planes[0].page.height_px = kHeight;
      planes[0].page.rows_per_strip = kStripRows;
      planes[0].compression = compression;
      file->begin_page(planes[0].page, compression);
      run::PageRun page(info_,
                        {kBandRows, 2, 0, 0},
                        ToneCurve(info_.max_sample, info_.polarity),
                        reader_,
                        std::move(planes),
                        {},
                        {},
                        run::PageOnDevice{info_});
      run::SimpleExecutor().run(page, [](uint64_t) {});
      file->end_page("", "");
      SoloTeam team;
      publish(*file, team, level);
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kIo) << error.what();
      return false;
    }
  }

  /// The plate that stands there, which is taken away.
  std::vector<uint8_t> take_bits() {
    std::vector<uint8_t> bits = tiff::read_plate(path_).bits;
    std::filesystem::remove(path_);
    return bits;
  }
  /// Whether the plate that stands there, which is taken away, has these bits.
  bool has(const std::vector<uint8_t>& bits) {
    try {
      return take_bits() == bits;
    } catch (const Error&) {
      std::filesystem::remove(path_);
      return false;
    }
  }
  bool is_empty() const { return folder_.names().empty(); }

 private:
  static PageInfo describe() {
    PageInfo info;
    info.width_px = kWidth;
    info.height_px = kHeight;
    info.inks = {"black"};
    return info;
  }
  static MemoryReader::Plane ramp() {
    MemoryReader::Plane samples;
    for (uint32_t i = 0; i < kWidth * kHeight; ++i) {
      samples.push_back(static_cast<std::byte>((i % kWidth + i / kWidth / 2) / 2 & 0xFF));
    }
    return samples;
  }

  const PageInfo info_ = describe();
  const std::shared_ptr<const Halftoner> halftoner_;
  MemoryReader reader_;
  TempFolder folder_;
  const std::string path_ = folder_ / "plate.tif";
};

/// `make_plane` makes a plane of settings, or null.
template <typename MakePlane>
void expect_no_wrong_plate(FlippedPage& page, MakePlane make_plane) {
  std::vector<uint8_t> right;
  for (const Sent& sent : kWays) {
    for (const VerifyLevel level : {VerifyLevel::kBytes, VerifyLevel::kDecode}) {
      SCOPED_TRACE(std::string(to_string(sent.compression)) + " by " +
                   std::string(to_string(level)));
      const PlaneSettings settings = page.settings(sent.coding);
      ASSERT_TRUE(page.publish_by(make_plane(settings), sent.compression, level));
      const std::vector<uint8_t> bits = page.take_bits();
      if (right.empty()) right = bits;
      ASSERT_TRUE(bits == right);
      std::mt19937_64 random(7);
      for (uint32_t trial = 0; trial < 60; ++trial) {
        auto plane = std::make_unique<FlippingPlane>(
            make_plane(settings), trial % FlippedPage::kStrips, random());
        ASSERT_FALSE(page.publish_by(std::move(plane), sent.compression, level)) << trial;
        ASSERT_TRUE(page.is_empty());
      }
    }
  }
}

TEST(PlaneFlips, OnTheWayDownPublishNoWrongPlate) {
  FlippedPage page(Engine::kCpu);
  expect_no_wrong_plate(page, [&](const PlaneSettings& settings) {
    return std::make_unique<CpuPlane>(page.halftoner(), settings);
  });
}

TEST(GpuPlaneFlips, OnTheWayDownPublishNoWrongPlate) {
  if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  FlippedPage page(Engine::kGpu);
  expect_no_wrong_plate(page, [&](const PlaneSettings& settings) {
    return device_chain::make_plane(page.halftoner(), settings);
  });
}

/// Wrong plates that are published of 250 with a flipped bit in their strips. A flip behind the codes of
/// a strip does no harm.
uint32_t wrong_plates(FlippedPage& page, FlipTime time, VerifyLevel level) {
  constexpr uint32_t kPlates = 250;
  const auto publish = [&] {
    return page.publish_by(device_chain::make_plane(page.halftoner(), page.settings(Coding::kT6)),
                           Compression::kG4,
                           level);
  };
  EXPECT_TRUE(publish());
  const std::vector<uint8_t> right = page.take_bits();
  std::mt19937_64 random(11);
  uint32_t wrong = 0, refused = 0;
  for (uint32_t trial = 0; trial < kPlates; ++trial) {
    const CodedFlip flip(time, trial % FlippedPage::kStrips, random());
    if (!publish()) {
      ++refused;
    } else if (!page.has(right)) {
      ++wrong;
    }
  }
  EXPECT_GT(refused + wrong, kPlates / 2) << "bits have flipped";
  return wrong;
}

TEST(GpuPlaneFlips, InTheMemoryOfTheGpuPublishNoWrongPlate) {
  if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  FlippedPage page(Engine::kGpu, "threshold");  // whose strips are small once they are coded
  EXPECT_EQ(wrong_plates(page, FlipTime::kAfterSum, VerifyLevel::kBytes), 0U);
  EXPECT_EQ(wrong_plates(page, FlipTime::kAfterSum, VerifyLevel::kDecode), 0U);
  EXPECT_EQ(wrong_plates(page, FlipTime::kBeforeSum, VerifyLevel::kDecode), 0U);
  EXPECT_GT(wrong_plates(page, FlipTime::kBeforeSum, VerifyLevel::kBytes), 0U)
      << "none is promised";
}

}  // namespace
}  // namespace mezzo::test::plane_flip_test
