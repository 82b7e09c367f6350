// mezzotint calibrate: measures the speeds that engine 'auto' chooses by, and keeps it for the jobs
// to come. A new GPU, driver or version of the program is noticed without it; other work on the GPU
// while it was measured is not.

#include <fmt/format.h>

#include "kernels/gpu/gpu.h"
#include "kernels/halftoner.h"
#include "kernels/registry.h"
#include "pipeline/exit_status.h"
#include "pipeline/log/log.h"
#include "pipeline/plan/gpu_costs.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/report.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

void print_json(const std::string& method,
                const plan::CpuCosts& cpu,
                const plan::GpuCosts& gpu,
                bool kept) {
  cli::print_line({{"v", 1},
                   {"type", "calibration"},
                   {"method", method},
                   {"gpu", plan::gpu_identity()},
                   {"cpu_halftone_seconds_per_px", cpu.halftone},
                   {"cpu_encode_seconds_per_px", cpu.encode},
                   {"gpu_start_seconds", gpu.start_seconds},
                   {"gpu_upload_bytes_per_s", gpu.upload_bytes_per_s},
                   {"gpu_download_bytes_per_s", gpu.download_bytes_per_s},
                   {"gpu_plane_px_per_s", gpu.plane_pixels_per_s},
                   {"gpu_planes_px_per_s", gpu.planes_pixels_per_s},
                   {"gpu_strips_px_per_s", gpu.strips_pixels_per_s},
                   {"kept", kept}});
}

void print_table_row(const std::string& method,
                     const plan::CpuCosts& cpu,
                     const plan::GpuCosts& gpu) {
  fmt::print("  {:<18}{:>14.0f}{:>14.0f}{:>14.0f}{:>14.0f}{:>14.0f}\n",
             method,
             1e-6 / cpu.halftone,
             1e-6 / cpu.encode,
             gpu.plane_pixels_per_s / 1e6,
             gpu.planes_pixels_per_s / 1e6,
             gpu.strips_pixels_per_s / 1e6);
}

void calibrate(const CommonOptions& common) {
  const std::string identity = plan::gpu_identity(), path = plan::gpu_costs_path();
  if (identity.empty()) {
    throw Error(ErrorKind::kDevice, "calibrate: there is no GPU: " + gpu::list_gpus().why_none);
  }
  plan::GpuCosts gpu;
  bool kept = true;
  if (!common.json) {
    fmt::print("{}\n  {:<18}{:>14}{:>14}{:>14}{:>14}{:>14}\n",
               identity,
               "Mpx/s",
               "a thread",
               "its encoding",
               "GPU, 1 plane",
               "many planes",
               "scaled, to G4");
  }
  for (const MethodInfo& method : methods()) {
    const std::string name(method.name);
    if (!plan::has_gpu_schedule(name) || method.takes_tile) continue;
    if (cli::stop_requested()) throw Error(ErrorKind::kInterrupted, "calibrate: interrupted");
    const CompleteSettings settings = complete({.method = name}, plan::kMeasuredPlate);
    if (make_reference(settings)->traits().band_rows != 0) {
      log::info("{}: not measured: it searches, and runs on a GPU wherever there is one", name);
      continue;
    }
    gpu = plan::measure_gpu_costs(name);
    kept = plan::store_gpu_costs(path, identity, name, gpu) && kept;
    const plan::CpuCosts cpu = plan::cpu_costs(settings, tiff::Compression::kAutomatic);
    common.json ? print_json(name, cpu, gpu, kept) : print_table_row(name, cpu, gpu);
  }
  if (common.json) return;
  fmt::print("start {:.0f} ms, to the GPU {:.1f} GB/s, from it {:.1f} GB/s\n",
             gpu.start_seconds * 1e3,
             gpu.upload_bytes_per_s / 1e9,
             gpu.download_bytes_per_s / 1e9);
  if (kept) {
    fmt::print("kept in {}\n", path);
  } else {
    fmt::print("could not be kept in '{}'; jobs will measure again\n", path);
  }
}

}  // namespace

void make_calibrate_command(cli::Command& command, const CommonOptions& common) {
  command.runs([&common] {
    calibrate(common);
    return kExitGood;
  });
}

}  // namespace mezzo::commands
