// Planes on GPUs: memory, streams and the way there and back, for any method. What a schedule does
// with a band once it is there is its own matter (gpu_schedule.cuh).
#include "kernels/gpu/gpu_halftoner.cuh"

#include <algorithm>
#include <future>
#include <string>
#include <vector>

#include "kernels/band/team.h"
#include "kernels/base/error.h"
#include "kernels/gpu/context.h"
#include "kernels/gpu/device.cuh"
#include "kernels/gpu/gpu.h"
#include "kernels/gpu/plane_parts.cuh"

namespace mezzo::gpu {
namespace {

constexpr size_t kSlabBytes = 4 << 20;  ///< of samples that travel to the GPU in one piece
constexpr uint32_t kMostSlabRows = 4096;
constexpr size_t kSlots = 3;  ///< slabs on their way: to the GPU, at work, and back

/// A slab on the GPU, and how far it is.
struct Slot {
  Slot(Device device, size_t sample_bytes, size_t word_count)
      : samples(device, sample_bytes), words(device, word_count) {}

  Memory samples;
  Array<uint32_t> words;
  Event uploaded;
  Event worked;
  Event downloaded;
};

/// A plane on a GPU. Three streams carry it: samples in, work, bits out; each slab passes through
/// all three, and slabs follow each other without waiting for the host.
class PlaneOnGpu {
 public:
  PlaneOnGpu(uint32_t context_rows,
             const MakeSchedule& make_schedule,
             Device device,
             uint32_t width_px,
             uint32_t rows)
      : device_(device),
        width_px_(width_px),
        rows_(rows),
        context_rows_(context_rows),
        curve_(device),
        schedule_(make_schedule(device, width_px, rows), device, width_px),
        upload_(device),
        work_(device),
        download_(device) {
    const size_t sample_bytes =
        sample_pitch(size_t{width_px} * 2) * (size_t{rows} + 2 * size_t{context_rows_});
    for (size_t i = 0; i < kSlots; ++i) {
      slots_.push_back(std::make_unique<Slot>(device, sample_bytes, size_t{row_words()} * rows));
    }
  }

  /// Queues a band; throws Error with nothing of it left at work.
  void start(const SampleBand& in, const ToneCurve& curve, const BitBand& out) {
    use(device_);
    try {
      curve_.take(curve, work_);
      for (uint32_t row = 0; row < in.rows; row += rows_) {
        const uint32_t rows = std::min(rows_, in.rows - row);
        start_slab(in.slice(row, rows), out.slice(row, rows));
      }
    } catch (...) {
      drain();
      throw;
    }
  }

  /// Calls `done` when all that was queued is complete.
  void when_complete(Halftoner::Done done) {
    try {
      call_when_complete(download_, std::move(done));
    } catch (...) {
      drain();
      throw;
    }
  }

 private:
  uint32_t row_words() const { return (width_px_ + 31) / 32; }

  void start_slab(const SampleBand& in, const BitBand& out) {
    Slot& slot = *slots_[next_slot_];
    next_slot_ = (next_slot_ + 1) % kSlots;
    const size_t row_bytes = size_t{in.width_px} * in.bytes_per_sample;
    const size_t pitch = sample_pitch(row_bytes);
    const uint32_t above = std::min(in.rows_above, context_rows_);
    const uint32_t below = std::min(in.rows_below, context_rows_);
    slot.worked.hold_back(upload_.get());  // the samples before these have been read
    check(cudaMemcpy2DAsync(slot.samples.data(),
                            pitch,
                            in.row(-int64_t{above}),
                            in.stride_bytes,
                            row_bytes,
                            size_t{above} + in.rows + below,
                            cudaMemcpyHostToDevice,
                            upload_.get()),
          "sending samples");
    slot.uploaded.record(upload_.get());
    slot.uploaded.hold_back(work_.get());
    slot.downloaded.hold_back(work_.get());  // the bits before these have been fetched
    schedule_.enqueue({.samples = slot.samples.data() + above * pitch,
                       .pitch_bytes = pitch,
                       .tones = curve_.data(),
                       .words = slot.words.data(),
                       .above = nullptr,  // the schedule's own
                       .below = nullptr,
                       .width_px = in.width_px,
                       .rows = in.rows,
                       .first_row = in.first_row,
                       .plane = in.plane,
                       .texture = in.texture,
                       .tile = texture_tile(device_),
                       .bytes_per_sample = in.bytes_per_sample,
                       .rows_above = above,
                       .rows_below = below,
                       .tone_count = curve_.size()},
                      work_.get());
    slot.worked.record(work_.get());
    slot.worked.hold_back(download_.get());
    fetch_bits(slot, out);
    slot.downloaded.record(download_.get());
  }

