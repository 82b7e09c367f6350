#include "kernels/gpu_timing.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/base/repeat.h"
#include "kernels/diffusion/gpu/gpu_schedule.cuh"
#include "kernels/diffusion/rules/floyd_steinberg.h"
#include "kernels/gpu/context.h"
#include "kernels/gpu/device.cuh"
#include "kernels/gpu/gpu.h"
#include "kernels/pinwheel/gpu/gpu_pinwheel.cuh"
#include "kernels/pinwheel/pinwheel_method.h"
#include "kernels/registry.h"

namespace mezzo {
namespace {

using namespace gpu;

using diffusion::DeviceBand;
using diffusion::FloydSteinbergRule;
using diffusion::GpuSchedule;

/// In the context of the process, as all that is timed alone.
Device first_gpu() {
  return {&Context::of_process(), 0};
}
constexpr size_t kWordBytes = sizeof(uint32_t);

std::unique_ptr<GpuSchedule> make_schedule(const HalftoneSettings& settings,
                                           uint32_t width_px,
                                           uint32_t rows) {
  const MethodInfo* method = find_method(settings.method);
  if (method != nullptr && find_schedule(*method, settings.schedule, Engine::kGpu) != nullptr) {
    if (method->name == "floyd-steinberg") {
      return diffusion::make_gpu_schedule(
          settings.schedule, FloydSteinbergRule{}, first_gpu(), width_px, rows);
    }
    if (method->name == "pinwheel") {
      return pinwheel::make_gpu_schedule(pinwheel::settings_of(with_defaults(settings)),
                                         settings.schedule,
                                         first_gpu(),
                                         width_px,
                                         rows);
    }
  }
  throw Error(ErrorKind::kUsage,
              "method '" + settings.method + "' has no GPU schedule '" + settings.schedule +
                  "' that can be timed");
}

void require_gpu() {
  const GpuList list = list_gpus();
  if (list.gpus.empty()) {
    throw Error(ErrorKind::kDevice, "there is no GPU to measure: " + list.why_none);
  }
  use(first_gpu());
}

/// From row to row of samples on the GPU (DeviceBand).
size_t pitch_bytes(const SampleBand& in) {
  return diffusion::sample_pitch(size_t{in.width_px} * in.bytes_per_sample);
}

/// The rows of `in` as they lie on the GPU, in page-locked memory.
PinnedMemory packed_samples(const SampleBand& in) {
  const size_t row_bytes = size_t{in.width_px} * in.bytes_per_sample;
  PinnedMemory packed(pitch_bytes(in) * in.rows);
  for (uint32_t i = 0; i < in.rows; ++i) {
    std::memcpy(packed.data() + i * pitch_bytes(in), in.row(i), row_bytes);
  }
  return packed;
}

/// One plane on the GPU with all that a run of it needs. The stream comes last, so that it goes
/// first and has waited for its work before memory goes.
class Plane {
 public:
  Plane(const HalftoneSettings& settings, const SampleBand& in, const ToneCurve& curve)
      : width_px_(in.width_px),
        row_words_((size_t{in.width_px} + 31) / 32),
        samples_(first_gpu(), pitch_bytes(in) * in.rows),
        tones_(first_gpu(), curve.table().size()),
        words_(first_gpu(), row_words_ * in.rows),
        above_(first_gpu(), in.width_px),
        below_(first_gpu(), in.width_px),
        bits_(words_.size() * kWordBytes),
        schedule_(make_schedule(settings, in.width_px, in.rows)),
        stream_(first_gpu()) {
    const size_t tone_bytes = curve.table().size_bytes();
    const size_t above_bytes = above_.size() * sizeof(int);
    check(
        cudaMemcpyAsync(
            tones_.data(), curve.table().data(), tone_bytes, cudaMemcpyHostToDevice, stream_.get()),
        "copying a tone curve");
    check(cudaMemsetAsync(above_.data(), 0, above_bytes, stream_.get()),
          "clearing the sums above the plane");
    stream_.wait();
    band_ = {.samples = samples_.data(),
             .pitch_bytes = pitch_bytes(in),
             .tones = tones_.data(),
             .words = words_.data(),
             .above = above_.data(),
             .below = below_.data(),
             .width_px = in.width_px,
             .rows = in.rows,
             .first_row = in.first_row,
             .plane = in.plane,
             .texture = in.texture,
             .tile = texture_tile(first_gpu()),
             .bytes_per_sample = in.bytes_per_sample};
  }

  cudaStream_t stream() const { return stream_.get(); }
  Event& ended() { return ended_; }
  void wait() const { stream_.wait(); }

