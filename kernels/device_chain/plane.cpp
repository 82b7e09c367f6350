#include "kernels/device_chain/plane.h"

#include <algorithm>
#include <utility>

#include "kernels/band/tone.h"
#include "kernels/base/error.h"
#include "kernels/codec/gpu/gpu_fax.cuh"
#include "kernels/codec/gpu/gpu_fax_check.cuh"
#include "kernels/codec/gpu/gpu_row_sum.cuh"
#include "kernels/device_chain/gpu/bit_kernels.cuh"
#include "kernels/device_chain/gpu/picture_on_gpu.cuh"
#include "kernels/gpu/context.h"
#include "kernels/gpu/device.cuh"
#include "kernels/gpu/gpu_halftoner.cuh"
#include "kernels/gpu/plane_parts.cuh"
#include "kernels/prepress/gpu/gpu_scale.cuh"
#include "kernels/prepress/scale.h"

namespace mezzo::device_chain {
namespace {

// Three streams carry a plane, as they do one that comes down as bits (kernels/gpu/gpu_halftoner.cpp):
// rows up, work, strips down.

constexpr size_t kSlots = 3;  ///< bands on their way, at most: up, at work, and down

/// The rows of the page that rows of the plate are made of.
class RowsNeeded {
 public:
  explicit RowsNeeded(const PlaneSettings& settings) {
    if (settings.scaling) {
      scaler_ =
          prepress::make_scaler(settings.page_width_px, settings.page_height_px, *settings.scaling);
    }
  }
  prepress::SampleRange operator()(uint32_t first, uint32_t rows) const {
    return scaler_ ? scaler_->rows_needed(first, rows) : prepress::SampleRange{first, rows};
  }

 private:
  std::unique_ptr<prepress::Scaler> scaler_;
};

/// What a GPU counts of a band, there and where the host reads it: the pixels that were mended and
/// laid over, then of each strip the sum of its rows, of its coded bytes, and of the rows that they
/// decode to, its `a_strip` numbers of pixels (bit_kernels.cuh), and its rows that do not decode.
class Counts {
  struct OfBand {
    prepress::Protection protection;
    uint64_t linework_px;
  };
  struct OfStrips {
    codec::RowSum *rows, *coded, *decoded;
    uint64_t* pixels;
    uint32_t* faults;
  };

 public:
  /// `on_host` is page-locked, and has bytes().
  Counts(gpu::Device device, uint32_t strips, uint32_t a_strip, std::byte* on_host)
      : strips_(strips),
        a_strip_(a_strip),
        on_gpu_(device, bytes(strips, a_strip)),
        on_host_(on_host) {}

  /// A multiple of 16.
  static size_t bytes(uint32_t strips, uint32_t a_strip) {
    const size_t of_strip =
        3 * sizeof(codec::RowSum) + a_strip * sizeof(uint64_t) + sizeof(uint32_t);
    return (sizeof(OfBand) + strips * of_strip + 15) / 16 * 16;
  }

  prepress::Protection* protection() { return &band_in(on_gpu_.data())->protection; }
  uint64_t* linework_px() { return &band_in(on_gpu_.data())->linework_px; }
  OfStrips strips() { return strips_in(on_gpu_.data()); }

  void clear(cudaStream_t stream) {
    gpu::check(cudaMemsetAsync(on_gpu_.data(), 0, on_gpu_.size(), stream), "clearing counts");
  }
  void fetch(cudaStream_t stream) {
    gpu::check(
        cudaMemcpyAsync(on_host_, on_gpu_.data(), on_gpu_.size(), cudaMemcpyDeviceToHost, stream),
        "fetching counts");
  }
  /// After the fetch.
  void read(prepress::Overlay overlay, Strips& strips) const {
    const OfBand& band = *band_in(on_host_);
    strips.protection = band.protection;
    const bool is_printed = overlay == prepress::Overlay::kPrint;
    const bool is_knocked_out = overlay == prepress::Overlay::kKnockOut;
    strips.linework = {is_printed ? band.linework_px : 0, is_knocked_out ? band.linework_px : 0};
    const OfStrips counted = strips_in(on_host_);
    for (size_t i = 0; i < strips.strips.size(); ++i) {
      StripFacts& strip = strips.strips[i];
      strip.sum = counted.rows[i];
      strip.coded_sum = counted.coded[i];
      strip.decodes = counted.faults[i] == 0 && counted.decoded[i] == counted.rows[i];
      const uint64_t* pixels = counted.pixels + i * a_strip_;
      if (a_strip_ == 1) {
        strip.ink_px = *pixels;
      } else {
        strip.value_px.assign(pixels, pixels + a_strip_);
      }
    }
  }

