#include "stages/tiff/plate/plate_verify.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "stages/files/input_file.h"
#include "stages/tiff/plate/plate_reader.h"

namespace mezzo::tiff {
namespace {

[[noreturn]] void differs(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::kIo,
              path + ": the plate read back is not the plate written: " + what +
                  " differs; nothing was published",
              "check the disk and the memory of the machine");
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
  if (found.names != names_of(record.page)) differs(path, "a name of ink, page or document" + page);
  if (found.software != record.software.c_str()) differs(path, "Software" + page);
  if (found.description != record.description.c_str()) differs(path, "ImageDescription" + page);
}

std::unique_ptr<PlateReader> open_and_compare(const std::string& path,
                                              const std::string& shown_path,
                                              const std::vector<PlateRecord>& records,
                                              const files::InputFile* digested,
                                              files::FileSystem& files) {
  auto reader = read_back(shown_path, [&] {
    return digested == nullptr ? PlateReader::open(path, files)
                               : std::make_unique<PlateReader>(path, files, *digested);
  });
  // Where libtiff warns of a tag and guesses, another reader may refuse the file.
  const std::string warnings = reader->warnings();
  if (!warnings.empty()) differs(shown_path, "a tag (" + warnings + ")");
  if (reader->page_count() != records.size()) differs(shown_path, "the number of pages");
  for (size_t p = 0; p < records.size(); ++p) {
    compare_tags(shown_path, records[p], reader->page(static_cast<uint32_t>(p)));
  }
  return reader;
}

/// Strips of a page that a thread reads at once.
struct StripGroup {
  uint32_t page = 0;
  uint32_t first = 0;
  uint32_t count = 0;
};

/// What a thread holds of a strip of the page: its bits, and its coded bytes on their way.
uint64_t bytes_of_strip(const PlateRecord& record) {
  const uint64_t coded = record.coded_bytes / std::max<size_t>(record.strips.size(), 1);
  return uint64_t{row_bytes_of(record.page)} * record.page.rows_per_strip + 2 * coded;
}

/// As many as have room for a strip.
uint32_t threads_for(const std::vector<PlateRecord>& records, uint32_t most, uint64_t room_bytes) {
  uint64_t largest = 1;
  for (const PlateRecord& record : records) largest = std::max(largest, bytes_of_strip(record));
  return static_cast<uint32_t>(std::clamp<uint64_t>(room_bytes / largest, 1, most));
}

/// The strips of all pages, in groups that are fast to read, have room, and are enough for the threads.
std::vector<StripGroup> groups_of(const std::vector<PlateRecord>& records,
                                  uint32_t threads,
                                  uint64_t room_bytes) {
  std::vector<StripGroup> groups;
  for (uint32_t p = 0; p < records.size(); ++p) {
    const PlatePage& page = records[p].page;
    const auto strips = static_cast<uint32_t>(records[p].strips.size());
    const uint32_t share = strips / (2 * threads);
    const uint64_t room = room_bytes / threads / bytes_of_strip(records[p]);
    const auto at_once = static_cast<uint32_t>(
        std::max<uint64_t>(std::min<uint64_t>({strips_at_once(page), share, room}), 1));
    for (uint32_t first = 0; first < strips; first += at_once) {
      groups.push_back({p, first, std::min(at_once, strips - first)});
    }
  }
  return groups;
}

bool has_to_be_decoded(const PlateRecord& record, const StripGroup& group) {
  if (record.compression == Compression::kNone) return false;
  const auto first = record.strips.begin() + group.first;
  return !std::all_of(
      first, first + group.count, [](const StripSums& sums) { return sums.decodes; });
}

[[noreturn]] void strip_differs(const std::string& path, uint32_t page, uint32_t strip) {
  differs(path, "strip " + std::to_string(strip + 1) + " of page " + std::to_string(page + 1));
}

/// What a thread reads strips with.
class StripCheck {
 public:
  StripCheck(std::unique_ptr<PlateReader> reader, const std::string& path)
      : reader_(std::move(reader)), path_(path) {}

