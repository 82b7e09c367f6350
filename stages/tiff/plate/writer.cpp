#include "stages/tiff/plate/writer.h"

#include <algorithm>

#include "stages/tiff/plate/content_sum.h"
#include "stages/tiff/plate/plate_output.h"
#include "stages/tiff/plate/plate_reader.h"

namespace mezzo::tiff {
namespace {

/// Copies a finished plate into `output`, with the pages that are larger than raw uncompressed;
/// their digests are kept in the records.
void copy_without_compression(const std::string& from,
                              std::vector<PlateRecord>& records,
                              TiffPlateOutput& output,
                              files::FileSystem& files) {
  PlateReader reader(from, files);
  std::vector<std::byte> bytes;
  for (uint32_t p = 0; p < records.size(); ++p) {
    PlateRecord& record = records[p];
    const bool larger = record.coded_bytes > record.raw_bytes;
    if (larger) record.compression = Compression::kNone;
    output.begin_page(record.page, record.compression);
    for (uint32_t s = 0; s < record.strip_sums.size(); ++s) {
      if (larger) {
        const uint32_t rows = strip_rows(record.page, s);
        bytes.resize(row_bytes_of(record.page) * rows);
        auto* bits = reinterpret_cast<uint8_t*>(bytes.data());
        reader.read_strip(p, s, rows_of(record.page, bits, rows));
      } else {
        reader.read_coded_strip(p, s, bytes);
      }
      output.write_strip(bytes);
    }
    output.end_page(record.software, record.description);
    if (larger) record.coded_bytes = record.raw_bytes;
  }
  output.finish();
}

}  // namespace

PlateFile::PlateFile(const std::string& path,
                     uint64_t worst_case_bytes,
                     files::ExistingFile existing,
                     files::FileSystem& files)
    : is_big_(needs_big_tiff(worst_case_bytes)),
      existing_(existing),
      files_(files),
      output_(std::make_unique<TiffPlateOutput>(path, is_big_, existing, files)) {}

PlateFile::~PlateFile() = default;

void PlateFile::begin_page(const PlatePage& page, Compression compression) {
  output_->begin_page(page, compression);
  PlateRecord record;
  record.page = page;
  record.compression = compression;
  record.strip_sums.reserve(strip_count(page));
  records_.push_back(std::move(record));
}

void PlateFile::write_strip(std::span<const std::byte> encoded, const StripRows& rows) {
  PlateRecord& record = records_.back();
  const auto strip = static_cast<uint32_t>(record.strip_sums.size());
  MZ_ASSERT(rows.rows == strip_rows(record.page, strip));
  MZ_ASSERT(rows.first_row == strip * record.page.rows_per_strip);
  output_->write_strip(encoded);
  record.strip_sums.push_back(rows.sum);
  record.coded_bytes += encoded.size();
  record.raw_bytes += row_bytes_of(record.page) * rows.rows;
}

void PlateFile::end_page(const std::string& software, const std::string& description) {
  output_->end_page(software, description);
  records_.back().software = software;
  records_.back().description = description;
}

void PlateFile::seal(bool never_larger, Team& team) {
  MZ_ASSERT(!records_.empty());
  output_->finish();
  const auto is_larger = [](const PlateRecord& page) { return page.coded_bytes > page.raw_bytes; };
  if (never_larger && std::ranges::any_of(records_, is_larger)) rewrite_larger_pages();
  const files::PendingFile& file = output_->file();
  verify_plate(file.temporary_path(), file.path(), records_, team, files_);
}

const std::string& PlateFile::temporary_path() const {
  return output_->file().temporary_path();
}

void PlateFile::publish() {
  output_->file().publish();
}

void PlateFile::commit() {
  output_->file().commit();
}

uint64_t PlateFile::file_bytes() const {
  return output_->file().size();
}

std::string PlateFile::content_sum() const {
  ContentSum content;
  for (const PlateRecord& record : records_) {
    codec::RowSum page;
    for (const codec::RowSum& strip : record.strip_sums) page += strip;
    content.add_page(page);
  }
  return content.hex();
}

Compression PlateFile::page_compression(uint32_t page_index) const {
  return records_.at(page_index).compression;
}

// The first file is removed before the second is verified: its digests are all that is needed.
void PlateFile::rewrite_larger_pages() {
  files::PendingFile& file = output_->file();
  auto smaller = std::make_unique<TiffPlateOutput>(file.path(), is_big_, existing_, files_);
  copy_without_compression(file.temporary_path(), records_, *smaller, files_);
  output_ = std::move(smaller);
}

}  // namespace mezzo::tiff
