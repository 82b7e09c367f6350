#include "pipeline/plan/gpu_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <system_error>
#include <vector>

#include "kernels/band/ink15.h"
#include "kernels/band/tone.h"
#include "kernels/device_chain/plane.h"
#include "kernels/gpu/context.h"
#include "kernels/gpu/gpu.h"
#include "kernels/gpu_timing.h"
#include "kernels/halftoner.h"
#include "kernels/registry.h"
#include "manifests/json/members.h"
#include "pipeline/version.h"
#include "stages/files/cache_folder.h"
#include "stages/files/publish.h"

namespace mezzo::plan {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr uintmax_t kLargestFile = 1 << 20;

/// Start-up that is taken for granted when the GPU was in use before it could be measured.
constexpr double kUsualStartSeconds = 0.25;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The file, or an empty one of the same form.
json::Value read_file(const std::string& path) {
  json::Value empty = {{"v", 1}, {"gpus", json::Value::object()}};
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kLargestFile) return empty;
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  json::Value json = json::parse_or_null(text);
  const json::Value *version = json.find("v"), *gpus = json.find("gpus");
  const bool good = version != nullptr && *version == json::Value(1) && gpus != nullptr &&
                    gpus->members() != nullptr;
  return good ? json : empty;
}

/// An object's member of that name, which is made an object if it is none.
json::Value& object_in(json::Value& object, const std::string& name) {
  json::Value& found = object[name];
  if (found.members() == nullptr) found = json::Value::object();
  return found;
}

/// A plane of noise in page-locked memory, and room for the bits of several.
class Noise {
 public:
  explicit Noise(uint32_t planes) : samples_(size_t{kWidth} * kRows), bits_(planes * kPlaneBytes) {
    std::mt19937 random(1);
    for (size_t i = 0; i < samples_.size(); i += sizeof(uint32_t)) {
      const auto four = static_cast<uint32_t>(random());
      std::copy_n(reinterpret_cast<const std::byte*>(&four), sizeof four, samples_.data() + i);
    }
  }

  static constexpr uint32_t kWidth = 4096, kRows = 2048;
  static constexpr double kPixels = double{kWidth} * kRows;

  SampleBand samples() const { return {samples_.data(), kWidth, kRows, kWidth, 0, 1}; }
  BitBand bits(uint32_t plane) const {
    auto* data = reinterpret_cast<uint8_t*>(bits_.data() + plane * kPlaneBytes);
    return {data, kWidth, kRows, bit_row_bytes(kWidth), 0};
  }

 private:
  static constexpr size_t kPlaneBytes = bit_row_bytes(kWidth) * kRows;
  gpu::PinnedMemory samples_;
  gpu::PinnedMemory bits_;
};