 private:
  static OfBand* band_in(std::byte* memory) { return reinterpret_cast<OfBand*>(memory); }
  OfStrips strips_in(std::byte* memory) const {
    auto* sums = reinterpret_cast<codec::RowSum*>(memory + sizeof(OfBand));
    auto* pixels = reinterpret_cast<uint64_t*>(sums + 3 * strips_);
    return {sums,
            sums + strips_,
            sums + 2 * strips_,
            pixels,
            reinterpret_cast<uint32_t*>(pixels + strips_ * a_strip_)};
  }

  size_t strips_, a_strip_;
  gpu::Memory on_gpu_;
  std::byte* on_host_;
};

/// A band on the GPU, and how far it is.
struct Slot {
  Slot(gpu::Device device,
       size_t page_bytes,
       size_t linework_words,
       size_t word_count,
       size_t coded_bytes,
       uint32_t strips,
       uint32_t counts_of_strip,
       std::byte* on_host)
      : page(device, page_bytes),
        linework(device, linework_words),
        words(device, word_count),
        coded(device, coded_bytes),
        index(reinterpret_cast<codec::CodedIndex*>(on_host)),
        counts(device, strips, counts_of_strip, on_host + kIndexBytes) {}

  /// Bytes of page-locked memory that a slot needs. Locking is slow, so the slots share one piece.
  static size_t host_bytes(uint32_t strips, uint32_t counts_of_strip) {
    return kIndexBytes + Counts::bytes(strips, counts_of_strip);
  }

  gpu::Memory page;               ///< samples, as they went up
  gpu::Array<uint32_t> linework;  ///< rows as the plate's; empty where the plate keeps all its bits
  gpu::Array<uint32_t> words;     ///< finished rows
  gpu::Memory coded;              ///< strips behind their index; empty where they come down raw
  codec::CodedIndex* index;       ///< of the strips, once they are down
  Counts counts;
  gpu::Event uploaded, worked, finished, downloaded;

 private:
  static constexpr size_t kIndexBytes = (sizeof(codec::CodedIndex) + 15) / 16 * 16;
};

class GpuPlane final : public Plane {
 public:
  GpuPlane(const HalftonerTraits& traits,
           const gpu::MethodOnGpu& method,
           const PlaneSettings& settings)
      : lease_(*method.context),
        device_(lease_.device()),
        settings_(settings),
        needed_(settings),
        context_rows_(traits.context_rows),
        bits_per_px_(traits.bits_per_px),
        curve_(device_),
        upload_(device_),
        work_(device_),
        download_(device_) {
    const uint32_t band_rows = settings.band_rows;
    const size_t plate_rows = size_t{band_rows} + 2 * size_t{context_rows_};
    if (settings.scaling) {
      scale_.emplace(device_, settings.page_width_px, settings.page_height_px, *settings.scaling);
      scaled_ = {device_, gpu::sample_pitch(size_t{settings.width_px} * 2) * plate_rows};
    }
    if (settings.finish.mirror) halftoned_ = {device_, size_t{row_words()} * band_rows};
    if (settings.coding == Coding::kT6) {
      workspace_ = {device_, codec::fax_workspace_bytes(settings.width_px, band_rows)};
    }
    const uint32_t counts_of_strip = counts_of(bits_per_px_);
    const size_t facts_bytes = Slot::host_bytes(strips_of(band_rows), counts_of_strip);
    const size_t slots = std::min<size_t>(kSlots, (settings.height_px - 1) / band_rows + 1);
    facts_ = gpu::PinnedMemory(slots * facts_bytes, *device_.context);
    for (size_t i = 0; i < slots; ++i) {
      slots_.push_back(std::make_unique<Slot>(device_,
                                              page_pitch() * most_page_rows(),
                                              lays_over() ? size_t{row_words()} * band_rows : 0,
                                              (size_t{row_words()} * band_rows + 3) / 4 * 4,
                                              settings.coding == Coding::kT6 ? memory_bytes() : 0,
                                              strips_of(band_rows),
                                              counts_of_strip,
                                              facts_.data() + i * facts_bytes));
    }
    if (settings.picture) picture_.emplace(device_, *settings.picture, work_);
    const uint32_t rows = std::min(band_rows, settings.height_px);
    schedule_.emplace(
        method.make_schedule(device_, settings.width_px, rows), device_, settings.width_px);
  }

