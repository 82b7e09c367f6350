// Estimates the time of halftoning on the CPU alone and with GPUs, and chooses for engine 'auto'.
// The model is a pipeline: its stages overlap, and the slowest sets the pace. The cost of a pixel
// is measured (here for the CPU, in gpu_costs.h for a GPU).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kernels/complete.h"
#include "kernels/halftoner_traits.h"
#include "stages/tiff/plate/writer.h"

namespace mezzo::plan {

/// Seconds that one thread needs: for a byte of the page's samples, and for a pixel of a plate.
struct CpuCosts {
  double read = 0;   ///< a byte
  double scale = 0;  ///< a pixel, as are the others
  double halftone = 0;
  double encode = 0;
  double seal = 0;      ///< decoding the plate, once it is read back
  bool spreads = true;  ///< more threads than planes make halftoning faster
  bool known = true;    ///< false: `halftone` is not, as its search takes too long to measure
};

/// The speed of one GPU with one method.
struct GpuCosts {
  double start_seconds = 0;  ///< before the first pixel, once a process: making the CUDA context
  double upload_bytes_per_s = 0;    ///< from page-locked memory
  double download_bytes_per_s = 0;  ///< and back
  double plane_pixels_per_s = 0;    ///< one plane at a time
  double planes_pixels_per_s = 0;   ///< many planes at once
  double strips_pixels_per_s = 0;   ///< likewise, scaled eightfold there and coded as G4
};

struct MachineCosts {
  CpuCosts cpu;
  GpuCosts gpu;
  uint32_t gpus = 0;
};

/// The part of a job that gets one engine. Pixels are those of all its plates.
struct Work {
  double pixels = 0;
  double page_bytes = 0;   ///< of samples, as the pages have them
  double plate_bytes = 0;  ///< of samples, at the resolution of the plates
  double scaled_pixels =
      0;  ///< those whose page has another resolution; with `edges` each counts more
  bool to_strips = false;  ///< a GPU takes the pages as they are, and scales them (gpu_way.h)
  bool coded_there =
      false;            ///< and it codes the strips and decodes them, or there is nothing to code
  bool decoded = true;  ///< plates are decoded before they get their names
  uint32_t threads = 1;
  uint32_t planes_at_once = 1;
};

double seconds_on_cpu(const CpuCosts& cpu, const Work& work);

/// Halftoning on all GPUs, starting them included, and the rest on the threads but for what the GPUs
/// take over.
double seconds_with_gpu(const MachineCosts& machine, const Work& work);

/// The sheets, of those that a GPU is to make in this order, that the threads make while it starts;
/// the last is always left to it.
size_t sheets_beside_start(const CpuCosts& cpu, std::span<const Work> sheets, double start_seconds);

/// The engine, and the reason in words.
struct EngineChoice {
  Engine engine = Engine::kCpu;  ///< kCpu or kGpu
  std::string reason;
};

/// A GPU is chosen when it is this much faster than the CPU, whose estimate is surer.
inline constexpr double kClearlyFaster = 0.95;

/// Work of less than this on the threads, s, is done before a GPU has done it: to start and to give its
/// memory back takes it half a second.
inline constexpr double kTinySeconds = 0.65;

EngineChoice choose_engine(const MachineCosts& machine, const Work& work);

/// The GPU, for methods that search (HalftonerTraits::band_rows): nearly all their time is the
/// search, so nothing else is measured. Only for a machine with a GPU, and work that is not tiny.
EngineChoice choose_engine_of_search(const CpuCosts& cpu, const Work& work);

/// The plate of a method that is measured by itself: its speed does not depend on the resolution.
inline const CompleteSettings::Plate kMeasuredPlate{.dpi = 2400};

/// The settings, beside method and schedule, that change the speed of halftoning: the parameters of
/// methods that search, and of others `dot`. For keys.
std::string speed_key(const HalftoneSettings& settings, const HalftonerTraits& traits);

/// Measures the CPU's schedule of the settings and the compression on a small plane, once a
/// process, in some milliseconds; that of a search in a fifth of a second at most, if its rounds
/// are short. Scaling is measured linear and eightfold, whatever the page needs. Reading depends on
/// the file and is not measured: three gigabytes of samples a second are assumed, as from a file in memory
/// without compression. Throws the errors of make_halftoner().
CpuCosts cpu_costs(const CompleteSettings& settings, tiff::Compression compression);

}  // namespace mezzo::plan
