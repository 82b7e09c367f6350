// Rows of a page as they are stored, before its orientation is undone, and the common parts of
// their readers (raw.h, blocks.h, scanlines.h). Internal to stages/tiff.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "stages/files/input_file.h"
#include "stages/tiff/handle.h"
#include "stages/tiff/read/layout.h"
#include "stages/tiff/read/placement.h"

namespace mezzo::tiff {

/// Reads bands of stored rows; planes as in PageReader::read().
class StoredRows {
 public:
  virtual ~StoredRows() = default;
  virtual uint32_t row_quantum() const = 0;

  /// Whether reading from the bottom to the top is about as fast as from the top.
  virtual bool reads_backwards() const = 0;

  /// The most memory used with a team of `members`.
  virtual size_t working_bytes(uint32_t members) const = 0;
  virtual void read(std::span<const MutableSampleBand> planes, Team& team) = 0;
};

/// The input of the readers of stored rows. The handle has the page's directory selected.
struct StoredPage {
  const files::InputFile& file;
  const PageLayout& layout;
  PagePlace place;
  LargestBlock largest;  ///< as stored: the decoder's memory for one block
  std::unique_ptr<Handle> handle;
};

/// A handle that has read the file's header. Throws Error.
std::unique_ptr<Handle> open_handle(const files::InputFile& file);

/// A handle ready to decode `layout`: its directory selected, colours in the layout's form.
std::unique_ptr<Handle> open_decoder(const files::InputFile& file,
                                     const PageLayout& layout,
                                     const PagePlace& place);

/// Asks the codec for the form that the layout relies on, and forgets the messages so far.
void prepare_decoder(Handle& handle, const PageLayout& layout);

/// Whether the decoder found nothing wrong. Forgets those warnings of libtiff behind which it decodes all
/// the same: of LZW codes as they were before TIFF 6, and of a last strip that is filled up.
bool decoded_well(Handle& handle);

/// The memory of a handle beside the blocks that it decodes: tables of the codec, and the arrays of
/// offsets and sizes, which libtiff makes as long as the page has blocks when it looks up the first.
inline size_t handle_bytes(const PageLayout& layout) {
  constexpr size_t kTables = size_t{1} << 20;
  return kTables + 2 * sizeof(uint64_t) * layout.block_count();
}

/// Memory for rows of all planes, of the size last asked for.
class PlaneBuffer {
 public:
  /// Makes room for `rows` rows and returns views that begin at row `first_row` of the page.
  std::vector<MutableSampleBand> shape(const PageLayout& layout,
                                       uint32_t width_px,
                                       uint32_t first_row,
                                       uint32_t rows);

 private:
  std::vector<std::byte> bytes_;
};

/// Rows [first_row, first_row + rows), in rows of the page, of each band.
std::vector<MutableSampleBand> rows_of(std::span<const MutableSampleBand> planes,
                                       uint32_t first_row,
                                       uint32_t rows);

/// Copies the rows that both have.
void copy_rows(std::span<const MutableSampleBand> from, std::span<const MutableSampleBand> to);

}  // namespace mezzo::tiff