  size_t memory_bytes() const override { return coded_bytes(settings_.band_rows); }

  void start(const BandInput& in,
             const ToneCurve& curve,
             std::span<std::byte> memory,
             Strips& strips,
             Halftoner::Done done) override {
    try {
      if (failure_) std::rethrow_exception(failure_);
      MZ_ASSERT(in.rows <= settings_.band_rows && memory.size() >= memory_bytes());
      MZ_ASSERT(!lays_over() || in.linework.rows == in.rows);
      gpu::use(device_);
      Slot& slot = *slots_[next_slot_];
      next_slot_ = (next_slot_ + 1) % slots_.size();
      queue(slot, in, curve, memory);
      const auto pass_on = [this, &slot, memory, &strips, first = in.first, rows = in.rows, done](
                               const std::exception_ptr& error) {
        if (!error) read(slot, memory, first, rows, strips);
        done(error);
      };
      gpu::call_when_complete(download_, pass_on);
    } catch (...) {
      failure_ = std::current_exception();
      drain();
      done(failure_);
    }
  }

  PictureSums picture() override {
    gpu::use(device_);
    return picture_->fetch(work_);
  }

 private:
  uint32_t row_bits() const { return settings_.width_px * bits_per_px_; }
  uint32_t row_words() const { return (row_bits() + 31) / 32; }
  bool lays_over() const { return settings_.overlay != prepress::Overlay::kKeep; }
  uint32_t strips_of(uint32_t rows) const {
    return (rows + settings_.rows_per_strip - 1) / settings_.rows_per_strip;
  }
  size_t page_pitch() const {
    return gpu::sample_pitch(size_t{settings_.page_width_px} * settings_.bytes_per_sample);
  }
  /// Room for coded strips behind their index, of no more than the rows take; a multiple of 16.
  size_t coded_bytes(uint32_t rows) const {
    const size_t raw = size_t{row_words()} * sizeof(uint32_t) * rows;
    const size_t index = codec::index_bytes(rows, settings_.rows_per_strip);
    return (raw + index + 15) / 16 * 16;
  }

  /// Rows of the plate that a band is made of, and of the page that those are made of.
  struct Context {
    uint32_t above, below;
  };
  Context context_of(uint32_t first, uint32_t rows) const {
    return {std::min(first, context_rows_),
            std::min(settings_.height_px - first - rows, context_rows_)};
  }
  prepress::SampleRange page_rows(uint32_t first, uint32_t rows) const {
    const auto [above, below] = context_of(first, rows);
    return needed_(first - above, above + rows + below);
  }
  uint32_t most_page_rows() const {
    uint32_t most = 0;
    for (uint32_t first = 0; first < settings_.height_px; first += settings_.band_rows) {
      const uint32_t rows = std::min(settings_.band_rows, settings_.height_px - first);
      most = std::max(most, page_rows(first, rows).count);
    }
    return most;
  }

  void queue(Slot& slot, const BandInput& in, const ToneCurve& curve, std::span<std::byte> memory) {
    curve_.take(curve, work_);
    const prepress::SampleRange range = page_rows(in.first, in.rows);
    slot.worked.hold_back(upload_.get());  // the rows of the band before have been read
    upload(slot, in.page.rows_of_page(range.first, range.count));
    if (lays_over()) upload(slot, in.linework);
    slot.uploaded.record(upload_.get());
    slot.uploaded.hold_back(work_.get());
    slot.downloaded.hold_back(work_.get());  // the strips before these have been fetched
    slot.counts.clear(work_.get());
    const gpu::DeviceBand band = band_of(slot, in.page, in.first, in.rows, range);
    schedule_->enqueue(band, work_.get(), on_round);
    finish(slot, band);
    send(slot, band, memory);
    slot.downloaded.record(download_.get());
  }

  void upload(Slot& slot, const SampleBand& rows) {
    const size_t row_bytes = size_t{rows.width_px} * rows.bytes_per_sample;
    gpu::check(cudaMemcpy2DAsync(slot.page.data(),
                                 page_pitch(),
                                 rows.data,
                                 rows.stride_bytes,
                                 row_bytes,
                                 rows.rows,
                                 cudaMemcpyHostToDevice,
                                 upload_.get()),
               "sending samples");
  }

