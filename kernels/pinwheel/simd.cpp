// The walk through many blocks at once, compiled once for each SIMD target: decide() of rule.h,
// line by line, in lanes of int16.
//
// Lanes. Blocks of one colour in a row of blocks begin 2 N pixels apart, hand each other no errors
// and, but for the ones at the ends, have the same walk. So each block of a group is a lane, and
// all lanes take the same step at a time: only tones, errors and, where they vary, levels and noise
// differ. A step needs the one before, so small blocks go two vectors at a time, neither of
// which waits for the other. Tones lie row by row, a block's N beside another's, and are transposed
// into a tile, where the lanes of a pixel lie side by side.
//
// Ring. An error goes at most Walk::reach steps ahead, which is less than 4 N. The sum for a pixel
// is in slot (place on the walk) mod (a power of two above reach): a step takes the sum in its
// slot, leaves 0 there and adds its shares to the slots of its targets. Behind the ring are slots
// of the borders and one for lost errors. A missing target has a weight of 0, so that a step has no
// branches: it adds 0 to some slot.
//
// Bounds. As rule.h shows, all values fit int16, and MulFixedPoint15 is mul15() but for two factors
// of -32768, which do not meet: one is a weight or an amplitude. The starting noise is added with
// saturation, at the far side of where u is clamped. Lanes without a block compute values that are
// never read.

#include "kernels/pinwheel/simd.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/base/error.h"
#include "kernels/pinwheel/bit_writer.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pinwheel/simd.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/pinwheel/simd_tiles-inl.h"
#include "kernels/pinwheel/simd_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::pinwheel::simd::HWY_NAMESPACE {

constexpr uint32_t kMostVectors = 2;
constexpr int kMostSizeOfTwo = 32;  // of blocks that go two vectors at a time
constexpr uint32_t kWord = 16;      // bits of a row of a block that a lane collects
constexpr uint32_t kMostRing = 4 * kMostSize;
constexpr uint32_t kLost = kMostRing + kBorderPlaces;  // a slot
static_assert(kMostVectors * kLanes <= BlockBorders::kSpare);
static_assert(kMostVectors * kMostSizeOfTwo * kMostSizeOfTwo <= kMostSize * kMostSize);

/// The parts of decide() that are compiled in.
enum class Form {
  kPlain,   ///< one level, without spread or noise
  kByTone,  ///< kLevels levels, with spread, no noise
  kAny,
};

Form form_of(const Rule& rule) {
  if (!rule.noise.is_none()) return Form::kAny;
  if (rule.levels == kLevels) return Form::kByTone;
  const bool spread = std::any_of(rule.thresholds,
                                  rule.thresholds + kThresholdClasses,
                                  [](const Threshold& t) { return t.spread != 0; });
  return spread ? Form::kAny : Form::kPlain;
}

/// On the stack: 0.4 MiB where vectors have 512 bits; small blocks touch little of it.
struct Scratch {
  HWY_ALIGN int16_t tones[kMostSize * kMostSize * kLanes];  ///< tiles
  HWY_ALIGN int16_t slots[(kLost + 1) * kMostVectors * kLanes];
  HWY_ALIGN int16_t noise[kMostVectors * kLanes];                    ///< block_noise()
  HWY_ALIGN uint16_t words[kMostSize * kMostSize / kWord * kLanes];  ///< bits of ink, by row
  HWY_ALIGN int16_t line[2 * kMostSize * kLanes + kColumns];  ///< a row of pixels of all blocks
};

/// The data of decide() at a pixel.
struct Parameters {
  Vector weight[kTargets];
  Vector threshold;
};

/// A group of blocks, in so many vectors.
template <uint32_t kVectors>
class Group {
 public:
  static constexpr uint32_t kBlocks = kVectors * kLanes;  // at most

  Group(const BandWork& work,
        const Walk& walk,
        const BlockPlace& first,
        uint32_t blocks,
        const RowBorders& borders,
        Scratch& scratch)
      : work_(work),
        walk_(walk),
        first_(first),
        blocks_(blocks),
        borders_(borders),
        scratch_(scratch),
        rows_(static_cast<uint32_t>(walk.shape.rows)),
        columns_(static_cast<uint32_t>(walk.shape.columns)),
        words_a_row_((columns_ + kWord - 1) / kWord),
        ring_(std::bit_ceil(walk.reach + 1)) {
    MZ_ASSERT(blocks_ <= kBlocks && rows_ <= columns_ && ring_ <= kMostRing);
  }

