#include "stages/tiff/plate/writer.h"

#include <algorithm>

#include "kernels/codec/fax_decode.h"
#include "stages/tiff/plate/content_sum.h"
#include "stages/tiff/plate/plate_output.h"
#include "stages/tiff/plate/plate_reader.h"

namespace mezzo::tiff {
namespace {

/// Rows without gaps between them.
std::span<const std::byte> bytes_of(const BitBand& rows) {
  MZ_ASSERT(rows.data != nullptr &&
            rows.stride_bytes == bit_row_bytes(rows.width_px, rows.bits_per_px));
  return std::as_bytes(std::span(rows.data, rows.stride_bytes * rows.rows));
}

void copy_coded_strips(PlateReader& reader, uint32_t page, TiffPlateOutput& output) {
  std::vector<std::byte> bytes;
  for (uint32_t s = 0; s < strip_count(reader.page(page).page); ++s) {
    reader.read_coded_strip(page, s, bytes);
    output.write_strip(bytes);
  }
}

/// Writes the rows of the page's first strips.
void copy_decoded_rows(PlateReader& reader,
                       uint32_t page,
                       uint32_t strips,
                       TiffPlateOutput& output) {
  const PlatePage& info = reader.page(page).page;
  std::vector<uint8_t> bits;
  for (uint32_t first = 0; first < strips; first += strips_at_once(info)) {
    const uint32_t count = std::min(strips_at_once(info), strips - first);
    const uint32_t last = first + count - 1;
    const uint32_t rows = (count - 1) * info.rows_per_strip + strip_rows(info, last);
    bits.resize(row_bytes_of(info) * rows);
    const BitBand all = rows_of(info, bits.data(), rows);
    reader.read_strips(page, first, count, all);
    for (uint32_t s = 0; s < count; ++s) {
      const BitBand strip = all.slice(s * info.rows_per_strip, strip_rows(info, first + s));
      output.write_strip(bytes_of(strip));
    }
  }
}

/// The rows of a strip that a GPU coded, which is always as G4, in `bits`.
BitBand decoded(const PlateStrip& strip, std::vector<uint8_t>& bits) {
  BitBand rows = strip.rows;
  bits.resize(rows.stride_bytes * rows.rows);
  rows.data = bits.data();
  codec::FaxStrip fax{.coded = strip.coded, .rows = rows};
  codec::decode_fax({&fax, 1}, codec::FaxCoding::kG4);
  return rows;  // seal() finds damage
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

void PlateFile::begin_page(const PlatePage& page, Compression compression, bool never_larger) {
  output_->begin_page(page, compression);
  PlateRecord record;
  record.page = page;
  record.compression = compression;
  record.strips.reserve(strip_count(page));
  record.raw_bytes = uint64_t{row_bytes_of(page)} * page.height_px;
  records_.push_back(std::move(record));
  never_larger_ = never_larger;
  takes_rows_ = compression == Compression::kNone;
}

void PlateFile::write_strip(const PlateStrip& strip) {
  PlateRecord& record = records_.back();
  const auto index = static_cast<uint32_t>(record.strips.size());
  MZ_ASSERT(strip.rows.rows == strip_rows(record.page, index));
  MZ_ASSERT(strip.rows.first_row == index * record.page.rows_per_strip);
  if (takes_rows_) {
    write_rows(strip);
  } else {
    output_->write_strip(strip.coded);
    record.coded_bytes += strip.coded.size();
  }
  record.strips.push_back(strip.sums);
  const bool is_larger = !takes_rows_ && record.coded_bytes > record.raw_bytes;
  if (never_larger_ && is_larger) stop_coding();
}

void PlateFile::write_rows(const PlateStrip& strip) {
  std::vector<uint8_t> bits;
  const bool has_rows = strip.rows.data != nullptr;
  output_->write_strip(bytes_of(has_rows ? strip.rows : decoded(strip, bits)));
}

// A new file takes the place of the one so far, whose strips are decoded into it.
void PlateFile::stop_coding() {
  output_->give_up_page();
  const files::PendingFile& file = output_->file();
  auto output = std::make_unique<TiffPlateOutput>(file.path(), is_big_, existing_, files_);
  PlateReader reader(file.temporary_path(), files_);
  const auto last = static_cast<uint32_t>(records_.size() - 1);
  for (uint32_t p = 0; p < last; ++p) {
    output->begin_page(records_[p].page, records_[p].compression);
    copy_coded_strips(reader, p, *output);
    output->end_page(records_[p].software, records_[p].description);
  }
  PlateRecord& record = records_[last];
  record.compression = Compression::kNone;
  output->begin_page(record.page, record.compression);
  copy_decoded_rows(reader, last, static_cast<uint32_t>(record.strips.size()), *output);
  output_ = std::move(output);
  takes_rows_ = true;
}

void PlateFile::end_page(const std::string& software, const std::string& description) {
  output_->end_page(software, description);
  records_.back().software = software;
  records_.back().description = description;
}

void PlateFile::seal(VerifyLevel level, Team& team, uint64_t room_bytes, bool digests) {
  MZ_ASSERT(!records_.empty());
  output_->finish();
  const files::PendingFile& file = output_->file();
  sealed_ = file.mark();
  file_digest_ = verify_plate({file.temporary_path(), file.path(), file.size(), records_},
                              {level, room_bytes, digests},
                              team,
                              files_);
  check_unchanged();
}

void PlateFile::check_unchanged() const {
  const auto now = files::mark_of(files_, output_->file().temporary_path());
  if (!now || !sealed_ || !now->same_content(*sealed_)) {
    throw Error(ErrorKind::kIo,
                output_->file().path() +
                    ": the plate was changed after it was verified; nothing was published; keep "
                    "other programs away from files that end in .part");
  }
}

const std::string& PlateFile::temporary_path() const {
  return output_->file().temporary_path();
}

void PlateFile::publish(files::PublishedFiles* of_run) {
  check_unchanged();  // other plates may have been sealed since
  output_->file().publish(of_run);
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
    for (const StripSums& strip : record.strips) page += strip.rows;
    content.add_page(page);
  }
  return content.hex();
}

Compression PlateFile::page_compression(uint32_t page_index) const {
  return records_.at(page_index).compression;
}

}  // namespace mezzo::tiff
