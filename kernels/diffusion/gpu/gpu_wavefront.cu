// Schedule `wavefront` on the GPU: one persistent launch a band of the page, no launch and no
// barrier of the whole GPU between its wavefronts.
//
// A warp owns a group of 32 rows, a lane a row, and a step takes every lane one column on. A lane
// works kSkew columns behind the lane above it: two would do, but the sums that it hands down
// travel by shuffle, and with two more columns of delay the shuffle is off the chain from step to
// step.
//
// Steps come in chunks of 32, and a thread block works in ticks, a chunk a tick, with one barrier
// in between. Some of its warps diffuse. As many prepare, each for one of those, the tones of its
// next chunk, already slanted, so that the chain finds all its inputs in shared memory. One fetches
// what the block above has sent. Diffusing warp w runs kWarpLag chunks behind warp w - 1, which is
// when the sums of its first row have arrived.
//
// Thread blocks draw their tiles, kWarps groups of rows each, by ticket and therefore start in
// order: the block above is always finished or running, and waiting for it ends. The sums that the
// last row of a block hands down go through global memory in words of 64 bits with a tag: one load
// brings the sum and the proof that it is the right one. Tags count on from band to band, so
// nothing is reset in between. As many blocks as a page keeps busy at one time are launched; a
// block that has ended takes the next tile. Tiles are finished in order, so the current tiles
// follow each other: with G blocks, rows of words for G + 1 tiles in a ring are enough, G that are
// read and one more that the lowest writes.

#include <cuda_runtime.h>

#include <algorithm>
#include <type_traits>

#include "kernels/diffusion/gpu/gpu_schedule.cuh"
#include "kernels/diffusion/rules/floyd_steinberg.h"
#include "kernels/diffusion/rules/rules.h"
#include "kernels/gpu/device.cuh"
#include "kernels/gpu/plate_word.cuh"

namespace mezzo::diffusion {
namespace {

constexpr int kLanes = 32;
constexpr int kChunk = 32;  ///< steps of a tick, and bits of an output word
constexpr int kWarps = 2;   ///< diffusing warps of a thread block; as many prepare: one a scheduler
constexpr int kThreads = (2 * kWarps + 1) * kLanes;  ///< and one warp fetches
constexpr int kSkew = 4;  ///< columns that a lane stays behind the lane above it
constexpr int kLastLag = (kLanes - 1) * kSkew;  ///< columns of the last lane behind the first
/// Steps that a sum is held before it goes to the next warp, so that a chunk of steps hands on a
/// chunk of columns.
constexpr int kHeld = 3;
constexpr int kSumLag = kLastLag + 1 + kHeld;  ///< steps from a column of the first lane to its sum
static_assert(kSumLag % kChunk == 0);
constexpr int kWarpLag =
    kSumLag / kChunk + 1;          ///< chunks that a warp stays behind the warp above it
constexpr int kFeed = 4 * kChunk;  ///< sums between two warps, a ring
constexpr int kToneRow = 40;       ///< tones: 16-byte loads of 8 lanes then meet all banks once
constexpr uint32_t kAhead = 8;     ///< chunks that samples are asked for in advance

/// A sum on its way from block to block.
struct TaggedSum {
  int sum;
  uint32_t tag;
};
static_assert(sizeof(TaggedSum) == 8);

struct HandoffRing {
  TaggedSum* rows;  ///< `size` rows of width_px words
  uint32_t size;
  uint32_t first_tag;  ///< block b waits for tag first_tag + b, which the block above it writes
  uint32_t* ticket;    ///< 0 between launches
};

__device__ void send(TaggedSum* word, TaggedSum value) {
  const uint64_t bits = uint64_t{value.tag} << 32 | static_cast<uint32_t>(value.sum);
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(bits) : "memory");
}

__device__ TaggedSum peek(const TaggedSum* word) {
  uint64_t bits;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(bits) : "l"(word) : "memory");
  return {static_cast<int>(static_cast<uint32_t>(bits)), static_cast<uint32_t>(bits >> 32)};
}

/// One row of any rule. A lane keeps what it needs of the last two pixels; its sums and tones are
/// in the units of the rule.
template <Rule R>
class Lane {
 public:
  __device__ Lane(const R& rule, int lane) : rule_(rule), link_(lane == 0 ? 0 : 1) {}

