// A page as its chain makes it, read in bands like any other: what a caller asks for is pulled
// through the stages, from the rows of the file that it takes.
#pragma once

#include <memory>
#include <vector>

#include "stages/band/contone_buffer.h"
#include "stages/chain/chain.h"
#include "stages/tiff/read/page_reader.h"

namespace mezzo::chain {

class ChainReader final : public tiff::PageReader {
 public:
  /// `chain` has stages; it must outlive this. `source` reads its source().
  ChainReader(const Chain& chain, std::unique_ptr<tiff::PageReader> source)
      : chain_(chain), source_(std::move(source)), between_(chain.stages().size() - 1) {}

  /// Fewer rows would do, but each band scales some rows around it again.
  uint32_t row_quantum() const override { return 32; }
  bool goes_back_cheaply() const override { return source_->goes_back_cheaply(); }
  size_t working_bytes(uint32_t band_rows, uint32_t members) const override;
  void read(std::span<const MutableSampleBand> planes, Team& team) override;

 private:
  /// Rows of a page in memory.
  struct Rows {
    ContoneBuffer buffer;
    uint32_t room = 0;  ///< rows
    std::vector<MutableSampleBand> planes;
  };

  /// Rows that the last stage makes at once.
  void read_at_once(std::span<const MutableSampleBand> planes, Team& team);
  /// Rows of the file, some of which the band before had.
  std::vector<SampleBand> source_rows(prepress::SampleRange rows, Team& team);
  /// `needed`, and the rest of what the file's reader decodes with it.
  prepress::SampleRange rows_to_hold(prepress::SampleRange needed) const;
  static void make_room(const PageInfo& page, uint32_t rows, Rows& held);

  const Chain& chain_;
  std::unique_ptr<tiff::PageReader> source_;
  Rows held_, spare_;          ///< of the file
  std::vector<Rows> between_;  ///< what each stage but the last has made
};

}  // namespace mezzo::chain
