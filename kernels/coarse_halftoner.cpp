#include "kernels/coarse_halftoner.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "kernels/band/team.h"
#include "kernels/base/error.h"
#include "kernels/gpu/coarse_on_gpu.h"

namespace mezzo {
namespace {

/// The means of a row of squares, whose pixels are in one to kSide rows of samples.
template <uint32_t kSide, typename Sample>
void average(std::span<const Sample* const> rows, uint32_t width_px, Sample* means) {
  const auto mean = [&](uint32_t x, uint32_t columns, uint32_t pixels) {
    uint32_t sum = pixels / 2;
    for (const Sample* row : rows) {
      for (uint32_t i = 0; i < columns; ++i) sum += row[x + i];
    }
    return static_cast<Sample>(sum / pixels);
  };
  const uint32_t whole = width_px / kSide, rest = width_px % kSide;
  const auto height = static_cast<uint32_t>(rows.size());
  if (height == kSide) {  // a division by a constant
    for (uint32_t i = 0; i < whole; ++i) means[i] = mean(i * kSide, kSide, kSide * kSide);
  } else {
    for (uint32_t i = 0; i < whole; ++i) means[i] = mean(i * kSide, kSide, kSide * height);
  }
  if (rest > 0) means[whole] = mean(whole * kSide, rest, rest * height);
}

/// Row `row` of squares of the page; `in` has all rows of these squares.
template <uint32_t kSide, typename Sample>
void average_row(const SampleBand& in, uint32_t row, std::byte* means) {
  const int64_t first = int64_t{row} * kSide - in.first_row;
  const int64_t end = std::min<int64_t>(first + kSide, int64_t{in.rows} + in.rows_below);
  std::array<const Sample*, kSide> rows{};
  for (int64_t i = first; i < end; ++i) {
    rows[static_cast<size_t>(i - first)] = reinterpret_cast<const Sample*>(in.row(i));
  }
  average<kSide, Sample>(std::span(rows).first(static_cast<size_t>(end - first)),
                         in.width_px,
                         reinterpret_cast<Sample*>(means));
}

/// Bytes of kSide bits for every bit, from the most significant on, by bytes of bits.
template <uint32_t kSide>
constexpr std::array<std::array<uint8_t, kSide>, 256> make_repeated() {
  std::array<std::array<uint8_t, kSide>, 256> repeated{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    for (uint32_t i = 0; i < 8 * kSide; ++i) {
      const uint32_t bit = byte >> (7 - i / kSide) & 1;
      uint8_t& to = repeated[byte][i / 8];
      to = static_cast<uint8_t>(to | bit << (7 - i % 8));
    }
  }
  return repeated;
}

template <uint32_t kSide>
constexpr auto kRepeated = make_repeated<kSide>();

/// A row of bits, each kSide times, cut off after `width_px`.
template <uint32_t kSide>
void repeat_row(const uint8_t* squares_of_row, uint32_t width_px, uint8_t* bits) {
  const size_t bytes = bit_row_bytes(width_px);
  for (size_t at = 0; at < bytes; at += kSide) {
    const auto& repeated = kRepeated<kSide>[*squares_of_row++];
    std::copy_n(repeated.begin(), std::min<size_t>(bytes - at, kSide), bits + at);
  }
  if (width_px % 8 != 0) {
    bits[bytes - 1] = static_cast<uint8_t>(bits[bytes - 1] & 0xFF << (8 - width_px % 8));
  }
}

struct CoarseState final : HalftonerState {
  std::unique_ptr<HalftonerState> of_method;
  std::vector<std::byte> means;
  std::vector<uint8_t> bits;      // of the band's squares
  std::vector<uint8_t> last_row;  // of squares of the band above, which may reach into this one
};

template <uint32_t kSide>
class CoarseHalftoner final : public Halftoner {
 public:
  explicit CoarseHalftoner(std::unique_ptr<Halftoner> method)
      : method_(std::move(method)), on_gpu_(gpu::coarse_on_gpu(*method_, kSide)) {}

  const gpu::MethodOnGpu* on_gpu() const override { return on_gpu_.get(); }

  HalftonerTraits traits() const override {
    HalftonerTraits traits = method_->traits();
    traits.row_multiple *= kSide;
    traits.context_rows *= kSide;
    if (traits.band_rows == 0) {
      traits.context_rows += kSide - 1;  // bands may end within a square
    } else if (traits.band_rows != kWholePlane) {
      traits.band_rows *= kSide;
    }
    return traits;
  }

  uint64_t working_bytes(uint32_t width_px, uint32_t band_rows) const override {
    const uint64_t width = squares(width_px), rows = squares(band_rows);
    const uint64_t read_rows = rows + 2 * uint64_t{method_->traits().context_rows};
    return method_->working_bytes(squares(width_px), squares(band_rows)) +
           read_rows * width * sizeof(uint16_t) + (rows + 1) * bit_row_bytes(squares(width_px));
  }

