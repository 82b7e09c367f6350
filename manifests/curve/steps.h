// The steps of a ramp: its repeats together, and the tones between them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "manifests/curve/monotone.h"
#include "manifests/curve/ramp.h"

namespace mezzo::curve {

/// The repeats of a nominal tone; all in percent.
struct Step {
  Place place;  ///< of the first
  double nominal = 0;
  double mean = 0;
  double spread = 0;  ///< standard deviation; 0 of a single reading
  size_t count = 0;
};

/// A reading that was left out.
struct Outlier {
  Reading reading;
  double others = 0;  ///< the mean of its step without it
  double sigmas = 0;
};

/// The steps of a ramp, of all its readings.
std::vector<Step> steps_of(const Ramp& ramp);

/// The measured tones of all steps, from 0 to 100, between steps by a monotone cubic.
MonotoneCubic tones_of(const std::vector<Step>& steps);

/// Nominal tones over measured ones: one for each plateau of the rising means, and 0 and 100.
MonotoneCubic nominal_over_measured(const std::vector<Step>& steps);

/// The steps with means that neighbours nearer than `window` percent have evened: each is where a line
/// through them, those farther away counting less, passes. Noise is largest in light tones, whose steps
/// lie close together; steps that are farther apart than the window stay as they are.
std::vector<Step> evened(const std::vector<Step>& steps, double window);

/// Takes the one reading out that is farthest from the others of its step, when that is beyond 4 sigma of
/// the steps around it; steps need three readings for that.
std::optional<Outlier> take_outlier(Ramp& ramp);

}  // namespace mezzo::curve
