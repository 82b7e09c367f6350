// Makes the halftoners of inks together, as registry.h does those of single inks.
#pragma once

#include <memory>

#include "kernels/method_info.h"
#include "kernels/together/ink_colours.h"
#include "kernels/together/inks_halftoner.h"

namespace mezzo::together {

struct ChosenInksHalftoner {
  std::unique_ptr<InksHalftoner> halftoner;
  const ScheduleInfo* schedule;
};

/// Of settings with are_together(); `colours` has the inks in their order. Throws the errors of
/// make_halftoner(), kUsage for settings with levels or dots of several pixels, kUnsupported for more
/// inks than the method takes.
ChosenInksHalftoner make_inks_halftoner(const HalftoneSettings& settings,
                                        const InkColours& colours,
                                        gpu::Context& context);

/// The reference; the engine and schedule of the settings are ignored.
std::unique_ptr<InksHalftoner> make_inks_reference(const HalftoneSettings& settings,
                                                   const InkColours& colours);

}  // namespace mezzo::together