/// Waits for bands that were started, and throws the error of the first that failed.
class Bands {
 public:
  Halftoner::Done started() {
    const std::lock_guard lock(mutex_);
    ++open_;
    return [this](const std::exception_ptr& error) {
      const std::lock_guard held(mutex_);
      if (error && !error_) error_ = error;
      if (--open_ == 0) none_.notify_all();
    };
  }
  void wait() {
    std::unique_lock lock(mutex_);
    none_.wait(lock, [this] { return open_ == 0; });
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable none_;
  uint32_t open_ = 0;
  std::exception_ptr error_;
};

/// Halftones the first `rows` rows of that many planes at once, in bands as a job has them;
/// seconds.
double time_planes(const Halftoner& halftoner, const Noise& noise, uint32_t planes, uint32_t rows) {
  constexpr uint32_t kBandRows = 512;
  const ToneCurve curve(255, Polarity::kMaxIsPaper);
  std::vector<std::unique_ptr<HalftonerState>> states;
  for (uint32_t p = 0; p < planes; ++p) states.push_back(halftoner.make_state(Noise::kWidth));
  SoloTeam solo;
  const auto begin = Clock::now();
  Bands bands;
  for (uint32_t row = 0; row < rows; row += kBandRows) {
    const uint32_t high = std::min(kBandRows, rows - row);
    for (uint32_t p = 0; p < planes; ++p) {
      halftoner.start(noise.samples().slice(row, high),
                      curve,
                      noise.bits(p).slice(row, high),
                      states[p].get(),
                      solo,
                      bands.started());
    }
  }
  bands.wait();
  return seconds_since(begin);
}

/// Pixels a second of the fastest of a few runs; the first warms up.
template <typename Run>
double rate(uint32_t planes, const Run& run) {
  double best = 1e9;
  for (int i = 0; i < 4; ++i) best = std::min(best, run());
  return planes * Noise::kPixels / best;
}

/// Planes that are scaled, halftoned and coded on the GPU; seconds a run of run(). Nothing is made
/// where no GPU has room: has_room() is false then.
class StripPlanes {
 public:
  StripPlanes(const Halftoner& halftoner, uint32_t planes) : page_(page_bytes()) {
    const device_chain::PlaneSettings settings{
        .page_width_px = kPageWidth,
        .page_height_px = kPageRows,
        .bytes_per_sample = 2,
        .scaling = prepress::Scaling{{kTimes, 1}, {kTimes, 1}, prepress::ScaleFilter::kLinear},
        .width_px = Noise::kWidth,
        .height_px = Noise::kRows,
        .band_rows = Noise::kRows,
        .rows_per_strip = 128,
        .coding = device_chain::Coding::kT6,
        .decodes = true};
    auto* samples = reinterpret_cast<uint16_t*>(page_.data());
    for (size_t i = 0; i < page_.size() / 2; ++i)
      samples[i] = static_cast<uint16_t>(i * 97 % kInk15);
    for (uint32_t p = 0; p < planes; ++p) {
      auto plane = device_chain::make_plane(halftoner, settings);
      if (!plane) break;
      memory_.emplace_back(plane->memory_bytes());
      planes_.push_back(std::move(plane));
    }
    strips_.resize(planes_.size());
    has_room_ = planes_.size() == planes;
  }

  bool has_room() const { return has_room_; }

  double run() {
    const SampleBand page{page_.data(), kPageWidth, kPageRows, size_t{2} * kPageWidth, 0, 2};
    const auto begin = Clock::now();
    Bands bands;
    for (size_t p = 0; p < planes_.size(); ++p) {
      planes_[p]->start({.first = 0, .rows = Noise::kRows, .page = page},
                        curve_,
                        {memory_[p].data(), memory_[p].size()},
                        strips_[p],
                        bands.started());
    }
    bands.wait();
    return seconds_since(begin);
  }

 private:
  static constexpr uint32_t kTimes = 8, kPageWidth = Noise::kWidth / kTimes,
                            kPageRows = Noise::kRows / kTimes;
  static constexpr size_t page_bytes() { return size_t{2} * kPageWidth * kPageRows; }

  const ToneCurve curve_{kInk15, Polarity::kMaxIsInk};
  gpu::PinnedMemory page_;
  std::vector<gpu::PinnedMemory> memory_;
  std::vector<device_chain::Strips> strips_;
  std::vector<std::unique_ptr<device_chain::Plane>>
      planes_;  ///< last: they end before their memory
  bool has_room_ = false;
};

}  // namespace

bool has_gpu_schedule(const std::string& method) {
  const MethodInfo* info = find_method(method);
  return info != nullptr && std::ranges::any_of(info->schedules, [](const ScheduleInfo& schedule) {
           return schedule.engine == Engine::kGpu;
         });
}

std::string gpu_identity() {
  const gpu::GpuList list = gpu::list_gpus();
  if (list.gpus.empty()) return {};
  return fmt::format("{}, {}, mezzotint {}", list.gpus.front().name, list.cuda_versions, kVersion);
}

std::string gpu_costs_path() {
  const std::string folder = files::cache_folder();
  return folder.empty() ? folder : folder + "/gpu-costs.json";
}

