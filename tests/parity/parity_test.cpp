// One truth, on whole pages: every schedule, SIMD target, number of threads, executor, seed of a
// shuffled schedule and band height gives the bits of the reference.
//
// Pages are synthetic, up to 16384 x 16384, and real ones from the folder that MEZZOTINT_CORPUS
// names (subfolders photos and good); without it those tests are skipped.

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cstdlib>
#include <filesystem>

#include "pipeline/run/graph_executor.h"
#include "stages/tiff/read/reader.h"
#include "tests/kernels/planes.h"
#include "tests/support/effort.h"
#include "tests/support/memory_page.h"
#include "tools/synth/page.h"

namespace mezzo::test::parity_test {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kThreads = 8;
constexpr uint32_t kBandRows[] = {1, 37, 64, 256, UINT32_MAX};

/// The plane's bits by one schedule, as a digest.
std::string bits_of(const Halftoner& halftoner,
                    const SampleBand& in,
                    const ToneCurve& curve,
                    Team& team,
                    uint32_t band_rows = UINT32_MAX) {
  const size_t row_bytes = bit_row_bytes(in.width_px);
  std::vector<uint8_t> bits(row_bytes * in.rows);
  const BitBand out{bits.data(), in.width_px, in.rows, row_bytes, 0};
  run_in_bands(halftoner, in, curve, out, {std::min(band_rows, in.rows)}, team);
  return codec::row_sum(out).hex();
}

/// Runs on one SIMD target for as long as it lives.
class OnlyTarget {
 public:
  explicit OnlyTarget(int64_t target) { use(target); }
  ~OnlyTarget() { use(0); }
  OnlyTarget(const OnlyTarget&) = delete;
  OnlyTarget& operator=(const OnlyTarget&) = delete;