  static constexpr bool kLoadsTexture = false;  ///< the rule adds it

  __device__ static uint32_t tone_word(int tone) { return static_cast<uint32_t>(tone); }
  __device__ static int from_sum(int sum) { return sum; }
  __device__ static int to_sum(int sum) { return sum; }

  /// Decides a pixel and returns the sum of the column before it, in the row below. Adds its bit to
  /// `bits` from the right. The low 16 bits of `tone` are a tone_word(). What came from above is
  /// `received` from the lane above, and `fed` to the first lane (0 to others). A pixel outside the
  /// plane leaves nothing.
  template <bool kEdge>
  __device__ int step(
      uint32_t tone, int received, int fed, bool inside, const Place& place, uint32_t& bits) {
    const int t = static_cast<int>(tone & 0xFFFF);
    Decision d = rule_.decide(t, right_ + received * link_ + fed, place);
    if (kEdge && !inside) d.residue = 0;
    bits = bits << 1 | static_cast<uint32_t>(d.ink);
    const Shares shares = rule_.shares(d.residue, t);
    const int sum = shares.down_left + partial_;
    partial_ = shares.down + down_right_;
    right_ = shares.right;
    down_right_ = shares.down_right;
    return sum;
  }

 private:
  R rule_;
  int link_;            ///< 1, and 0 for the first lane, which receives nothing
  int right_ = 0;       ///< of the pixel before
  int down_right_ = 0;  ///< of the pixel before
  int partial_ = 0;     ///< of the sum of its column: what it and the pixel before it share
};

/// Floyd-Steinberg in the fewest instructions. Errors are kept biased, E = error + 2048 in 0 ..
/// 4095, and sums of shares too, by 9 * 2048, so that with X = 16 tone + 8 + collected (rule.h) and
/// -32768 <= X < 98304 (floyd_steinberg.h) the bias adds up to 32768 and
///
///     X + 32768 = 8 (2 tone + 1) + 7 E + sum
///
/// is a number of 17 bits: the ink, the next biased error (12 bits), the fraction (4 bits). Shifted
/// left by 16 the ink is gone and the error one shift away; shifted left by 15 the ink is bit 31.
/// Both are computed: the chain from pixel to pixel is a multiply-add and a shift. Whatever is
/// above the 16 bits of a tone word is shifted out too.
template <>
class Lane<FloydSteinbergRule> {
 public:
  __device__ Lane(const FloydSteinbergRule&, int lane)
      : link_15_(lane == 0 ? 0 : 1U << 15), link_16_(lane == 0 ? 0 : 1U << 16) {}

  static constexpr bool kLoadsTexture = true;

  /// Above the word, the amplitude of the texture.
  __device__ static uint32_t tone_word(int tone) {
    return (2 * static_cast<uint32_t>(tone) + 1) | static_cast<uint32_t>(texture_amplitude(tone))
                                                       << 16;
  }

  /// The word of the tone with the texture, `value` that of the tile.
  __device__ static uint32_t textured(uint32_t word, int value) {
    const int amplitude = static_cast<int>(word >> 16);
    return word + 2 * static_cast<uint32_t>((value * amplitude + (1 << 14)) >> 15);
  }
  __device__ static int from_sum(int sum) { return sum + kBias; }
  __device__ static int to_sum(int sum) { return sum - kBias; }

  template <bool kEdge>
  __device__ int step(
      uint32_t tone, int received, int fed, bool inside, const Place&, uint32_t& bits) {
    const uint32_t early =
        8 * tone + static_cast<uint32_t>(fed);  // does not wait for the lane above
    const uint32_t sum_above = static_cast<uint32_t>(received);
    const uint32_t ink = mad(error_, fs::kLeft << 15, mad(sum_above, link_15_, early << 15));
    uint32_t error = mad(error_, fs::kLeft << 16, mad(sum_above, link_16_, early << 16)) >> 20;
    if (kEdge && !inside) error = kNoError;
    bits = __funnelshift_l(ink, bits, 1);
    const uint32_t sum = mad(error, fs::kUpRight, partial_);
    partial_ = mad(error, fs::kUp, error_ * fs::kUpLeft);
    error_ = error;
    return static_cast<int>(sum);
  }

