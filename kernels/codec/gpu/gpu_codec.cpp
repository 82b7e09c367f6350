#include "kernels/codec/gpu/gpu_codec.h"

#include <algorithm>
#include <cstring>

#include "kernels/codec/gpu/gpu_fax.cuh"
#include "kernels/codec/gpu/gpu_row_sum.cuh"
#include "kernels/gpu/context.h"
#include "kernels/gpu/gpu.h"

namespace mezzo::codec {
namespace {

/// Rows of the host on a GPU, and a stream of their own.
class RowsOnGpu {
 public:
  RowsOnGpu(const BitBand& rows, gpu::Context& context)
      : lease_(context), words_(lease_.device(), words_of(rows)), stream_(lease_.device()) {
    gpu::use(lease_.device());
    const size_t pitch = row_words(rows) * 4;
    gpu::check(cudaMemsetAsync(words_.data(), 0, words_.size() * 4, stream_.get()),
               "clearing rows");
    gpu::check(cudaMemcpy2DAsync(words_.data(),
                                 pitch,
                                 rows.data,
                                 rows.stride_bytes,
                                 row_bytes(rows),
                                 rows.rows,
                                 cudaMemcpyHostToDevice,
                                 stream_.get()),
               "sending rows");
    rows_ = {words_.data(), rows.width_px * rows.bits_per_px, rows.rows, pitch / 4, rows.first_row};
  }

  gpu::Device device() const { return lease_.device(); }
  cudaStream_t stream() const { return stream_.get(); }
  const DeviceRows& rows() const { return rows_; }

  /// Returns when all work is done and `bytes` bytes are in `to`.
  void fetch(const void* from, size_t bytes, void* to) const {
    gpu::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream()),
               "fetching bytes");
    stream_.wait();
  }

 private:
  static size_t row_bytes(const BitBand& rows) {
    return bit_row_bytes(rows.width_px, rows.bits_per_px);
  }
  static size_t row_words(const BitBand& rows) { return (row_bytes(rows) + 3) / 4; }
  static size_t words_of(const BitBand& rows) { return row_words(rows) * rows.rows; }

  gpu::DeviceLease lease_;
  gpu::Array<uint32_t> words_;
  gpu::Stream stream_;
  DeviceRows rows_;
};

/// Sums that begin at 0.
class SumsOnGpu {
 public:
  SumsOnGpu(const RowsOnGpu& rows, size_t count) : rows_(rows), sums_(rows.device(), count) {
    gpu::check(cudaMemsetAsync(sums_.data(), 0, bytes(), rows.stream()), "clearing sums");
  }

  RowSum* data() { return sums_.data(); }

  /// When all work is done.
  std::vector<RowSum> fetch() const {
    std::vector<RowSum> sums(sums_.size());
    rows_.fetch(sums_.data(), bytes(), sums.data());
    return sums;
  }

 private:
  size_t bytes() const { return sums_.size() * sizeof(RowSum); }

  const RowsOnGpu& rows_;
  gpu::Array<RowSum> sums_;
};

}  // namespace

CodedStrips code_fax_on_gpu(const BitBand& rows,
                            uint32_t rows_per_strip,
                            gpu::Context& context,
                            std::optional<size_t> capacity) {
  gpu::require_gpu("fax");
  const RowsOnGpu on_gpu(rows, context);
  const gpu::Memory workspace(on_gpu.device(), fax_workspace_bytes(rows.width_px, rows.rows));
  const size_t most = most_coded_bytes(rows.width_px, rows.rows, rows_per_strip);
  const gpu::Memory coded(on_gpu.device(), capacity.value_or(most));
  enqueue_fax(on_gpu.rows(),
              rows_per_strip,
              workspace.data(),
              {coded.data(), coded.size()},
              on_gpu.device(),
              on_gpu.stream());
  SumsOnGpu sums(on_gpu, strips_of(rows.rows, rows_per_strip));
  enqueue_byte_sums({coded.data(), coded.size()},
                    strips_of(rows.rows, rows_per_strip),
                    sums.data(),
                    on_gpu.device(),
                    on_gpu.stream());
  CodedIndex index;
  on_gpu.fetch(coded.data(), sizeof index, &index);
  CodedStrips strips;
  strips.sums = sums.fetch();
  strips.bytes_needed = index.bytes;
  strips.memory.resize(std::min<size_t>(index.bytes, coded.size()));
  on_gpu.fetch(coded.data(), strips.memory.size(), strips.memory.data());
  strips.strips.resize(strips_of(rows.rows, rows_per_strip));
  std::memcpy(strips.strips.data(),
              strips.memory.data() + sizeof index,
              strips.strips.size() * sizeof(CodedStrip));
  return strips;
}

std::vector<RowSum> row_sums_on_gpu(const BitBand& rows,
                                    uint32_t rows_per_strip,
                                    gpu::Context& context) {
  gpu::require_gpu("row-sum");
  const RowsOnGpu on_gpu(rows, context);
  SumsOnGpu sums(on_gpu, strips_of(rows.rows, rows_per_strip));
  enqueue_row_sums(on_gpu.rows(), rows_per_strip, sums.data(), on_gpu.device(), on_gpu.stream());
  return sums.fetch();
}

}  // namespace mezzo::codec