 private:
  static void use(int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

/// The digest of the reference, after every schedule was compared with it.
std::string compare_schedules(const SampleBand& in, const ToneCurve& curve) {
  const MethodInfo& method = *find_method("floyd-steinberg");
  SoloTeam solo;
  std::string expected = bits_of(*make_reference(complete({})), in, curve, solo);
  for (const ScheduleInfo& schedule : runnable_schedules(method)) {
    EXPECT_EQ(bits_of(*make(method, schedule), in, curve, solo), expected) << schedule.name;
  }
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const OnlyTarget only(target);
    const auto wavefront = make(method, *find_schedule(method, "wavefront", Engine::kCpu));
    for (uint32_t threads = 1; threads <= kThreads; ++threads) {
      ThreadTeam team(threads);
      EXPECT_EQ(bits_of(*wavefront, in, curve, team), expected)
          << hwy::TargetName(target) << ", " << threads << " threads";
    }
    for (const uint32_t rows : kBandRows) {
      EXPECT_EQ(bits_of(*wavefront, in, curve, solo, rows), expected)
          << hwy::TargetName(target) << ", bands of " << rows;
    }
  }
  return expected;
}

/// Everything about one page.
void compare_all(PageInfo info, std::vector<MemoryReader::Plane> planes) {
  const ToneCurve curve(info.max_sample, info.polarity);
  Outcome expected;
  for (MemoryReader::Plane& plane : planes) {
    const SampleBand in{plane.data(),
                        info.width_px,
                        info.height_px,
                        size_t{info.width_px} * info.bytes_per_sample,
                        0,
                        info.bytes_per_sample};
    expected.plates.push_back(compare_schedules(in, curve));
  }
  expected.pixels = uint64_t{info.width_px} * info.height_px * planes.size();
  MemoryPage page(std::move(info), std::move(planes));
  run::SimpleExecutor simple;
  for (const uint32_t rows : kBandRows) {
    const uint32_t band_rows = std::min(rows, page.info.height_px);
    // Bands of one row of a large page are tested on the smaller ones.
    if (band_rows == 1 && page.info.height_px > 4096) continue;
    EXPECT_EQ(page.run(simple, band_rows), expected) << "simple, bands of " << band_rows;
    for (const uint32_t threads : {1U, 2U, kThreads}) {
      run::GraphExecutor graph({threads, std::nullopt});
      EXPECT_EQ(page.run(graph, band_rows), expected)
          << "graph, " << threads << " threads, bands of " << band_rows;
    }
    if (band_rows == 1) continue;
    run::GraphExecutor shuffled({kThreads, rows});
    EXPECT_EQ(page.run(shuffled, band_rows), expected) << "shuffled, bands of " << band_rows;
  }
}

class SynthParity : public ::testing::TestWithParam<std::pair<uint32_t, uint32_t>> {};

INSTANTIATE_TEST_SUITE_P(Pages,
                         SynthParity,
                         ::testing::Values(std::pair{1U, 1U},
                                           std::pair{1000U, 777U},
                                           std::pair{1U, 3000U},
                                           std::pair{3000U, 1U},
                                           std::pair{4097U, 2049U},
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
                                           std::pair{8192U, 8192U},
                                           std::pair{16384U, 16384U},
#endif
                                           std::pair{613U, 4001U}));

TEST_P(SynthParity, NoBitDiffers) {
  synth::SynthOptions options;
  options.width_px = GetParam().first;
  // Wide pages take most of the time.
  const uint32_t most_rows =
      options.width_px < 8192 ? UINT32_MAX : effort::choose(2048U, UINT32_MAX);
  options.height_px = std::min(GetParam().second, most_rows);
  PageInfo info;
  info.width_px = options.width_px;
  info.height_px = options.height_px;
  info.inks = {"black"};
  std::vector<MemoryReader::Plane> planes(1);
  planes[0].resize(size_t{info.width_px} * info.height_px);
  synth::SynthPage(options).render_rows(0, info.height_px, planes[0].data());
  compare_all(std::move(info), std::move(planes));
}

/// Files of a subfolder of the corpus; nothing without a corpus.
std::vector<std::string> corpus_files(const char* subfolder) {
  std::vector<std::string> files;
  const char* corpus = std::getenv("MEZZOTINT_CORPUS");
  if (corpus == nullptr) return files;
  for (const auto& entry : fs::directory_iterator(fs::path(corpus) / subfolder)) {
    files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

/// Compares every page that can be read; returns their number.
uint32_t compare_pages(const std::string& path) {
  uint32_t compared = 0;
  const auto file = tiff::TiffFile::open(path);
  for (uint32_t index = 0; index < file->page_count(); ++index) {
    try {
      const PageInfo& info = file->page(index);
      const auto reader = file->open_page(index, 1 << 30);
      const size_t row_bytes = size_t{info.width_px} * info.bytes_per_sample;
      std::vector<MemoryReader::Plane> planes(info.inks.size());
      std::vector<MutableSampleBand> bands;
      for (MemoryReader::Plane& plane : planes) {
        plane.resize(row_bytes * info.height_px);
        bands.push_back(
            {plane.data(), info.width_px, info.height_px, row_bytes, 0, info.bytes_per_sample});
      }
      SoloTeam solo;
      reader->read(bands, solo);
      SCOPED_TRACE(path + ", page " + std::to_string(index + 1));
      compare_all(info, std::move(planes));
      ++compared;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUnsupported) << error.what();
    }
  }
  return compared;
}

class CorpusParity : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Sets,
                         CorpusParity,
                         ::testing::Values("photos", "good"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(CorpusParity, NoBitDiffers) {
  const std::vector<std::string> files = corpus_files(GetParam());
  if (files.empty()) GTEST_SKIP() << "set MEZZOTINT_CORPUS to a folder of real TIFFs to run this";
  uint32_t compared = 0;
  for (const std::string& path : files) compared += compare_pages(path);
  std::printf("%s: %zu files, %u pages compared\n", GetParam(), files.size(), compared);
  EXPECT_GE(compared, files.size() / 2);
}

}  // namespace
}  // namespace mezzo::test::parity_test