  void fetch_bits(Slot& slot, const BitBand& out) {
    const size_t bit_bytes = bit_row_bytes(out.width_px);
    const size_t word_bytes = size_t{row_words()} * sizeof(uint32_t);
    if (out.stride_bytes == word_bytes && bit_bytes == word_bytes) {
      check(cudaMemcpyAsync(out.data,
                            slot.words.data(),
                            word_bytes * out.rows,
                            cudaMemcpyDeviceToHost,
                            download_.get()),
            "fetching bits");
    } else {
      check(cudaMemcpy2DAsync(out.data,
                              out.stride_bytes,
                              slot.words.data(),
                              word_bytes,
                              bit_bytes,
                              out.rows,
                              cudaMemcpyDeviceToHost,
                              download_.get()),
            "fetching bits");
    }
  }

  /// Waits for all running work; failures have been reported.
  void drain() {
    for (const Stream* stream : {&upload_, &work_, &download_}) {
      (void)cudaStreamSynchronize(stream->get());
    }
  }

  Device device_;
  uint32_t width_px_;
  uint32_t rows_;  ///< of a slab
  uint32_t context_rows_;
  CurveOnGpu curve_;
  std::vector<std::unique_ptr<Slot>> slots_;
  ScheduleWithSums schedule_;
  size_t next_slot_ = 0;
  Stream upload_, work_, download_;  ///< last: they go first, and wait for their work
};

struct GpuState final : HalftonerState {
  explicit GpuState(Context& context) : lease(context) {}
  DeviceLease lease;
  std::unique_ptr<PlaneOnGpu> plane;       ///< null: on the CPU
  std::unique_ptr<HalftonerState> on_cpu;  ///< of the other halftoner
  std::exception_ptr failure;              ///< of an earlier band
};

class GpuHalftoner final : public Halftoner {
 public:
  GpuHalftoner(const HalftonerTraits& traits, MethodOnGpu method, std::unique_ptr<Halftoner> on_cpu)
      : traits_(traits), method_(std::move(method)), on_cpu_(std::move(on_cpu)) {}

  HalftonerTraits traits() const override { return traits_; }
  const MethodOnGpu* on_gpu() const override { return &method_; }

  std::unique_ptr<HalftonerState> make_state(uint32_t width_px) const override {
    auto state = std::make_unique<GpuState>(*method_.context);
    const auto wanted = static_cast<uint32_t>(kSlabBytes / std::max<size_t>(width_px, 1));
    const uint32_t least = traits_.row_multiple;
    uint32_t rows = std::clamp(wanted, least, std::max(kMostSlabRows, least)) / least * least;
    for (; rows >= least; rows /= 2) {
      try {
        use(state->lease.device());
        state->plane = std::make_unique<PlaneOnGpu>(
            traits_.context_rows, method_.make_schedule, state->lease.device(), width_px, rows);
        return state;
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::kOutOfMemory) throw;
      }
    }
    state->on_cpu = on_cpu_->make_state(width_px);
    return state;
  }

  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const override {
    if (static_cast<GpuState*>(state)->plane == nullptr) {
      on_cpu_->run(in, curve, out, static_cast<GpuState*>(state)->on_cpu.get(), team);
      return;
    }
    std::promise<void> complete;
    start(in, curve, out, state, team, [&](const std::exception_ptr& error) {
      error ? complete.set_exception(error) : complete.set_value();
    });
    complete.get_future().get();
  }

  void start(const SampleBand& in,
             const ToneCurve& curve,
             const BitBand& out,
             HalftonerState* state,
             Team& team,
             Done done) const override {
    auto& on_gpu = static_cast<GpuState&>(*state);
    if (on_gpu.plane == nullptr) {
      on_cpu_->start(in, curve, out, on_gpu.on_cpu.get(), team, std::move(done));
      return;
    }
    try {
      if (on_gpu.failure) std::rethrow_exception(on_gpu.failure);
      on_gpu.plane->start(in, curve, out);
      on_gpu.plane->when_complete(done);
    } catch (...) {
      on_gpu.failure = std::current_exception();
      done(on_gpu.failure);
    }
  }

 private:
  HalftonerTraits traits_;
  MethodOnGpu method_;
  std::unique_ptr<Halftoner> on_cpu_;
};

}  // namespace

std::unique_ptr<Halftoner> make_gpu_halftoner(const HalftonerTraits& traits,
                                              MakeSchedule make_schedule,
                                              const ScheduleInfo& schedule,
                                              Context& context,
                                              std::unique_ptr<Halftoner> on_cpu) {
  require_gpu(schedule.name);
  return std::make_unique<GpuHalftoner>(
      traits, MethodOnGpu{std::move(make_schedule), &context}, std::move(on_cpu));
}

}  // namespace mezzo::gpu
