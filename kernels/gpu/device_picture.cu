#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "kernels/base/error.h"
#include "kernels/gpu/context.h"
#include "kernels/gpu/device.cuh"
#include "kernels/gpu/device_picture.h"
#include "kernels/gpu/gpu.h"
#include "kernels/gpu/gpu_halftoner.cuh"
#include "kernels/gpu/plane_parts.cuh"

namespace mezzo::gpu {
namespace {

constexpr size_t kBandPixels = size_t{1} << 26;  ///< of a band, where the method leaves it open

/// The GPU that has both addresses. Throws Error(kUsage).
int device_of(const void* samples, const void* dots) {
  std::optional<int> found;
  for (const void* address : {samples, dots}) {
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, address), "looking up an address");
    const bool is_there =
        attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
    if (!is_there || found.value_or(attributes.device) != attributes.device) {
      throw Error(ErrorKind::kUsage,
                  is_there ? "page and dots are in the memory of two GPUs; copy one to the other's"
                           : "page or dots are not in the memory of a GPU, as it was said of them");
    }
    found = attributes.device;
  }
  return *found;
}

/// Rows of the bands in which the plane is halftoned.
uint32_t band_rows(const HalftonerTraits& traits, const SampleBand& plane) {
  const size_t least = traits.band_rows != 0 ? traits.band_rows : traits.row_multiple;
  const size_t wanted = std::max<size_t>(kBandPixels / plane.width_px, least);
  return static_cast<uint32_t>(std::min<size_t>(wanted / least * least, plane.rows));
}

__global__ void spread_bits(
    const uint8_t* packed, size_t packed_pitch, uint32_t width_px, uint8_t* out, size_t pitch) {
  const uint32_t x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width_px) return;
  const size_t row = blockIdx.y;
  out[row * pitch + x] = packed[row * packed_pitch + x / 8] >> (7 - x % 8) & 1;
}

/// The samples and the dots of a plane, where a schedule can work on them.
class PictureRun {
 public:
  PictureRun(const MethodOnGpu& method,
             const HalftonerTraits& traits,
             const DevicePicture& picture,
             Device device)
      : picture_(picture),
        device_(device),
        traits_(traits),
        rows_(band_rows(traits, picture.samples)),
        row_bytes_(size_t{plane().width_px} * plane().bytes_per_sample),
        pitch_(sample_pitch(row_bytes_)),
        word_bytes_(size_t{(plane().width_px + 31) / 32} * sizeof(uint32_t)),
        curve_(device),
        schedule_(method.make_schedule(device, plane().width_px, rows_), device, plane().width_px),
        stream_(device) {
    const bool reads_in_place =
        pitch_ == plane().stride_bytes && reinterpret_cast<uintptr_t>(plane().data) % 16 == 0;
    if (!reads_in_place) {
      samples_ = {device, pitch_ * (size_t{rows_} + 2 * size_t{traits.context_rows})};
    }
    const bool writes_in_place = !picture.is_spread && picture.dots_row_bytes == word_bytes_ &&
                                 reinterpret_cast<uintptr_t>(picture.dots) % 4 == 0;
    if (!writes_in_place) words_ = {device, word_bytes_ * rows_};
  }

  void run(const ToneCurve& curve) {
    Event made;
    made.record(static_cast<cudaStream_t>(picture_.stream));
    made.hold_back(stream_.get());
    curve_.take(curve, stream_);
    for (uint32_t first = 0; first < plane().rows; first += rows_) {
      run_band(first, std::min(rows_, plane().rows - first));
    }
    stream_.wait();
  }

 private:
  const SampleBand& plane() const { return picture_.samples; }

