// A stage of the chain between a page and its halftoner: rows of all inks into rows.
//
// A stage is made by the plan from the page as the stage before hands it on and from settings; it
// knows no file and no thread, never changes, and is shared by all that run or verify the page. Any
// row that it makes depends on the rows of the page that it asks for and on nothing else: never on
// the rows that are made with it, or on the team. So bands are planned from the plate backwards,
// and may be cut anywhere.
//
// Reading, halftoning, cutting, encoding and writing are no such stages: what enters or leaves them
// is a file, a state from band to band, or bits. They are the fixed ends of the chain, in
// pipeline/run/page_run.h. Turning a page belongs to reading, as no row of a page on its side can be
// made before all rows of the file are there: the reader does it while it undoes the orientation of
// the file, in as many passes as its memory asks for.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "kernels/prepress/scaler.h"
#include "stages/page_info.h"

namespace mezzo::chain {

class Stage {
 public:
  /// `page` is the page as this stage hands it on.
  explicit Stage(PageInfo page) : page_(std::move(page)) {}
  virtual ~Stage() = default;
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  const PageInfo& page() const { return page_; }

  /// The rows of the page before that rows [first, first + count) of this one are made of.
  virtual prepress::SampleRange rows_needed(uint32_t first, uint32_t count) const = 0;

  /// The most rows from `first` on that rows_needed() can be asked for at once. A stage that repeats
  /// its page, which must be the last of its chain, ends there with each copy.
  virtual uint32_t rows_at_once(uint32_t first) const { return page_.height_px - first; }

  /// Memory of run() beside its bands, with a team of `threads`.
  virtual uint64_t working_bytes(uint32_t threads) const = 0;

  /// For people, in --explain and logs: "scale 8/1 by cubic".
  virtual std::string describe() const = 0;

  /// All that decides its bits, as text: stages of one digest make the same rows of the same page.
  virtual std::string digest() const = 0;

  /// Set where scaling is all that it does.
  virtual const prepress::Scaling* scaling() const { return nullptr; }

  /// Set where all that it does is to replace each sample by levels()[sample].
  virtual const std::vector<uint16_t>* levels() const { return nullptr; }

  /// Makes the rows of `to`, one band an ink of page(), all of the same rows, from `from`, which
  /// hold rows_needed() or more, an ink of the page before each.
  virtual void run(std::span<const SampleBand> from,
                   std::span<const MutableSampleBand> to,
                   Team& team) const = 0;

 private:
  PageInfo page_;
};

}  // namespace mezzo::chain
