#include "stages/tiff/read/blocks.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "kernels/base/error.h"
#include "stages/tiff/damaged.h"
#include "stages/tiff/read/inflate.h"
#include "stages/tiff/read/names.h"
#include "stages/tiff/read/pool.h"
#include "stages/tiff/read/samples.h"

namespace mezzo::tiff {
namespace {

constexpr uint32_t kMaxDecoders = 256;

class BlockRows final : public StoredRows {
 public:
  BlockRows(StoredPage page, uint64_t memory_bytes);

  uint32_t row_quantum() const override { return std::min(layout_.block_rows, layout_.height_px); }
  bool reads_backwards() const override { return true; }
  size_t working_bytes(uint32_t members) const override;
  void read(std::span<const MutableSampleBand> planes, Team& team) override;

 private:
  struct Decoder {
    explicit Decoder(std::unique_ptr<Handle> its_handle) : handle(std::move(its_handle)) {}

    std::unique_ptr<Handle> handle;
    std::optional<Inflater> inflater;  // does the decoding, when it is Deflate
    std::vector<std::byte> blocks;     // a decoded block of each source
    RowConverter::Scratch scratch;
  };

  /// A row of blocks, and the bands, of just its rows, that it is decoded to.
  struct BlockRow {
    uint32_t index;
    std::vector<MutableSampleBand> target;
  };

  /// Blocks that are decoded together to make samples: those of a pixel's samples when separate.
  uint32_t sources() const {
    return layout_.separate && !layout_.is_plain() ? layout_.used_samples() : 1;
  }
  size_t cache_bytes() const { return layout_.output_row_bytes() * row_quantum(); }
  size_t decoder_bytes() const {
    const size_t codec = layout_.is_deflate() ? Inflater::working_bytes(largest_.stored_bytes)
                                              : largest_.stored_bytes + largest_.codec_bytes;
    return handle_bytes(layout_) + codec + layout_.block_bytes() * sources() +
           converter_.scratch_bytes();
  }

  std::unique_ptr<Decoder> make_decoder(std::unique_ptr<Handle> handle) const;
  void decode_rows(const std::vector<BlockRow>& rows, Team& team);
  void decode_to_cache(uint32_t block_row, std::vector<BlockRow>& rows, Team& team);
  void decode_blocks(Decoder& decoder, const BlockRow& row, uint32_t column, uint32_t plane) const;
  void decode_block(Decoder& decoder, uint32_t index, std::byte* to, size_t size) const;

  const files::InputFile& file_;
  const PagePlace place_;
  const PageLayout layout_;
  const RowConverter converter_;
  const LargestBlock largest_;
  Pool<Decoder> pool_;

