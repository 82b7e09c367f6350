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
#include "kernels/device_chain/slot.cuh"
#include "kernels/gpu/context.h"
#include "kernels/gpu/device.cuh"
#include "kernels/gpu/gpu_halftoner.cuh"
#include "kernels/gpu/plane_parts.cuh"
#include "kernels/gpu/planes_on_gpu.cuh"
#include "kernels/prepress/gpu/gpu_edges.cuh"
#include "kernels/prepress/gpu/gpu_levels.cuh"
#include "kernels/prepress/gpu/gpu_scale.cuh"
#include "kernels/prepress/scale.h"

namespace mezzo::device_chain {
namespace {

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

/// Rows or strips on their way down.
struct Coming {
  const Slot* slot;
  std::span<std::byte> memory;
  uint32_t first, rows;
};

/// Three streams carry planes, as they do those that come down as bits (kernels/gpu/gpu_halftoner.cpp):
/// rows up, work, strips down.
struct Streams {
  explicit Streams(gpu::Device device) : upload(device), work(device), download(device) {}

  /// Waits for all that is queued; failures have been reported.
  void drain() const {
    for (const gpu::Stream* stream : {&upload, &work, &download}) {
      (void)cudaStreamSynchronize(stream->get());
    }
  }

  gpu::Stream upload, work, download;
};

/// The bands of one ink, before and after its halftoner. The streams outlive its use.
class InkChain {
 public:
  InkChain(gpu::Device device,
           const HalftonerTraits& traits,
           const PlaneSettings& settings,
           const Streams& streams)
      : device_(device),
        settings_(settings),
        needed_(settings),
        context_rows_(traits.context_rows),
        bits_per_px_(traits.bits_per_px),
        curve_(device_),
        upload_(streams.upload),
        work_(streams.work),
        download_(streams.download) {
    const uint32_t band_rows = settings.band_rows;
    const size_t plate_rows = size_t{band_rows} + 2 * size_t{context_rows_};
    if (settings.scaling) {
      make_scaling(*settings.scaling);
      scaled_ = {device_, gpu::sample_pitch(size_t{settings.width_px} * 2) * plate_rows};
      if (!settings.levels.empty()) {
        levels_ = gpu::on_gpu<uint16_t>(device_, settings.levels, "sending the levels of samples");
        inks_ = {device_, ink15_pitch() * most_page_rows() * planes_sent()};
      }
    }
    if (settings.finish.mirror) halftoned_ = {device_, size_t{row_words()} * band_rows};
    if (settings.coding == Coding::kT6) {
      workspace_ = {device_, codec::fax_workspace_bytes(settings.width_px, band_rows)};
    }
    make_slots();
    if (settings.picture) picture_.emplace(device_, *settings.picture, work_);
  }

  size_t memory_bytes() const { return coded_bytes(settings_.band_rows); }

  /// Queues the way up, to samples of the plate's resolution. The halftoner, which fills the words of
  /// the band, is queued before end().
  gpu::DeviceBand begin(const BandInput& in, const ToneCurve& curve) {
    MZ_ASSERT(in.rows <= settings_.band_rows);
    MZ_ASSERT(!lays_over() || in.linework.rows == in.rows);
    slot_ = slots_[next_slot_].get();
    next_slot_ = (next_slot_ + 1) % slots_.size();
    curve_.take(curve, work_);
    const prepress::SampleRange range = page_rows(in.first, in.rows);
    slot_->worked.hold_back(upload_.get());  // the rows of the band before have been read
    if (planes_sent() == 1) {
      upload(*slot_, 0, in.page.rows_of_page(range.first, range.count));
    } else {
      MZ_ASSERT(in.planes.size() == planes_sent());
      for (uint32_t i = 0; i < planes_sent(); ++i) {
        upload(*slot_, i, in.planes[i].rows_of_page(range.first, range.count));
      }
    }
    if (lays_over()) upload(*slot_, in.linework);
    slot_->uploaded.record(upload_.get());
    slot_->uploaded.hold_back(work_.get());
    slot_->downloaded.hold_back(work_.get());  // the strips before these have been fetched
    slot_->counts.clear(work_.get());
    return band_of(*slot_, in.page, in.first, in.rows, range);
  }

