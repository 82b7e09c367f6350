// Pages of strangers: opened, and read in bands. Bands of any height, in any order and by any number of
// threads have the same samples, and the memory is that which was declared.

#include <algorithm>
#include <cstring>
#include <optional>

#include "stages/tiff/read/reader.h"
#include "tests/fuzz/change_tiff.h"
#include "tests/fuzz/heap_peak.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/tiff_seeds.h"
#include "tests/support/thread_team.h"

namespace mezzo::fuzz {
namespace {

constexpr tiff::InputLimits kLimits = {.max_pixels = 1'000'000};
constexpr uint64_t kMostSamples = 4'000'000;  ///< of a page that is read, in bytes
constexpr uint64_t kMemory = 24ULL << 20;
constexpr uint32_t kMostPages = 3;

/// What opening may take beside a few times the file: handles of libtiff, and its tables of strips.
constexpr size_t kOpenBytes = 24ULL << 20;
/// Team, messages and other small things.
constexpr size_t kSmallBytes = 256ULL << 10;

struct Way {
  uint32_t band_rows;
  bool goes_up = false;
  Rotation rotation = Rotation::kNone;
};

/// The samples of all planes, or nothing where the page is refused.
std::optional<Bytes> samples_of(const tiff::TiffFile& file,
                                uint32_t page,
                                const tiff::ReadAs& form,
                                const Way& way,
                                Team& team) {
  const PageInfo info = rotated(file.page(page, form), way.rotation);
  const size_t row = size_t{info.width_px} * info.bytes_per_sample, plane = row * info.height_px;
  Bytes all(plane * info.inks.size());
  const HeapPeak peak;
  size_t declared = 0, bands_bytes = 0;
  const bool is_read = passes([&] {
    const auto reader = file.open_page(page, kMemory, form, way.rotation);
    const uint32_t most_rows = std::min(way.band_rows, info.height_px);
    declared = reader->working_bytes(most_rows, team.size());
    demand(declared <= kMemory + (1ULL << 20), "a reader declares more than it was given");
    bands_bytes = row * most_rows * info.inks.size();
    const uint32_t bands = (info.height_px + most_rows - 1) / most_rows;
    for (uint32_t i = 0; i < bands; ++i) {
      const uint32_t first = (way.goes_up ? bands - 1 - i : i) * most_rows;
      const uint32_t rows = std::min(most_rows, info.height_px - first);
      std::vector<Bytes> memory(info.inks.size(), Bytes(row * rows));  // each ends where it must
      std::vector<MutableSampleBand> planes;
      for (uint32_t p = 0; p < memory.size(); ++p) {
        planes.push_back({.data = memory[p].data(),
                          .width_px = info.width_px,
                          .rows = rows,
                          .stride_bytes = row,
                          .first_row = first,
                          .bytes_per_sample = info.bytes_per_sample,
                          .plane = p});
      }
      reader->read(planes, team);
      for (size_t p = 0; p < memory.size(); ++p) {
        std::ranges::copy(memory[p],
                          all.begin() + static_cast<std::ptrdiff_t>(p * plane + first * row));
      }
    }
  });
  demand(HeapPeak::most() <= declared + bands_bytes + kSmallBytes || declared == 0,
         "a page took " + std::to_string(HeapPeak::most()) + " bytes of memory, declared were " +
             std::to_string(declared));
  if (!is_read) return std::nullopt;
  return all;
}

void read_all_ways(const tiff::TiffFile& file,
                   uint32_t page,
                   const tiff::ReadAs& form,
                   uint32_t height) {
  SoloTeam solo;
  const auto down = samples_of(file, page, form, {.band_rows = 64}, solo);
  const auto compare = [&](const Way& way, Team& team, const std::string& what) {
    const auto other = samples_of(file, page, form, way, team);
    demand(down.has_value() == other.has_value(), what + ": only one of two readings is refused");
    demand(!down || *down == *other, what + ": other samples");
  };
  compare({.band_rows = 7}, solo, "low bands");
  compare({.band_rows = height}, solo, "one band");
  compare({.band_rows = 13, .goes_up = true}, solo, "bands from the bottom");
  if (page == 0 && height % 4 == 0) {
    test::ThreadTeam two(2);
    compare({.band_rows = 32}, two, "two threads");
  }
  if (height % 3 == 0)
    samples_of(file, page, form, {.band_rows = 16, .rotation = Rotation::k90}, solo);
}

bool read_page(const tiff::TiffFile& file, uint32_t page) {
  if (!passes([&] { file.page(page); })) return false;
  passes([&] { file.profile(page); });
  passes([&] { file.stored_grey(page); });
  const tiff::ReadAs forms[] = {{}, {.colours = true}, {.spots = Polarity::kMaxIsInk}};
  for (const tiff::ReadAs& form : forms) {
    PageInfo info;
    if (!passes([&] { info = file.page(page, form); })) continue;
    demand(info.width_px > 0 && info.height_px > 0 && !info.inks.empty(), "a page of nothing");
    if (&form != forms && info == file.page(page)) continue;
    const uint64_t bytes = uint64_t{info.width_px} * info.height_px * info.bytes_per_sample;
    if (bytes * info.inks.size() > kMostSamples) continue;
    read_all_ways(file, page, form, info.height_px);
  }
  return true;
}

}  // namespace

std::vector<Bytes> seeds() {
  return tiff_seeds();
}

void change(Bytes& input, Random& random) {
  change_tiff(input, random);
}

void mend(Bytes&) {}

bool run(const Bytes& input) {
  const std::string path = scratch_file("in.tif", input);
  std::unique_ptr<tiff::TiffFile> file;
  {
    const HeapPeak peak;
    const bool opens = passes([&] { file = tiff::TiffFile::open(path, kLimits); });
    demand(HeapPeak::most() <= kOpenBytes + 64 * input.size(),
           "opening took " + std::to_string(HeapPeak::most()) + " bytes of memory");
    if (!opens) return false;
  }
  bool is_good = false;
  for (uint32_t page = 0; page < std::min(file->page_count(), kMostPages); ++page) {
    is_good = read_page(*file, page) || is_good;
  }
  return is_good;
}

}  // namespace mezzo::fuzz