  template <Form kForm>
  void run() {
    Tiler<kVectors> tiler(work_, walk_.shape, first_, blocks_, scratch_.line);
    tiler.fill_tones(scratch_.tones);
    if (kForm != Form::kPlain) fill_noise();
    clear(scratch_.slots, ring_);
    clear(scratch_.words, rows_ * words_a_row_);
    if (walk_.shape.outward) {
      for (const Side side : {kAbove, kBelow, kLeft, kRight}) clear(border(side), columns_);
      take_steps<kForm, true>();
      store_borders();
    } else {
      take_steps<kForm, false>();
    }
    store_bits();
  }

 private:
  uint32_t blocks_apart() const { return 2 * columns_; }
  int16_t* border(Side side) { return scratch_.slots + (kMostRing + side * kMostSize) * kBlocks; }

  void fill_noise() {
    const uint32_t plane = work_.in.plane, seed = work_.rule.noise.seed;
    for (uint32_t block = 0; block < kBlocks; ++block) {
      const uint32_t x = first_.x + block * blocks_apart();
      scratch_.noise[block] = static_cast<int16_t>(block_noise(seed, plane, first_.y, x));
    }
  }

  template <typename T>
  static void clear(T* vectors, uint32_t count) {
    std::memset(vectors, 0, count * kBlocks * sizeof *vectors);
  }

  template <Form kForm, bool kOutward>
  void take_steps() {
    const Tag d;
    const UnsignedTag du;
    // Locals: the compiler would assume that stores change members.
    Rule rule = work_.rule;
    if (kForm == Form::kPlain) rule.levels = 1;
    const Step* const steps = walk_.steps.data();
    const auto count = static_cast<uint32_t>(walk_.steps.size());
    const uint32_t columns = columns_, words_a_row = words_a_row_, ring_mask = ring_ - 1;
    Scratch& scratch = scratch_;
    const auto slot = [&](uint32_t target) {
      const bool on_border = kOutward && target >= kBorder;
      return scratch.slots +
             (on_border ? target - kBorder + kMostRing : target & ring_mask) * kBlocks;
    };
    const Vector solid = hn::Set(d, int16_t{kSolid}), most = hn::Set(d, int16_t{kMostError});

    for (uint32_t place = 0; place < count; ++place) {
      const Step& step = steps[place];
      prefetch_next(step);
      const uint32_t pixel = (step.y * tile_stride(columns) + step.x) * kBlocks;
      int16_t* const own = slot(place);
      int16_t* targets[kTargets] = {step.legal == 0
                                        ? scratch.slots + kLost * kBlocks
                                        : slot(step.targets[primary_target(step.legal)])};
      for (int k = 1; k < kTargets; ++k) targets[k] = slot(step.targets[k]);
      // The rightmost bit of a word is its lowest, even where a word is not full.
      uint16_t* const word = scratch.words + (step.y * words_a_row + step.x / kWord) * kBlocks;
      const uint32_t rightmost = std::min(step.x | (kWord - 1), columns - 1);
      const auto bit = hn::Set(du, static_cast<uint16_t>(1U << (rightmost - step.x)));

      for (uint32_t lane = 0; lane < kBlocks; lane += kLanes) {
        const Vector tone = hn::Load(d, scratch.tones + pixel + lane);
        Parameters used = parameters<kForm>(rule, step, tone, scratch.noise + lane);
        Vector u = hn::Add(tone, hn::Load(d, own + lane));
        hn::Store(hn::Zero(d), d, own + lane);
        if (!kOutward) u = hn::Add(u, received_across(step, lane));
        if (kForm == Form::kAny && !rule.noise.is_none()) {
          add_noise(step, place == 0, lane, used, u);
        }
        // Of two orders: at least the threshold or solid, and not paper.
        const auto no_ink = hn::And(hn::Lt(u, used.threshold), hn::Lt(tone, solid));
        const auto paper = hn::Or(no_ink, hn::Eq(tone, hn::Zero(d)));
        u = hn::Sub(u, hn::IfThenZeroElse(paper, solid));
        const Vector error = hn::Max(hn::Min(u, most), hn::Neg(most));
        Vector rest = error;
        for (int k = 1; k < kTargets; ++k) {
          const Vector share = hn::MulFixedPoint15(used.weight[k], error);
          rest = hn::Sub(rest, share);
          hn::Store(hn::Add(hn::Load(d, targets[k] + lane), share), d, targets[k] + lane);
        }
        hn::Store(hn::Add(hn::Load(d, targets[0] + lane), rest), d, targets[0] + lane);
        const auto ink = hn::IfThenZeroElse(hn::RebindMask(du, paper), bit);
        hn::Store(hn::Or(hn::Load(du, word + lane), ink), du, word + lane);
      }
    }
  }

