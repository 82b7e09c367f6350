#include "tools/library/stream.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "kernels/base/error.h"
#include "tools/library/guard.h"

namespace mezzo::library {

BandStream::BandStream(const mezzotint_settings& settings,
                       uint32_t width_px,
                       uint32_t bytes_per_sample)
    : width_px_(width_px),
      bytes_per_sample_(bytes_per_sample),
      ink_(with_ink({}, settings)),
      options_(settings.options),
      method_(settings, bytes_per_sample),
      threads_(settings),
      traits_(method_.halftoner->traits()),
      state_(method_.halftoner->make_state(width_px)) {
  if (state_) state_->on_round = pulse_of(settings);
}

void BandStream::put(const std::byte* rows, size_t row_bytes, size_t pixel_bytes, uint32_t count) {
  if (has_ended_) refuse("rows were put into a stream after its end");
  if (count > kMostPixelsASide - seen_) {
    refuse("the page has more than " + std::to_string(kMostPixelsASide) + " rows");
  }
  require_whole();
  is_whole_ = false;  // should a row fail
  const size_t before = samples_.size();
  samples_.resize(before + this->row_bytes() * count);
  for (uint32_t i = 0; i < count; ++i) {
    gather(rows + i * row_bytes,
           pixel_bytes,
           width_px_,
           bytes_per_sample_,
           samples_.data() + before + i * this->row_bytes());
  }
  options_.check_samples({.data = samples_.data() + before,
                          .width_px = width_px_,
                          .rows = count,
                          .stride_bytes = this->row_bytes(),
                          .first_row = seen_,
                          .bytes_per_sample = bytes_per_sample_});
  seen_ += count;
  make_ready();
  is_whole_ = true;
}

void BandStream::end() {
  require_whole();
  is_whole_ = false;
  has_ended_ = true;
  make_ready();
  is_whole_ = true;
}

void BandStream::require_whole() const {
  if (!is_whole_) refuse("a call for this stream failed; free it, and begin another one");
}

void BandStream::make_ready() {
  while (true) {
    // Rows whose context below is there, or that end the page.
    const uint32_t left = seen_ - made_;
    const uint32_t possible = has_ended_ ? left : left - std::min(left, traits_.context_rows);
    uint32_t rows = possible;
    if (traits_.band_rows != 0) {
      rows = std::min(possible, traits_.band_rows);
      if (!has_ended_ && rows < traits_.band_rows) return;
    } else if (!has_ended_) {
      rows -= possible % traits_.row_multiple;
    }
    if (rows == 0) return;
    make(rows);
  }
}

void BandStream::make(uint32_t rows) {
  const size_t bit_bytes = bit_row_bytes(width_px_);
  if (given_ < taken_) {  // those that were taken go
    dots_.erase(dots_.begin(),
                dots_.begin() + static_cast<ptrdiff_t>((taken_ - given_) * bit_bytes));
    given_ = taken_;
  }
  dots_.resize(size_t{made_ - given_ + rows} * bit_bytes);
  const SampleBand all = {.data = samples_.data(),
                          .width_px = width_px_,
                          .rows = seen_ - kept_,
                          .stride_bytes = row_bytes(),
                          .first_row = kept_,
                          .bytes_per_sample = bytes_per_sample_,
                          .plane = ink_.plane,
                          .texture = ink_.texture};
  method_.halftoner->run(all.rows_of_page(made_, rows),
                         method_.curve,
                         {.data = dots_.data() + size_t{made_ - given_} * bit_bytes,
                          .width_px = width_px_,
                          .rows = rows,
                          .stride_bytes = bit_bytes,
                          .first_row = made_},
                         state_.get(),
                         threads_.team());
  made_ += rows;
  const uint32_t needed = made_ - std::min(made_, traits_.context_rows);
  if (needed > kept_) {
    samples_.erase(samples_.begin(),
                   samples_.begin() + static_cast<ptrdiff_t>((needed - kept_) * row_bytes()));
    kept_ = needed;
  }
}

const uint8_t* BandStream::take_row() {
  return dots_.data() + size_t{taken_++ - given_} * bit_row_bytes(width_px_);
}

}  // namespace mezzo::library

struct mezzotint_stream {
  mezzo::library::BandStream bands;
  uint32_t bits_per_pixel;
};

using namespace mezzo;           // NOLINT(google-build-using-namespace)
using namespace mezzo::library;  // NOLINT(google-build-using-namespace)

mezzotint_stream* mezzotint_stream_new(const mezzotint_settings* settings,
                                       uint32_t width,
                                       uint32_t sample_bits,
                                       uint32_t bits_per_pixel,
                                       mezzotint_error* error) {
  return make(error, [&] {
    require(settings, "settings");
    if (width == 0 || width > kMostPixelsASide) {
      refuse("width must be 1 to " + std::to_string(kMostPixelsASide) + ", not " +
             std::to_string(width));
    }
    if (sample_bits != 8 && sample_bits != 16) refuse("sample_bits must be 8 or 16");
    if (bits_per_pixel != 1 && bits_per_pixel != 8) refuse("bits_per_pixel must be 1 or 8");
    return new mezzotint_stream{BandStream(*settings, width, sample_bits / 8), bits_per_pixel};
  });
}

void mezzotint_stream_free(mezzotint_stream* stream) {
  delete stream;
}

int mezzotint_stream_put(mezzotint_stream* stream,
                         const void* rows,
                         size_t row_bytes,
                         uint32_t count,
                         mezzotint_error* error) {
  return guard(error, [&] {
    require(stream, "stream");
    if (count == 0) return;
    require(rows, "rows");
    const size_t sample_bytes = stream->bands.bytes_per_sample();
    const size_t least = stream->bands.width_px() * sample_bytes;
    stream->bands.put(static_cast<const std::byte*>(rows),
                      checked_row_bytes("rows", row_bytes, least, stream->bands.width_px()),
                      sample_bytes,
                      count);
  });
}

int mezzotint_stream_end(mezzotint_stream* stream, mezzotint_error* error) {
  return guard(error, [&] {
    require(stream, "stream");
    stream->bands.end();
  });
}

uint32_t mezzotint_stream_ready(const mezzotint_stream* stream) {
  return stream == nullptr ? 0 : stream->bands.ready();
}

int mezzotint_stream_take(mezzotint_stream* stream,
                          void* rows,
                          size_t row_bytes,
                          uint32_t count,
                          mezzotint_error* error) {
  return guard(error, [&] {
    require(stream, "stream");
    if (count == 0) return;
    const uint32_t width = stream->bands.width_px();
    const mezzotint_dots dots = {.data = rows,
                                 .bits_per_pixel = stream->bits_per_pixel,
                                 .memory = MEZZOTINT_HOST,
                                 .row_bytes = row_bytes,
                                 .reserved = {}};
    const size_t pitch = row_bytes_of(dots, width);
    if (count > stream->bands.ready()) {
      refuse(std::to_string(count) + " rows were asked for, and " +
             std::to_string(stream->bands.ready()) + " are ready");
    }
    for (uint32_t i = 0; i < count; ++i) {
      uint8_t* to = static_cast<uint8_t*>(rows) + i * pitch;
      const uint8_t* packed = stream->bands.take_row();
      if (stream->bits_per_pixel == 8) {
        spread(packed, width, to);
      } else {
        std::memcpy(to, packed, bit_row_bytes(width));
      }
    }
  });
}
