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

/// The pixels of each value.
std::vector<uint64_t> count_values(const BitBand& rows) {
  std::vector<uint64_t> counts(size_t{1} << rows.bits_per_px);
  for (uint32_t i = 0; i < rows.rows; ++i) {
    for (uint32_t x = 0; x < rows.width_px; ++x) ++counts[rows.level(x, i)];
  }
  return counts;
}

void add_memory(Strip& strip) {
  strip.raw.resize(strip.rows.stride_bytes * strip.rows.rows);
  strip.rows.data = strip.raw.data();
}

/// Where a GPU makes strips, a page has one line work at most (plan/gpu_way.h).
BitBand linework_on_device(const ContoneBand& band) {
  return band.linework.empty() ? BitBand() : band.linework.front();
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
                 std::vector<BitReader*> linework,
                 std::optional<PageOnDevice> on_device,
                 std::vector<PlaneGroup> together)
    : info_(info),
      bands_(bands),
      curve_(std::move(curve)),
      planes_(std::move(planes)),
      groups_(std::move(together)),
      on_device_(std::move(on_device)),
      preview_(outputs.preview),
      linework_(std::move(linework)),
      times_(outputs.timeline) {
  MZ_ASSERT(planes_.size() == info_.inks.size());
  MZ_ASSERT(bands_.rows > 0 && bands_.in_flight > 0);
  std::vector<bool> is_grouped(planes_.size());
  for (const PlaneGroup& group : groups_) {
    for (const uint32_t plane : group.planes) is_grouped[plane] = true;
  }
  for (uint32_t index = 0; index < planes_.size(); ++index) {
    const PlaneRun& plane = planes_[index];
    protected_.emplace_back(curve_of(plane), plane.protect);
    if (!is_grouped[index]) groups_.push_back({.planes = {index}});
  }
  for (PlaneGroup& group : groups_) set_up_group(group, outputs);
  if (on_device_) {
    device_reader_ = std::make_unique<RangeReader>(on_device_->page, reader);
  } else {
    reader_ = std::make_unique<BandReader>(info_, reader, bands_.rows, context_rows_);
  }
}

PageRun::~PageRun() = default;

void PageRun::set_up_group(PlaneGroup& group, const PageOutputs& outputs) {
  const uint32_t index = group.planes.front();
  PlaneRun& plane = planes_[index];
  const auto tell = [this, index, on_round = outputs.on_round](const RoundReport& report) {
    if (given_up_) throw GivenUp{};
    if (on_round) on_round(index, report);
  };
  MZ_ASSERT((plane.device || group.device) == on_device_.has_value());
  std::unique_ptr<HalftonerState>& state = group.inks ? group.state : plane.state;
  if (group.device) {
    group.device->on_round = tell;
  } else if (plane.device) {
    plane.device->on_round = tell;
  } else if (group.inks) {
    state = group.inks->make_state(info_.width_px, static_cast<uint32_t>(group.planes.size()));
  } else {
    state = plane.halftoner->make_state(info_.width_px);
  }
  if (state) state->on_round = tell;
  const HalftonerTraits traits = group.inks ? group.inks->traits() : plane.halftoner->traits();
  if (traits.on_device) buffer_use_ = BufferUse::kDevice;
  context_rows_ = std::max(context_rows_, traits.context_rows);
}

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
  band.first_row = index * bands_.rows;
  band.rows = std::min(bands_.rows, info_.height_px - band.first_row);
  if (!linework_.empty()) read_linework(band, team);
  if (on_device_) return read_for_device(band, team);
  band.planes = reader_->read(band.samples, buffer_use_, team);
  MZ_ASSERT(band.planes.front().first_row == band.first_row);
  for (size_t plane = 0; plane < planes_.size(); ++plane) {
    SampleBand& rows = band.planes[plane];
    rows = with_texture(rows, planes_[plane].texture);
    if (preview_ != nullptr) preview_->add_samples(reader_->fresh()[plane]);
  }
}