  void upload(const PinnedMemory& samples) {
    check(cudaMemcpyAsync(
              samples_.data(), samples.data(), samples.size(), cudaMemcpyHostToDevice, stream()),
          "copying samples to the GPU");
  }

  /// Words that no run leaves, so that missing writes are found.
  void spoil() {
    check(cudaMemsetAsync(words_.data(), 0xa5, bits_.size(), stream()), "overwriting the words");
  }

  void halftone() { schedule_->enqueue(band_, stream()); }

  void download() {
    check(cudaMemcpyAsync(
              bits_.data(), words_.data(), bits_.size(), cudaMemcpyDeviceToHost, stream()),
          "copying bits from the GPU");
  }

  void copy_bits(const BitBand& out) const {
    for (uint32_t i = 0; i < out.rows; ++i) {
      std::memcpy(out.row(i), bits_.data() + i * row_words_ * kWordBytes, bit_row_bytes(width_px_));
    }
  }

 private:
  uint32_t width_px_;
  size_t row_words_;
  Array<std::byte> samples_;
  Array<uint16_t> tones_;
  Array<uint32_t> words_;
  Array<int> above_;
  Array<int> below_;
  PinnedMemory bits_;
  DeviceBand band_{};
  std::unique_ptr<GpuSchedule> schedule_;
  Event ended_;
  Stream stream_;
};

using Planes = std::vector<std::unique_ptr<Plane>>;

/// Milliseconds from the moment that the first plane's stream reaches `step` to the moment that all
/// planes have done it.
template <typename Step>
double span_ms(const Planes& planes, const Step& step) {
  const cudaStream_t lead = planes.front()->stream();
  Event begin(true), end(true);
  begin.record(lead);
  for (const auto& plane : planes) {
    if (plane->stream() != lead) begin.hold_back(plane->stream());
    step(*plane);
    if (plane->stream() != lead) plane->ended().record(plane->stream());
  }
  for (const auto& plane : planes) {
    if (plane->stream() != lead) plane->ended().hold_back(lead);
  }
  end.record(lead);
  end.wait();
  return end.since(begin);
}

/// Gigabytes a second of copies of `bytes`, the median of ten.
double speed_of_copies(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  constexpr uint32_t kCopies = 10;
  constexpr double kBudgetSeconds = 2;
  const Stream stream(first_gpu());
  std::vector<double> gbps;
  WarmRuns::repeat(kCopies, kBudgetSeconds, [&] {
    Event begin(true), end(true);
    begin.record(stream.get());
    check(cudaMemcpyAsync(to, from, bytes, kind, stream.get()), "measuring a copy");
    end.record(stream.get());
    end.wait();
    gbps.push_back(static_cast<double>(bytes) / 1e6 / end.since(begin));
  });
  return WarmRuns::median(gbps);
}

}  // namespace

TimedRuns::Timing time_gpu_schedule(const HalftoneSettings& settings,
                                    const SampleBand& in,
                                    const ToneCurve& curve,
                                    const BitBand& out,
                                    const TimedRuns& runs) {
  require_gpu();
  const PinnedMemory samples = packed_samples(in);
  Planes planes;
  for (uint32_t i = 0; i < runs.planes; ++i) {
    planes.push_back(std::make_unique<Plane>(settings, in, curve));
  }
  std::vector<double> kernel, upload, download;
  WarmRuns::repeat(runs.repetitions, runs.budget_seconds, [&] {
    upload.push_back(span_ms(planes, [&](Plane& plane) { plane.upload(samples); }));
    for (const auto& plane : planes) plane->spoil();
    for (const auto& plane : planes) plane->wait();
    kernel.push_back(span_ms(planes, [](Plane& plane) { plane.halftone(); }));
    download.push_back(span_ms(planes, [](Plane& plane) { plane.download(); }));
    for (const auto& plane : planes) {
      plane->copy_bits(out);
      if (runs.after_run) runs.after_run();
    }
  });
  return {WarmRuns::median(kernel), WarmRuns::median(upload), WarmRuns::median(download)};
}

DeviceCeilings DeviceCeilings::measure(size_t bytes) {
  require_gpu();
  const Memory here(first_gpu(), bytes), there(first_gpu(), bytes);
  const PinnedMemory host(bytes);
  std::memset(host.data(), 0x5a, host.size());
  return {2 * speed_of_copies(there.data(), here.data(), bytes, cudaMemcpyDeviceToDevice),
          speed_of_copies(here.data(), host.data(), bytes, cudaMemcpyHostToDevice),
          speed_of_copies(host.data(), here.data(), bytes, cudaMemcpyDeviceToHost)};
}

}  // namespace mezzo
