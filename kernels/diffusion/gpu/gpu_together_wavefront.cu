// Schedule `wavefront` of inks together (together/account.h) on the GPU: all planes in one persistent
// launch a band. Read gpu_wavefront.cu first: lanes, chunks, ticks and tickets are the same.
//
// A thread block has a group of 32 rows, and two warps for each ink: one diffuses, one prepares its
// tones and fetches what the block above has sent, a tick before it is needed. The warp of ink k works
// a chunk behind that of ink k - 1, up to the fourth ink; later ones need no more than the first three
// and run beside it. So an ink finds in shared memory the ink beyond tone (D) of those before it, which
// they put there chunk by chunk, and no warp waits for another within a tick.
//
// Together with the sum for column x of the row below goes the account at column x + 1 of its own row:
// the pixel at x needs no other. Between lanes they travel by shuffle. Between blocks they go through
// global memory in words of 64 bits whose last 16 are a tag: one load brings the values and the proof
// that they are the right ones. Tags count tiles on from band to band; a word of memory that holds a
// former tile's has another tag, as that tile was less than 2^16 earlier. What the last row of a band
// hands down stays in these words until the first tile of the next band has read it.

#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/diffusion/gpu/gpu_schedule.cuh"
#include "kernels/diffusion/gpu/gpu_together.h"
#include "kernels/diffusion/gpu/together_schedule.cuh"
#include "kernels/diffusion/rules/rules.h"
#include "kernels/diffusion/together/account.h"
#include "kernels/gpu/device.cuh"
#include "kernels/gpu/plate_word.cuh"

namespace mezzo::diffusion {
namespace {

using together::accounts_of;
using together::kMostAccounts;

constexpr int kLanes = 32;
constexpr int kChunk = 32;  ///< steps of a tick, and bits of an output word
constexpr int kSkew = 2;    ///< columns that a lane stays behind the lane above it
/// Steps that are unrolled: with more the code of four inks leaves the instruction cache.
constexpr int kGroup = 4;
constexpr int kToneRow = 36;    ///< 8-byte accesses of 16 lanes then meet all banks once
constexpr int kSlots = 4;       ///< chunks of D that are kept: the fourth ink reads the first one's
constexpr int kBehindLast = 2;  ///< chunks that the last lane is done after the first
constexpr int kLastLag = (kLanes - 1) * kSkew;  ///< columns of the last lane behind the first
static_assert(kLastLag + 2 <= kBehindLast * kChunk);
static_assert(kSlots > kMostAccounts);

/// The bands of all inks.
struct Bands {
  DeviceBand ink[kMostInksAtOnce];
  uint32_t inks;
};

/// Words between tiles: of the first ink a sum a column, of the others a sum and their accounts.
MZ_HD constexpr uint32_t words_of(uint32_t inks) {
  return 2 * inks - 1;
}

struct Handoff {
  uint64_t* rows;  ///< `size` rows of words_of(inks) times width_px words
  uint32_t size;
  uint32_t first;    ///< number of the band's first tile, counted over the page, from 1
  bool is_top;       ///< of the page
  uint32_t* ticket;  ///< 0 between launches
  uint32_t tiles;
};

constexpr int kTagAt = 48;

__device__ uint64_t tagged(uint64_t value, uint32_t tile) {
  return (value & ((1ULL << kTagAt) - 1)) | uint64_t{tile} << kTagAt;
}

__device__ void send(uint64_t* word, uint64_t value, uint32_t tile) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(tagged(value, tile))
               : "memory");
}

__device__ uint64_t peek(const uint64_t* word) {
  uint64_t bits;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(bits) : "l"(word) : "memory");
  return bits;
}

/// Of an array of numbers of accounts: a plane without any has one that is not used.
template <int kAccounts>
constexpr int kRoom = kAccounts == 0 ? 1 : kAccounts;

/// What a row hands down to a column below: the sum of shares, and the accounts up-right of it.
template <int kAccounts>
struct Handed {
  int sum;
  int owed[kRoom<kAccounts>];