  // A block row that a band took in part: the next band takes the rest.
  PlaneBuffer cache_buffer_;
  std::vector<MutableSampleBand> cache_;
  std::optional<uint32_t> cached_row_;
};

BlockRows::BlockRows(StoredPage page, uint64_t memory_bytes)
    : file_(page.file),
      place_(page.place),
      layout_(page.layout),
      converter_(layout_),
      largest_(page.largest),
      pool_(static_cast<uint32_t>(std::clamp<uint64_t>(
                (memory_bytes - std::min<uint64_t>(memory_bytes, cache_bytes())) / decoder_bytes(),
                1,
                kMaxDecoders)),
            [this] { return make_decoder(open_decoder(file_, layout_, place_)); }) {
  prepare_decoder(*page.handle, layout_);
  pool_.add(make_decoder(std::move(page.handle)));
}

std::unique_ptr<BlockRows::Decoder> BlockRows::make_decoder(std::unique_ptr<Handle> handle) const {
  auto decoder = std::make_unique<Decoder>(std::move(handle));
  if (layout_.is_deflate()) decoder->inflater.emplace(layout_);
  return decoder;
}

size_t BlockRows::working_bytes(uint32_t members) const {
  return cache_bytes() + decoder_bytes() * std::min(members, pool_.most());
}

/// One block, strictly: all of it, and with no complaint of libtiff.
void BlockRows::decode_block(Decoder& decoder, uint32_t index, std::byte* to, size_t size) const {
  Handle& handle = *decoder.handle;
  const auto where = [&] { return place_.text() + ", " + block_name(layout_, index); };
  const std::string data = std::string(compression_name(layout_.compression)) + " data is damaged";
  if (decoder.inflater) {
    const std::string wrong = decoder.inflater->decode(handle, file_, index, to, size);
    if (!wrong.empty()) throw damaged_page(where() + ": the " + data + ": " + wrong);
    return;
  }
  const auto wanted = static_cast<tmsize_t>(size);
  const tmsize_t got = layout_.tiled ? TIFFReadEncodedTile(handle.get(), index, to, wanted)
                                     : TIFFReadEncodedStrip(handle.get(), index, to, wanted);
  if (got == wanted && decoded_well(handle)) return;
  handle.fail(ErrorKind::kData,
              where(),
              got < 0 || got == wanted ? "the " + data
                                       : "expected " + std::to_string(wanted) +
                                             " decoded bytes, found " + std::to_string(got));
}

/// The blocks of `column` in a row of blocks; of `plane` alone when planes are independent.
void BlockRows::decode_blocks(Decoder& decoder,
                              const BlockRow& row,
                              uint32_t column,
                              uint32_t plane) const {
  const size_t row_bytes = layout_.block_row_bytes();
  const uint32_t rows = row.target[0].rows;
  const size_t size = layout_.tiled ? layout_.block_bytes() : row_bytes * rows;
  const uint32_t first_block = row.index * layout_.blocks_across + column;
  const uint32_t first_px = column * layout_.block_width_px;
  const uint32_t pixels = std::min(layout_.block_width_px, layout_.width_px - first_px);
  const size_t first_byte = size_t{first_px} * layout_.bytes_per_sample;

  const MutableSampleBand& target = row.target[plane];
  const bool in_place = layout_.is_plain() && !layout_.tiled && target.stride_bytes == row_bytes;
  if (in_place) {
    return decode_block(
        decoder, first_block + plane * layout_.blocks_per_sample(), target.row(0), size);
  }
  decoder.blocks.resize(layout_.block_bytes() * sources());
  for (uint32_t s = 0; s < sources(); ++s) {
    const uint32_t block = first_block + (plane + s) * layout_.blocks_per_sample();
    decode_block(decoder, block, decoder.blocks.data() + s * layout_.block_bytes(), size);
  }
  std::vector<const std::byte*> stored(sources());
  std::vector<std::byte*> out(row.target.size());
  for (uint32_t i = 0; i < rows; ++i) {
    if (layout_.is_plain()) {
      std::memcpy(target.row(i) + first_byte,
                  decoder.blocks.data() + i * row_bytes,
                  size_t{pixels} * layout_.bytes_per_sample);
      continue;
    }
    for (uint32_t s = 0; s < sources(); ++s) {
      stored[s] = decoder.blocks.data() + s * layout_.block_bytes() + i * row_bytes;
    }
    for (size_t p = 0; p < out.size(); ++p) out[p] = row.target[p].row(i) + first_byte;
    converter_.convert(stored, pixels, out, decoder.scratch);
  }
}

void BlockRows::decode_rows(const std::vector<BlockRow>& rows, Team& team) {
  const uint32_t planes = layout_.is_plain() ? layout_.planes : 1;
  const uint32_t items_a_row = layout_.blocks_across * planes;
  const auto count = static_cast<uint32_t>(rows.size() * items_a_row);
  if (count == 0) return;
  for_each_with(team, count, pool_, [&](Decoder& decoder, uint32_t item) {
    const uint32_t in_row = item % items_a_row;
    decode_blocks(decoder, rows[item / items_a_row], in_row / planes, in_row % planes);
  });
}

/// Decodes `rows`, and `block_row` to the cache.
void BlockRows::decode_to_cache(uint32_t block_row, std::vector<BlockRow>& rows, Team& team) {
  cached_row_.reset();
  cache_ = cache_buffer_.shape(
      layout_, layout_.width_px, block_row * layout_.block_rows, layout_.rows_in(block_row));
  rows.push_back({block_row, cache_});
  decode_rows(rows, team);
  cached_row_ = block_row;
}

void BlockRows::read(std::span<const MutableSampleBand> planes, Team& team) {
  const uint32_t first = planes[0].first_row;
  const uint32_t end = first + planes[0].rows;
  if (cached_row_) copy_rows(cache_, planes);
  std::vector<BlockRow> whole;
  std::vector<uint32_t> parts;  // block rows that reach out of the band: two at most
  for (uint32_t b = first / layout_.block_rows; b * layout_.block_rows < end; ++b) {
    const uint32_t first_in = b * layout_.block_rows;
    const uint32_t rows = layout_.rows_in(b);
    if (b == cached_row_) continue;
    if (first_in >= first && first_in + rows <= end) {
      whole.push_back({b, rows_of(planes, first_in, rows)});
    } else {
      parts.push_back(b);
    }
  }
  if (parts.empty()) return decode_rows(whole, team);
  for (const uint32_t part : parts) {
    decode_to_cache(part, whole, team);
    copy_rows(cache_, planes);
    whole.clear();
  }
}

}  // namespace

std::unique_ptr<StoredRows> make_block_rows(StoredPage page, uint64_t memory_bytes) {
  return std::make_unique<BlockRows>(std::move(page), memory_bytes);
}

}  // namespace mezzo::tiff