void PageRun::read_linework(ContoneBand& band, Team& team) {
  const size_t row_bytes = bit_row_bytes(info_.width_px);
  const size_t bytes = row_bytes * std::min(bands_.rows, info_.height_px);
  if (band.linework_bits.size() == 0) {
    band.linework_bits = {linework_.size() * bytes, buffer_use_};
  }
  auto* bits = reinterpret_cast<uint8_t*>(band.linework_bits.data());
  band.linework.clear();
  for (BitReader* reader : linework_) {
    band.linework.push_back({bits, info_.width_px, band.rows, row_bytes, band.first_row});
    reader->read(band.linework.back(), team);
    bits += bytes;
  }
}

/// Of the page that goes up, for rows of the plates. The rows between two bands that neither needs,
/// and those at the end, are read nevertheless: they may be damaged.
prepress::SampleRange PageRun::rows_for_device(uint32_t first, uint32_t rows) const {
  const uint32_t above = std::min(first, context_rows_);
  const uint32_t below = std::min(info_.height_px - first - rows, context_rows_);
  const bool is_last = first + rows == info_.height_px;
  prepress::SampleRange range{first - above, above + rows + below};
  if (on_device_->scale) range = on_device_->scale->rows_needed(range.first, range.count);
  const uint32_t begin = first == 0 ? 0 : range.first;
  const uint32_t end = is_last ? on_device_->page.height_px : range.end();
  return {begin, end - begin};
}

void PageRun::read_for_device(ContoneBand& band, Team& team) {
  prepress::SampleRange range = rows_for_device(band.first_row, band.rows);
  uint32_t keep_from = range.end();
  const uint32_t next = band.first_row + band.rows;
  if (next < info_.height_px) {
    const auto after = rows_for_device(next, std::min(bands_.rows, info_.height_px - next));
    if (after.first > range.end()) range.count = after.first - range.first;
    keep_from = after.first;
  }
  if (range.count > band.samples_rows) {
    band.samples = ContoneBuffer(on_device_->page, range.count, buffer_use_);
    band.samples_rows = range.count;
  }
  const std::vector<MutableSampleBand> rows = band.samples.rows(range.first, range.count);
  device_reader_->read(rows, keep_from, team);
  band.planes.assign(rows.begin(), rows.end());
  for (size_t plane = 0; plane < planes_.size(); ++plane) {
    band.planes[plane] = with_texture(band.planes[plane], planes_[plane].texture);
  }
}

size_t PageRun::bits_bytes(const PlaneGroup& group, uint32_t plane) const {
  if (group.device) return group.device->memory_bytes();
  const PlaneRun& run = planes_[plane];
  return run.device ? run.device->memory_bytes()
                    : bit_row_bytes(info_.width_px, run.page.bits_per_px) * bands_.rows;
}

BandMemory PageRun::take_bits(const PlaneGroup& group, uint32_t index) {
  PlaneRun& plane = planes_[index];
  {
    const std::lock_guard lock(spare_mutex_);
    if (!plane.spare_bits.empty()) {
      BandMemory memory = std::move(plane.spare_bits.back());
      plane.spare_bits.pop_back();
      return memory;
    }
  }
  return {bits_bytes(group, index), buffer_use_};
}

BitRows PageRun::bits_for(const PlaneGroup& group, uint32_t index, const ContoneBand& band) {
  const PlaneRun& plane = planes_[index];
  BitRows bits{index, take_bits(group, index), {}, {}};
  bits.rows = {reinterpret_cast<uint8_t*>(bits.memory.data()),
               info_.width_px,
               band.rows,
               bit_row_bytes(info_.width_px, plane.page.bits_per_px),
               band.first_row,
               plane.page.bits_per_px};
  return bits;
}

