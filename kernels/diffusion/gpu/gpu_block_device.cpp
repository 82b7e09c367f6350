// The GPU as the other processor of a band: steps of bwec (bwec.cuh), and copies on the same stream
// before and after them.
#include <algorithm>
#include <vector>

#include "kernels/diffusion/gpu/block_launch.cuh"
#include "kernels/diffusion/gpu/rule_on_gpu.cuh"
#include "kernels/diffusion/hybrid/block_device.h"
#include "kernels/diffusion/rules/rules.h"
#include "kernels/gpu/context.h"
#include "kernels/gpu/device.cuh"

namespace mezzo::diffusion {
namespace {

constexpr size_t kMostTones = 65536;

/// Page-locked host memory that kernels read and write over the bus.
class MappedSums {
 public:
  MappedSums(gpu::Device device, size_t count) {
    gpu::use(device);
    void* memory = nullptr;
    try {
      const size_t bytes = std::max<size_t>(count, 1) * sizeof(int32_t);
      gpu::check(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped | cudaHostAllocPortable),
                 "locking memory of the host");
      void* seen = nullptr;
      gpu::check(cudaHostGetDevicePointer(&seen, memory, 0), "mapping memory of the host");
      host_ = static_cast<int32_t*>(memory);
      on_gpu_ = static_cast<int32_t*>(seen);
    } catch (...) {
      if (memory != nullptr) (void)cudaFreeHost(memory);
      throw;
    }
  }
  ~MappedSums() { (void)cudaFreeHost(host_); }
  MappedSums(const MappedSums&) = delete;
  MappedSums& operator=(const MappedSums&) = delete;

  int32_t* host() const { return host_; }
  const int32_t* on_gpu() const { return on_gpu_; }

 private:
  int32_t* host_ = nullptr;
  int32_t* on_gpu_ = nullptr;
};

template <Rule R>
class GpuBlockDevice final : public BlockDevice {
 public:
  GpuBlockDevice(const R& rule, gpu::Context& context, uint32_t width_px)
      : lease_(context),
        device_(lease_.device()),
        width_px_(width_px),
        rule_(on_gpu(rule, device_)),
        tones_(device_, kMostTones),
        sums_(device_, width_px),
        sums_on_host_(size_t{width_px} * sizeof(int32_t), context),
        stream_(device_) {}

  void begin(const SampleBand& in, const ToneCurve& curve) override {
    gpu::use(device_);
    make_room(in.rows);
    take_curve(curve);
    const size_t row_bytes = size_t{in.width_px} * in.bytes_per_sample;
    const size_t pitch = gpu::sample_pitch(row_bytes);
    gpu::check(cudaMemcpy2DAsync(samples_.data(),
                                 pitch,
                                 in.data,
                                 in.stride_bytes,
                                 row_bytes,
                                 in.rows,
                                 cudaMemcpyHostToDevice,
                                 stream_.get()),
               "sending samples");
    band_ = {.samples = samples_.data(),
             .pitch_bytes = pitch,
             .tones = tones_.data(),
             .words = words_.data(),
             .above = nullptr,  // the steps take their sums where BlockArrays says
             .below = nullptr,
             .width_px = in.width_px,
             .rows = in.rows,
             .first_row = in.first_row,
             .plane = in.plane,
             .texture = in.texture,
             .tile = gpu::texture_tile(device_),
             .bytes_per_sample = in.bytes_per_sample};
    // Where a block of the CPU goes on beside one of the GPU, bits to come must be 0.
    gpu::check(cudaMemsetAsync(words_.data(), 0, row_bytes_of_words() * in.rows, stream_.get()),
               "clearing bits");
    gpu::check(cudaMemsetAsync(left_.data(), 0, left_bytes(), stream_.get()),
               "clearing the residues left of a band");
    reads_border_ = false;
    has_started_ = false;
  }

  void hand_over(const int32_t* sums, const int32_t* left, const BitBand& bits) override {
    gpu::use(device_);
    std::copy_n(sums, width_px_, host_sums());
    copy(sums_.data(), host_sums(), sums_on_host_.size(), "sending sums");
    if (left != nullptr) {
      left_to_planes(left, band_.rows, host_left());
      copy(left_.data(), host_left(), left_bytes(), "sending residues");
    }
    if (bits.rows == 0) return;
    gpu::check(cudaMemcpy2DAsync(words_.data(),
                                 row_bytes_of_words(),
                                 bits.data,
                                 bits.stride_bytes,
                                 bit_row_bytes(width_px_),
                                 bits.rows,
                                 cudaMemcpyHostToDevice,
                                 stream_.get()),
               "sending bits");
  }