  void run_band(uint32_t first, uint32_t rows) {
    const uint32_t above = std::min(first, traits_.context_rows);
    const uint32_t below = std::min(plane().rows - first - rows, traits_.context_rows);
    std::byte* words =
        words_.data() != nullptr ? words_.data() : picture_.dots + first * picture_.dots_row_bytes;
    schedule_.enqueue({.samples = samples_of(first, rows, above, below),
                       .pitch_bytes = pitch_,
                       .tones = curve_.data(),
                       .words = reinterpret_cast<uint32_t*>(words),
                       .above = nullptr,  // the schedule's own
                       .below = nullptr,
                       .width_px = plane().width_px,
                       .rows = rows,
                       .first_row = first,
                       .plane = plane().plane,
                       .texture = plane().texture,
                       .tile = texture_tile(device_),
                       .bytes_per_sample = plane().bytes_per_sample,
                       .rows_above = above,
                       .rows_below = below,
                       .tone_count = curve_.size()},
                      stream_.get());
    if (words_.data() != nullptr) hand_out(first, rows);
  }

  /// Row `first` of the plane, with its context around it.
  const std::byte* samples_of(uint32_t first, uint32_t rows, uint32_t above, uint32_t below) const {
    if (samples_.data() == nullptr) return plane().row(first);
    check(cudaMemcpy2DAsync(samples_.data(),
                            pitch_,
                            plane().row(int64_t{first} - above),
                            plane().stride_bytes,
                            row_bytes_,
                            size_t{above} + rows + below,
                            cudaMemcpyDeviceToDevice,
                            stream_.get()),
          "copying samples");
    return samples_.data() + above * pitch_;
  }

  void hand_out(uint32_t first, uint32_t rows) const {
    constexpr uint32_t kThreads = 256;
    constexpr uint32_t kMostRows = 65535;  // of a grid
    std::byte* out = picture_.dots + first * picture_.dots_row_bytes;
    if (!picture_.is_spread) {
      check(cudaMemcpy2DAsync(out,
                              picture_.dots_row_bytes,
                              words_.data(),
                              word_bytes_,
                              bit_row_bytes(plane().width_px),
                              rows,
                              cudaMemcpyDeviceToDevice,
                              stream_.get()),
            "copying dots");
      return;
    }
    for (uint32_t row = 0; row < rows; row += kMostRows) {
      const dim3 grid((plane().width_px + kThreads - 1) / kThreads,
                      std::min(kMostRows, rows - row));
      spread_bits<<<grid, kThreads, 0, stream_.get()>>>(
          reinterpret_cast<const uint8_t*>(words_.data()) + row * word_bytes_,
          word_bytes_,
          plane().width_px,
          reinterpret_cast<uint8_t*>(out) + row * picture_.dots_row_bytes,
          picture_.dots_row_bytes);
      check(cudaGetLastError(), "spreading dots");
    }
  }

  const DevicePicture picture_;
  const Device device_;
  const HalftonerTraits traits_;
  const uint32_t rows_;  ///< of a band
  const size_t row_bytes_, pitch_, word_bytes_;
  Memory samples_;  ///< none: they are read where they are
  Memory words_;    ///< none: they are written where they go
  CurveOnGpu curve_;
  ScheduleWithSums schedule_;
  Stream stream_;  ///< last: it goes first, and waits for its work
};

}  // namespace

void halftone_picture(const Halftoner& halftoner,
                      const DevicePicture& picture,
                      const ToneCurve& curve) {
  const MethodOnGpu* method = halftoner.on_gpu();
  if (method == nullptr) {
    throw Error(ErrorKind::kUsage,
                "these settings have no way that stays on a GPU; bring the page to the host");
  }
  const Device device{method->context, device_of(picture.samples.data, picture.dots)};
  use(device);
  PictureRun(*method, halftoner.traits(), picture, device).run(curve);
}

void* allocate_for_caller(size_t bytes) {
  require_gpu("memory of a GPU");
  void* memory = nullptr;
  check(cudaMalloc(&memory, std::max<size_t>(bytes, 1)), "taking memory for a picture");
  return memory;
}

void free_of_caller(void* memory) noexcept {
  (void)cudaFree(memory);
}

}  // namespace mezzo::gpu