static void describe(json::Members& members, GpuCosts& costs) {
  members("start_seconds", costs.start_seconds);
  members("upload_bytes_per_s", costs.upload_bytes_per_s);
  members("download_bytes_per_s", costs.download_bytes_per_s);
  members("plane_pixels_per_s", costs.plane_pixels_per_s);
  members("planes_pixels_per_s", costs.planes_pixels_per_s);
  members("strips_pixels_per_s", costs.strips_pixels_per_s);
}

std::optional<GpuCosts> load_gpu_costs(const std::string& path,
                                       const std::string& identity,
                                       const std::string& method) {
  const json::Value file = read_file(path);
  const json::Value* gpu = file.find("gpus")->find(identity);
  const json::Value* costs = gpu != nullptr ? gpu->find(method) : nullptr;
  if (costs == nullptr) return std::nullopt;
  try {
    const auto found = json::from_value<GpuCosts>(*costs, json::Reading::kOpen);
    for (const double figure : {found.start_seconds,
                                found.upload_bytes_per_s,
                                found.download_bytes_per_s,
                                found.plane_pixels_per_s,
                                found.planes_pixels_per_s,
                                found.strips_pixels_per_s}) {
      if (!std::isfinite(figure) || figure <= 0) return std::nullopt;
    }
    return found;
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool store_gpu_costs(const std::string& path,
                     const std::string& identity,
                     const std::string& method,
                     const GpuCosts& costs) {
  if (path.empty()) return false;
  json::Value file = read_file(path);
  object_in(file["gpus"], identity)[method] = json::to_value(costs);
  try {
    files::write_whole_file(path, json::to_text(json::sorted(std::move(file)), 2) + "\n");
  } catch (const Error&) {
    return false;
  }
  return true;
}

GpuCosts measure_gpu_costs(const std::string& method) {
  constexpr uint32_t kManyPlanes = 8;
  constexpr size_t kCopyBytes = size_t{32} << 20;
  // A GPU is woken once a process: the time is kept for the other methods that it measures.
  static std::atomic<double> start_seconds{kUsualStartSeconds};
  const bool was_awake = gpu::is_awake();
  const auto begin = Clock::now();
  gpu::Context context;
  // A tile of the user's own is as fast as any other screen.
  const std::string measured = find_method(method)->takes_tile ? "bayer" : method;
  const auto halftoner =
      make_halftoner(complete({.method = measured, .engine = Engine::kGpu}, kMeasuredPlate),
                     context)
          .halftoner;
  const Noise noise(kManyPlanes);
  time_planes(*halftoner, noise, 1, 1);
  if (!was_awake) start_seconds = seconds_since(begin);
  GpuCosts costs;
  costs.start_seconds = start_seconds;
  const auto of_planes = [&](uint32_t planes) {
    return rate(planes, [&] { return time_planes(*halftoner, noise, planes, Noise::kRows); });
  };
  costs.plane_pixels_per_s = of_planes(1);
  costs.planes_pixels_per_s = of_planes(kManyPlanes);
  costs.strips_pixels_per_s = costs.planes_pixels_per_s;
  if (halftoner->on_gpu() != nullptr) {
    StripPlanes strips(*halftoner, kManyPlanes);
    if (strips.has_room())
      costs.strips_pixels_per_s = rate(kManyPlanes, [&] { return strips.run(); });
  }
  const DeviceCeilings copies = DeviceCeilings::measure(kCopyBytes);
  costs.upload_bytes_per_s = copies.upload_gbps * 1e9;
  costs.download_bytes_per_s = copies.download_gbps * 1e9;
  return costs;
}

GpuCosts gpu_costs(const std::string& method) {
  const std::string path = gpu_costs_path(), identity = gpu_identity();
  if (const auto known = load_gpu_costs(path, identity, method)) return *known;
  const GpuCosts costs = measure_gpu_costs(method);
  store_gpu_costs(path, identity, method, costs);  // where it cannot be, the next job measures
  return costs;
}

}  // namespace mezzo::plan
