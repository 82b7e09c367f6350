// The common part of `handover` and `hybrid`: two processors on one band, and the CPU alone when
// the GPU has no memory left.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/diffusion/cpu/blocks.h"
#include "kernels/diffusion/hybrid/block_costs.h"
#include "kernels/diffusion/hybrid/block_device.h"

namespace mezzo::diffusion {

/// The parts of such a halftoner; tests put in a device and costs of their own.
template <Rule R>
struct CpuGpuParts {
  R rule;
  std::function<std::unique_ptr<BlockDevice>(uint32_t width_px)> make_device;
  std::function<BlockCosts()> costs;
};

struct CpuGpuState final : HalftonerState {
  explicit CpuGpuState(uint32_t width_px) : sums(width_px) {}
  std::vector<int32_t> sums;  ///< as in SumsState
  /// Made for the first band that needs it, and kept.
  std::unique_ptr<BlockDevice> device;
};

/// One band at a time, from its first sample to its last bit. The bits do not depend on how the
/// band is shared out.
template <Rule R>
class CpuGpuDiffusion : public Halftoner {
 public:
  explicit CpuGpuDiffusion(CpuGpuParts<R> parts) : parts_(std::move(parts)) {}

  HalftonerTraits traits() const final { return {.row_multiple = kBlockSide, .on_device = true}; }
  std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const final {
    return std::make_unique<CpuGpuState>(width_px);
  }

  std::string describe(uint32_t width_px, uint32_t rows, uint32_t threads) const final {
    try {
      return describe_split(gpu_block_grid(width_px, rows), threads);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kOutOfMemory) throw;
      return std::string("the CPU takes all that the GPU has no memory for (") + error.what() + ")";
    }
  }

  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const final {
    auto& plane = static_cast<CpuGpuState&>(*state);
    std::vector<int32_t> sums = plane.sums;
    std::vector<int32_t> left(size_t{3} * in.rows);
    try {
      clear(out);
      share(band_of(in, curve, out, sums, left), curve, plane, team);
    } catch (const Error& error) {
      plane.device.reset();  // and with it all that is at work
      if (error.kind() != ErrorKind::kOutOfMemory) throw;
      sums = plane.sums;
      std::ranges::fill(left, 0);
      clear(out);
      BlockBand<R> band = band_of(in, curve, out, sums, left);
      band.grid = grid_for_team(in.width_px, in.rows, slope(R::kPattern), team.size());
      run_blocks(band, team);
    } catch (...) {
      plane.device.reset();
      throw;
    }
    plane.sums = std::move(sums);
  }

 protected:
  /// The division of a band, and the reason.
  virtual std::string describe_split(const BlockGrid& grid, uint32_t threads) const = 0;

  /// Runs all blocks of the band, whose bits and residues are 0.
  virtual void share(const BlockBand<R>& band,
                     const ToneCurve& curve,
                     CpuGpuState& plane,
                     Team& team) const = 0;

  BlockDevice& device_of(CpuGpuState& plane, uint32_t width_px) const {
    if (plane.device == nullptr) plane.device = parts_.make_device(width_px);
    return *plane.device;
  }
  BlockCosts costs() const { return parts_.costs(); }

  /// The end of describe(): the source of a calibrated choice.
  std::string reason(bool calibrated) const {
    return calibrated ? " (" + to_text(costs()) + ")" : " (as the settings say)";
  }

 private:
  static void clear(const BitBand& out) {
    for (uint32_t i = 0; i < out.rows; ++i) std::memset(out.row(i), 0, bit_row_bytes(out.width_px));
  }

  BlockBand<R> band_of(const SampleBand& in,
                       const ToneCurve& curve,
                       const BitBand& out,
                       std::vector<int32_t>& sums,
                       std::vector<int32_t>& left) const {
    return {parts_.rule,
            in,
            curve.table().data(),
            out,
            gpu_block_grid(in.width_px, in.rows),
            sums.data(),
            left.data()};
  }

  CpuGpuParts<R> parts_;
};

}  // namespace mezzo::diffusion
