// A contone and a halftone from files, for their comparison.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/prepress/finish.h"
#include "kernels/prepress/overlay.h"
#include "kernels/quality/judge.h"
#include "stages/band/bit_reader.h"
#include "stages/band/contone_buffer.h"
#include "stages/chain/chain.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::compare {

/// An open page of a file: its only page, or the one that is named.
struct OpenPage {
  /// Throws as TiffFile does, and Error(kUsage) when there is no page `number` (from 1).
  OpenPage(const std::string& path, uint32_t number);

  std::unique_ptr<tiff::TiffFile> file;
  uint32_t index = 0;
  const PageInfo& info() const { return file->page(index); }
};

/// Line work that lies over a contone.
struct LineworkPage {
  OpenPage page;
  BitReader::Frame frame = {};  ///< on the contone
  prepress::Overlay overlay = prepress::Overlay::kKeep;
};

/// A plane of a page as it is compared.
struct ComparedPlane {
  /// The plane as the file has it; `page` must outlive this.
  explicit ComparedPlane(const OpenPage& page, uint32_t plane = 0);

  const OpenPage* page;
  tiff::ReadAs form;                          ///< of the page
  std::shared_ptr<const chain::Chain> chain;  ///< that it is read through
  uint32_t plane = 0;                         ///< of info()
  prepress::Finish undone;                    ///< of a plate that was finished so
  std::vector<std::shared_ptr<const LineworkPage>> linework;
  const PageInfo& info() const { return chain->page(); }
};

/// The rows of a plane as ink, from the top: 0 is paper, info().max_sample is solid. The plane must
/// outlive this.
class PlaneRows {
 public:
  explicit PlaneRows(const ComparedPlane& plane);

  const PageInfo& info() const { return plane_.info(); }

  /// Valid until the next call. Throws Error as PageReader does, and kInterrupted after a signal.
  std::span<const uint16_t> next_row(Team& team);

 private:
  void undo_finish();
  void lay_linework(Team& team);

  const ComparedPlane& plane_;
  std::unique_ptr<tiff::PageReader> reader_;
  uint32_t band_rows_ = 1;
  ContoneBuffer buffer_;
  std::vector<MutableSampleBand> band_;
  std::vector<uint16_t> row_;
  uint32_t next_row_ = 0;
  std::vector<std::unique_ptr<tiff::PageReader>> linework_readers_;
  std::vector<std::unique_ptr<BitReader>> linework_;
  std::vector<uint8_t> linework_row_;
};

/// The plane of `page`, of the file `path`, that a halftone is compared with: the one called `wanted`
/// (a name, or a number from 1); when `wanted` is empty, the only one, or the one called `plate_ink`,
/// which the halftone at `halftone_path` names as its own. Throws Error(kUsage), which names the inks
/// to choose from.
uint32_t choose_plane(const PageInfo& page,
                      const std::string& path,
                      const std::string& wanted,
                      const std::string& plate_ink,
                      const std::string& halftone_path);

/// Whether the page has two tones of one ink.
bool is_halftone(const PageInfo& info);

/// Reads both, band by band; they have one size and must outlive this. It throws Error(kInterrupted)
/// after a signal.
std::unique_ptr<quality::PagePair> open_pair(const ComparedPlane& contone,
                                             const ComparedPlane& halftone);

}  // namespace mezzo::compare
