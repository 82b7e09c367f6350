// Parts of a plane on a GPU, whatever becomes of its bits there.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/gpu/device.cuh"
#include "kernels/halftoner.h"

namespace mezzo::gpu {

/// The curve of a plane's bands, in the memory of a GPU: sample -> tone.
class CurveOnGpu {
 public:
  explicit CurveOnGpu(Device device);

  /// Sends the table where it is another than that of the band before; work on `stream` waits.
  void take(const ToneCurve& curve, const Stream& stream);
  const uint16_t* data() const { return tones_.data(); }

 private:
  Array<uint16_t> tones_;
  std::vector<uint16_t> table_;  ///< that tones_ holds
};

/// Calls `done` once all that was queued on the stream is complete, or with its failure. Throws
/// Error where it cannot be queued, and has not called it then.
void call_when_complete(const Stream& stream, Halftoner::Done done);

}  // namespace mezzo::gpu
