// The digest of a page's samples, taken while they are read.
//
// It depends on the samples alone: the bands of a read, rows that are read twice, and going back
// change nothing. It is taken of the page as its file has it, before any scaling, and of the rows
// alone that its plates are made of: it is the same at every resolution, and costs little.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/prepress/sample_range.h"
#include "stages/files/xxh3.h"
#include "stages/tiff/read/page_reader.h"

namespace mezzo::tiff {

class DigestingReader final : public PageReader {
 public:
  /// `source` reads pages of so many inks. The digest is that of `rows`, all of which will be read.
  DigestingReader(std::unique_ptr<PageReader> source, size_t inks, prepress::SampleRange rows);

  uint32_t row_quantum() const override { return source_->row_quantum(); }
  bool goes_back_cheaply() const override { return source_->goes_back_cheaply(); }
  size_t working_bytes(uint32_t band_rows, uint32_t members) const override {
    return source_->working_bytes(band_rows, members);
  }
  void read(std::span<const MutableSampleBand> planes, Team& team) override;

  /// XXH3, 16 hexadecimal digits, once the last of the rows has been read.
  std::string digest() const;

 private:
  const std::unique_ptr<PageReader> source_;
  const uint32_t end_row_;
  uint32_t next_row_;
  std::vector<files::Xxh3> planes_;
};

}  // namespace mezzo::tiff