  void upload(Slot& slot, const BitBand& linework) {
    gpu::check(cudaMemcpy2DAsync(slot.linework.data(),
                                 sizeof(uint32_t) * row_words(),
                                 linework.data,
                                 linework.stride_bytes,
                                 bit_row_bytes(linework.width_px),
                                 linework.rows,
                                 cudaMemcpyHostToDevice,
                                 upload_.get()),
               "sending line work");
  }

  /// The band for the schedule, its samples at the plate's resolution.
  gpu::DeviceBand band_of(Slot& slot,
                          const SampleBand& page,
                          uint32_t first,
                          uint32_t rows,
                          prepress::SampleRange range) {
    const auto [above, below] = context_of(first, rows);
    const std::byte* samples = slot.page.data();
    size_t pitch = page_pitch();
    if (scale_) {
      pitch = gpu::sample_pitch(size_t{settings_.width_px} * 2);
      scale_->enqueue({reinterpret_cast<const uint16_t*>(slot.page.data()),
                       page_pitch() / 2,
                       range.first,
                       range.count},
                      {reinterpret_cast<uint16_t*>(scaled_.data()),
                       pitch / 2,
                       first - above,
                       above + rows + below},
                      work_.get());
      samples = scaled_.data();
    }
    return {.samples = samples + above * pitch,
            .pitch_bytes = pitch,
            .tones = curve_.data(),
            .words = halftoned_.size() > 0 ? halftoned_.data() : slot.words.data(),
            .above = nullptr,  // the schedule's own
            .below = nullptr,
            .width_px = settings_.width_px,
            .rows = rows,
            .first_row = first,
            .plane = page.plane,
            .texture = page.texture,
            .tile = gpu::texture_tile(device_),
            .bytes_per_sample = settings_.scaling ? 2 : page.bytes_per_sample,
            .rows_above = above,
            .rows_below = below,
            .tone_count = curve_.size(),
            .bits_per_px = bits_per_px_};
  }

  /// From the halftoner's bits to the plate's.
  void finish(Slot& slot, const gpu::DeviceBand& band) {
    if (settings_.protect.any()) {
      enqueue_protect(band, settings_.protect, slot.counts.protection(), work_.get());
    }
    if (lays_over()) {
      enqueue_lay_over(
          band, settings_.overlay, slot.linework.data(), slot.counts.linework_px(), work_.get());
    }
    enqueue_finish({band.words,
                    slot.words.data(),
                    band.width_px,
                    band.rows,
                    settings_.rows_per_strip,
                    bits_per_px_},
                   settings_.finish,
                   slot.counts.strips().pixels,
                   work_.get());
    if (picture_) picture_->enqueue(band, slot.words.data(), work_.get());
    slot.worked.record(work_.get());  // all that went up has been read
    sum_rows(slot, band, slot.counts.strips().rows);
  }

  void sum_rows(const Slot& slot, const gpu::DeviceBand& band, codec::RowSum* sums) {
    codec::enqueue_row_sums(
        rows_of(slot, band), settings_.rows_per_strip, sums, device_, work_.get());
  }

  codec::DeviceRows rows_of(const Slot& slot, const gpu::DeviceBand& band) const {
    return {slot.words.data(), row_bits(), band.rows, row_words(), band.first_row};
  }

  /// Codes the rows, and queues their way down.
  void send(Slot& slot, const gpu::DeviceBand& band, std::span<std::byte> memory) {
    const codec::DeviceRows rows = rows_of(slot, band);
    const bool is_coded = settings_.coding == Coding::kT6;
    const codec::CodedMemory coded = {slot.coded.data(), coded_bytes(band.rows)};
    if (is_coded) {
      codec::enqueue_fax(
          rows, settings_.rows_per_strip, workspace_.data(), coded, device_, work_.get());
      codec::enqueue_byte_sums(
          coded, strips_of(band.rows), slot.counts.strips().coded, device_, work_.get());
      if (settings_.decodes) decode(slot, band, coded);
    }
    slot.finished.record(work_.get());
    slot.finished.hold_back(download_.get());
    const size_t raw_bytes = sizeof(uint32_t) * row_words() * band.rows;
    if (is_coded) {
      enqueue_send(coded, {slot.words.data(), raw_bytes}, memory.data(), download_.get());
      gpu::check(cudaMemcpyAsync(slot.index,
                                 slot.coded.data(),
                                 sizeof(codec::CodedIndex),
                                 cudaMemcpyDeviceToHost,
                                 download_.get()),
                 "fetching strips");
    } else {
      gpu::check(
          cudaMemcpyAsync(
              memory.data(), slot.words.data(), raw_bytes, cudaMemcpyDeviceToHost, download_.get()),
          "fetching rows");
    }
    slot.counts.fetch(download_.get());
  }

