#include "stages/tiff/read/orientation.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "kernels/base/bytes_text.h"
#include "kernels/base/error.h"

namespace mezzo::tiff {
namespace {

/// The change of stored rows. An orientation says where the stored row 0 and column 0 lie: 1 top
/// left, 2 top right, 3 bottom right, 4 bottom left, 5 left top, 6 right top, 7 right bottom, 8
/// left bottom.
struct Turn {
  bool on_side;         // upright rows are stored columns
  bool mirror_rows;     // the first stored row (on its side: column) is the last upright row
  bool mirror_columns;  // the same of upright columns

  explicit Turn(uint32_t orientation)
      : on_side(orientation >= 5),
        mirror_rows(orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8),
        mirror_columns(orientation == 2 || orientation == 3 || orientation == 6 ||
                       orientation == 7) {}
};

template <typename T>
void mirror_row(std::byte* row, uint32_t width_px) {
  auto* first = reinterpret_cast<T*>(row);
  std::reverse(first, first + width_px);
}

/// Mirrors the rows and columns of bands in place.
void mirror(std::span<const MutableSampleBand> planes, const Turn& turn, Team& team) {
  for (const MutableSampleBand& plane : planes) {
    const size_t row_bytes = size_t{plane.width_px} * plane.bytes_per_sample;
    if (turn.mirror_rows) {
      for (uint32_t top = 0, bottom = plane.rows - 1; top < bottom; ++top, --bottom) {
        std::swap_ranges(plane.row(top), plane.row(top) + row_bytes, plane.row(bottom));
      }
    }
    if (!turn.mirror_columns) continue;
    for_each_index(team, plane.rows, [&](uint32_t i) {
      if (plane.bytes_per_sample == 1) {
        mirror_row<uint8_t>(plane.row(i), plane.width_px);
      } else {
        mirror_row<uint16_t>(plane.row(i), plane.width_px);
      }
    });
  }
}

/// Checks the conditions of PageReader::read().
void check_request(const PageLayout& layout, std::span<const MutableSampleBand> planes) {
  const bool on_side = Turn(layout.orientation).on_side;
  const uint32_t width_px = on_side ? layout.height_px : layout.width_px;
  const uint32_t height_px = on_side ? layout.width_px : layout.height_px;
  MZ_ASSERT(planes.size() == layout.planes);
  for (const MutableSampleBand& plane : planes) {
    MZ_ASSERT(plane.width_px == width_px && plane.bytes_per_sample == layout.bytes_per_sample);
    MZ_ASSERT(plane.first_row == planes[0].first_row && plane.rows == planes[0].rows);
    MZ_ASSERT(plane.first_row <= height_px && plane.rows <= height_px - plane.first_row);
  }
}

/// Orientations 1 to 4, straight into the caller's bands.
class StreamingReader final : public PageReader {
 public:
  StreamingReader(const PageLayout& layout, std::unique_ptr<StoredRows> stored)
      : layout_(layout), turn_(layout.orientation), stored_(std::move(stored)) {}

  uint32_t row_quantum() const override { return stored_->row_quantum(); }
  bool goes_back_cheaply() const override { return stored_->reads_backwards(); }
  size_t working_bytes(uint32_t, uint32_t members) const override {
    return stored_->working_bytes(members);
  }
  void read(std::span<const MutableSampleBand> planes, Team& team) override {
    check_request(layout_, planes);
    if (planes[0].rows == 0) return;
    std::vector<MutableSampleBand> bands(planes.begin(), planes.end());
    if (turn_.mirror_rows) {
      for (MutableSampleBand& band : bands)
        band.first_row = layout_.height_px - band.first_row - band.rows;
    }
    stored_->read(bands, team);
    if (turn_.mirror_rows || turn_.mirror_columns) mirror(bands, turn_, team);
  }