 private:
  /// a * b + c as one instruction: the compiler would save an instruction here and there, but put
  /// more of them on the chain.
  __device__ static uint32_t mad(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t d;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
  }

  static constexpr uint32_t kNoError = 2048;
  static constexpr int kBias = (fs::kUpRight + fs::kUp + fs::kUpLeft) * 2048;
  uint32_t link_15_, link_16_;  ///< shifts what is received; 0 for the first lane
  uint32_t error_ = kNoError;   ///< of the pixel before
  uint32_t partial_ = (fs::kUp + fs::kUpLeft) * kNoError;  ///< as above
};

struct Shared {
  /// Tone words of 8-bit samples, a copy for each lane in its own bank: [sample][lane].
  uint32_t table[256][kLanes];
  uint16_t tones[kWarps][2][kLanes * kToneRow];  ///< of two chunks, by turns
  int feed[kWarps + 1][kFeed];  ///< sums by column, for warp w; the last for the block below
  int no_feed[kChunk];          ///< zeros
  uint32_t tile;
};

/// Prepares the tones of one group of rows, chunk by chunk. Samples are loaded four at a time, a
/// chunk ahead: 8 lanes take a row, and row r of the group is 4 r columns further left.
template <typename Sample, Rule R>
class ToneLoader {
 public:
  __device__ ToneLoader(const DeviceBand& band, int first_row, int lane)
      : band_(band),
        first_row_(first_row),
        rows_(min(static_cast<int>(band.rows) - first_row, kLanes)),
        lane_(lane),
        group_(band.samples + static_cast<size_t>(first_row) * band.pitch_bytes) {}

  __device__ void load(int chunk) {
    ask_ahead(chunk);
    const int row = lane_ / 8;  // then 4 more, and so on
    const int x = first_column(chunk);
    const std::byte* at = group_ + static_cast<size_t>(row) * band_.pitch_bytes +
                          x * static_cast<int>(sizeof(Sample));
    const size_t stride = 4 * (band_.pitch_bytes - kSkew * sizeof(Sample));
#pragma unroll
    for (int i = 0; i < kLanes / 4; ++i) {
      const bool inside =
          static_cast<unsigned>(x - 4 * kSkew * i) < band_.width_px && row + 4 * i < rows_;
      samples_[i] = inside ? *reinterpret_cast<const Four*>(at + i * stride) : Four{};
    }
  }

  /// The chunk that was loaded last.
  __device__ void store(int chunk, const Shared& shared, uint16_t* tones) const {
    if (Lane<R>::kLoadsTexture && band_.texture != 0) {
      store_words<true>(chunk, shared, tones);
    } else {
      store_words<false>(chunk, shared, tones);
    }
  }

 private:
  using Four = std::conditional_t<sizeof(Sample) == 1, uint32_t, uint2>;

  /// The column of the lane's first four samples.
  __device__ int first_column(int chunk) const {
    return chunk * kChunk + lane_ % 8 * 4 - kSkew * (lane_ / 8);
  }

  template <bool kTextured>
  __device__ void store_words(int chunk, const Shared& shared, uint16_t* tones) const {
    // Look-ups first, so that none waits for the store of another.
    uint2 words[kLanes / 4];
#pragma unroll
    for (int i = 0; i < kLanes / 4; ++i) {
      uint32_t four[4] = {
          tone(shared, i, 0), tone(shared, i, 1), tone(shared, i, 2), tone(shared, i, 3)};
      if constexpr (kTextured && Lane<R>::kLoadsTexture) add_texture(chunk, i, four);
      words[i] = {__byte_perm(four[0], four[1], 0x5410), __byte_perm(four[2], four[3], 0x5410)};
    }
#pragma unroll
    for (int i = 0; i < kLanes / 4; ++i) {
      *reinterpret_cast<uint2*>(tones + (lane_ / 8 + 4 * i) * kToneRow + lane_ % 8 * 4) = words[i];
    }
  }

