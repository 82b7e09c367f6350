#include "stages/tiff/read/samples.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "kernels/base/error.h"
#include "kernels/codec/predictor.h"
#include "kernels/prepress/deinterleave.h"
#include "stages/tiff/read/luma.h"

namespace mezzo::tiff {
namespace {

/// Samples of 1, 2 or 4 bits, the most significant first, each multiplied by `scale`.
template <uint32_t kBits>
void unpack_bits(const std::byte* in, size_t count, uint8_t scale, uint8_t* out) {
  constexpr uint32_t kPerByte = 8 / kBits;
  constexpr uint32_t kMask = (1U << kBits) - 1;
  const auto sample = [&](uint32_t byte, uint32_t i) {
    return static_cast<uint8_t>((byte >> (8 - kBits * (i + 1)) & kMask) * scale);
  };
  for (; count >= kPerByte; count -= kPerByte, ++in, out += kPerByte) {
    const auto byte = std::to_integer<uint32_t>(*in);
    for (uint32_t i = 0; i < kPerByte; ++i) out[i] = sample(byte, i);
  }
  for (uint32_t i = 0; i < count; ++i) out[i] = sample(std::to_integer<uint32_t>(*in), i);
}

/// Samples of 12 bits, two in three bytes.
void unpack_12_bits(const std::byte* in, size_t count, uint16_t* out) {
  const auto byte = [&](size_t i) { return std::to_integer<uint32_t>(in[i]); };
  for (; count >= 2; count -= 2, in += 3, out += 2) {
    out[0] = static_cast<uint16_t>(byte(0) << 4 | byte(1) >> 4);
    out[1] = static_cast<uint16_t>((byte(1) & 15U) << 8 | byte(2));
  }
  if (count == 1) out[0] = static_cast<uint16_t>(byte(0) << 4 | byte(1) >> 4);
}

void unpack(const PageLayout& layout, const std::byte* in, size_t count, std::byte* out) {
  auto* out8 = reinterpret_cast<uint8_t*>(out);
  // Scaling is exact: 255 is 1 * 255, 3 * 85 and 15 * 17. An index of a palette is not scaled.
  const bool index = layout.meaning == Meaning::kPalette;
  switch (layout.bits) {
    case 1:
      return unpack_bits<1>(in, count, index ? 1 : 255, out8);
    case 2:
      return unpack_bits<2>(in, count, index ? 1 : 85, out8);
    case 4:
      return unpack_bits<4>(in, count, index ? 1 : 17, out8);
    default:
      return unpack_12_bits(in, count, reinterpret_cast<uint16_t*>(out));
  }
}

/// The colour on paper of a pixel of colour `colour` and opacity `opacity`. For samples where the
/// largest is paper, max - opacity of paper is added; where it is ink, paper adds nothing. The
/// largest value is odd, so that no quotient is a tie. Nothing overflows: colour * opacity + max *
/// (max - opacity) <= max^2, and 65535^2 + 32767 < 2^32.
struct Compositor {
  Alpha alpha;
  uint32_t max_sample;
  uint32_t paper;  // max_sample or 0