  int32_t* border() override {
    if (border_ == nullptr) border_ = std::make_unique<MappedSums>(device_, width_px_);
    reads_border_ = true;
    return border_->host();
  }

  void start_steps(int first, int last) override {
    gpu::use(device_);
    const BlockArrays<R> arrays = {
        rule_, band_, sums_.data(), left_.data(), reads_border_ ? border_->on_gpu() : nullptr};
    launch_bwec_steps(arrays,
                      first,
                      last,
                      stream_.get(),
                      has_started_ ? gpu::Start::kBesidePrevious : gpu::Start::kAfterPrevious);
    has_started_ = true;
  }

  void fetch(int32_t* sums, int32_t* left, const BitBand& bits) override {
    gpu::use(device_);
    copy(host_sums(), sums_.data(), sums_on_host_.size(), "fetching sums");
    if (left != nullptr) copy(host_left(), left_.data(), left_bytes(), "fetching residues");
    gpu::check(cudaMemcpy2DAsync(bits.data,
                                 bits.stride_bytes,
                                 words_.data(),
                                 row_bytes_of_words(),
                                 bit_row_bytes(width_px_),
                                 bits.rows,
                                 cudaMemcpyDeviceToHost,
                                 stream_.get()),
               "fetching bits");
    stream_.wait();
    std::copy_n(host_sums(), width_px_, sums);
    if (left != nullptr) left_from_planes(host_left(), band_.rows, left);
  }

 private:
  size_t row_bytes_of_words() const { return (size_t{width_px_} + 31) / 32 * sizeof(uint32_t); }
  size_t left_bytes() const { return size_t{band_.rows} * 3 * sizeof(int32_t); }
  int32_t* host_sums() const { return reinterpret_cast<int32_t*>(sums_on_host_.data()); }
  int32_t* host_left() const { return reinterpret_cast<int32_t*>(left_on_host_.data()); }

  void copy(void* to, const void* from, size_t bytes, const char* doing) {
    gpu::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_.get()), doing);
  }

  /// Memory for so many rows of two bytes a sample. Nothing is at work here.
  void make_room(uint32_t rows) {
    if (rows <= most_rows_) return;
    most_rows_ = 0;
    samples_ = {};
    words_ = {};
    left_ = {};
    samples_ = gpu::Memory(device_, gpu::sample_pitch(size_t{width_px_} * 2) * rows);
    words_ = gpu::Array<uint32_t>(device_, (size_t{width_px_} + 31) / 32 * rows);
    left_ = gpu::Array<int>(device_, size_t{rows} * 3);
    left_on_host_ = gpu::PinnedMemory(size_t{rows} * 3 * sizeof(int32_t), *device_.context);
    most_rows_ = rows;
  }

  void take_curve(const ToneCurve& curve) {
    const auto table = curve.table();
    if (std::ranges::equal(table, curve_)) return;
    curve_.assign(table.begin(), table.end());
    copy(tones_.data(), curve_.data(), curve_.size() * sizeof(uint16_t), "sending the tone curve");
  }

  gpu::DeviceLease lease_;
  gpu::Device device_;
  uint32_t width_px_;
  R rule_;  ///< with its tables on the GPU
  gpu::Array<uint16_t> tones_;
  gpu::Array<int> sums_;
  gpu::Memory samples_;
  gpu::Array<uint32_t> words_;
  gpu::Array<int> left_;                           ///< plane by plane
  uint32_t most_rows_ = 0;                         ///< that the three above have room for
  gpu::PinnedMemory sums_on_host_, left_on_host_;  ///< on their way
  std::unique_ptr<MappedSums> border_;
  std::vector<uint16_t> curve_;  ///< that tones_ holds
  DeviceBand band_ = {};
  bool reads_border_ = false;
  bool has_started_ = false;
  gpu::Stream stream_;  ///< last: goes first, and waits for its work
};

}  // namespace

template <Rule R>
std::unique_ptr<BlockDevice> make_gpu_block_device(const R& rule,
                                                   gpu::Context& context,
                                                   uint32_t width_px) {
  return std::make_unique<GpuBlockDevice<R>>(rule, context, width_px);
}

#define MZ_INSTANTIATE(R) \
  template std::unique_ptr<BlockDevice> make_gpu_block_device(const R&, gpu::Context&, uint32_t);
MZ_FOR_EACH_RULE(MZ_INSTANTIATE)
#undef MZ_INSTANTIATE

}  // namespace mezzo::diffusion
