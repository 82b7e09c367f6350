#include "stages/preview.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "kernels/band/coverage.h"
#include "kernels/base/error.h"

namespace mezzo {
namespace {

uint32_t cells_along(uint32_t side_px, uint32_t longer_px, uint32_t longest) {
  if (longer_px <= longest) return side_px;
  const uint64_t cells = (uint64_t{side_px} * longest + longer_px / 2) / longer_px;
  return static_cast<uint32_t>(std::max<uint64_t>(cells, 1));
}

/// The first pixel of cell `i` of `cells`.
uint32_t cell_begin(uint32_t side_px, uint32_t cells, uint32_t i) {
  return static_cast<uint32_t>(uint64_t{side_px} * i / cells);
}

/// Eight bytes of a packed row, in the order of memory.
uint64_t word_of(const uint8_t* row, size_t word) {
  uint64_t bits;
  std::memcpy(&bits, row + 8 * word, 8);
  return bits;
}

/// The ink of the first `rest` bits of a row, 0 < rest < 64.
uint32_t ink_of(const uint8_t* row, uint32_t rest) {
  int ink = 0;
  for (uint32_t byte = 0; byte < rest / 8; ++byte) ink += std::popcount(row[byte]);
  if (rest % 8 > 0) ink += std::popcount(static_cast<uint8_t>(row[rest / 8] >> (8 - rest % 8)));
  return static_cast<uint32_t>(ink);
}

}  // namespace

Sides scaled_within(const Sides& page, uint32_t longest) {
  const uint32_t longer = std::max(page.width_px, page.height_px);
  return {cells_along(page.width_px, longer, longest),
          cells_along(page.height_px, longer, longest)};
}

PieceGrid::PieceGrid(const Sides& page, uint32_t side_px, uint32_t column_quantum) {
  const uint32_t width_px = std::min(side_px, page.width_px);
  const uint32_t height_px = std::min(side_px, page.height_px);
  const auto begin = [](uint32_t page_px, uint32_t piece_px, uint32_t i) {
    return static_cast<uint32_t>(uint64_t{page_px - piece_px} * i / (kAcross - 1));
  };
  for (uint32_t i = 0; i < kAcross * kAcross; ++i) {
    const uint32_t x = begin(page.width_px, width_px, i % kAcross);
    const uint32_t y = begin(page.height_px, height_px, i / kAcross);
    places_.push_back({x / column_quantum * column_quantum, y, width_px, height_px});
  }
}

size_t PieceGrid::best(std::span<const size_t> scores) {
  const auto from_middle = [](size_t place) {
    constexpr int kMiddle = kAcross / 2;
    return std::abs(static_cast<int>(place % kAcross) - kMiddle) +
           std::abs(static_cast<int>(place / kAcross) - kMiddle);
  };
  size_t best = 0;
  for (size_t place = 1; place < scores.size(); ++place) {
    const std::pair score(scores[place], -from_middle(place));
    if (score > std::pair(scores[best], -from_middle(best))) best = place;
  }
  return best;
}

ScaledDown::ScaledDown(
    const Sides& page, const Sides& cells, Rows rows, uint32_t solid, Polarity polarity)
    : width_px_(page.width_px),
      height_px_(page.height_px),
      rows_(rows),
      solid_(solid),
      polarity_(polarity) {
  MZ_ASSERT(cells.width_px > 0 && cells.width_px <= width_px_ && solid > 0);
  MZ_ASSERT(cells.height_px > 0 && cells.height_px <= height_px_);
  image_.width_px = cells.width_px;
  image_.height_px = cells.height_px;
  for (uint32_t i = 0; i < image_.width_px; ++i) {
    ends_.push_back(cell_begin(width_px_, image_.width_px, i + 1));
  }
  sums_.resize(image_.width_px);
  image_.coverage.reserve(size_t{image_.width_px} * image_.height_px);
}

template <typename Sample, typename Sum>
void ScaledDown::add_samples(const Sample* row, std::vector<Sum>& columns) {
  const uint32_t in_cell = next_row_ - cell_begin(height_px_, image_.height_px, next_cell_);
  if (in_cell % row_step(next_cell_) == 0) {
    columns.resize(width_px_);
    Sum* sums = columns.data();
    const size_t width = width_px_;
    for (size_t x = 0; x < width; ++x) sums[x] = static_cast<Sum>(sums[x] + row[x]);
    ++rows_taken_;
  }
  if (in_cell + 1 == cell_rows(next_cell_)) {
    for (uint32_t cell = 0, begin = 0; cell < sums_.size(); begin = ends_[cell++]) {
      for (uint32_t x = begin; x < ends_[cell]; ++x) sums_[cell] += columns[x];
    }
    std::ranges::fill(columns, Sum{0});
  }
  finish_row();
}

void ScaledDown::add_row(const uint8_t* row) {
  if (rows_ == Rows::kAll) return add_samples(row, columns32_);
  add_samples(row, columns16_);  // fewer than 16 rows are added to a column: their sum fits
}

void ScaledDown::add_row(const uint16_t* row) {
  add_samples(row, columns32_);
}

void ScaledDown::add_bits(const uint8_t* row) {
  // Ink from the left edge up to each cell's end, in whole words and a part of one.
  uint64_t in_words = 0, up_to_last = 0;
  size_t word = 0;
  const size_t whole_words = bit_row_bytes(width_px_) / 8;
  for (uint32_t cell = 0; cell < sums_.size(); ++cell) {
    for (; word < ends_[cell] / 64; ++word) {
      in_words += static_cast<uint64_t>(std::popcount(word_of(row, word)));
    }
    uint64_t up_to_end = in_words;
    if (const uint32_t rest = ends_[cell] % 64; rest > 0) {
      if (word < whole_words && std::endian::native == std::endian::little) {
        const uint64_t leftmost_first = __builtin_bswap64(word_of(row, word));
        up_to_end += static_cast<uint64_t>(std::popcount(leftmost_first >> (64 - rest)));
      } else {
        up_to_end += ink_of(row + 8 * word, rest);
      }
    }
    sums_[cell] += up_to_end - up_to_last;
    up_to_last = up_to_end;
  }
  ++rows_taken_;
  finish_row();
}

uint32_t ScaledDown::cell_rows(uint32_t cell) const {
  return cell_begin(height_px_, image_.height_px, cell + 1) -
         cell_begin(height_px_, image_.height_px, cell);
}

/// Of a row of cells, one row of samples in so many is taken.
uint32_t ScaledDown::row_step(uint32_t cell) const {
  return rows_ == Rows::kAll ? 1 : std::max(cell_rows(cell) / 8, 1U);
}

std::vector<uint32_t> ScaledDown::row_ends() const {
  std::vector<uint32_t> ends;
  for (uint32_t cell = 0; cell < image_.height_px; ++cell) {
    ends.push_back(cell_begin(height_px_, image_.height_px, cell + 1));
  }
  return ends;
}

std::vector<uint32_t> ScaledDown::row_steps() const {
  std::vector<uint32_t> steps;
  for (uint32_t cell = 0; cell < image_.height_px; ++cell) steps.push_back(row_step(cell));
  return steps;
}

void ScaledDown::finish_row() {
  MZ_ASSERT(next_row_ < height_px_);
  ++next_row_;
  if (next_row_ < cell_begin(height_px_, image_.height_px, next_cell_ + 1)) return;
  add_coverage(sums_, rows_taken_);
  std::ranges::fill(sums_, 0);
  rows_taken_ = 0;
  ++next_cell_;
}

/// A row of cells of the image.
void ScaledDown::add_coverage(std::span<const uint64_t> sums, uint32_t rows_taken) {
  for (uint32_t cell = 0, begin = 0; cell < sums.size(); begin = ends_[cell++]) {
    const uint64_t full = uint64_t{rows_taken} * (ends_[cell] - begin) * solid_;
    const uint64_t ink = polarity_ == Polarity::kMaxIsInk ? sums[cell] : full - sums[cell];
    image_.coverage.push_back(static_cast<uint8_t>((510 * ink + full) / (2 * full)));
  }
}

void ScaledDown::add_sums(std::span<const uint64_t> sums) {
  MZ_ASSERT(next_row_ == 0 && sums.size() == size_t{image_.width_px} * image_.height_px);
  for (uint32_t cell = 0; cell < image_.height_px; ++cell) {
    const uint32_t step = row_step(cell);
    add_coverage(sums.subspan(size_t{cell} * image_.width_px, image_.width_px),
                 (cell_rows(cell) + step - 1) / step);
  }
  next_row_ = height_px_;
}

InkImage ScaledDown::take() {
  MZ_ASSERT(next_row_ == height_px_);
  return std::move(image_);
}

PagePreview::PagePreview(const PageInfo& info, const std::vector<std::optional<DropLevels>>& levels)
    : info_(info),
      pieces_({info.width_px, info.height_px}, kPiece, 8),
      piece_width_px_(pieces_[0].width_px),
      piece_height_px_(pieces_[0].height_px) {
  const Sides page = {info.width_px, info.height_px}, cells = scaled_within(page, kLongest);
  const size_t places = pieces_.places().size();
  for (size_t i = 0; i < info.inks.size(); ++i) {
    const auto of_plate = levels.empty() ? std::nullopt : levels[i];
    const uint32_t bits_per_px = of_plate ? packed_bits(of_plate->count) : 1;
    const size_t piece_bytes = bit_row_bytes(piece_width_px_, bits_per_px) * piece_height_px_;
    planes_.push_back(
        {{page, cells, ScaledDown::Rows::kSome, info.max_sample, info.polarity},
         {page, cells, ScaledDown::Rows::kAll, of_plate ? kSolid : 1, Polarity::kMaxIsInk},
         std::vector<uint32_t>(places * kTones),
         of_plate,
         bits_per_px,
         std::vector<uint8_t>(places * piece_bytes)});
  }
}

template <typename Sample>
void PagePreview::count_tones(Plane& plane, uint32_t row, const Sample* samples) const {
  const bool max_is_ink = info_.polarity == Polarity::kMaxIsInk;
  for (size_t i = 0; i < pieces_.places().size(); ++i) {
    const auto& [x, y, width_px, height_px] = pieces_[i];
    if (row < y || row - y >= piece_height_px_ || (row - y) % kToneRows != 0) continue;
    uint32_t* counts = plane.tones.data() + i * kTones;
    for (uint32_t k = 0; k < piece_width_px_; ++k) {
      const uint32_t tone = samples[x + k] * kTones / (info_.max_sample + 1);
      ++counts[max_is_ink ? tone : kTones - 1 - tone];
    }
  }
}

void PagePreview::add_samples(const SampleBand& rows) {
  Plane& plane = planes_[rows.plane];
  for (uint32_t i = 0; i < rows.rows; ++i) {
    if (rows.bytes_per_sample == 1) {
      plane.contone.add_row(rows.row8(i));
      count_tones(plane, rows.first_row + i, rows.row8(i));
    } else {
      plane.contone.add_row(rows.row16(i));
      count_tones(plane, rows.first_row + i, rows.row16(i));
    }
  }
}

void PagePreview::add_bits(uint32_t index, const BitBand& rows) {
  Plane& plane = planes_[index];
  const size_t piece_row = bit_row_bytes(piece_width_px_, plane.bits_per_px);
  std::vector<uint16_t> tones;
  for (uint32_t i = 0; i < rows.rows; ++i) {
    if (plane.levels) {
      tones.resize(rows.width_px);
      for (uint32_t x = 0; x < rows.width_px; ++x) tones[x] = plane.levels->tones[rows.level(x, i)];
      plane.plate.add_row(tones.data());
    } else {
      plane.plate.add_bits(rows.row(i));
    }
    const uint32_t row = rows.first_row + i;
    for (size_t k = 0; k < pieces_.places().size(); ++k) {
      const auto& [x, y, width_px, height_px] = pieces_[k];
      if (row < y || row - y >= piece_height_px_) continue;
      uint8_t* piece = plane.bits.data() + (k * piece_height_px_ + row - y) * piece_row;
      std::memcpy(piece, rows.row(i) + x / 8 * plane.bits_per_px, piece_row);
    }
  }
}

device_chain::PictureGrid PagePreview::grid(uint32_t index) const {
  const ScaledDown& contone = planes_[index].contone;
  return {.column_ends = contone.column_ends(),
          .row_ends = contone.row_ends(),
          .row_steps = contone.row_steps(),
          .pieces = pieces_.places(),
          .tones = kTones,
          .tone_rows = kToneRows,
          .max_sample = info_.max_sample,
          .polarity = info_.polarity,
          .levels = planes_[index].levels};
}

void PagePreview::add_sums(uint32_t index, device_chain::PictureSums sums) {
  Plane& plane = planes_[index];
  MZ_ASSERT(sums.tones.size() == plane.tones.size());
  MZ_ASSERT(sums.pieces.size() == plane.bits.size());
  plane.contone.add_sums(sums.samples);
  plane.plate.add_sums(sums.ink);
  plane.tones = std::move(sums.tones);
  plane.bits = std::move(sums.pieces);
}

/// Whether a 64th of the piece at least is ink, and a 64th paper. Of a page that is smaller than a piece,
/// whole bytes count. Of levels each bit counts as a pixel.
bool PagePreview::has_dots(const Plane& plane, size_t place) const {
  const size_t bytes = piece_width_px_ / 8 * plane.bits_per_px;
  const size_t row_bytes = bit_row_bytes(piece_width_px_, plane.bits_per_px);
  size_t ink_px = 0;
  for (uint32_t y = 0; y < piece_height_px_; ++y) {
    const uint8_t* row = plane.bits.data() + (place * piece_height_px_ + y) * row_bytes;
    for (size_t i = 0; i < bytes; ++i) ink_px += static_cast<size_t>(std::popcount(row[i]));
  }
  const size_t all_px = 8 * bytes * piece_height_px_;
  return 64 * ink_px >= all_px && 64 * (all_px - ink_px) >= all_px;
}

size_t PagePreview::best_place() const {
  const size_t rows = (piece_height_px_ + kToneRows - 1) / kToneRows;
  const size_t enough = piece_width_px_ * rows * planes_.size() / 64;
  std::vector<size_t> kinds(pieces_.places().size());
  for (size_t place = 0; place < kinds.size(); ++place) {
    for (size_t tone = 1; tone + 1 < kTones; ++tone) {
      size_t samples = 0;
      for (const Plane& plane : planes_) samples += plane.tones[place * kTones + tone];
      kinds[place] += samples > 0 && samples >= enough;
    }
    const auto shows = [&](const Plane& plane) { return has_dots(plane, place); };
    if (std::ranges::any_of(planes_, shows)) kinds[place] += kTones;
  }
  return PieceGrid::best(kinds);
}

PreviewImages PagePreview::take() {
  const size_t place = best_place();
  PreviewImages pictures;
  pictures.dots_x = pieces_[place].x;
  pictures.dots_y = pieces_[place].y;
  for (size_t i = 0; i < planes_.size(); ++i) {
    Plane& plane = planes_[i];
    const size_t piece_row = bit_row_bytes(piece_width_px_, plane.bits_per_px);
    InkImage dots{piece_width_px_, piece_height_px_, {}};
    const BitBand bits{plane.bits.data() + place * piece_height_px_ * piece_row,
                       piece_width_px_,
                       piece_height_px_,
                       piece_row,
                       0,
                       plane.bits_per_px};
    for (uint32_t y = 0; y < dots.height_px; ++y) {
      for (uint32_t x = 0; x < dots.width_px; ++x) {
        const uint32_t level = bits.level(x, y);
        const uint32_t tone = plane.levels ? plane.levels->tones[level] : level * kSolid;
        dots.coverage.push_back(static_cast<uint8_t>((255 * tone + kSolid / 2) / kSolid));
      }
    }
    pictures.inks.push_back(
        {info_.inks[i], plane.contone.take(), plane.plate.take(), std::move(dots)});
  }
  return pictures;
}

}  // namespace mezzo