  /// To the words of the i-th row of the lane. Four pixels whose first column is a multiple of 4
  /// have their values side by side.
  __device__ void add_texture(int chunk, int i, uint32_t (&words)[4]) const {
    static_assert(kSkew % 4 == 0);
    const auto x = static_cast<uint32_t>(first_column(chunk) - 4 * kSkew * i);
    const auto y = band_.first_row + static_cast<uint32_t>(first_row_ + lane_ / 8 + 4 * i);
    const short4 values =
        *reinterpret_cast<const short4*>(band_.tile + texture_place(band_.texture, x, y));
    words[0] = Lane<R>::textured(words[0], values.x);
    words[1] = Lane<R>::textured(words[1], values.y);
    words[2] = Lane<R>::textured(words[2], values.z);
    words[3] = Lane<R>::textured(words[3], values.w);
  }

  /// Has later samples brought to the second-level cache, a lane a row.
  __device__ void ask_ahead(int chunk) const {
    const uint32_t x = (static_cast<uint32_t>(chunk) + kAhead) * kChunk;
    if (chunk % 4 != 0 || x >= band_.width_px || lane_ >= rows_) return;
    const std::byte* at =
        group_ + static_cast<size_t>(lane_) * band_.pitch_bytes + x * sizeof(Sample);
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
    if (sizeof(Sample) == 2) asm volatile("prefetch.global.L2 [%0];" ::"l"(at + 128));
  }

  __device__ uint32_t tone(const Shared& shared, int i, int j) const {
    if constexpr (sizeof(Sample) == 1) {
      return shared.table[samples_[i] >> 8 * j & 0xFF][lane_];
    } else {
      const uint32_t pair = j < 2 ? samples_[i].x : samples_[i].y;
      return Lane<R>::tone_word(band_.tones[j % 2 == 0 ? pair & 0xFFFF : pair >> 16]);
    }
  }

  const DeviceBand& band_;
  int first_row_;
  int rows_;
  int lane_;
  const std::byte* group_;
  Four samples_[kLanes / 4];
};

/// Diffuses one group of rows, chunk by chunk.
template <Rule R>
class RowGroup {
 public:
  __device__ RowGroup(const DeviceBand& band, const R& rule, int first_row, int lane)
      : state_(rule, lane),
        band_(band),
        textured_(band.texture != 0 && rule.takes_texture()),
        width_(band.width_px),
        lane_(lane),
        last_(first_row + kLanes >= static_cast<int>(band.rows)),
        sender_(last_ ? static_cast<int>(band.rows) - 1 - first_row : kLanes - 1),
        place_{0, band.first_row + static_cast<uint32_t>(first_row + lane), band.plane},
        end_word_(first_row + lane < static_cast<int>(band.rows) ? band.row_words() : 0),
        next_word_(-1 - kSkew * lane / kChunk),
        words_(band.words + static_cast<size_t>(first_row + lane) * band.row_words()) {}

  /// True for the group that ends with the band's last row.
  __device__ bool is_last() const { return last_; }

  /// The column of the first sum that the first chunk hands on.
  __device__ int first_sum() const { return -1 - kHeld - kSkew * sender_; }

  /// Chunks come in order. `feed` is this lane's: zeros but for the first.
  __device__ void run(int chunk, const uint16_t* tones, const int* feed, int* sent) {
    const int column = chunk * kChunk;
    const bool plain = column >= kLastLag && column + kChunk <= static_cast<int>(width_);
    tones += lane_ * kToneRow;
    const uint32_t bits =
        plain ? steps<false>(column, tones, feed, sent) : steps<true>(column, tones, feed, sent);
    // A lane's chunk is kSkew * lane columns behind the words of the plate.
    const uint32_t word = __funnelshift_l(bits, previous_bits_, kSkew * lane_);
    previous_bits_ = bits;
    if (static_cast<uint32_t>(next_word_) < end_word_) {
      const uint32_t used = width_ - static_cast<uint32_t>(next_word_) * 32;
      words_[next_word_] = gpu::plate_word(used < 32 ? word & ~(0xFFFFFFFFU >> used) : word);
    }
    ++next_word_;
  }