  /// Asks for this step's part of the next group's samples. The hardware does not foresee so many
  /// rows, least of all rows that lie a power of two apart.
  HWY_INLINE void prefetch_next(const Step& step) const {
    constexpr uint32_t kLine = 64, kPart = 2 * kBlocks;
    const uint32_t x = first_.x + blocks_apart() * kBlocks + step.x * kPart;
    const size_t sample = work_.in.bytes_per_sample;
    const int64_t row = int64_t{first_.y} + step.y - work_.in.first_row;
    const std::byte* const part = work_.in.row(row) + std::min(x, work_.in.width_px - 1) * sample;
    for (size_t i = 0; i < kPart * sample; i += kLine) hwy::Prefetch(part + i);
  }

  /// Without noise.
  template <Form kForm>
  static HWY_INLINE Parameters
  parameters(const Rule& rule, const Step& step, Vector tone, const int16_t* of_block) {
    const Tag d;
    const Weights* const weights = rule.weights_of(step.kind, step.legal);
    const Threshold* const threshold = rule.thresholds_of(step.threshold_class);
    Parameters used;
    Vector spread;
    if (kForm == Form::kPlain || (kForm == Form::kAny && rule.levels == 1)) {
      for (int k = 1; k < kTargets; ++k) used.weight[k] = hn::Set(d, weights->part[k]);
      used.threshold = hn::Set(d, threshold->middle);
      spread = hn::Set(d, threshold->spread);
    } else {
      // level_of(): 2040 is 255 in Q3
      const Vector level = hn::MulFixedPoint15(tone, hn::Set(d, int16_t{2040}));
      const Halves last = look_up<sizeof *weights>(&weights->part[2], level);
      used.weight[1] = look_up<sizeof *weights>(&weights->part[0], level).high;
      used.weight[2] = last.low;
      used.weight[3] = last.high;
      const Halves thresholds = look_up<sizeof *threshold>(&threshold->middle, level);
      used.threshold = thresholds.low;
      spread = thresholds.high;
    }
    if (kForm != Form::kPlain) {
      const auto factor = hn::Set(d, static_cast<int16_t>(step.noise_factor));
      const Vector noise = hn::Mul(hn::Load(d, of_block), factor);
      used.threshold = hn::Add(used.threshold, hn::MulHigh(spread, noise));
    }
    return used;
  }

  /// The shares of outward blocks for a pixel of inward ones.
  HWY_INLINE Vector received_across(const Step& step, uint32_t lane) const {
    const Tag d;
    const auto& [above, below, left, right] = walk_.shape.neighbours;
    Vector sum = hn::Zero(d);
    const auto add = [&](const BorderRow& borders, Side side, uint32_t along, uint32_t index) {
      sum = hn::Add(sum, hn::LoadU(d, borders.at(side, along) + index + lane));
    };
    if (step.y == 0 && above) add(borders_.above, kBelow, step.x, first_.border_index());
    if (step.y + 1U == rows_ && below) add(borders_.below, kAbove, step.x, first_.border_index());
    if (step.x == 0 && left) add(borders_.own, kRight, step.y, first_.border_index_left());
    if (step.x + 1U == columns_ && right)
      add(borders_.own, kLeft, step.y, first_.border_index_right());
    return sum;
  }

  HWY_INLINE void add_noise(
      const Step& step, bool first, uint32_t lane, Parameters& used, Vector& u) const {
    const Tag d;
    const Noise& noise = work_.rule.noise;
    const auto value = [&](int amplitude) { return hn::Set(d, static_cast<int16_t>(amplitude)); };
    const uint32_t of_row = row_noise(noise.seed, work_.in.plane, first_.y + step.y);
    const uint32_t x = first_.x + step.x + lane * blocks_apart(), two_apart = 2 * blocks_apart();
    const auto even = pixel_noises(of_row, x, two_apart);
    const auto odd = pixel_noises(of_row, x + blocks_apart(), two_apart);
    const auto [low, high] = halves(even, odd);
    used.threshold = hn::Add(used.threshold, hn::MulFixedPoint15(value(noise.threshold), low));
    if (first) {
      const Vector start = halves(mixed(even), mixed(odd)).low;
      u = hn::SaturatedAdd(u, hn::MulFixedPoint15(value(noise.start), start));
    }
    if (noise.weights != 0) perturb(used.weight, step.legal, value(noise.weights), high);
  }

