#include "kernels/gpu/planes_on_gpu.cuh"

#include <algorithm>
#include <future>
#include <utility>

#include "kernels/base/error.h"
#include "kernels/gpu/plane_parts.cuh"

namespace mezzo::gpu {
namespace {

constexpr size_t kSlabBytes = 4 << 20;  ///< of samples that travel to the GPU in one piece
/// Of an ink of several that are halftoned together, which takes one wave over the slab for all.
constexpr size_t kSlabBytesOfInk = 12 << 20;
constexpr uint32_t kMostSlabRows = 4096;
constexpr size_t kSlots = 3;  ///< slabs on their way: to the GPU, at work, and back

}  // namespace

/// Planes that are halftoned together, or one, on a GPU. Three streams carry them: samples in, work,
/// bits out; each slab passes through all three, and slabs follow each other without waiting for the
/// host.
class PlanesOnGpu {
 public:
  PlanesOnGpu(uint32_t context_rows,
              const MakeInksSchedule& make_schedule,
              Device device,
              uint32_t width_px,
              uint32_t rows,
              uint32_t planes)
      : device_(device),
        width_px_(width_px),
        rows_(rows),
        context_rows_(context_rows),
        schedule_(make_schedule(device, width_px, rows, planes)),
        bands_(planes),
        upload_(device),
        work_(device),
        download_(device) {
    const size_t sample_bytes =
        sample_pitch(size_t{width_px} * 2) * (size_t{rows} + 2 * size_t{context_rows_});
    for (uint32_t plane = 0; plane < planes; ++plane) curves_.emplace_back(device);
    for (size_t i = 0; i < kSlots; ++i) {
      auto& slot = *slots_.emplace_back(std::make_unique<Slot>());
      for (uint32_t plane = 0; plane < planes; ++plane) {
        slot.slabs.emplace_back(device, sample_bytes, size_t{row_words()} * rows);
      }
    }
  }

  /// Queues a band; throws Error with nothing of it left at work.
  void start(const PlaneBands& inks) {
    use(device_);
    try {
      for (size_t i = 0; i < curves_.size(); ++i) curves_[i].take(*inks.curves[i], work_);
      const uint32_t all_rows = inks.in.front().rows;
      for (uint32_t row = 0; row < all_rows; row += rows_) {
        start_slab(inks, row, std::min(rows_, all_rows - row));
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
  /// A slab of a plane on the GPU.
  struct Slab {
    Slab(Device device, size_t sample_bytes, size_t word_count)
        : samples(device, sample_bytes), words(device, word_count) {}

    Memory samples;
    Array<uint32_t> words;
  };

  /// The slabs of all planes, and how far they are.
  struct Slot {
    std::vector<Slab> slabs;
    Event uploaded;
    Event worked;
    Event downloaded;
  };

  uint32_t row_words() const { return (width_px_ + 31) / 32; }

  void start_slab(const PlaneBands& inks, uint32_t row, uint32_t rows) {
    Slot& slot = *slots_[next_slot_];
    next_slot_ = (next_slot_ + 1) % kSlots;
    slot.worked.hold_back(upload_.get());  // the samples before these have been read
    for (size_t i = 0; i < bands_.size(); ++i) {
      bands_[i] = send_samples(slot.slabs[i], inks.in[i].slice(row, rows), curves_[i]);
    }
    slot.uploaded.record(upload_.get());
    slot.uploaded.hold_back(work_.get());
    slot.downloaded.hold_back(work_.get());  // the bits before these have been fetched
    schedule_->enqueue(bands_, work_.get());
    slot.worked.record(work_.get());
    slot.worked.hold_back(download_.get());
    for (size_t i = 0; i < bands_.size(); ++i) {
      fetch_bits(slot.slabs[i], inks.out[i].slice(row, rows));
    }
    slot.downloaded.record(download_.get());
  }

  DeviceBand send_samples(const Slab& slab, const SampleBand& in, const CurveOnGpu& curve) {
    const size_t row_bytes = size_t{in.width_px} * in.bytes_per_sample;
    const size_t pitch = sample_pitch(row_bytes);
    const uint32_t above = std::min(in.rows_above, context_rows_);
    const uint32_t below = std::min(in.rows_below, context_rows_);
    check(cudaMemcpy2DAsync(slab.samples.data(),
                            pitch,
                            in.row(-int64_t{above}),
                            in.stride_bytes,
                            row_bytes,
                            size_t{above} + in.rows + below,
                            cudaMemcpyHostToDevice,
                            upload_.get()),
          "sending samples");
    return {.samples = slab.samples.data() + above * pitch,
            .pitch_bytes = pitch,
            .tones = curve.data(),
            .words = slab.words.data(),
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
            .tone_count = curve.size()};
  }

  void fetch_bits(const Slab& slab, const BitBand& out) {
    const size_t bit_bytes = bit_row_bytes(out.width_px);
    const size_t word_bytes = size_t{row_words()} * sizeof(uint32_t);
    if (out.stride_bytes == word_bytes && bit_bytes == word_bytes) {
      check(cudaMemcpyAsync(out.data,
                            slab.words.data(),
                            word_bytes * out.rows,
                            cudaMemcpyDeviceToHost,
                            download_.get()),
            "fetching bits");
    } else {
      check(cudaMemcpy2DAsync(out.data,
                              out.stride_bytes,
                              slab.words.data(),
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
  std::vector<CurveOnGpu> curves_;  ///< of each plane
  std::vector<std::unique_ptr<Slot>> slots_;
  std::unique_ptr<InksSchedule> schedule_;
  std::vector<DeviceBand> bands_;  ///< of the slab that is being started
  size_t next_slot_ = 0;
  Stream upload_, work_, download_;  ///< last: they go first, and wait for their work
};

PlanesState::PlanesState(Context& context) : lease(context) {}
PlanesState::~PlanesState() = default;

std::unique_ptr<PlanesState> make_planes_state(Context& context,
                                               const HalftonerTraits& traits,
                                               const MakeInksSchedule& make_schedule,
                                               uint32_t width_px,
                                               uint32_t inks) {
  auto state = std::make_unique<PlanesState>(context);
  const size_t slab_bytes = inks == 1 ? kSlabBytes : kSlabBytesOfInk;
  const auto wanted = static_cast<uint32_t>(slab_bytes / std::max<size_t>(width_px, 1));
  const uint32_t least = traits.row_multiple;
  uint32_t rows = std::clamp(wanted, least, std::max(kMostSlabRows, least)) / least * least;
  for (; rows >= least; rows /= 2) {
    try {
      use(state->lease.device());
      state->planes = std::make_unique<PlanesOnGpu>(
          traits.context_rows, make_schedule, state->lease.device(), width_px, rows, inks);
      return state;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kOutOfMemory) throw;
    }
  }
  return state;
}

void start_planes(PlanesState& state, const PlaneBands& band, const Halftoner::Done& done) {
  try {
    if (state.failure) std::rethrow_exception(state.failure);
    state.planes->start(band);
    state.planes->when_complete(done);
  } catch (...) {
    state.failure = std::current_exception();
    done(state.failure);
  }
}

void run_planes(PlanesState& state, const PlaneBands& band) {
  std::promise<void> complete;
  start_planes(state, band, [&](const std::exception_ptr& error) {
    error ? complete.set_exception(error) : complete.set_value();
  });
  complete.get_future().get();
}

}  // namespace mezzo::gpu