 private:
  template <bool kEdge>
  __device__ uint32_t steps(int column, const uint16_t* tones, const int* feed, int* sent) {
    // Inputs are asked for some steps before the chain wants them.
    constexpr int kGroup = 8;
    uint4 tone_words[kChunk / kGroup];
    int4 fed[kChunk / 4];
    const auto ask = [&](int group) {
      tone_words[group] = reinterpret_cast<const uint4*>(tones)[group];
      fed[2 * group] = reinterpret_cast<const int4*>(feed)[2 * group];
      fed[2 * group + 1] = reinterpret_cast<const int4*>(feed)[2 * group + 1];
    };
    ask(0);
    ask(1);
    const bool sends = lane_ == sender_;
    uint32_t bits = 0;
#pragma unroll
    for (int k = 0; k < kChunk; ++k) {
      if (k % kGroup == 0 && k > 0 && k / kGroup + 1 < kChunk / kGroup) ask(k / kGroup + 1);
      const uint4& eight = tone_words[k / kGroup];
      const uint32_t pair = k % 8 < 2   ? eight.x
                            : k % 8 < 4 ? eight.y
                            : k % 8 < 6 ? eight.z
                                        : eight.w;
      const int4& four = fed[k / 4];
      place_.x = static_cast<uint32_t>(column + k - kSkew * lane_);
      if constexpr (!Lane<R>::kLoadsTexture) {
        if (textured_) place_.texture = band_.texture_at(place_.x, place_.y);
      }
      const int sum = state_.template step<kEdge>(k % 2 == 0 ? pair : __byte_perm(pair, 0, 0x4432),
                                                  received_[kSkew - 2],
                                                  k % 4 == 0   ? four.x
                                                  : k % 4 == 1 ? four.y
                                                  : k % 4 == 2 ? four.z
                                                               : four.w,
                                                  place_.x < width_,
                                                  place_,
                                                  bits);
      if (k % 4 == 3 && sends) {
        *reinterpret_cast<int4*>(sent + k - 3) = {held_[5], held_[4], held_[3], held_[2]};
      }
#pragma unroll
      for (int i = kSkew - 2; i > 0; --i) received_[i] = received_[i - 1];
      received_[0] = __shfl_up_sync(0xFFFFFFFFU, sum, 1);
#pragma unroll
      for (int i = 2 * kHeld - 1; i > 0; --i) held_[i] = held_[i - 1];
      held_[0] = sum;
    }
    return bits;
  }

  Lane<R> state_;
  const DeviceBand& band_;
  bool textured_;
  uint32_t width_;
  int lane_;
  bool last_;
  int sender_;  ///< the lane whose sums go to the rows below
  Place place_;
  uint32_t end_word_;  ///< 0 for a lane without a row
  int next_word_;
  uint32_t* words_;
  uint32_t previous_bits_ = 0;
  int received_[kSkew - 1] = {};  ///< the last sums of the lane above, the latest first
  int held_[2 * kHeld] = {};      ///< the last sums of this lane, the latest first
};

/// Brings the sums of a block's first row, as soon as they are there.
template <Rule R>
class HandoffReader {
 public:
  __device__ HandoffReader(const DeviceBand& band, const HandoffRing& ring, uint32_t tile, int lane)
      : above_(tile == 0 ? band.above : nullptr),
        words_(ring.rows + size_t{(ring.first_tag + tile) % ring.size} * band.width_px),
        tag_(ring.first_tag + tile),
        width_(static_cast<int>(band.width_px)),
        lane_(lane) {}

  /// Puts the sums of a chunk into the feed.
  __device__ void bring(int chunk, int* feed) const {
    const int x = chunk * kChunk + lane_;
    if (x >= width_) return;
    if (above_ != nullptr) {
      feed[x & (kFeed - 1)] = Lane<R>::from_sum(above_[x]);
    } else {
      TaggedSum word = peek(words_ + x);
      while (word.tag != tag_) word = peek(words_ + x);
      feed[x & (kFeed - 1)] = word.sum;
    }
  }

 private:
  const int* above_;
  const TaggedSum* words_;
  uint32_t tag_;
  int width_;
  int lane_;
};

/// Passes on the sums that the last row of a block has completed, chunk by chunk.
template <Rule R>
class HandoffWriter {
 public:
  /// `first` is the column of the first sum of the first chunk.
  __device__ HandoffWriter(const DeviceBand& band,
                           const HandoffRing& ring,
                           uint32_t tile,
                           bool is_last,
                           int first,
                           int lane)
      : below_(is_last ? band.below : nullptr),
        words_(ring.rows + size_t{(ring.first_tag + tile + 1) % ring.size} * band.width_px),
        tag_(ring.first_tag + tile + 1),
        width_(band.width_px),
        next_(first + lane) {}

