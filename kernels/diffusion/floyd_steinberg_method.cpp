#include "kernels/diffusion/floyd_steinberg_method.h"

#include "kernels/diffusion/cpu/sequential.h"
#include "kernels/diffusion/cpu/wavefront.h"
#include "kernels/diffusion/rules/floyd_steinberg.h"
#include "kernels/diffusion/rules/level_rule.h"

namespace mezzo::diffusion {
namespace {

/// A schedule of the rule, with the table that the rule points at.
template <template <Rule> typename Schedule>
class LevelDiffusion final : public Halftoner {
 public:
  explicit LevelDiffusion(const LevelSettings& settings)
      : entries_(level_entries(settings)),
        schedule_(LevelRule{entries_.data(), drop_levels(settings), settings.bit}) {}

  HalftonerTraits traits() const override { return schedule_.traits(); }
  std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const override {
    return schedule_.make_state(width_px);
  }
  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const override {
    schedule_.run(in, curve, out, state, team);
  }

 private:
  std::vector<LevelEntry> entries_;
  Schedule<LevelRule> schedule_;
};

std::unique_ptr<Halftoner> make_levels(const LevelSettings& levels, const ScheduleInfo& schedule) {
  if (schedule.name == kBlocks.name)
    return std::make_unique<LevelDiffusion<BlockDiffusion>>(levels);
  return std::make_unique<LevelDiffusion<SequentialDiffusion>>(levels);
}

}  // namespace

std::unique_ptr<Halftoner> make_floyd_steinberg(const HalftoneSettings& settings,
                                                const ScheduleInfo& schedule,
                                                gpu::Context& context) {
  if (settings.levels) return make_levels(*settings.levels, schedule);
  if (schedule.engine == Engine::kCpu) {
    if (schedule.name == "ec") return std::make_unique<SequentialCollection>();
    if (schedule.name == "wavefront") return std::make_unique<WavefrontDiffusion>();
  }
  return make_diffusion(
      FloydSteinbergRule{}, settings, schedule, context, std::make_unique<WavefrontDiffusion>());
}

}  // namespace mezzo::diffusion