  __device__ Handed from_lane_above() const {
    Handed above;
    above.sum = __shfl_up_sync(0xFFFFFFFFU, sum, 1);
#pragma unroll
    for (int j = 0; j < kAccounts; ++j) {
      above.owed[j] = __shfl_up_sync(0xFFFFFFFFU, owed[j], 1);
    }
    return above;
  }
};

/// The same, of a chunk of columns.
struct HandedChunk {
  int sum[kChunk];
  int owed[kMostAccounts][kChunk];

  /// Four columns from number n on, a multiple of 4.
  template <int kAccounts>
  __device__ void read(int n, Handed<kAccounts>* four) const {
    const int4 sums = *reinterpret_cast<const int4*>(sum + n);
    four[0].sum = sums.x, four[1].sum = sums.y, four[2].sum = sums.z, four[3].sum = sums.w;
#pragma unroll
    for (int j = 0; j < kAccounts; ++j) {
      const int4 of_j = *reinterpret_cast<const int4*>(owed[j] + n);
      four[0].owed[j] = of_j.x, four[1].owed[j] = of_j.y;
      four[2].owed[j] = of_j.z, four[3].owed[j] = of_j.w;
    }
  }
  template <int kAccounts>
  __device__ void write(int n, const Handed<kAccounts> (&four)[4]) {
    *reinterpret_cast<int4*>(sum + n) = {four[0].sum, four[1].sum, four[2].sum, four[3].sum};
#pragma unroll
    for (int j = 0; j < kAccounts; ++j) {
      *reinterpret_cast<int4*>(owed[j] + n) = {
          four[0].owed[j], four[1].owed[j], four[2].owed[j], four[3].owed[j]};
    }
  }
};

struct Shared {
  uint16_t tones[kMostInksAtOnce][2][kLanes * kToneRow];     ///< of two chunks, by turns
  int16_t beyond[kMostAccounts][kSlots][kLanes * kToneRow];  ///< D of the first inks
  HandedChunk fed[kMostInksAtOnce][2];                       ///< by the block above
  HandedChunk sent[kMostInksAtOnce];                         ///< to the block below
  uint32_t tile;
};

/// Prepares the tones of a group of rows, chunk by chunk. Samples are loaded two at a time, a chunk
/// ahead: 8 lanes take a row, and row r of the group is 2 r columns further left.
class Tones {
 public:
  __device__ Tones(const DeviceBand& band, int first_row, int lane)
      : band_(band),
        rows_(static_cast<int>(band.rows) - first_row),
        lane_(lane),
        group_(band.samples + static_cast<size_t>(first_row) * band.pitch_bytes) {}

  __device__ void load(int chunk) {
    band_.bytes_per_sample == 1 ? load_pairs<uint16_t>(chunk) : load_pairs<uint32_t>(chunk);
  }

  /// The chunk that was loaded last.
  __device__ void store(int chunk, uint16_t* tones) const {
    band_.bytes_per_sample == 1 ? store_tones<8>(chunk, tones) : store_tones<16>(chunk, tones);
  }

 private:
  /// Of the lane's first four samples of its i-th row.
  __device__ int column(int chunk, int i) const {
    return chunk * kChunk + lane_ % 8 * 4 - kSkew * (lane_ / 8 + 4 * i);
  }
  __device__ bool is_inside(int x) const { return static_cast<unsigned>(x) < band_.width_px; }

  /// All loads on their way at once: none is in a branch, and none is used here.
  template <typename Pair>
  __device__ void load_pairs(int chunk) {
#pragma unroll
    for (int i = 0; i < kLanes / 4; ++i) {
      const int row = lane_ / 8 + 4 * i, x = column(chunk, i);
      const auto* pairs = reinterpret_cast<const Pair*>(group_ + row * band_.pitch_bytes);
      const bool is_there = row < rows_;
      samples_[i].x = *(is_there && is_inside(x) ? pairs + x / 2 : nothing<Pair>());
      samples_[i].y = *(is_there && is_inside(x + 2) ? pairs + x / 2 + 1 : nothing<Pair>());
    }
  }

