#include "kernels/search/search_halftoner.h"

#include <algorithm>
#include <exception>
#include <vector>

#include "kernels/band/tone.h"
#include "kernels/base/error.h"
#include "kernels/diffusion/cpu/wavefront.h"
#include "kernels/search/random.h"
#include "kernels/search/rounds.h"
#include "kernels/search/tones.h"

namespace mezzo::search {
namespace {

/// The state from slab to slab.
struct SearchState final : HalftonerState {
  std::unique_ptr<HalftonerState> start;  ///< of the method that makes the start image
  std::vector<uint8_t> bits;              ///< of rows that the next slab begins with
  uint32_t started_row = 0;               ///< rows of the page before have a start image
  std::exception_ptr failure;             ///< of a slab: those below it cannot be searched
};

class SearchHalftoner final : public Halftoner {
 public:
  SearchHalftoner(const SearchSettings& settings, SearchEngine engine)
      : settings_(settings), engine_(std::move(engine)) {
    MZ_ASSERT(2 * settings.eye_radius <= kOverlapRows);
    if (settings.start == Start::kRandom) {
      start_ = std::make_unique<screen::PointHalftoner<Random>>(
          HalftoneSettings{.parameters = {{"seed", settings.seed}}});
    } else {
      start_ = std::make_unique<diffusion::WavefrontDiffusion>();
    }
  }

  HalftonerTraits traits() const override {
    HalftonerTraits traits;
    traits.band_rows = settings_.slab_rows > 0 ? settings_.slab_rows : kWholePlane;
    traits.context_rows = settings_.context_rows();
    traits.on_device = engine_.on_gpu != nullptr;
    traits.by_the_clock = settings_.budget_seconds > 0;
    return traits;
  }

  const gpu::MethodOnGpu* on_gpu() const override { return engine_.on_gpu.get(); }

  uint64_t working_bytes(uint32_t width_px, uint32_t band_rows) const override {
    const uint64_t more_rows = 2 * settings_.context_rows();
    const uint64_t pixels = width_px * (uint64_t{band_rows} + more_rows);
    constexpr uint64_t kRowEnds = 256;  // what rows have before and after their pixels
    return pixels * (sizeof(uint16_t) + sizeof(uint8_t) + engine_.bytes_a_pixel) + pixels / 8 +
           kRowEnds * (band_rows + more_rows);
  }

  std::string describe(uint32_t, uint32_t rows, uint32_t) const override {
    return settings_.slab_rows > 0 ? "in slabs of " + std::to_string(rows) + " rows"
                                   : "the whole plane at once";
  }

  std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const override {
    auto state = std::make_unique<SearchState>();
    state->start = start_->make_state(width_px);
    return state;
  }

  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const override {
    auto& carried = static_cast<SearchState&>(*state);
    if (carried.failure) std::rethrow_exception(carried.failure);
    try {
      search(in, curve, out, carried, team);
    } catch (...) {
      carried.failure = std::current_exception();
      throw;
    }
  }

 private:
  void search(const SampleBand& in,
              const ToneCurve& curve,
              const BitBand& out,
              SearchState& carried,
              Team& team) const {
    const SlabRows rows(settings_, in.first_row, in.rows, in.rows_below);
    const SampleBand samples = in.rows_of_page(rows.first, rows.count);
    const std::vector<uint16_t> tones = tones_of(samples, curve, team);
    std::vector<uint8_t> bits = start_image(samples, curve, carried, team);
    const Area area{
        in.width_px, rows.count, rows.first, rows.settled, in.plane, tones.data(), bits.data()};
    Rounds rounds(settings_, in.first_row, carried.on_round);
    rounds.run(*begin(area, team), team);
    for_each_index(team, in.rows, [&](uint32_t i) {
      pack(bits.data() + size_t{rows.settled + i} * in.width_px, in.width_px, out.row(i));
    });
    bits.erase(bits.begin(),
               bits.begin() + static_cast<std::ptrdiff_t>(size_t{rows.kept} * in.width_px));
    carried.bits = std::move(bits);
  }

  /// The rows that are there from the slab above, and a start image of the others.
  std::vector<uint8_t> start_image(const SampleBand& in,
                                   const ToneCurve& curve,
                                   SearchState& carried,
                                   Team& team) const {
    std::vector<uint8_t> bits = std::move(carried.bits);
    const uint32_t known = static_cast<uint32_t>(bits.size() / in.width_px);
    MZ_ASSERT(in.first_row + known == carried.started_row);
    bits.resize(size_t{in.width_px} * in.rows);
    const SampleBand rest = in.slice(known, in.rows - known);
    carried.started_row += rest.rows;
    if (rest.rows == 0) return bits;
    const size_t row_bytes = bit_row_bytes(in.width_px);
    std::vector<uint8_t> packed(row_bytes * rest.rows);
    const BitBand out{packed.data(), rest.width_px, rest.rows, row_bytes, rest.first_row};
    start_->run(rest, curve, out, carried.start.get(), team);
    for_each_index(team, rest.rows, [&](uint32_t i) {
      uint8_t* row = bits.data() + size_t{known + i} * in.width_px;
      for (uint32_t x = 0; x < in.width_px; ++x) row[x] = out.ink(x, i) ? 1 : 0;
    });
    return bits;
  }

  std::unique_ptr<Search> begin(const Area& area, Team& team) const {
    try {
      return engine_.make(area, team);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kOutOfMemory || !engine_.fall_back) throw;
    }
    return engine_.fall_back(area, team);
  }

  static void pack(const uint8_t* bits, uint32_t width_px, uint8_t* row) {
    for (uint32_t x = 0; x < width_px; x += 8) {
      uint32_t byte = 0;
      for (uint32_t i = 0; i < std::min(width_px - x, 8U); ++i)
        byte |= uint32_t{bits[x + i]} << (7 - i);
      row[x / 8] = static_cast<uint8_t>(byte);
    }
  }

  const SearchSettings settings_;
  const SearchEngine engine_;
  std::unique_ptr<Halftoner> start_;  ///< makes the start image
};

}  // namespace

std::unique_ptr<Halftoner> make_search_halftoner(const SearchSettings& settings,
                                                 SearchEngine engine) {
  return std::make_unique<SearchHalftoner>(settings, std::move(engine));
}

}  // namespace mezzo::search
