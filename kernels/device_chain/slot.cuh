// The memory of a band of plane.h on a GPU, and how far the band is. For sources with CUDA.
#pragma once

#include <algorithm>

#include "kernels/codec/gpu/gpu_fax.cuh"
#include "kernels/codec/row_sum.h"
#include "kernels/device_chain/strips.h"
#include "kernels/gpu/device.cuh"

namespace mezzo::device_chain {

/// What a GPU counts of a band, there and where the host reads it: the pixels that were mended and
/// laid over, then of each strip the sum of its rows, of its coded bytes, and of the rows that they
/// decode to, its `a_strip` numbers of pixels (bit_kernels.cuh), and its rows that do not decode.
class Counts {
  struct OfBand {
    prepress::Protection protection;
    uint64_t linework_px;
  };
  struct OfStrips {
    codec::RowSum *rows, *coded, *decoded;
    uint64_t* pixels;
    uint32_t* faults;
  };

 public:
  /// `on_host` is page-locked, and has bytes().
  Counts(gpu::Device device, uint32_t strips, uint32_t a_strip, std::byte* on_host)
      : strips_(strips),
        a_strip_(a_strip),
        on_gpu_(device, bytes(strips, a_strip)),
        on_host_(on_host) {}

  /// A multiple of 16.
  static size_t bytes(uint32_t strips, uint32_t a_strip) {
    const size_t of_strip =
        3 * sizeof(codec::RowSum) + a_strip * sizeof(uint64_t) + sizeof(uint32_t);
    return (sizeof(OfBand) + strips * of_strip + 15) / 16 * 16;
  }

  prepress::Protection* protection() { return &band_in(on_gpu_.data())->protection; }
  uint64_t* linework_px() { return &band_in(on_gpu_.data())->linework_px; }
  OfStrips strips() { return strips_in(on_gpu_.data()); }

  void clear(cudaStream_t stream) {
    gpu::check(cudaMemsetAsync(on_gpu_.data(), 0, on_gpu_.size(), stream), "clearing counts");
  }
  void fetch(cudaStream_t stream) {
    gpu::check(
        cudaMemcpyAsync(on_host_, on_gpu_.data(), on_gpu_.size(), cudaMemcpyDeviceToHost, stream),
        "fetching counts");
  }
  /// After the fetch.
  void read(prepress::Overlay overlay, Strips& strips) const {
    const OfBand& band = *band_in(on_host_);
    strips.protection = band.protection;
    const bool is_printed = overlay == prepress::Overlay::kPrint;
    const bool is_knocked_out = overlay == prepress::Overlay::kKnockOut;
    strips.linework = {is_printed ? band.linework_px : 0, is_knocked_out ? band.linework_px : 0};
    const OfStrips counted = strips_in(on_host_);
    for (size_t i = 0; i < strips.strips.size(); ++i) {
      StripFacts& strip = strips.strips[i];
      strip.sum = counted.rows[i];
      strip.coded_sum = counted.coded[i];
      strip.decodes = counted.faults[i] == 0 && counted.decoded[i] == counted.rows[i];
      const uint64_t* pixels = counted.pixels + i * a_strip_;
      if (a_strip_ == 1) {
        strip.ink_px = *pixels;
      } else {
        strip.value_px.assign(pixels, pixels + a_strip_);
      }
    }
  }

 private:
  static OfBand* band_in(std::byte* memory) { return reinterpret_cast<OfBand*>(memory); }
  OfStrips strips_in(std::byte* memory) const {
    auto* sums = reinterpret_cast<codec::RowSum*>(memory + sizeof(OfBand));
    auto* pixels = reinterpret_cast<uint64_t*>(sums + 3 * strips_);
    return {sums,
            sums + strips_,
            sums + 2 * strips_,
            pixels,
            reinterpret_cast<uint32_t*>(pixels + strips_ * a_strip_)};
  }

  size_t strips_, a_strip_;
  gpu::Memory on_gpu_;
  std::byte* on_host_;
};

/// A band on the GPU, and how far it is.
struct Slot {
  Slot(gpu::Device device,
       size_t page_bytes,
       size_t linework_words,
       size_t word_count,
       size_t coded_bytes,
       uint32_t strips,
       uint32_t counts_of_strip,
       std::byte* on_host)
      : page(device, page_bytes),
        linework(device, linework_words),
        words(device, word_count),
        coded(device, coded_bytes),
        index(reinterpret_cast<codec::CodedIndex*>(on_host)),
        counts(device, strips, counts_of_strip, on_host + kIndexBytes) {}

  /// Bytes of page-locked memory that a slot needs. Locking is slow, so the slots share one piece.
  static size_t host_bytes(uint32_t strips, uint32_t counts_of_strip) {
    return kIndexBytes + Counts::bytes(strips, counts_of_strip);
  }

  gpu::Memory page;               ///< samples, as they went up
  gpu::Array<uint32_t> linework;  ///< rows as the plate's; empty where the plate keeps all its bits
  gpu::Array<uint32_t> words;     ///< finished rows
  gpu::Memory coded;              ///< strips behind their index; empty where they come down raw
  codec::CodedIndex* index;       ///< of the strips, once they are down
  Counts counts;
  gpu::Event uploaded, worked, finished, downloaded;

 private:
  static constexpr size_t kIndexBytes = (sizeof(codec::CodedIndex) + 15) / 16 * 16;
};

}  // namespace mezzo::device_chain