  /// Queues the way from the bits of that band to strips.
  Coming end(const gpu::DeviceBand& band, std::span<std::byte> memory) {
    MZ_ASSERT(memory.size() >= memory_bytes());
    finish(*slot_, band);
    send(*slot_, band, memory);
    slot_->downloaded.record(download_.get());
    return {slot_, memory, band.first_row, band.rows};
  }

  /// Once all is there.
  void read(const Coming& coming, Strips& strips) const {
    const auto& [slot, memory, first, rows] = coming;
    strips.strips.assign(strips_of(rows), {});
    slot->counts.read(settings_.overlay, strips);
    strips.rows = {};
    if (settings_.coding == Coding::kRaw || slot->index->bytes > coded_bytes(rows)) {
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

  PictureSums picture() { return picture_->fetch(work_); }

 private:
  uint32_t row_bits() const { return settings_.width_px * bits_per_px_; }
  uint32_t row_words() const { return (row_bits() + 31) / 32; }
  bool lays_over() const { return settings_.overlay != prepress::Overlay::kKeep; }
  uint32_t strips_of(uint32_t rows) const {
    return (rows + settings_.rows_per_strip - 1) / settings_.rows_per_strip;
  }
  /// Planes that go up for this one.
  uint32_t planes_sent() const { return edges_ ? settings_.planes : 1; }
  size_t page_pitch() const {
    return gpu::sample_pitch(size_t{settings_.page_width_px} * settings_.bytes_per_sample);
  }
  /// Bytes from row to row of the page, after its samples became ink15.
  size_t ink15_pitch() const { return gpu::sample_pitch(size_t{settings_.page_width_px} * 2); }
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

  void make_scaling(const prepress::Scaling& scaling) {
    const uint32_t width_px = settings_.page_width_px, height_px = settings_.page_height_px;
    if (scaling.filter == prepress::ScaleFilter::kEdges) {
      edges_.emplace(
          device_,
          prepress::EdgesOnGpu::Page{width_px, height_px, settings_.planes, most_page_rows()},
          scaling,
          settings_.plane);
    } else {
      scale_.emplace(device_, width_px, height_px, scaling);
    }
  }

  void make_slots() {
    const uint32_t band_rows = settings_.band_rows;
    const uint32_t counts_of_strip = counts_of(bits_per_px_);
    const size_t facts_bytes = Slot::host_bytes(strips_of(band_rows), counts_of_strip);
    const size_t slots = std::min<size_t>(kSlots, (settings_.height_px - 1) / band_rows + 1);
    facts_ = gpu::PinnedMemory(slots * facts_bytes, *device_.context);
    for (size_t i = 0; i < slots; ++i) {
      slots_.push_back(std::make_unique<Slot>(device_,
                                              page_pitch() * most_page_rows() * planes_sent(),
                                              lays_over() ? size_t{row_words()} * band_rows : 0,
                                              (size_t{row_words()} * band_rows + 3) / 4 * 4,
                                              settings_.coding == Coding::kT6 ? memory_bytes() : 0,
                                              strips_of(band_rows),
                                              counts_of_strip,
                                              facts_.data() + i * facts_bytes));
    }
  }

  /// Plane `index` of those that go up.
  void upload(Slot& slot, uint32_t index, const SampleBand& rows) {
    const size_t row_bytes = size_t{rows.width_px} * rows.bytes_per_sample;
    gpu::check(cudaMemcpy2DAsync(slot.page.data() + index * page_pitch() * rows.rows,
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
    if (levels_.size() > 0) {
      const uint32_t page_rows = range.count * planes_sent();
      prepress::enqueue_levels({samples, pitch, settings_.page_width_px, page_rows},
                               levels_.data(),
                               {inks_.data(), ink15_pitch()},
                               work_.get());
      samples = inks_.data();
      pitch = ink15_pitch();
    }
    if (settings_.scaling) {
      const size_t page_samples = pitch / 2;
      pitch = gpu::sample_pitch(size_t{settings_.width_px} * 2);
      scale({reinterpret_cast<const uint16_t*>(samples),
             page_samples,
             range.first,
             range.count,
             settings_.page_width_px,
             settings_.page_height_px,
             planes_sent()},
            {reinterpret_cast<uint16_t*>(scaled_.data()),
             pitch / 2,
             first - above,
             above + rows + below});
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

  void scale(const prepress::EdgePage& page, const prepress::DeviceRows<uint16_t>& plate) {
    if (edges_) return edges_->enqueue(page, plate, work_.get());
    scale_->enqueue(page.plane(0), plate, work_.get());
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

  gpu::Device device_;
  PlaneSettings settings_;
  RowsNeeded needed_;
  uint32_t context_rows_, bits_per_px_;
  gpu::CurveOnGpu curve_;
  gpu::Array<uint16_t> levels_;                ///< PlaneSettings::levels
  gpu::Memory inks_;                           ///< rows of the page as ink15; empty without levels
  std::optional<prepress::ScaleOnGpu> scale_;  ///< one of these, if the plane is scaled
  std::optional<prepress::EdgesOnGpu> edges_;
  gpu::Memory scaled_;              ///< samples at the plate's resolution
  gpu::Array<uint32_t> halftoned_;  ///< rows to be mirrored
  gpu::Memory workspace_;           ///< of the coder
  std::optional<PictureOnGpu> picture_;
  gpu::PinnedMemory facts_;  ///< of the slots
  std::vector<std::unique_ptr<Slot>> slots_;
  Slot* slot_ = nullptr;  ///< between begin() and end()
  size_t next_slot_ = 0;
  const gpu::Stream &upload_, &work_, &download_;
};

/// Inks that are halftoned together, or one.
class GpuPlanes final : public InkPlanes {
 public:
  /// `settings` of each ink; all have plates of one size.
  GpuPlanes(const HalftonerTraits& traits,
            const gpu::InksOnGpu& method,
            std::span<const PlaneSettings> settings)
      : lease_(*method.context), device_(lease_.device()), streams_(device_) {
    for (const PlaneSettings& of_ink : settings) {
      chains_.push_back(std::make_unique<InkChain>(device_, traits, of_ink, streams_));
    }
    const PlaneSettings& first = settings.front();
    uint32_t rows = 0;
    for (const PlaneSettings& of_ink : settings) rows = std::max(rows, of_ink.band_rows);
    schedule_ = method.make_schedule(device_,
                                     first.width_px,
                                     std::min(rows, first.height_px),
                                     static_cast<uint32_t>(settings.size()));
  }

  size_t memory_bytes() const override {
    size_t most = 0;
    for (const auto& chain : chains_) most = std::max(most, chain->memory_bytes());
    return most;
  }

  void start(std::span<const InkBand> inks, Halftoner::Done done) override {
    try {
      if (failure_) std::rethrow_exception(failure_);
      MZ_ASSERT(inks.size() == chains_.size());
      gpu::use(device_);
      std::vector<gpu::DeviceBand> bands;
      for (size_t i = 0; i < inks.size(); ++i) {
        bands.push_back(chains_[i]->begin(inks[i].in, *inks[i].curve));
      }
      schedule_->on_round = on_round;
      schedule_->enqueue(bands, streams_.work.get());
      std::vector<std::pair<Coming, Strips*>> coming;
      for (size_t i = 0; i < inks.size(); ++i) {
        coming.emplace_back(chains_[i]->end(bands[i], inks[i].memory), inks[i].strips);
      }
      const auto pass_on =
          [this, coming = std::move(coming), done](const std::exception_ptr& error) {
            for (size_t i = 0; !error && i < coming.size(); ++i) {
              chains_[i]->read(coming[i].first, *coming[i].second);
            }
            done(error);
          };
      gpu::call_when_complete(streams_.download, pass_on);
    } catch (...) {
      failure_ = std::current_exception();
      streams_.drain();
      done(failure_);
    }
  }

  PictureSums picture(uint32_t ink) override {
    gpu::use(device_);
    return chains_[ink]->picture();
  }

 private:
  gpu::DeviceLease lease_;
  gpu::Device device_;
  std::vector<std::unique_ptr<InkChain>> chains_;
  std::unique_ptr<gpu::InksSchedule> schedule_;
  std::exception_ptr failure_;  ///< of an earlier band
  Streams streams_;             ///< last: they go first, and wait for their work
};

/// An ink alone.
class GpuPlane final : public Plane {
 public:
  explicit GpuPlane(std::unique_ptr<InkPlanes> planes) : planes_(std::move(planes)) {}

  size_t memory_bytes() const override { return planes_->memory_bytes(); }
  void start(const BandInput& in,
             const ToneCurve& curve,
             std::span<std::byte> memory,
             Strips& strips,
             Halftoner::Done done) override {
    planes_->on_round = on_round;
    const InkBand band = {in, &curve, memory, &strips};
    planes_->start({&band, 1}, std::move(done));
  }
  PictureSums picture() override { return planes_->picture(0); }

 private:
  std::unique_ptr<InkPlanes> planes_;
};

/// Null where the GPU has no room.
std::unique_ptr<InkPlanes> make_planes(const HalftonerTraits& traits,
                                       const gpu::InksOnGpu& method,
                                       std::span<const PlaneSettings> settings) {
  for (const PlaneSettings& of_ink : settings) {
    const uint32_t own_rows = traits.band_rows;
    MZ_ASSERT(of_ink.band_rows > 0 && of_ink.band_rows % of_ink.rows_per_strip == 0);
    MZ_ASSERT(!of_ink.scaling || of_ink.bytes_per_sample == (of_ink.levels.empty() ? 2 : 1));
    MZ_ASSERT(of_ink.scaling || of_ink.levels.empty());
    MZ_ASSERT(of_ink.plane < of_ink.planes);
    MZ_ASSERT(own_rows == 0 || of_ink.band_rows >= of_ink.height_px ||
              of_ink.band_rows % own_rows == 0);
    MZ_ASSERT(traits.bits_per_px == 1 ||
              (!of_ink.protect.any() && of_ink.overlay == prepress::Overlay::kKeep &&
               of_ink.coding == Coding::kRaw));
  }
  try {
    return std::make_unique<GpuPlanes>(traits, method, settings);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kOutOfMemory) throw;
    return nullptr;
  }
}

}  // namespace

std::unique_ptr<Plane> make_plane(const Halftoner& halftoner, const PlaneSettings& settings) {
  const gpu::MethodOnGpu* method = halftoner.on_gpu();
  if (method == nullptr) return nullptr;
  const auto make = [method](gpu::Device device, uint32_t width_px, uint32_t max_rows, uint32_t) {
    return gpu::one_plane(method->make_schedule(device, width_px, max_rows), device, width_px);
  };
  auto planes = make_planes(halftoner.traits(), {make, method->context}, {&settings, 1});
  return planes == nullptr ? nullptr : std::make_unique<GpuPlane>(std::move(planes));
}

std::unique_ptr<InkPlanes> make_ink_planes(const together::InksHalftoner& halftoner,
                                           std::span<const PlaneSettings> settings) {
  const gpu::InksOnGpu* method = halftoner.on_gpu();
  if (method == nullptr) return nullptr;
  return make_planes(halftoner.traits(), *method, settings);
}

}  // namespace mezzo::device_chain
