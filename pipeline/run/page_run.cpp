#include "pipeline/run/page_run.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <future>

#include "kernels/band/coverage.h"
#include "stages/tiff/plate/encode.h"

namespace mezzo::run {
namespace {

uint64_t ink_of(const BitBand& rows) {
  // Padding bits are 0, so whole bytes can be counted.
  uint64_t ink = 0;
  const size_t bytes = bit_row_bytes(rows.width_px);
  for (uint32_t i = 0; i < rows.rows; ++i) {
    const uint8_t* row = rows.row(i);
    size_t at = 0;
    for (; at + 8 <= bytes; at += 8) {
      uint64_t eight;
      std::memcpy(&eight, row + at, 8);
      ink += static_cast<uint64_t>(std::popcount(eight));
    }
    for (; at < bytes; ++at) ink += static_cast<uint64_t>(std::popcount(row[at]));
  }
  return ink;
}

/// Adds the pixels of each level.
void count_levels(const BitBand& rows, std::vector<uint64_t>& counts) {
  for (uint32_t i = 0; i < rows.rows; ++i) {
    for (uint32_t x = 0; x < rows.width_px; ++x) ++counts[rows.level(x, i)];
  }
}

/// Ends a search of a page that has failed elsewhere; the page's error is that failure.
struct GivenUp {};

}  // namespace

PageRun::PageRun(const PageInfo& info,
                 const plan::BandPlan& bands,
                 ToneCurve curve,
                 tiff::PageReader& reader,
                 std::vector<PlaneRun> planes,
                 const PageOutputs& outputs,
                 BitReader* linework)
    : info_(info),
      bands_(bands),
      curve_(std::move(curve)),
      planes_(std::move(planes)),
      preview_(outputs.preview),
      linework_(linework),
      times_(outputs.timeline) {
  MZ_ASSERT(planes_.size() == info_.inks.size());
  MZ_ASSERT(bands_.rows > 0 && bands_.in_flight > 0);
  uint32_t context_rows = 0;
  for (uint32_t index = 0; index < planes_.size(); ++index) {
    PlaneRun& plane = planes_[index];
    plane.state = plane.halftoner->make_state(info_.width_px);
    if (plane.state) {
      plane.state->on_round =
          [this, index, on_round = outputs.on_round](const RoundReport& report) {
            if (given_up_) throw GivenUp{};
            if (on_round) on_round(index, report);
          };
    }
    protected_.emplace_back(curve_of(plane), plane.protect);
    const HalftonerTraits traits = plane.halftoner->traits();
    if (traits.on_device) buffer_use_ = BufferUse::kDevice;
    context_rows = std::max(context_rows, traits.context_rows);
  }
  reader_ = std::make_unique<BandReader>(info_, reader, bands_.rows, context_rows);
}

PageRun::~PageRun() = default;

bool PageRun::is_on_cpu() const {
  return std::ranges::all_of(planes_,
                             [](const PlaneRun& plane) { return plane.engine == Engine::kCpu; });
}

uint32_t PageRun::band_count() const {
  return (info_.height_px + bands_.rows - 1) / bands_.rows;
}

void PageRun::read_band(uint32_t index, ContoneBand& band, Team& team) {
  const StageTimer timer(times_, Stage::kRead);
  band.index = index;
  band.planes = reader_->read(band.samples, buffer_use_, team);
  MZ_ASSERT(band.planes.front().first_row == index * bands_.rows);
  for (size_t plane = 0; plane < planes_.size(); ++plane) {
    SampleBand& rows = band.planes[plane];
    rows = with_texture(rows, planes_[plane].texture);
    if (preview_ != nullptr) preview_->add_samples(reader_->fresh()[plane]);
  }
  if (linework_ == nullptr) return;
  const uint32_t rows = band.planes.front().rows;
  const size_t row_bytes = bit_row_bytes(info_.width_px);
  band.linework_bits.resize(row_bytes * rows);
  band.linework = {band.linework_bits.data(), info_.width_px, rows, row_bytes, index * bands_.rows};
  linework_->read(band.linework, team);
}

BandMemory PageRun::take_bits(PlaneRun& plane) {
  {
    const std::lock_guard lock(spare_mutex_);
    if (!plane.spare_bits.empty()) {
      BandMemory memory = std::move(plane.spare_bits.back());
      plane.spare_bits.pop_back();
      return memory;
    }
  }
  return {bit_row_bytes(info_.width_px, plane.page.bits_per_px) * bands_.rows, buffer_use_};
}

void PageRun::halftone(uint32_t index, const ContoneBand& band, Team& team, Halftoned done) {
  PlaneRun& plane = planes_[index];
  const SampleBand& in = band.planes[index];
  auto bits = std::make_shared<BitRows>(BitRows{index, take_bits(plane), {}});
  bits->rows = {reinterpret_cast<uint8_t*>(bits->memory.data()),
                info_.width_px,
                in.rows,
                bit_row_bytes(info_.width_px, plane.page.bits_per_px),
                in.first_row,
                plane.page.bits_per_px};
  // The GPU's part does not count as time of this thread.
  const StageTimer timer(times_, Stage::kHalftone);
  const bool on_device = plane.halftoner->traits().on_device;
  const auto begin = StageTimes::Clock::now();
  auto pass_on =
      [this, bits, on_device, begin, done = std::move(done)](const std::exception_ptr& error) {
        if (on_device) times_.add(Stage::kDevice, begin, StageTimes::Clock::now());
        done(std::move(*bits), error);
      };
  plane.halftoner->start(
      in, curve_of(plane), bits->rows, plane.state.get(), team, std::move(pass_on));
}

void PageRun::split_into_strips(const ContoneBand& band,
                                BitRows bits,
                                const std::function<void(std::unique_ptr<Strip>)>& done) {
  const StageTimer timer(times_, Stage::kCut);
  const uint32_t index = bits.plane;
  PlaneRun& plane = planes_[index];
  const BitBand& in = bits.rows;
  if (plane.protect.any()) plane.protection += protected_[index].protect(band.planes[index], in);
  if (linework_ != nullptr) {
    plane.linework += prepress::lay_over(plane.overlay, band.linework, in);
  }
  const size_t row_bytes = tiff::row_bytes_of(plane.page);
  for (uint32_t row = 0; row < in.rows;) {
    if (!plane.unfinished) {
      plane.unfinished = std::make_unique<Strip>();
      plane.unfinished->plane = index;
      plane.unfinished->index = plane.next_strip++;
      const uint32_t first_row = plane.unfinished->index * plane.page.rows_per_strip;
      const uint32_t rows = std::min(plane.page.rows_per_strip, info_.height_px - first_row);
      plane.unfinished->raw.resize(row_bytes * rows);
      plane.unfinished->rows = {
          plane.unfinished->raw.data(), info_.width_px, rows, row_bytes, first_row, in.bits_per_px};
    }
    const BitBand& strip = plane.unfinished->rows;
    const uint32_t filled = in.first_row + row - strip.first_row;
    const uint32_t rows = std::min(strip.rows - filled, in.rows - row);
    std::memcpy(strip.row(filled), in.row(row), row_bytes * rows);
    prepress::finish_rows(strip.slice(filled, rows), plane.finish);
    row += rows;
    if (filled + rows == strip.rows) done(std::move(plane.unfinished));
  }
  const std::lock_guard lock(spare_mutex_);
  plane.spare_bits.push_back(std::move(bits.memory));
}

void PageRun::count_ink(PlaneRun& plane, const BitBand& rows) const {
  if (!plane.levels) {
    plane.ink_pixels += static_cast<double>(ink_of(rows));
    return;
  }
  std::vector<uint64_t> counts(size_t{1} << rows.bits_per_px);
  count_levels(rows, counts);
  counts.resize(plane.levels->count);
  plane.drops.resize(plane.levels->count);
  for (uint32_t j = 0; j < plane.levels->count; ++j) {
    plane.drops[j] += counts[j];
    plane.ink_pixels += static_cast<double>(counts[j]) * plane.levels->tones[j] / kSolid;
  }
}

void PageRun::encode(Strip& strip) {
  const StageTimer timer(times_, Stage::kEncode);
  strip.sum = codec::row_sum(strip.rows);
  strip.encoded = tiff::encode_strip(strip.rows, planes_[strip.plane].compression);
}

void PageRun::write_strip(const Strip& strip) {
  const StageTimer timer(times_, Stage::kWrite);
  PlaneRun& plane = planes_[strip.plane];
  count_ink(plane, strip.rows);
  if (preview_ != nullptr) preview_->add_bits(strip.plane, strip.rows);
  plane.plate->write_strip(strip.encoded, {strip.rows.first_row, strip.rows.rows, strip.sum});
}

void SimpleExecutor::run(PageRun& page, const std::function<void(uint64_t)>& on_band) {
  ContoneBand band;
  for (uint32_t index = 0; index < page.band_count(); ++index) {
    page.read_band(index, band, solo_);
    uint64_t pixels = 0;
    for (uint32_t plane = 0; plane < page.plane_count(); ++plane) {
      std::promise<BitRows> halftoned;
      page.halftone(plane, band, solo_, [&](BitRows bits, const std::exception_ptr& error) {
        error ? halftoned.set_exception(error) : halftoned.set_value(std::move(bits));
      });
      page.split_into_strips(band, halftoned.get_future().get(), [&](std::unique_ptr<Strip> strip) {
        page.encode(*strip);
        page.write_strip(*strip);
      });
      pixels += uint64_t{band.planes[plane].width_px} * band.planes[plane].rows;
    }
    on_band(pixels);
  }
}

}  // namespace mezzo::run