 private:
  const PageLayout layout_;
  const Turn turn_;
  const std::unique_ptr<StoredRows> stored_;
};

/// Copies stored columns to upright rows: a block at a time, so that reads and writes both stay in
/// the first-level cache.
template <typename T>
void transpose(const MutableSampleBand& stored,
               uint32_t first_column,
               const MutableSampleBand& upright,
               uint32_t first_upright_column,
               const Turn& turn) {
  constexpr uint32_t kBlock = 32;
  for (uint32_t row = 0; row < upright.rows; row += kBlock) {
    const uint32_t row_end = std::min(row + kBlock, upright.rows);
    for (uint32_t column = 0; column < stored.rows; column += kBlock) {
      const uint32_t column_end = std::min(column + kBlock, stored.rows);
      for (uint32_t i = row; i < row_end; ++i) {
        const uint32_t from = first_column + (turn.mirror_rows ? upright.rows - 1 - i : i);
        auto* out = reinterpret_cast<T*>(upright.row(i)) + first_upright_column;
        for (uint32_t k = column; k < column_end; ++k) {
          const uint32_t to = turn.mirror_columns ? stored.rows - 1 - k : k;
          out[to] = reinterpret_cast<const T*>(stored.row(k))[from];
        }
      }
    }
  }
}

size_t upright_row_bytes_of(const PageLayout& layout) {
  const uint32_t width_px = Turn(layout.orientation).on_side ? layout.height_px : layout.width_px;
  return size_t{width_px} * layout.bytes_per_sample * layout.planes;
}

/// For one upright row at a time.
uint64_t least_slab_memory(const PageLayout& layout, const StoredRows& stored) {
  const uint32_t quantum = std::min(stored.row_quantum(), layout.height_px);
  const uint64_t input = Turn(layout.orientation).on_side ? layout.output_row_bytes() : 0;
  return stored.working_bytes(1) + input * quantum + upright_row_bytes_of(layout);
}

/// Whether rows can be handed out as they come.
bool streams(const PageLayout& layout, const StoredRows& stored) {
  const Turn turn(layout.orientation);
  return !turn.on_side && !(turn.mirror_rows && !stored.reads_backwards());
}

/// Everything else, through slabs of upright rows.
class SlabReader final : public PageReader {
 public:
  SlabReader(const PageLayout& layout,
             const PagePlace& place,
             uint64_t memory_bytes,
             const MakeStoredRows& make_stored);

  uint32_t row_quantum() const override { return 1; }
  bool goes_back_cheaply() const override { return false; }
  size_t working_bytes(uint32_t, uint32_t members) const override {
    return stored_->working_bytes(members) + stored_row_bytes() * input_rows_ +
           upright_row_bytes() * slab_rows_;
  }
  void read(std::span<const MutableSampleBand> planes, Team& team) override;

 private:
  /// Of the rows that are read to be transposed; none for an upright page.
  size_t stored_row_bytes() const { return turn_.on_side ? layout_.output_row_bytes() : 0; }
  uint32_t width_px() const { return turn_.on_side ? layout_.height_px : layout_.width_px; }
  uint32_t height_px() const { return turn_.on_side ? layout_.width_px : layout_.height_px; }
  size_t upright_row_bytes() const { return upright_row_bytes_of(layout_); }
  void fill(uint32_t first_row, uint32_t rows, Team& team);
  void gather_columns(Team& team);

