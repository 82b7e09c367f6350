#include "kernels/diffusion/together/reference.h"

#include <vector>

#include "kernels/band/tone.h"
#include "kernels/diffusion/rules/floyd_steinberg.h"
#include "kernels/diffusion/together/inks_blocks.h"

namespace mezzo::diffusion::together {
namespace {

/// The errors of a plane around the pixel at hand, in the row of those above and of its own.
struct Errors {
  explicit Errors(uint32_t width_px) : row(size_t{width_px} + 2) {}

  int collect(uint32_t x) const {
    return fs::kLeft * left + fs::kUpLeft * up_left + fs::kUp * row[x + 1] +
           fs::kUpRight * row[x + 2];
  }
  void put(uint32_t x, int error) {
    up_left = row[x + 1];
    row[x + 1] = left = error;
  }

  std::vector<int> row;  ///< index x + 1 belongs to column x
  int left = 0;
  int up_left = 0;
};

struct CollectionState final : HalftonerState {
  CollectionState(uint32_t width_px, uint32_t inks)
      : planes(inks, Errors(width_px)), owed(width_px, inks) {}
  std::vector<Errors> planes;
  OwedRows owed;
};

/// One pixel of one plane after another.
class Pixel {
 public:
  Pixel(CollectionState& state, LightTones light, uint32_t x)
      : state_(state), light_(light), x_(x) {}

  /// The bit of the next plane.
  bool decide(int tone) {
    const auto column = static_cast<int>(x_);
    const uint32_t accounts = accounts_of(plane_);
    int owed[kMostAccounts], sum = 0;
    for (uint32_t j = 0; j < accounts; ++j) {
      const int16_t* field = state_.owed.field(plane_, j);
      owed[j] = owed_here(field[column - 1], field[column + 1]);
      sum += term(owed[j], beyond_tone_[j], tone);
    }
    const bool is_light = accounts > 0 && light_ == LightTones::kSideBySide;
    const int light = is_light ? lightness(tone, tones_) : 0;
    const int z = lowered_by(sum, light_part(errors_, light));
    Errors& errors = state_.planes[plane_];
    const Decision d = FloydSteinbergRule{}.decide(
        tone, errors.collect(x_), {.lowered = accounts == 0 ? 0 : lowered_at(tone, z)});
    errors.put(x_, d.residue);
    const int own = beyond_tone(tone, d.ink);
    for (uint32_t j = 0; j < accounts; ++j) {
      const int left = owed_after(owed[j], own, beyond_tone_[j], light);
      state_.owed.field(plane_, j)[column] = static_cast<int16_t>(left);
    }
    remember(own, tone, d.residue);
    return d.ink;
  }

 private:
  void remember(int own, int tone, int error) {
    if (plane_ < kMostAccounts) {
      beyond_tone_[plane_] = own;
      tones_ += tone;
      errors_ += error;
    }
    ++plane_;
  }

  CollectionState& state_;
  LightTones light_;
  uint32_t x_;
  uint32_t plane_ = 0;
  int beyond_tone_[kMostAccounts] = {};
  int tones_ = 0, errors_ = 0;
};

}  // namespace

std::unique_ptr<HalftonerState> InksCollection::make_state(uint32_t width_px, uint32_t inks) const {
  return std::make_unique<CollectionState>(width_px, inks);
}

void InksCollection::run(const mezzo::together::InksBand& band,
                         HalftonerState* state,
                         Team&) const {
  clear_bits(band);
  CollectionState& own = *static_cast<CollectionState*>(state);
  const SampleBand& first = band.in.front();
  for (uint32_t i = 0; i < first.rows; ++i) {
    for (Errors& errors : own.planes) errors.left = errors.up_left = 0;
    for (uint32_t x = 0; x < first.width_px; ++x) {
      Pixel pixel(own, light_, x);
      for (size_t k = 0; k < band.in.size(); ++k) {
        const SampleBand& in = band.in[k];
        const uint32_t sample = in.bytes_per_sample == 1 ? in.row8(i)[x] : in.row16(i)[x];
        const unsigned ink = pixel.decide((*band.curves[k])[sample]) ? 1 : 0;
        uint8_t& bits = band.out[k].row(i)[x / 8];
        bits = static_cast<uint8_t>(bits | ink << (7 - x % 8));
      }
    }
  }
}

}  // namespace mezzo::diffusion::together
