#include "kernels/search/colour/colour_halftoner.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/diffusion/together/inks_wavefront.h"
#include "kernels/search/random.h"
#include "kernels/search/rounds.h"
#include "kernels/search/tones.h"

namespace mezzo::search::colour {
namespace {

class ColourHalftoner final : public together::InksHalftoner {
 public:
  ColourHalftoner(const SearchSettings& settings, together::InkColours colours, Engine engine)
      : settings_(settings), colours_(std::move(colours)), engine_(std::move(engine)) {
    if (colours_.inks > kMostInks) {
      throw Error(ErrorKind::kUnsupported,
                  "dbs searches at most " + std::to_string(kMostInks) +
                      " inks together, and there are " + std::to_string(colours_.inks),
                  "set 'inks: apart', or halftone some of them by another method");
    }
    MZ_ASSERT(settings.slab_rows == 0);
  }

  HalftonerTraits traits() const override {
    HalftonerTraits traits;
    traits.band_rows = kWholePlane;
    traits.on_device = engine_.on_device;
    traits.by_the_clock = settings_.budget_seconds > 0;
    return traits;
  }

  /// Of a search on the CPU: tones of each ink, c of each channel, states twice, and freedom.
  uint64_t working_bytes(uint32_t width_px, uint32_t band_rows, uint32_t inks) const override {
    constexpr uint64_t kAround = 64;  // what rows and columns have before and after their pixels
    const uint64_t channels = 3 + uint64_t{inks};
    const uint64_t a_pixel = inks * sizeof(uint16_t) + channels * sizeof(int32_t) + 4;
    return (width_px + kAround) * (band_rows + kAround) * a_pixel;
  }

  std::unique_ptr<HalftonerState> make_state(uint32_t width_px, uint32_t inks) const override {
    return start_.make_state(width_px, inks);
  }

  void run(const together::InksBand& band, HalftonerState* state, Team& team) const override {
    MZ_ASSERT(band.in.size() == colours_.inks);
    const SampleBand& first = band.in.front();
    std::vector<std::vector<uint16_t>> tones;
    std::vector<const uint16_t*> planes;
    for (size_t k = 0; k < band.in.size(); ++k) {
      tones.push_back(tones_of(band.in[k], *band.curves[k], team));
    }
    for (const auto& plane : tones) planes.push_back(plane.data());
    std::vector<uint8_t> states = first_states(band, planes, state, team);
    const Page page{first.width_px, first.rows, planes.data(), states.data()};
    Rounds rounds(settings_, first.first_row, state->on_round);
    rounds.run(*begin(page, team), team);
    for_each_index(team, first.rows, [&](uint32_t i) {
      const uint8_t* row = states.data() + size_t{i} * first.width_px;
      for (size_t k = 0; k < band.out.size(); ++k) pack(row, k, band.out[k], i);
    });
  }

 private:
  /// The states that the search starts from; uses `band.out`.
  std::vector<uint8_t> first_states(const together::InksBand& band,
                                    const std::vector<const uint16_t*>& tones,
                                    HalftonerState* state,
                                    Team& team) const {
    const SampleBand& first = band.in.front();
    if (settings_.start == Start::kFloydSteinberg) start_.run(band, state, team);
    std::vector<uint8_t> states(size_t{first.width_px} * first.rows);
    for_each_index(team, first.rows, [&](uint32_t i) {
      const size_t begin = size_t{i} * first.width_px;
      for (size_t k = 0; k < tones.size(); ++k) {
        const uint32_t y = first.first_row + i, plane = band.in[k].plane;
        for (uint32_t x = 0; x < first.width_px; ++x) {
          const bool ink = settings_.start == Start::kRandom
                               ? random_ink(settings_.seed, plane, y, x, tones[k][begin + x])
                               : band.out[k].ink(x, i);
          states[begin + x] = static_cast<uint8_t>(states[begin + x] | (ink ? 1U << k : 0U));
        }
      }
    });
    return states;
  }

  std::unique_ptr<Search> begin(const Page& page, Team& team) const {
    try {
      return engine_.make(colours_, page, team);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kOutOfMemory || !engine_.fall_back) throw;
    }
    return engine_.fall_back(colours_, page, team);
  }

  /// Row i of ink k's bits.
  static void pack(const uint8_t* states, size_t k, const BitBand& out, uint32_t i) {
    uint8_t* const row = out.row(i);
    for (uint32_t x = 0; x < out.width_px; x += 8) {
      uint32_t byte = 0;
      for (uint32_t j = 0; j < std::min(out.width_px - x, 8U); ++j) {
        byte |= (uint32_t{states[x + j]} >> k & 1) << (7 - j);
      }
      row[x / 8] = static_cast<uint8_t>(byte);
    }
  }

  const SearchSettings settings_;
  const together::InkColours colours_;
  const Engine engine_;
  const diffusion::together::InksWavefront start_{diffusion::together::LightTones::kAsIs};
};

}  // namespace

std::unique_ptr<together::InksHalftoner> make_halftoner(const SearchSettings& settings,
                                                        const together::InkColours& colours,
                                                        Engine engine) {
  return std::make_unique<ColourHalftoner>(settings, colours, std::move(engine));
}

}  // namespace mezzo::search::colour