  /// Samples of any value, for pixels beside the plane.
  template <typename Pair>
  const __device__ Pair* nothing() const {
    return reinterpret_cast<const Pair*>(group_);
  }

  template <int kBits>
  __device__ void store_tones(int chunk, uint16_t* tones) const {
    uint32_t found[kLanes / 4][4];
#pragma unroll
    for (int i = 0; i < kLanes / 4; ++i) {
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        const uint32_t pair = n < 2 ? samples_[i].x : samples_[i].y;
        const uint32_t sample = pair >> n % 2 * kBits & ((1U << kBits) - 1);
        found[i][n] = band_.tones[sample];
      }
    }
#pragma unroll
    for (int i = 0; i < kLanes / 4; ++i) {
      const int x = column(chunk, i);
#pragma unroll
      for (int n = 0; n < 4; ++n) found[i][n] = is_inside(x + n) ? found[i][n] : 0;
      *reinterpret_cast<uint2*>(tones + (lane_ / 8 + 4 * i) * kToneRow + lane_ % 8 * 4) = {
          found[i][0] | found[i][1] << 16, found[i][2] | found[i][3] << 16};
    }
  }

  const DeviceBand& band_;
  int rows_;
  int lane_;
  const std::byte* group_;
  uint2 samples_[kLanes / 4];
};

/// The words between two tiles, of one ink; a lane a column.
class HandoffRow {
 public:
  /// `below` a tile of the band, which reads them; the tile before it has written them.
  __device__ HandoffRow(const Bands& bands, const Handoff& handoff, uint32_t below, uint32_t ink)
      : tag_((handoff.first + below) & 0xFFFF),
        width_(bands.ink[0].width_px),
        accounts_(accounts_of(ink)),
        is_empty_(handoff.is_top && below == 0),
        sums_(handoff.rows +
              (size_t{(handoff.first + below) % handoff.size} * words_of(bands.inks) +
               (ink == 0 ? 0 : 2 * ink - 1)) *
                  width_) {}

  /// Waits for column x, and puts it down as number n of a chunk.
  __device__ void bring(int x, int n, HandedChunk& chunk) const {
    if (static_cast<unsigned>(x) >= width_) return;
    uint64_t sum = 0, owed = 0;
    if (!is_empty_) {
      sum = peek(sums_ + x);
      if (accounts_ > 0) owed = peek(sums_ + width_ + x);
      while (sum >> kTagAt != tag_) sum = peek(sums_ + x);
      if (accounts_ > 0) {
        while (owed >> kTagAt != tag_) owed = peek(sums_ + width_ + x);
      }
    }
    chunk.sum[n] = static_cast<int>(static_cast<uint32_t>(sum));
#pragma unroll
    for (uint32_t j = 0; j < kMostAccounts; ++j) {
      chunk.owed[j][n] = static_cast<int16_t>(owed >> 16 * j & 0xFFFF);
    }
  }

  __device__ void pass_on(int x, int n, const HandedChunk& chunk) const {
    if (static_cast<unsigned>(x) >= width_) return;
    send(sums_ + x, static_cast<uint32_t>(chunk.sum[n]), tag_);
    if (accounts_ == 0) return;
    uint64_t owed = 0;
    for (uint32_t j = 0; j < accounts_; ++j) {
      owed |= uint64_t{static_cast<uint16_t>(chunk.owed[j][n])} << 16 * j;
    }
    send(sums_ + width_ + x, owed, tag_);
  }

 private:
  uint32_t tag_;
  uint32_t width_;
  uint32_t accounts_;
  bool is_empty_;
  uint64_t* sums_;  ///< width_ of them; the accounts follow
};

