#include "stages/tiff/read/digesting_reader.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

#include "kernels/base/error.h"

namespace mezzo::tiff {

DigestingReader::DigestingReader(std::unique_ptr<PageReader> source,
                                 size_t inks,
                                 prepress::SampleRange rows)
    : source_(std::move(source)), end_row_(rows.end()), next_row_(rows.first), planes_(inks) {}

void DigestingReader::read(std::span<const MutableSampleBand> planes, Team& team) {
  source_->read(planes, team);
  const uint32_t first = planes.front().first_row;
  const uint32_t end = std::min(first + planes.front().rows, end_row_);
  if (next_row_ < first || next_row_ >= end) return;
  for (size_t i = 0; i < planes.size(); ++i) {
    const SampleBand fresh = planes[i].rows_of_page(next_row_, end - next_row_);
    const size_t row_bytes = size_t{fresh.width_px} * fresh.bytes_per_sample;
    if (fresh.stride_bytes == row_bytes) {
      planes_[i].add(fresh.data, row_bytes * fresh.rows);
      continue;
    }
    for (uint32_t row = 0; row < fresh.rows; ++row) {
      planes_[i].add(fresh.data + row * fresh.stride_bytes, row_bytes);
    }
  }
  next_row_ = end;
}

std::string DigestingReader::digest() const {
  MZ_ASSERT(next_row_ == end_row_);
  XXH64_hash_t combined = 0;
  for (const files::Xxh3& plane : planes_) {
    const XXH64_hash_t digest = plane.value64();
    combined =
        planes_.size() == 1 ? digest : XXH3_64bits_withSeed(&digest, sizeof digest, combined);
  }
  return fmt::format("{:016x}", combined);
}

}  // namespace mezzo::tiff