void PageRun::halftone(uint32_t index, const ContoneBand& band, Team& team, Halftoned done) {
  PlaneGroup& group = groups_[index];
  auto bits = std::make_shared<std::vector<BitRows>>();
  for (const uint32_t plane : group.planes) bits->push_back(bits_for(group, plane, band));
  PlaneRun& plane = planes_[group.planes.front()];
  // The GPU's part does not count as time of this thread.
  const StageTimer timer(times_, Stage::kHalftone);
  const bool on_device =
      group.inks ? group.inks->traits().on_device : plane.halftoner->traits().on_device;
  const auto begin = StageTimes::Clock::now();
  auto pass_on =
      [this, bits, on_device, begin, done = std::move(done)](const std::exception_ptr& error) {
        if (on_device) times_.add(Stage::kDevice, begin, StageTimes::Clock::now());
        done(std::move(*bits), error);
      };
  if (group.inks) return halftone_together(group, band, bits, team, std::move(pass_on));
  const SampleBand& in = band.planes[group.planes.front()];
  BitRows& out = bits->front();
  if (plane.device) {
    plane.device->start({band.first_row, band.rows, in, linework_on_device(band), band.planes},
                        curve_of(plane),
                        {out.memory.data(), out.memory.size()},
                        out.strips,
                        std::move(pass_on));
    return;
  }
  plane.halftoner->start(
      in, curve_of(plane), out.rows, plane.state.get(), team, std::move(pass_on));
}

void PageRun::halftone_together(PlaneGroup& group,
                                const ContoneBand& band,
                                const std::shared_ptr<std::vector<BitRows>>& bits,
                                Team& team,
                                Halftoner::Done pass_on) {
  struct Lists {
    std::vector<SampleBand> in;
    std::vector<const ToneCurve*> curves;
    std::vector<BitBand> out;
    std::vector<device_chain::InkBand> on_device;
  };
  auto lists = std::make_shared<Lists>();
  for (BitRows& rows : *bits) {
    SampleBand& in = lists->in.emplace_back(band.planes[rows.plane]);
    in.texture = 0;  // the dots lie apart by themselves
    lists->curves.push_back(&curve_of(planes_[rows.plane]));
    lists->out.push_back(rows.rows);
    lists->on_device.push_back(
        {{band.first_row, band.rows, in, linework_on_device(band), band.planes},
         lists->curves.back(),
         {rows.memory.data(), rows.memory.size()},
         &rows.strips});
  }
  auto done = [lists, pass_on = std::move(pass_on)](const std::exception_ptr& error) {
    pass_on(error);
  };
  if (group.device) return group.device->start(lists->on_device, std::move(done));
  group.inks->start(
      {lists->in, lists->curves, lists->out}, group.state.get(), team, std::move(done));
}

/// A strip of the plane after those that it has, without rows yet.
std::unique_ptr<Strip> PageRun::next_strip(uint32_t index) {
  PlaneRun& plane = planes_[index];
  auto strip = std::make_unique<Strip>();
  strip->plane = index;
  strip->index = plane.next_strip++;
  const uint32_t first_row = strip->index * plane.page.rows_per_strip;
  strip->rows = {nullptr,
                 info_.width_px,
                 std::min(plane.page.rows_per_strip, info_.height_px - first_row),
                 tiff::row_bytes_of(plane.page),
                 first_row,
                 plane.page.bits_per_px};
  return strip;
}

void PageRun::pass_on_strips(BitRows bits,
                             const std::function<void(std::unique_ptr<Strip>)>& done) {
  PlaneRun& plane = planes_[bits.plane];
  plane.protection += bits.strips.protection;
  plane.linework += bits.strips.linework;
  uint32_t row = 0;
  for (const device_chain::StripFacts& facts : bits.strips.strips) {
    auto strip = next_strip(bits.plane);
    strip->is_counted = true;
    strip->sums = {facts.sum, facts.coded_sum, facts.decodes && !facts.coded.empty()};
    strip->ink_px = facts.ink_px;
    strip->value_px = facts.value_px;
    strip->encoded.assign(facts.coded.begin(), facts.coded.end());
    if (facts.coded.empty()) {
      add_memory(*strip);
      for (uint32_t i = 0; i < strip->rows.rows; ++i) {
        std::memcpy(strip->rows.row(i), bits.strips.rows.row(row + i), strip->rows.stride_bytes);
      }
    }
    row += strip->rows.rows;
    done(std::move(strip));
  }
}