  /// `sum` is the lane's of this chunk.
  __device__ void pass_on(int sum) {
    if (static_cast<uint32_t>(next_) < width_) {
      if (below_ != nullptr) {
        below_[next_] = Lane<R>::to_sum(sum);
      } else {
        send(words_ + next_, {sum, tag_});
      }
    }
    next_ += kChunk;
  }

 private:
  int* below_;
  TaggedSum* words_;
  uint32_t tag_;
  uint32_t width_;
  int next_;
};

/// The work of a thread block at one tile, tick by tick; each warp has one of three roles.
template <typename Sample, Rule R>
class TileRun {
 public:
  __device__ TileRun(
      const DeviceBand& band, const R& rule, const HandoffRing& ring, uint32_t tile, Shared& shared)
      : band_(band),
        rule_(rule),
        ring_(ring),
        tile_(tile),
        shared_(shared),
        lane_(static_cast<int>(threadIdx.x) % kLanes),
        chunks_(static_cast<int>(band.row_words()) + kWarpLag - 1) {}

  __device__ void run() {
    const int warp = static_cast<int>(threadIdx.x) / kLanes;
    if (warp < kWarps) {
      diffuse(warp);
    } else if (warp < 2 * kWarps) {
      prepare(warp - kWarps);
    } else {
      fetch();
    }
  }

 private:
  __device__ int first_row(int member) const {
    return (static_cast<int>(tile_) * kWarps + member) * kLanes;
  }
  /// The last group of a band may be missing.
  __device__ bool is_there(int member) const {
    return first_row(member) < static_cast<int>(band_.rows);
  }

  /// Calls `work(chunk)` for each chunk, the first of them `delay` ticks late, in step with the
  /// other warps.
  template <typename Work>
  __device__ void each_tick(bool is_there, int delay, const Work& work) const {
    const int ticks = chunks_ + (kWarps - 1) * kWarpLag + 1;
    for (int tick = 0; tick < ticks; ++tick) {
      const int chunk = tick - delay;
      if (is_there && chunk >= 0 && chunk < chunks_) work(chunk);
      __syncthreads();
    }
  }

  __device__ void diffuse(int member) {
    RowGroup<R> group(band_, rule_, first_row(member), lane_);
    const bool passes_on = group.is_last() || member == kWarps - 1;
    HandoffWriter<R> writer(band_, ring_, tile_, group.is_last(), group.first_sum(), lane_);
    const int* const feed = lane_ == 0 ? shared_.feed[member] : shared_.no_feed;
    const int feed_mask = lane_ == 0 ? kFeed / kChunk - 1 : 0;
    each_tick(is_there(member), member * kWarpLag + 1, [&](int chunk) {
      int* const sent = shared_.feed[member + 1] + chunk * kChunk % kFeed;
      group.run(chunk, shared_.tones[member][chunk % 2], feed + (chunk & feed_mask) * kChunk, sent);
      if (passes_on) {
        __syncwarp();
        writer.pass_on(sent[lane_]);
      }
    });
  }

  __device__ void prepare(int member) {
    ToneLoader<Sample, R> loader(band_, first_row(member), lane_);
    if (is_there(member)) loader.load(0);
    each_tick(is_there(member), member * kWarpLag, [&](int chunk) {
      loader.store(chunk, shared_, shared_.tones[member][chunk % 2]);
      loader.load(chunk + 1);
    });
  }

  __device__ void fetch() {
    const HandoffReader<R> reader(band_, ring_, tile_, lane_);
    each_tick(true, 0, [&](int chunk) { reader.bring(chunk, shared_.feed[0]); });
  }

  const DeviceBand& band_;
  const R& rule_;
  const HandoffRing& ring_;
  uint32_t tile_;
  Shared& shared_;
  int lane_;
  int chunks_;
};