/// Number k of 16 bits of four.
__device__ inline int tone_of(const uint2& four, int k) {
  const uint32_t pair = k < 2 ? four.x : four.y;
  return static_cast<int>(k % 2 == 0 ? pair & 0xFFFF : pair >> 16);
}
__device__ inline int signed_of(const uint2& four, int k) {
  return static_cast<int16_t>(tone_of(four, k));
}

/// Diffuses a group of rows of one ink, chunk by chunk.
template <Rule R, int kAccounts>
class InkRows {
 public:
  __device__ InkRows(const DeviceBand& band, const R& rule, int first_row, int lane)
      : rule_(rule),
        width_(band.width_px),
        lane_(lane),
        sender_(min(kLanes, static_cast<int>(band.rows) - first_row) - 1),
        place_{0, band.first_row + static_cast<uint32_t>(first_row + lane), band.plane},
        end_word_(first_row + lane < static_cast<int>(band.rows) ? band.row_words() : 0),
        next_word_(-1 - kSkew * lane / kChunk),
        words_(band.words + static_cast<size_t>(first_row + lane) * band.row_words()) {}

  /// The column that the sender hands down first, in the chunk.
  __device__ int first_sent(int chunk) const { return chunk * kChunk - kSkew * sender_ - 1; }

  /// Chunks come in order. `own` is null where no later ink needs it.
  __device__ void run(int chunk,
                      const uint16_t* tones,
                      const int16_t* const (&beyond)[kMostAccounts],
                      const HandedChunk& fed,
                      int16_t* own,
                      HandedChunk& sent) {
    const int column = chunk * kChunk;
    const bool plain = column >= kLastLag && column + kChunk <= static_cast<int>(width_);
    const uint32_t bits = plain ? steps<false>(column, tones, beyond, fed, own, sent)
                                : steps<true>(column, tones, beyond, fed, own, sent);
    put(bits);
  }

 private:
  template <bool kEdge>
  __device__ uint32_t steps(int column,
                            const uint16_t* tones,
                            const int16_t* const (&beyond)[kMostAccounts],
                            const HandedChunk& fed,
                            int16_t* own,
                            HandedChunk& sent) {
    uint32_t bits = 0;
#pragma unroll 1
    for (int group = 0; group < kChunk / kGroup; ++group) {
      const int row = lane_ * kToneRow / kGroup + group;
      const uint2 tone = reinterpret_cast<const uint2*>(tones)[row];
      uint2 earlier[kRoom<kAccounts>];
#pragma unroll
      for (int j = 0; j < kAccounts; ++j) {
        earlier[j] = reinterpret_cast<const uint2*>(beyond[j])[row];
      }
      place_.x = static_cast<uint32_t>(column + group * kGroup - kSkew * lane_);
      const uint2 left = four_steps<kEdge>(group * kGroup, tone, earlier, fed, sent, bits);
      if (own != nullptr) reinterpret_cast<uint2*>(own)[row] = left;
    }
    return bits;
  }