void PageRun::split_into_strips(const ContoneBand& band,
                                BitRows bits,
                                const std::function<void(std::unique_ptr<Strip>)>& done) {
  const StageTimer timer(times_, Stage::kCut);
  const uint32_t index = bits.plane;
  PlaneRun& plane = planes_[index];
  const BitBand& in = bits.rows;
  if (on_device_) {
    BandMemory memory = std::move(bits.memory);
    pass_on_strips(std::move(bits), done);
    const std::lock_guard lock(spare_mutex_);
    plane.spare_bits.push_back(std::move(memory));
    return;
  }
  if (plane.protect.any()) plane.protection += protected_[index].protect(band.planes[index], in);
  if (!linework_.empty()) {
    plane.linework += prepress::lay_over(plane.overlays, band.linework, in);
  }
  const size_t row_bytes = tiff::row_bytes_of(plane.page);
  for (uint32_t row = 0; row < in.rows;) {
    if (!plane.unfinished) {
      plane.unfinished = next_strip(index);
      add_memory(*plane.unfinished);
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

void PageRun::count_ink(PlaneRun& plane, const Strip& strip) const {
  if (!plane.levels) {
    plane.ink_pixels += static_cast<double>(strip.ink_px);
    return;
  }
  plane.drops.resize(plane.levels->count);
  for (uint32_t j = 0; j < plane.levels->count; ++j) {
    const uint64_t pixels = strip.value_px[j];
    plane.drops[j] += pixels;
    plane.ink_pixels += static_cast<double>(pixels) * plane.levels->tones[j] / kSolid;
  }
}

void PageRun::encode(Strip& strip) {
  const StageTimer timer(times_, Stage::kEncode);
  const PlaneRun& plane = planes_[strip.plane];
  if (!strip.is_counted) {
    strip.sums.rows = codec::row_sum(strip.rows);
    if (strip.rows.bits_per_px == 1) {
      strip.ink_px = ink_of(strip.rows);
    } else {
      strip.value_px = count_values(strip.rows);
    }
    strip.is_counted = true;
  }
  if (!strip.encoded.empty() || plane.plate->takes_rows()) return;
  strip.encoded = tiff::encode_strip(strip.rows, plane.compression);
  strip.sums.coded = codec::byte_sum(strip.encoded);
  // What was coded here is then also what the GPU counted there.
  if (on_device_ && codec::row_sum(strip.rows) != strip.sums.rows) {
    throw Error(ErrorKind::kIo,
                "rows changed on their way from the GPU",
                "check the memory of the machine, then run the page again");
  }
}

void PageRun::write_strip(const Strip& strip) {
  const StageTimer timer(times_, Stage::kWrite);
  PlaneRun& plane = planes_[strip.plane];
  count_ink(plane, strip);
  if (preview_ != nullptr && !on_device_) preview_->add_bits(strip.plane, strip.rows);
  plane.plate->write_strip({strip.rows, strip.encoded, strip.sums});
}

void PageRun::finish_preview() {
  if (preview_ == nullptr || !on_device_) return;
  for (PlaneGroup& group : groups_) {
    for (uint32_t i = 0; i < group.planes.size(); ++i) {
      const uint32_t p = group.planes[i];
      preview_->add_sums(p, group.device ? group.device->picture(i) : planes_[p].device->picture());
    }
  }
}

void SimpleExecutor::run(PageRun& page, const std::function<void(uint64_t)>& on_band) {
  ContoneBand band;
  for (uint32_t index = 0; index < page.band_count(); ++index) {
    page.read_band(index, band, solo_);
    uint64_t pixels = 0;
    for (uint32_t group = 0; group < page.groups().size(); ++group) {
      std::promise<std::vector<BitRows>> halftoned;
      page.halftone(
          group, band, solo_, [&](std::vector<BitRows> planes, const std::exception_ptr& error) {
            error ? halftoned.set_exception(error) : halftoned.set_value(std::move(planes));
          });
      for (BitRows& bits : halftoned.get_future().get()) {
        pixels += uint64_t{bits.rows.width_px} * bits.rows.rows;
        page.split_into_strips(band, std::move(bits), [&](std::unique_ptr<Strip> strip) {
          page.encode(*strip);
          page.write_strip(*strip);
        });
      }
    }
    on_band(pixels);
  }
}

}  // namespace mezzo::run