  uint32_t operator()(uint32_t colour, uint32_t opacity) const {
    const uint32_t gap = paper == 0 ? 0 : max_sample - opacity;
    if (alpha == Alpha::kAssociated) return std::min(colour + gap, max_sample);
    // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): the largest sample is at least 1
    return (colour * opacity + max_sample * gap + max_sample / 2) / max_sample;
  }
};

template <typename T>
constexpr T kTopBit = static_cast<T>(T{1} << (8 * sizeof(T) - 1));

/// L* of PhotometricInterpretation ICCLab, whose 100 is 65280 in 16 bits, with 100 at the end of the
/// range.
constexpr uint8_t whole_range(uint8_t stored) {
  return stored;
}
constexpr uint16_t whole_range(uint16_t stored) {
  return static_cast<uint16_t>(std::min<uint32_t>((stored * 257U + 128) / 256, 65535));
}

/// Every ink's, or colour's, samples into its plane: those of a pixel lie side by side, or each ink's in rows of
/// their own.
template <typename T>
void convert_inks(const PageLayout& layout,
                  std::span<const T* const> samples,
                  size_t step,
                  uint32_t pixels,
                  std::span<std::byte* const> planes) {
  const auto take = [&](size_t first, std::span<std::byte* const> to) {
    const size_t light = layout.first_light_ink - std::min<size_t>(first, layout.first_light_ink);
    prepress::deinterleave(
        {reinterpret_cast<const std::byte*>(samples[first]), sizeof(T), step, pixels},
        to,
        light,
        layout.max_sample);
  };
  if (step > 1) return take(0, planes);
  for (size_t p = 0; p < planes.size(); ++p) take(p, planes.subspan(p, 1));
}

/// L*, a* and b* into their planes, or L* alone, without their sign and over the whole range.
template <typename T>
void convert_lab(const PageLayout& layout,
                 std::span<const T* const> samples,
                 size_t step,
                 uint32_t pixels,
                 std::span<std::byte* const> planes) {
  for (size_t p = 0; p < planes.size(); ++p) {
    const auto sign = layout.signed_lab && p > 0 ? kTopBit<T> : T{0};
    const bool is_stretched = !layout.signed_lab && p == 0;
    auto* out = reinterpret_cast<T*>(planes[p]);
    for (size_t i = 0; i < pixels; ++i) {
      const T stored = samples[p][i * step];
      out[i] = is_stretched ? whole_range(stored) : static_cast<T>(stored ^ sign);
    }
  }
}

}  // namespace

size_t RowConverter::scratch_bytes() const {
  if (is_unpacked()) return 0;
  const size_t samples = layout_.separate ? layout_.used_samples() : layout_.samples;
  return samples * layout_.block_width_px * (layout_.bits == 12 ? 2 : 1);
}

void RowConverter::convert(std::span<const std::byte* const> stored,
                           uint32_t pixels,
                           std::span<std::byte* const> planes,
                           Scratch& scratch) const {
  std::array<const std::byte*, PageLayout::kMaxUsedSamples> starts{};
  const uint32_t used = layout_.used_samples();
  MZ_ASSERT(used <= PageLayout::kMaxUsedSamples && stored.size() == (layout_.separate ? used : 1));
  MZ_ASSERT(planes.size() == layout_.planes);
  const size_t step = layout_.samples_per_row_pixel();
  const size_t sample_bytes = layout_.bits > 8 ? 2 : 1;
  if (scratch.size() < scratch_bytes()) scratch.resize(scratch_bytes());
  std::byte* unpacked = scratch.data();
  for (uint32_t i = 0; i < used; ++i) {
    if (!layout_.separate && i > 0) {
      starts[i] = starts[0] + i * sample_bytes;
    } else if (is_unpacked()) {
      starts[i] = stored[i];
    } else {
      unpack(layout_, stored[i], pixels * step, unpacked);
      starts[i] = unpacked;
      unpacked += pixels * step * sample_bytes;
    }
  }
  const auto convert_as = [&](auto zero) {
    using T = decltype(zero);
    std::array<const T*, PageLayout::kMaxUsedSamples> samples{};
    for (uint32_t i = 0; i < used; ++i) samples[i] = reinterpret_cast<const T*>(starts[i]);
    convert_unpacked<T>(std::span(samples).first(used), step, pixels, planes);
  };
  if (sample_bytes == 2) {
    convert_as(uint16_t{});
  } else {
    convert_as(uint8_t{});
  }
}

template <typename T>
void RowConverter::convert_unpacked(std::span<const T* const> samples,
                                    size_t step,
                                    uint32_t pixels,
                                    std::span<std::byte* const> planes) const {
  const Compositor on_paper{
      layout_.alpha, layout_.max_sample, layout_.max_is_ink ? 0 : layout_.max_sample};
  const T* first = samples[0];
  const T* opacity = layout_.alpha == Alpha::kNone ? nullptr : samples.back();
  // Writes colour(i), composited when there is alpha, as the samples of plane 0.
  const auto write = [&](auto* out, const auto& colour, const auto& opacity_at) {
    using Out = std::remove_pointer_t<decltype(out)>;
    if (opacity == nullptr) {
      for (size_t i = 0; i < pixels; ++i) out[i] = static_cast<Out>(colour(i * step));
      return;
    }
    for (size_t i = 0; i < pixels; ++i) {
      out[i] = static_cast<Out>(on_paper(colour(i * step), opacity_at(i * step)));
    }
  };
  const auto as_stored = [&](size_t at) { return uint32_t{opacity[at]}; };
  switch (layout_.meaning) {
    case Meaning::kInks:
      convert_inks(layout_, samples, step, pixels, planes);
      break;
    case Meaning::kGrey:
      if (opacity == nullptr) {
        prepress::deinterleave({reinterpret_cast<const std::byte*>(first), sizeof(T), step, pixels},
                               planes,
                               planes.size(),
                               layout_.max_sample);
      } else {
        const auto grey = [&](size_t at) { return uint32_t{first[at]}; };
        write(reinterpret_cast<T*>(planes[0]), grey, as_stored);
      }
      break;
    case Meaning::kRgb:
      if (layout_.in_colour && opacity == nullptr) {
        convert_inks(layout_, samples, step, pixels, planes);
        break;
      }
      for (size_t p = 0; p < planes.size(); ++p) {
        const auto sample = [&, p](size_t at) {
          return layout_.in_colour ? uint32_t{samples[p][at]}
                                   : luma(first[at], samples[1][at], samples[2][at]);
        };
        write(reinterpret_cast<T*>(planes[p]), sample, as_stored);
      }
      break;
    case Meaning::kLab:
      convert_lab(layout_, samples, step, pixels, planes);
      break;
    case Meaning::kPalette: {
      // Opacity has the bits of the index; colours and their grey have 16.
      const auto largest = static_cast<uint32_t>(layout_.grey_of.size() - 1);
      const auto opacity_of_16 = [&](size_t at) {
        return (opacity[at] * 65535U + largest / 2) / largest;
      };
      for (size_t p = 0; p < planes.size(); ++p) {
        const auto sample = [&, p](size_t at) {
          const auto index = static_cast<size_t>(first[at]);
          return uint32_t{layout_.in_colour ? layout_.colour_of[index][p] : layout_.grey_of[index]};
        };
        write(reinterpret_cast<uint16_t*>(planes[p]), sample, opacity_of_16);
      }
      break;
    }
  }
}

void swap_bytes(std::byte* samples, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    uint16_t value = 0;
    std::memcpy(&value, samples + 2 * i, 2);
    value = static_cast<uint16_t>(value << 8 | value >> 8);
    std::memcpy(samples + 2 * i, &value, 2);
  }
}

void finish_rows(const PageLayout& layout, std::byte* to, size_t size) {
  const size_t row_bytes = layout.block_row_bytes();
  const bool swap = layout.bits == 16 && layout.other_byte_order;
  if (!swap && !layout.horizontal_predictor) return;
  const size_t step = layout.samples_per_row_pixel();
  for (std::byte* row = to; row < to + size; row += row_bytes) {
    if (swap) swap_bytes(row, row_bytes / 2);
    if (!layout.horizontal_predictor) continue;
    if (layout.bits == 16) {
      codec::add_up(std::span(reinterpret_cast<uint16_t*>(row), row_bytes / 2), step);
    } else {
      codec::add_up(std::span(reinterpret_cast<uint8_t*>(row), row_bytes), step);
    }
  }
}

}  // namespace mezzo::tiff