  /// Steps [first, first + 4) of a chunk; returns their D.
  template <bool kEdge>
  __device__ uint2 four_steps(int first,
                              const uint2& tones,
                              const uint2 (&earlier)[kRoom<kAccounts>],
                              const HandedChunk& fed,
                              HandedChunk& sent,
                              uint32_t& bits) {
    Handed<kAccounts> from_above[kGroup], down[kGroup];
    fed.read(first, from_above);
    uint32_t own[kGroup];
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
      const Handed<kAccounts> above = lane_ == 0 ? from_above[k] : received_;
      int earlier_here[kRoom<kAccounts>];
#pragma unroll
      for (int j = 0; j < kAccounts; ++j) earlier_here[j] = signed_of(earlier[j], k);
      own[k] =
          static_cast<uint32_t>(step<kEdge>(tone_of(tones, k), earlier_here, above, down[k], bits));
      received_ = down[k].from_lane_above();
    }
    if (lane_ == sender_) sent.write(first, down);
    return {__byte_perm(own[0], own[1], 0x5410), __byte_perm(own[2], own[3], 0x5410)};
  }

  /// Decides a pixel; returns its D, and in `down` what the column before it gets in the row below.
  template <bool kEdge>
  __device__ int step(int tone,
                      const int (&earlier)[kRoom<kAccounts>],
                      const Handed<kAccounts>& above,
                      Handed<kAccounts>& down,
                      uint32_t& bits) {
    const bool inside = !kEdge || place_.x < width_;
    int of_paper[kRoom<kAccounts>], of_ink[kRoom<kAccounts>];
    if constexpr (kAccounts > 0) {
      place_.lowered = accounts(tone, earlier, above, inside, of_paper, of_ink);
    }
    Decision d = rule_.decide(tone, right_ + above.sum, place_);
    if (kEdge && !inside) d.residue = 0;
    ++place_.x;
    bits = bits << 1 | static_cast<uint32_t>(d.ink);
    const Shares shares = rule_.shares(d.residue, tone);
    down.sum = shares.down_left + partial_;
    partial_ = shares.down + down_right_;
    right_ = shares.right;
    down_right_ = shares.down_right;
#pragma unroll
    for (int j = 0; j < kAccounts; ++j) {
      owed_[j] = d.ink ? of_ink[j] : of_paper[j];
      down.owed[j] = owed_[j];
    }
    return together::beyond_tone(tone, d.ink);
  }

  /// Place::lowered of a pixel, and its accounts for either decision: account.h in another order, in
  /// which little is to do after the account to the left is known. With q = (D_j (2048 - t)) >> 12
  ///
  ///     v = a_j - q = (o_jk(left) + (o_jk(up-right) + 1 - 2 q)) >> 1
  ///
  /// and with b = 1 the product D D_j is more by 4096 D_j, which the shift divides without a rest.
  __device__ int accounts(int tone,
                          const int (&earlier)[kRoom<kAccounts>],
                          const Handed<kAccounts>& above,
                          bool inside,
                          int (&of_paper)[kRoom<kAccounts>],
                          int (&of_ink)[kRoom<kAccounts>]) const {
    const int most = inside ? together::kMostOwed : 0;
    int sum = 0;
#pragma unroll
    for (int j = 0; j < kAccounts; ++j) {
      const int q = (earlier[j] * (static_cast<int>(kSolid / 2) - tone)) >> 12;
      const int v = (owed_[j] + (above.owed[j] + 1 - 2 * q)) >> 1;
      sum += (v * earlier[j]) >> 12;
      const int left = v + (q - ((-tone * earlier[j]) >> 12));
      of_paper[j] = together::hold(left, most);
      of_ink[j] = together::hold(left - earlier[j], most);
    }
    // Paper and solid are certain: both bounds of z are then the same, -kCertain or kCertain.
    const int certain =
        (tone - static_cast<int>(kSolid / 2)) * (2 * together::kCertain / static_cast<int>(kSolid));
    const bool is_certain = (tone & static_cast<int>(kSolid - 1)) == 0;
    const int least = is_certain ? certain : -together::kMostLowered;
    const int greatest = is_certain ? certain : together::kMostLowered;
    return min(max(sum >> 1, least), greatest);
  }

  /// Puts a word of the plate down: a lane's chunk is kSkew * lane columns behind them.
  __device__ void put(uint32_t bits) {
    const uint32_t word = __funnelshift_l(bits, previous_bits_, kSkew * lane_);
    previous_bits_ = bits;
    if (static_cast<uint32_t>(next_word_) < end_word_) {
      const uint32_t used = width_ - static_cast<uint32_t>(next_word_) * 32;
      words_[next_word_] = gpu::plate_word(used < 32 ? word & ~(0xFFFFFFFFU >> used) : word);
    }
    ++next_word_;
  }

  R rule_;
  uint32_t width_;
  int lane_;
  int sender_;  ///< the lane whose row is the last
  Place place_;
  uint32_t end_word_;  ///< 0 for a lane without a row
  int next_word_;
  uint32_t* words_;
  uint32_t previous_bits_ = 0;
  int right_ = 0;                    ///< of the pixel before
  int down_right_ = 0;               ///< of the pixel before
  int partial_ = 0;                  ///< of the sum of its column
  int owed_[kRoom<kAccounts>] = {};  ///< at the pixel before
  Handed<kAccounts> received_ = {};  ///< from the lane above, of the last step
};