  /// What stands in the file.
  void check_bytes(const PlateRecord& record, const StripGroup& group) {
    for (uint32_t strip = group.first; strip < group.first + group.count; ++strip) {
      read_back(path_, [&] { reader_->read_coded_strip(group.page, strip, bytes_); });
      const StripSums& sums = record.strips[strip];
      const bool is_same = record.compression == Compression::kNone
                               ? is_rows(record.page, strip, sums.rows)
                               : codec::byte_sum(bytes_) == sums.coded;
      if (!is_same) strip_differs(path_, group.page, strip);
    }
  }

  /// What it decodes to.
  void check_rows(const PlateRecord& record, const StripGroup& group) {
    const uint32_t first_row = group.first * record.page.rows_per_strip;
    const uint32_t last = group.first + group.count - 1;
    const uint32_t rows =
        last * record.page.rows_per_strip + strip_rows(record.page, last) - first_row;
    bits_.resize(row_bytes_of(record.page) * rows);
    BitBand band = rows_of(record.page, bits_.data(), rows);
    band.first_row = first_row;
    read_back(path_, [&] { reader_->read_strips(group.page, group.first, group.count, band); });
    for (uint32_t i = 0; i < group.count; ++i) {
      const uint32_t strip = group.first + i;
      const BitBand strip_band =
          band.slice(i * record.page.rows_per_strip, strip_rows(record.page, strip));
      if (codec::row_sum(strip_band) != record.strips[strip].rows) {
        strip_differs(path_, group.page, strip);
      }
    }
  }

 private:
  /// Whether the bytes are the rows of the strip. libtiff reads as many as rows have, whatever the
  /// file says.
  bool is_rows(const PlatePage& page, uint32_t strip, const codec::RowSum& sum) {
    const uint32_t count = strip_rows(page, strip);
    BitBand rows = rows_of(page, reinterpret_cast<uint8_t*>(bytes_.data()), count);
    rows.first_row = strip * page.rows_per_strip;
    return bytes_.size() == row_bytes_of(page) * count && codec::row_sum(rows) == sum;
  }

  const std::unique_ptr<PlateReader> reader_;
  const std::string& path_;
  std::vector<std::byte> bytes_;
  std::vector<uint8_t> bits_;
};

}  // namespace

void cannot_read_back(const std::string& shown_path, const Error& error) {
  throw Error(ErrorKind::kIo,
              shown_path + ": reading it back failed, so nothing was published: " + error.what());
}

std::string verify_plate(const WrittenPlate& plate,
                         const PlateCheck& how,
                         Team& team,
                         files::FileSystem& files) {
  const auto& [path, shown_path, file_bytes, records] = plate;
  std::optional<files::InputFile> digested;
  if (how.digests) {
    read_back(shown_path,
              [&] { digested.emplace(path, std::numeric_limits<uint64_t>::max(), files); });
    digested->digest_along_reads();
  }
  const uint32_t threads = threads_for(records, team.size(), how.room_bytes);
  const std::vector<StripGroup> groups = groups_of(records, threads, how.room_bytes);
  std::atomic<size_t> next{0};
  std::atomic<uint32_t> begun{0};
  team.run([&] {
    if (begun++ >= threads) return;
    try {
      auto reader =
          open_and_compare(path, shown_path, records, digested ? &*digested : nullptr, files);
      if (reader->file_bytes() != file_bytes) differs(shown_path, "the size of the file");
      StripCheck check(std::move(reader), shown_path);
      for (size_t i = next++; i < groups.size(); i = next++) {
        const PlateRecord& record = records[groups[i].page];
        check.check_bytes(record, groups[i]);
        if (how.level != VerifyLevel::kBytes && has_to_be_decoded(record, groups[i])) {
          check.check_rows(record, groups[i]);
        }
      }
    } catch (...) {
      next = groups.size();  // the others need not go on
      throw;
    }
  });
  if (!digested) return {};
  return read_back(shown_path, [&] { return "xxh3:" + digested->xxh3(); });
}

}  // namespace mezzo::tiff