  const PageLayout layout_;
  const Turn turn_;
  std::unique_ptr<StoredRows> stored_;
  uint32_t input_rows_ = 0;  // stored rows that are read at a time; on its side only
  uint32_t slab_rows_ = 0;   // upright rows of a slab
  PlaneBuffer input_buffer_;
  PlaneBuffer slab_buffer_;
  std::vector<MutableSampleBand> slab_;
  bool is_filled_ = false;
};

SlabReader::SlabReader(const PageLayout& layout,
                       const PagePlace& place,
                       uint64_t memory_bytes,
                       const MakeStoredRows& make_stored)
    : layout_(layout), turn_(layout.orientation) {
  stored_ = make_stored(0);
  const uint64_t least_decoding = stored_->working_bytes(1);
  const uint32_t quantum = std::min(stored_->row_quantum(), layout.height_px);
  const uint64_t least = least_slab_memory(layout, *stored_);
  if (least > memory_bytes) {
    throw Error(ErrorKind::kLimit,
                place.text() + ": the memory to read a page " +
                    (turn_.on_side ? "that lies on its side" : "from its bottom") + " would be " +
                    beyond_limit_text(least, memory_bytes));
  }
  // A quarter of the rest is for more decoders, an eighth for more stored rows at a time (more than
  // 256 gain nothing), and the rest is the slab's.
  const uint64_t spare = memory_bytes - least;
  stored_ = make_stored(least_decoding + spare / 4);
  if (turn_.on_side) {
    const uint64_t more = spare / 8 / stored_row_bytes() / quantum * quantum;
    const uint32_t most = (255 / quantum + 1) * quantum;
    input_rows_ =
        static_cast<uint32_t>(std::min<uint64_t>({quantum + more, most, layout.height_px}));
  }
  const uint64_t fixed = stored_->working_bytes(std::numeric_limits<uint32_t>::max()) +
                         stored_row_bytes() * input_rows_;
  slab_rows_ = static_cast<uint32_t>(
      std::min<uint64_t>((memory_bytes - fixed) / upright_row_bytes(), height_px()));
}

/// One pass over the file: the stored columns of the slab, upright.
void SlabReader::gather_columns(Team& team) {
  const MutableSampleBand& first = slab_[0];
  const uint32_t first_column =
      turn_.mirror_rows ? height_px() - first.first_row - first.rows : first.first_row;
  for (uint32_t row = 0; row < layout_.height_px; row += input_rows_) {
    const uint32_t rows = std::min(input_rows_, layout_.height_px - row);
    const auto input = input_buffer_.shape(layout_, layout_.width_px, row, rows);
    stored_->read(input, team);
    const uint32_t upright_column = turn_.mirror_columns ? layout_.height_px - row - rows : row;
    constexpr uint32_t kRowsAnItem = 128;
    const uint32_t items = (first.rows - 1) / kRowsAnItem + 1;
    for (size_t p = 0; p < slab_.size(); ++p) {
      for_each_index(team, items, [&](uint32_t item) {
        const uint32_t begin = item * kRowsAnItem;
        const uint32_t count = std::min(kRowsAnItem, first.rows - begin);
        const uint32_t column =
            first_column + (turn_.mirror_rows ? first.rows - begin - count : begin);
        const MutableSampleBand part = slab_[p].slice(begin, count);
        if (layout_.bytes_per_sample == 1) {
          transpose<uint8_t>(input[p], column, part, upright_column, turn_);
        } else {
          transpose<uint16_t>(input[p], column, part, upright_column, turn_);
        }
      });
    }
  }
}

void SlabReader::fill(uint32_t first_row, uint32_t rows, Team& team) {
  is_filled_ = false;
  slab_ = slab_buffer_.shape(layout_, width_px(), first_row, rows);
  if (turn_.on_side) {
    gather_columns(team);
  } else {
    std::vector<MutableSampleBand> stored = slab_;
    for (MutableSampleBand& band : stored) {
      if (turn_.mirror_rows) band.first_row = layout_.height_px - first_row - rows;
    }
    stored_->read(stored, team);
    mirror(stored, turn_, team);
  }
  is_filled_ = true;
}

void SlabReader::read(std::span<const MutableSampleBand> planes, Team& team) {
  check_request(layout_, planes);
  const uint32_t end = planes[0].first_row + planes[0].rows;
  for (uint32_t row = planes[0].first_row; row < end;) {
    const uint32_t slab_first = row / slab_rows_ * slab_rows_;
    const uint32_t slab_end = std::min(slab_first + slab_rows_, height_px());
    if (!is_filled_ || slab_[0].first_row != slab_first) {
      fill(slab_first, slab_end - slab_first, team);
    }
    copy_rows(slab_, planes);
    row = slab_end;
  }
}

}  // namespace

uint32_t with_rotation(uint32_t orientation, Rotation rotation) {
  // A quarter turn clockwise takes row 0 from the top to the right, to the bottom, to the left.
  constexpr uint32_t kTurned[] = {0, 6, 7, 8, 5, 2, 3, 4, 1};
  for (uint32_t turns = static_cast<uint32_t>(rotation) / 90; turns > 0; --turns) {
    orientation = kTurned[orientation];
  }
  return orientation;
}

uint64_t least_reader_memory(const PageLayout& layout, const MakeStoredRows& make_stored) {
  const auto stored = make_stored(0);
  if (streams(layout, *stored)) return stored->working_bytes(1);
  // Slabs have more than half of what is more than the least.
  constexpr uint32_t kMostPasses = 64;
  const bool on_side = Turn(layout.orientation).on_side;
  const uint32_t height_px = on_side ? layout.width_px : layout.height_px;
  const uint64_t rows = height_px / kMostPasses + 1;
  return least_slab_memory(layout, *stored) + 2 * rows * upright_row_bytes_of(layout);
}

std::unique_ptr<PageReader> make_upright_reader(const PageLayout& layout,
                                                const PagePlace& place,
                                                uint64_t memory_bytes,
                                                const MakeStoredRows& make_stored) {
  const auto make_slabs = [&] {
    return std::make_unique<SlabReader>(layout, place, memory_bytes, make_stored);
  };
  if (Turn(layout.orientation).on_side) return make_slabs();
  auto stored = make_stored(memory_bytes);
  if (!streams(layout, *stored)) return make_slabs();
  if (stored->working_bytes(1) > memory_bytes) {
    throw Error(ErrorKind::kLimit,
                place.text() + ": the memory to read the page would be " +
                    beyond_limit_text(stored->working_bytes(1), memory_bytes));
  }
  return std::make_unique<StreamingReader>(layout, std::move(stored));
}

}  // namespace mezzo::tiff