/// The work of a thread block at one tile, tick by tick.
template <Rule R>
class TileRun {
 public:
  __device__ TileRun(
      const Bands& bands, const R& rule, const Handoff& handoff, uint32_t tile, Shared& shared)
      : bands_(bands),
        rule_(rule),
        handoff_(handoff),
        tile_(tile),
        shared_(shared),
        lane_(static_cast<int>(threadIdx.x) % kLanes),
        first_row_(static_cast<int>(tile) * kLanes),
        chunks_(static_cast<int>(bands.ink[0].row_words()) + kBehindLast) {}

  __device__ void run() {
    const uint32_t warp = threadIdx.x / kLanes;
    if (warp >= bands_.inks) {
      prepare(warp - bands_.inks);
    } else if (warp == 0) {
      diffuse<0>(warp);
    } else if (warp == 1) {
      diffuse<1>(warp);
    } else if (warp == 2) {
      diffuse<2>(warp);
    } else {
      diffuse<3>(warp);
    }
  }

 private:
  /// Calls `work(chunk)` for each chunk, the first of them `delay` ticks late, in step with the
  /// other warps.
  template <typename Work>
  __device__ void each_tick(uint32_t delay, const Work& work) const {
    const int ticks = chunks_ + static_cast<int>(accounts_of(bands_.inks - 1)) + 1;
    for (int tick = 0; tick < ticks; ++tick) {
      const int chunk = tick - static_cast<int>(delay);
      if (chunk >= 0 && chunk < chunks_) work(chunk);
      __syncthreads();
    }
  }

  __device__ void prepare(uint32_t ink) {
    Tones tones(bands_.ink[ink], first_row_, lane_);
    const HandoffRow above(bands_, handoff_, tile_, ink);
    tones.load(0);
    each_tick(accounts_of(ink), [&](int chunk) {
      tones.store(chunk, shared_.tones[ink][chunk % 2]);
      tones.load(chunk + 1);
      above.bring(chunk * kChunk + lane_, lane_, shared_.fed[ink][chunk % 2]);
    });
  }

  template <int kAccounts>
  __device__ void diffuse(uint32_t ink) {
    InkRows<R, kAccounts> rows(bands_.ink[ink], rule_, first_row_, lane_);
    const HandoffRow below(bands_, handoff_, tile_ + 1, ink);
    HandedChunk& sent = shared_.sent[ink];
    each_tick(kAccounts + 1, [&](int chunk) {
      const int slot = chunk % kSlots;
      const int16_t* beyond[kMostAccounts] = {};
#pragma unroll
      for (int j = 0; j < kAccounts; ++j) beyond[j] = shared_.beyond[j][slot];
      int16_t* own = ink < kMostAccounts ? shared_.beyond[ink][slot] : nullptr;
      rows.run(
          chunk, shared_.tones[ink][chunk % 2], beyond, shared_.fed[ink][chunk % 2], own, sent);
      __syncwarp();
      below.pass_on(rows.first_sent(chunk) + lane_, lane_, sent);
      __syncwarp();
    });
  }

  const Bands& bands_;
  const R& rule_;
  const Handoff& handoff_;
  uint32_t tile_;
  Shared& shared_;
  int lane_;
  int first_row_;
  int chunks_;
};