  /// Checks that the coded bytes are those of the rows, and that the rows are still those that were
  /// summed: damage to either since then shows.
  void decode(Slot& slot, const gpu::DeviceBand& band, const codec::CodedMemory& coded) {
    codec::enqueue_fax_check(rows_of(slot, band),
                             settings_.rows_per_strip,
                             workspace_.data(),
                             coded,
                             slot.counts.strips().faults,
                             device_,
                             work_.get());
    sum_rows(slot, band, slot.counts.strips().decoded);
  }

  /// Once all is there.
  void read(const Slot& slot,
            std::span<std::byte> memory,
            uint32_t first,
            uint32_t rows,
            Strips& strips) const {
    strips.strips.assign(strips_of(rows), {});
    slot.counts.read(settings_.overlay, strips);
    strips.rows = {};
    if (settings_.coding == Coding::kRaw || slot.index->bytes > coded_bytes(rows)) {
      strips.rows = {reinterpret_cast<uint8_t*>(memory.data()),
                     settings_.width_px,
                     rows,
                     size_t{row_words()} * sizeof(uint32_t),
                     first,
                     bits_per_px_};
      for (StripFacts& strip : strips.strips) strip.decodes = false;
      return;
    }
    const auto* places =
        reinterpret_cast<const codec::CodedStrip*>(memory.data() + sizeof(codec::CodedIndex));
    for (size_t i = 0; i < strips.strips.size(); ++i) {
      strips.strips[i].coded = memory.subspan(places[i].offset, places[i].bytes);
      strips.strips[i].decodes &= settings_.decodes;
    }
  }

  void drain() {
    for (const gpu::Stream* stream : {&upload_, &work_, &download_}) {
      (void)cudaStreamSynchronize(stream->get());
    }
  }

  gpu::DeviceLease lease_;
  gpu::Device device_;
  PlaneSettings settings_;
  RowsNeeded needed_;
  uint32_t context_rows_, bits_per_px_;
  gpu::CurveOnGpu curve_;
  std::optional<prepress::ScaleOnGpu> scale_;
  gpu::Memory scaled_;              ///< samples at the plate's resolution
  gpu::Array<uint32_t> halftoned_;  ///< rows to be mirrored
  gpu::Memory workspace_;           ///< of the coder
  std::optional<PictureOnGpu> picture_;
  gpu::PinnedMemory facts_;  ///< of the slots
  std::vector<std::unique_ptr<Slot>> slots_;
  std::optional<gpu::ScheduleWithSums> schedule_;
  size_t next_slot_ = 0;
  std::exception_ptr failure_;            ///< of an earlier band
  gpu::Stream upload_, work_, download_;  ///< last: they go first, and wait for their work
};

}  // namespace

std::unique_ptr<Plane> make_plane(const Halftoner& halftoner, const PlaneSettings& settings) {
  MZ_ASSERT(settings.band_rows > 0 && settings.band_rows % settings.rows_per_strip == 0);
  MZ_ASSERT(!settings.scaling || settings.bytes_per_sample == 2);
  const HalftonerTraits traits = halftoner.traits();
  const uint32_t own_rows = traits.band_rows;
  MZ_ASSERT(own_rows == 0 || settings.band_rows >= settings.height_px ||
            settings.band_rows % own_rows == 0);
  const gpu::MethodOnGpu* method = halftoner.on_gpu();
  if (method == nullptr) return nullptr;
  MZ_ASSERT(traits.bits_per_px == 1 ||
            (!settings.protect.any() && settings.overlay == prepress::Overlay::kKeep &&
             settings.coding == Coding::kRaw));
  try {
    return std::make_unique<GpuPlane>(traits, *method, settings);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kOutOfMemory) throw;
    return nullptr;
  }
}

}  // namespace mezzo::device_chain