// Three thread blocks on a multiprocessor: as many as 128 registers a thread, none spilled, leave
// room for.
template <typename Sample, Rule R>
__global__ void __launch_bounds__(kThreads, 3) wavefront(const __grid_constant__ DeviceBand band,
                                                         const __grid_constant__ R rule,
                                                         const __grid_constant__ HandoffRing ring,
                                                         uint32_t tiles) {
  extern __shared__ uint4 storage[];
  Shared& shared = *reinterpret_cast<Shared*>(storage);
  if (sizeof(Sample) == 1) {
    for (uint32_t i = threadIdx.x; i < 256 * kLanes; i += blockDim.x) {
      shared.table[i / kLanes][i % kLanes] = Lane<R>::tone_word(band.tones[i / kLanes]);
    }
  }
  if (threadIdx.x < kChunk) shared.no_feed[threadIdx.x] = 0;
  for (;;) {
    if (threadIdx.x == 0) {
      shared.tile = atomicAdd(ring.ticket, 1U);
      // The last block to leave readies the counter for the next launch.
      if (shared.tile == tiles + gridDim.x - 1) *ring.ticket = 0;
    }
    __syncthreads();
    const uint32_t tile = shared.tile;
    if (tile >= tiles) return;
    TileRun<Sample, R>(band, rule, ring, tile, shared).run();
  }
}

template <Rule R>
class GpuWavefront final : public GpuSchedule {
 public:
  GpuWavefront(const R& rule, gpu::Device device, uint32_t width_px, uint32_t max_rows)
      : rule_(rule),
        grid_(blocks_at_once(width_px, max_rows)),
        ring_(device, size_t{grid_ + 1} * width_px),
        ticket_(device, 1) {
    gpu::use(device);
    for (const auto kernel : {kernel_for(1), kernel_for(2)}) {
      gpu::check(
          cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)),
          "setting up the wavefront kernel");
    }
  }

  void enqueue(const DeviceBand& band, cudaStream_t stream) override {
    // At first memory holds anything, and after 2^32 tiles tags would repeat; a band has fewer
    // tiles than rows.
    if (next_tag_ == 0 || next_tag_ > UINT32_MAX - band.rows) {
      gpu::check(cudaMemsetAsync(ring_.data(), 0, ring_.size() * sizeof(TaggedSum), stream),
                 "clearing sums");
      gpu::check(cudaMemsetAsync(ticket_.data(), 0, sizeof(uint32_t), stream), "clearing sums");
      next_tag_ = 1;
    }
    const uint32_t tiles = (band.rows + kWarps * kLanes - 1) / (kWarps * kLanes);
    const HandoffRing ring{ring_.data(), grid_ + 1, next_tag_, ticket_.data()};
    next_tag_ += tiles;
    const auto kernel = kernel_for(band.bytes_per_sample);
    kernel<<<std::min(tiles, grid_), kThreads, sizeof(Shared), stream>>>(band, rule_, ring, tiles);
    gpu::check_launch("wavefront");
  }

 private:
  using Kernel = void (*)(DeviceBand, R, HandoffRing, uint32_t);
  static Kernel kernel_for(uint32_t bytes_per_sample) {
    return bytes_per_sample == 1 ? wavefront<uint8_t, R> : wavefront<uint16_t, R>;
  }

  /// A block begins about kWarps * kWarpLag ticks, and two or three for the way through memory,
  /// after the one above it: no more blocks than this ever run side by side.
  static uint32_t blocks_at_once(uint32_t width_px, uint32_t max_rows) {
    const uint32_t ticks = width_px / kChunk + (kWarps + 1) * kWarpLag;
    const uint32_t tiles = (max_rows + kWarps * kLanes - 1) / (kWarps * kLanes);
    return std::min(tiles, ticks / (kWarps * kWarpLag) + 2);
  }

  R rule_;
  uint32_t grid_;
  gpu::Array<TaggedSum> ring_;  ///< a row more than blocks: one is read while one is written
  gpu::Array<uint32_t> ticket_;
  uint32_t next_tag_ = 0;
};

}  // namespace

template <Rule R>
std::unique_ptr<GpuSchedule> make_wavefront(const R& rule,
                                            gpu::Device device,
                                            uint32_t width_px,
                                            uint32_t max_rows) {
  return std::make_unique<GpuWavefront<R>>(rule, device, width_px, max_rows);
}

#define MZ_INSTANTIATE(R) \
  template std::unique_ptr<GpuSchedule> make_wavefront(const R&, gpu::Device, uint32_t, uint32_t);
MZ_FOR_EACH_RULE(MZ_INSTANTIATE)
#undef MZ_INSTANTIATE

}  // namespace mezzo::diffusion