template <Rule R>
__global__ void __launch_bounds__(2 * kMostInksAtOnce * kLanes, 1)
    wavefront(const __grid_constant__ Bands bands,
              const __grid_constant__ R rule,
              const __grid_constant__ Handoff handoff) {
  extern __shared__ uint4 storage[];
  Shared& shared = *reinterpret_cast<Shared*>(storage);
  for (;;) {
    if (threadIdx.x == 0) {
      shared.tile = atomicAdd(handoff.ticket, 1U);
      // The last block to leave readies the counter for the next launch.
      if (shared.tile == handoff.tiles + gridDim.x - 1) *handoff.ticket = 0;
    }
    __syncthreads();
    const uint32_t tile = shared.tile;
    if (tile >= handoff.tiles) return;
    TileRun<R>(bands, rule, handoff, tile, shared).run();
  }
}

template <Rule R>
class TogetherWavefront final : public gpu::InksSchedule {
 public:
  TogetherWavefront(
      const R& rule, gpu::Device device, uint32_t width_px, uint32_t max_rows, uint32_t inks)
      : rule_(rule),
        grid_(blocks_at_once(width_px, max_rows)),
        rows_(device, size_t{grid_ + 1} * words_of(inks) * width_px),
        ticket_(device, 1) {
    gpu::use(device);
    gpu::check(cudaFuncSetAttribute(
                   wavefront<R>, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)),
               "setting up the wavefront kernel of inks together");
  }

  void enqueue(std::span<const DeviceBand> inks, cudaStream_t stream) override {
    const bool is_top = next_tile_ == 0;
    if (is_top) {
      // Tags of 0: no tile has this number before 2^16 others.
      gpu::check(cudaMemsetAsync(rows_.data(), 0, rows_.size() * sizeof(uint64_t), stream),
                 "clearing sums");
      gpu::check(cudaMemsetAsync(ticket_.data(), 0, sizeof(uint32_t), stream), "clearing sums");
      next_tile_ = 1;
    }
    Bands bands = {};
    std::ranges::copy(inks, bands.ink);
    bands.inks = static_cast<uint32_t>(inks.size());
    const uint32_t tiles = (inks.front().rows + kLanes - 1) / kLanes;
    const Handoff handoff = {rows_.data(), grid_ + 1, next_tile_, is_top, ticket_.data(), tiles};
    next_tile_ += tiles;
    const uint32_t threads = 2 * bands.inks * kLanes;
    wavefront<R>
        <<<std::min(tiles, grid_), threads, sizeof(Shared), stream>>>(bands, rule_, handoff);
    gpu::check_launch("wavefront of inks together");
  }

 private:
  /// A block begins kBehindLast ticks, and one or two for the way through memory, after the one above
  /// it: no more blocks than this ever run side by side.
  static uint32_t blocks_at_once(uint32_t width_px, uint32_t max_rows) {
    const uint32_t ticks = width_px / kChunk + kBehindLast + kMostAccounts + 2;
    const uint32_t tiles = (max_rows + kLanes - 1) / kLanes;
    return std::min(tiles, ticks / (kBehindLast + 1) + 2);
  }

  R rule_;
  uint32_t grid_;
  gpu::Array<uint64_t> rows_;  ///< one more than blocks: one is read while one is written
  gpu::Array<uint32_t> ticket_;
  uint32_t next_tile_ = 0;
};

}  // namespace

template <Rule R>
std::unique_ptr<gpu::InksSchedule> make_together_wavefront(
    const R& rule, gpu::Device device, uint32_t width_px, uint32_t max_rows, uint32_t inks) {
  return std::make_unique<TogetherWavefront<R>>(rule, device, width_px, max_rows, inks);
}

#define MZ_INSTANTIATE(R)                                              \
  template std::unique_ptr<gpu::InksSchedule> make_together_wavefront( \
      const R&, gpu::Device, uint32_t, uint32_t, uint32_t);
MZ_FOR_EACH_RULE_TOGETHER(MZ_INSTANTIATE)
#undef MZ_INSTANTIATE

}  // namespace mezzo::diffusion