  std::string describe(uint32_t width_px, uint32_t rows, uint32_t threads) const override {
    const std::string side = std::to_string(kSide);
    const std::string how = method_->describe(squares(width_px), squares(rows), threads);
    return "dots of " + side + " x " + side + " pixels" + (how.empty() ? "" : ", " + how);
  }

  std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const override {
    auto state = std::make_unique<CoarseState>();
    state->of_method = method_->make_state(squares(width_px));
    return state;
  }

  /// A row of squares belongs to the band that has its first row of pixels.
  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const override {
    auto& plane = static_cast<CoarseState&>(*state);
    const SampleBand means = averaged(in, plane, team);
    const size_t row_bytes = bit_row_bytes(means.width_px);
    plane.bits.resize(row_bytes * means.rows);
    const BitBand bits{plane.bits.data(), means.width_px, means.rows, row_bytes, means.first_row};
    if (means.rows > 0) {
      pass_rounds_on(plane);
      method_->run(means, curve, bits, plane.of_method.get(), team);
    }
    repeat(bits, plane.last_row, out, team);
    if (means.rows > 0) {
      plane.last_row.assign(bits.row(means.rows - 1), bits.row(means.rows - 1) + row_bytes);
    }
  }

 private:
  static constexpr uint32_t squares(uint32_t pixels) { return (pixels + kSide - 1) / kSide; }

  /// The squares that begin in `in`, and those around them that the method reads.
  SampleBand averaged(const SampleBand& in, CoarseState& plane, Team& team) const {
    const uint32_t context = method_->traits().context_rows;
    const uint32_t first = squares(in.first_row), end = squares(in.first_row + in.rows);
    const uint32_t known = squares(in.first_row - in.rows_above);
    const uint32_t page_end = squares(in.first_row + in.rows + in.rows_below);
    const uint32_t above = std::min(context, first - known);
    const uint32_t below = std::min(context, page_end - end);
    const size_t stride = size_t{squares(in.width_px)} * in.bytes_per_sample;
    plane.means.resize(stride * (size_t{above} + (end - first) + below));
    for_each_index(team, above + (end - first) + below, [&](uint32_t i) {
      std::byte* const means = plane.means.data() + i * stride;
      if (in.bytes_per_sample == 1) {
        average_row<kSide, uint8_t>(in, first - above + i, means);
      } else {
        average_row<kSide, uint16_t>(in, first - above + i, means);
      }
    });
    return {.data = plane.means.data() + above * stride,
            .width_px = squares(in.width_px),
            .rows = end - first,
            .stride_bytes = stride,
            .first_row = first,
            .bytes_per_sample = in.bytes_per_sample,
            .plane = in.plane,
            .texture = in.texture,
            .rows_above = above,
            .rows_below = below};
  }

  /// Writes `out`: its squares that began in the band above are in `last_row`.
  static void repeat(const BitBand& bits,
                     const std::vector<uint8_t>& last_row,
                     const BitBand& out,
                     Team& team) {
    const uint32_t first = out.first_row / kSide, end = squares(out.first_row + out.rows);
    for_each_index(team, end - first, [&](uint32_t i) {
      const uint32_t square = first + i;
      const uint32_t top = std::max(square * kSide, out.first_row) - out.first_row;
      const uint32_t bottom = std::min(square * kSide + kSide - out.first_row, out.rows);
      repeat_row<kSide>(
          square < bits.first_row ? last_row.data() : bits.row(square - bits.first_row),
          out.width_px,
          out.row(top));
      for (uint32_t y = top + 1; y < bottom; ++y) {
        std::memcpy(out.row(y), out.row(top), bit_row_bytes(out.width_px));
      }
    });
  }

  static void pass_rounds_on(CoarseState& plane) {
    if (!plane.of_method || !plane.on_round) return;
    plane.of_method->on_round = [&plane](const RoundReport& report) {
      plane.on_round(report.in_squares(kSide));
    };
  }

  std::unique_ptr<Halftoner> method_;
  std::shared_ptr<const gpu::MethodOnGpu> on_gpu_;
};

}  // namespace

std::unique_ptr<Halftoner> make_coarse_halftoner(std::unique_ptr<Halftoner> method, uint32_t side) {
  MZ_ASSERT(side >= 2 && side <= 4);
  if (side == 2) return std::make_unique<CoarseHalftoner<2>>(std::move(method));
  if (side == 3) return std::make_unique<CoarseHalftoner<3>>(std::move(method));
  return std::make_unique<CoarseHalftoner<4>>(std::move(method));
}

}  // namespace mezzo
