#include "stages/tiff/plate/plate_verify.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include "kernels/base/error.h"
#include "stages/tiff/plate/plate_reader.h"

namespace mezzo::tiff {
namespace {

/// The reader blames the file; here it is the writing that failed.
[[noreturn]] void cannot_read_back(const std::string& path, const Error& error) {
  throw Error(ErrorKind::kIo,
              path + ": reading it back failed, so nothing was published: " + error.what());
}

[[noreturn]] void differs(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::kIo,
              path + ": the plate read back is not the plate written: " + what +
                  " differs; nothing was published; check the disk and the memory of the machine");
}

/// TIFF keeps a resolution as a fraction made of a float.
bool same_dpi(double written, double read) {
  return std::abs(written - read) <= 1e-6 * std::max(1.0, written);
}

void compare_tags(const std::string& path, const PlateRecord& record, const PlatePageInfo& found) {
  const std::string page = " of page " + std::to_string(record.page.page_index + 1);
  if (found.page.width_px != record.page.width_px) differs(path, "the width" + page);
  if (found.page.bits_per_px != record.page.bits_per_px) differs(path, "BitsPerSample" + page);
  if (found.page.height_px != record.page.height_px) differs(path, "the height" + page);
  if (found.page.rows_per_strip != std::min(record.page.rows_per_strip, record.page.height_px)) {
    differs(path, "RowsPerStrip" + page);
  }
  if (found.compression != record.compression) differs(path, "the compression" + page);
  const Resolution& dpi = record.page.resolution;
  if (dpi.x_dpi > 0 && dpi.y_dpi > 0 &&
      !(same_dpi(dpi.x_dpi, found.page.resolution.x_dpi) &&
        same_dpi(dpi.y_dpi, found.page.resolution.y_dpi))) {
    differs(path, "the resolution" + page);
  }
  if (found.page.ink != record.page.ink.c_str()) differs(path, "the ink's name" + page);
}

std::unique_ptr<PlateReader> open_and_compare(const std::string& path,
                                              const std::string& shown_path,
                                              const std::vector<PlateRecord>& records,
                                              files::FileSystem& files) {
  std::unique_ptr<PlateReader> reader;
  try {
    reader = std::make_unique<PlateReader>(path, files);
  } catch (const Error& error) {
    cannot_read_back(shown_path, error);
  }
  if (reader->page_count() != records.size()) differs(shown_path, "the number of pages");
  for (size_t p = 0; p < records.size(); ++p) {
    compare_tags(shown_path, records[p], reader->page(static_cast<uint32_t>(p)));
  }
  return reader;
}

/// The strips of all pages, counted through.
class StripIndex {
 public:
  explicit StripIndex(const std::vector<PlateRecord>& records) {
    for (const PlateRecord& record : records) {
      begin_.push_back(count_);
      count_ += record.strip_sums.size();
    }
  }
  size_t count() const { return count_; }
  /// The page that strip `i` belongs to, and its number there.
  std::pair<uint32_t, uint32_t> find(size_t i) const {
    const auto after = std::upper_bound(begin_.begin(), begin_.end(), i);
    const auto page = static_cast<size_t>(after - begin_.begin()) - 1;
    return {static_cast<uint32_t>(page), static_cast<uint32_t>(i - begin_[page])};
  }

 private:
  std::vector<size_t> begin_;
  size_t count_ = 0;
};

void check_strip(PlateReader& reader,
                 const std::string& path,
                 const PlateRecord& record,
                 std::pair<uint32_t, uint32_t> place,
                 std::vector<uint8_t>& bits) {
  const auto [page, strip] = place;
  const uint32_t rows = strip_rows(record.page, strip);
  bits.resize(row_bytes_of(record.page) * rows);
  BitBand band = rows_of(record.page, bits.data(), rows);
  band.first_row = strip * record.page.rows_per_strip;
  try {
    reader.read_strip(page, strip, band);
  } catch (const Error& error) {
    cannot_read_back(path, error);
  }
  if (codec::row_sum(band) != record.strip_sums[strip]) {
    differs(path, "strip " + std::to_string(strip + 1) + " of page " + std::to_string(page + 1));
  }
}

}  // namespace

void verify_plate(const std::string& path,
                  const std::string& shown_path,
                  const std::vector<PlateRecord>& records,
                  Team& team,
                  files::FileSystem& files) {
  const StripIndex strips(records);
  std::atomic<size_t> next{0};
  team.run([&] {
    try {
      const std::unique_ptr<PlateReader> reader =
          open_and_compare(path, shown_path, records, files);
      std::vector<uint8_t> bits;
      for (size_t i = next++; i < strips.count(); i = next++) {
        const auto place = strips.find(i);
        check_strip(*reader, shown_path, records[place.first], place, bits);
      }
    } catch (...) {
      next = strips.count();  // the others need not go on
      throw;
    }
  });
}

}  // namespace mezzo::tiff