  /// Overwrites values behind the group's blocks: later blocks of the row, or kSpare.
  void store_borders() {
    const Tag d;
    for (const Side side : {kAbove, kBelow, kLeft, kRight}) {
      for (uint32_t along = 0; along < columns_; ++along) {
        int16_t* const to = borders_.own.at(side, along) + first_.border_index();
        for (uint32_t lane = 0; lane < kBlocks; lane += kLanes) {
          hn::StoreU(hn::Load(d, border(side) + along * kBlocks + lane), d, to + lane);
        }
      }
    }
  }

  void store_bits() const {
    const uint32_t columns = columns_, blocks = blocks_;
    for (uint32_t y = 0; y < rows_; ++y) {
      if (!work_.is_own(first_.y + y)) continue;
      BitWriter writer(work_.out.row(first_.y + y - work_.in.first_row), first_.x);
      const uint16_t* const words = scratch_.words + y * words_a_row_ * kBlocks;
      if (columns <= kWord) {  // with the paper before it, in one go
        writer.put(words[0], columns);
        for (uint32_t block = 1; block < blocks; ++block) writer.put(words[block], 2 * columns);
      } else {
        const auto put_each = [&](auto word_at) {
          for (uint32_t x = 0; x < columns; x += kWord) {
            writer.put(word_at(x / kWord), std::min(kWord, columns - x));
          }
        };
        for (uint32_t block = 0; block < blocks; ++block) {
          if (block > 0) put_each([](uint32_t) { return 0; });
          put_each([&](uint32_t i) { return words[i * kBlocks + block]; });
        }
      }
      writer.finish();
    }
  }

  const BandWork& work_;
  const Walk& walk_;
  const BlockPlace first_;
  const uint32_t blocks_;
  const RowBorders& borders_;
  Scratch& scratch_;
  const uint32_t rows_;
  const uint32_t columns_;
  const uint32_t words_a_row_;
  const uint32_t ring_;  ///< slots of it
};

template <uint32_t kVectors>
void run_group(Form form, Group<kVectors> group) {
  switch (form) {
    case Form::kPlain:
      return group.template run<Form::kPlain>();
    case Form::kByTone:
      return group.template run<Form::kByTone>();
    case Form::kAny:
      return group.template run<Form::kAny>();
  }
}

void run_blocks_on_target(const BandWork& work,
                          const Walk& walk,
                          BlockPlace first,
                          uint32_t blocks,
                          const RowBorders& borders) {
  Scratch scratch;
  const Form form = form_of(work.rule);
  while (blocks > 0) {
    const bool two = blocks > kLanes && walk.shape.columns <= kMostSizeOfTwo;
    const uint32_t now = std::min(blocks, two ? 2 * kLanes : kLanes);
    if (two) {
      run_group(form, Group<2>(work, walk, first, now, borders, scratch));
    } else {
      run_group(form, Group<1>(work, walk, first, now, borders, scratch));
    }
    blocks -= now;
    first.column += 2 * now;
    first.x += 2 * now * static_cast<uint32_t>(walk.shape.columns);
  }
}

uint32_t most_blocks_of_target() {
  return kMostVectors * kLanes;
}

}  // namespace mezzo::pinwheel::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::pinwheel::simd {

HWY_EXPORT(run_blocks_on_target);
HWY_EXPORT(most_blocks_of_target);

uint32_t blocks_at_once() {
  return HWY_DYNAMIC_DISPATCH(most_blocks_of_target)();
}

void run_blocks(const BandWork& work,
                const Walk& walk,
                const BlockPlace& first,
                uint32_t blocks,
                const RowBorders& borders) {
  HWY_DYNAMIC_DISPATCH(run_blocks_on_target)(work, walk, first, blocks, borders);
}

}  // namespace mezzo::pinwheel::simd
#endif
