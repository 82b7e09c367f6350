#include "pipeline/plan/band_plan.h"

#include <algorithm>
#include <numeric>

#include "kernels/halftoner.h"
#include "kernels/halftoner_traits.h"
#include "kernels/together/inks_halftoner.h"
#include "stages/band/band_reader.h"
#include "stages/tiff/plate/writer.h"

namespace mezzo::plan {
namespace {

// A band of about this many bytes keeps the wavefront long, for all threads.
constexpr uint64_t kBandBytes = 2ULL << 20;
// One thread needs no long wavefront: its band stays in the processor's own cache.
constexpr uint64_t kBandBytesOfThread = 384ULL << 10;

// A GPU starts anew with each band of a plane; it has the bands of several planes and pages at
// once, so it needs few of each: one is read, one travels, one is worked on, one comes back, one is
// cut.
constexpr uint64_t kDeviceBandBytes = 4ULL << 20;
constexpr uint32_t kDeviceInFlight = 5;

constexpr uint32_t kLeastInFlight = 2;  // one is read while the other is halftoned

// A search takes so long that reading and writing need no overlap.
constexpr uint32_t kSearchedInFlight = 2;
constexpr uint32_t kLeastSearchedInFlight = 1;

uint64_t row_bytes(const PageInfo& info) {
  return uint64_t{info.width_px} * info.bytes_per_sample * info.inks.size();
}

/// The memory of a page that runs with such bands: samples, bits, the strips that wait for the
/// writer, raw and encoded (G4 can triple them), the halftoner's own, and the reader's for the rows.
uint64_t page_memory(const PageInfo& info,
                     const ReaderNeeds& reader,
                     uint32_t band_rows,
                     uint32_t in_flight,
                     const PageHalftoners& halftoners) {
  const BandReader::Shape shape{band_rows, halftoners.traits().context_rows, reader.row_quantum};
  const uint64_t rows = shape.rows;
  const uint64_t held_rows = std::min<uint64_t>(shape.rows_held(), info.height_px);
  const uint64_t kept_rows =
      rows < info.height_px ? uint64_t{shape.context_rows} + shape.rows_ahead() : 0;
  const uint32_t bits_per_px = halftoners.traits().bits_per_px;
  const uint64_t bits = bit_row_bytes(info.width_px, bits_per_px) * info.inks.size();
  const uint64_t strip_rows = tiff::plate_rows_per_strip(info.width_px, bits_per_px);
  const uint64_t waiting = uint64_t{in_flight} * (rows + strip_rows) * bits * 4;
  const uint64_t samples = (in_flight * held_rows + kept_rows) * row_bytes(info);
  const uint64_t working = halftoners.working_bytes(info.width_px, shape.rows, info.inks.size());
  return samples + in_flight * rows * bits + waiting + working + rows * reader.bytes_a_row;
}

/// The bands of a method that asks for them: their rows, and as many at a time as fit.
std::optional<BandPlan> plan_own_bands(const PageInfo& info,
                                       const ReaderNeeds& reader,
                                       const PageHalftoners& halftoners,
                                       uint64_t budget_bytes) {
  const HalftonerTraits traits = halftoners.traits();
  BandPlan plan;
  plan.rows = std::min(traits.band_rows, info.height_px);
  const uint32_t bands = (info.height_px - 1) / plan.rows + 1;
  for (plan.in_flight = std::min(bands, kSearchedInFlight);
       plan.in_flight >= kLeastSearchedInFlight;
       --plan.in_flight) {
    plan.memory_bytes = page_memory(info, reader, plan.rows, plan.in_flight, halftoners);
    if (plan.memory_bytes <= budget_bytes) return plan;
  }
  return std::nullopt;
}

}  // namespace

HalftonerTraits PageHalftoners::traits() const {
  HalftonerTraits all;
  const auto add = [&](const HalftonerTraits& one) {
    all.row_multiple = std::max(all.row_multiple, one.row_multiple);
    all.context_rows = std::max(all.context_rows, one.context_rows);
    all.band_rows = std::max(all.band_rows, one.band_rows);
    all.bits_per_px = std::max(all.bits_per_px, one.bits_per_px);
    all.on_device = all.on_device || one.on_device;
    all.by_the_clock = all.by_the_clock || one.by_the_clock;
    all.making_bytes = std::max(all.making_bytes, one.making_bytes);
  };
  for (const Halftoner* halftoner : planes_) add(halftoner->traits());
  for (const Group& group : groups_) add(group.halftoner->traits());
  return all;
}

uint64_t PageHalftoners::working_bytes(uint32_t width_px, uint32_t band_rows, size_t planes) const {
  uint64_t bytes = 0;
  for (const Group& group : groups_) {
    bytes += group.halftoner->working_bytes(width_px, band_rows, group.inks);
    planes -= group.inks;
  }
  if (planes_.size() == 1) {
    return bytes + planes_.front()->working_bytes(width_px, band_rows) * planes;
  }
  for (const Halftoner* halftoner : planes_) bytes += halftoner->working_bytes(width_px, band_rows);
  return bytes;
}

std::optional<BandPlan> plan_bands(const PageInfo& info,
                                   const ReaderNeeds& reader,
                                   const PageHalftoners& halftoners,
                                   uint32_t threads,
                                   uint64_t budget_bytes,
                                   const PlanOptions& options) {
  const HalftonerTraits traits = halftoners.traits();
  if (traits.band_rows != 0) return plan_own_bands(info, reader, halftoners, budget_bytes);
  const uint32_t quantum = reader.row_quantum;
  BandPlan plan;
  plan.rows = options.band_rows;
  if (plan.rows == 0) {
    const auto rows_of = [&](uint64_t bytes) {
      return std::max<uint64_t>(bytes / (row_bytes(info) + reader.bytes_a_row), 1);
    };
    const uint64_t most =
        rows_of(traits.on_device ? kDeviceBandBytes * info.inks.size() : kBandBytes);
    const bool is_of_thread = threads == 1 && !traits.on_device;
    const uint64_t wanted = is_of_thread ? rows_of(kBandBytesOfThread) : most;
    // Whole strips for the reader, whole groups for the halftoner, when both can be had.
    const uint64_t both = std::lcm<uint64_t>(quantum, traits.row_multiple);
    const uint64_t unit = both <= 2 * std::max<uint64_t>(most, quantum) ? both : quantum;
    const uint64_t rows = std::max<uint64_t>((wanted + unit / 2) / unit, 1) * unit;
    plan.rows = static_cast<uint32_t>(std::min<uint64_t>(rows, info.height_px));
  }
  // Less memory: first fewer bands at a time, then lower ones, down to the rows that the
  // reader decodes at once.
  const uint32_t least_rows = std::min(options.band_rows ? plan.rows : quantum, info.height_px);
  plan.in_flight = traits.on_device ? kDeviceInFlight : threads + 3;
  while ((plan.memory_bytes = page_memory(info, reader, plan.rows, plan.in_flight, halftoners)) >
         budget_bytes) {
    if (plan.in_flight > kLeastInFlight) {
      --plan.in_flight;
    } else if (plan.rows / 2 >= least_rows && plan.rows > 1) {
      plan.rows = std::max(plan.rows / 2 / quantum * quantum, least_rows);
    } else {
      return std::nullopt;
    }
  }
  return plan;
}

uint64_t least_page_memory(const PageInfo& info,
                           const ReaderNeeds& reader,
                           const PageHalftoners& halftoners) {
  const HalftonerTraits traits = halftoners.traits();
  const bool own = traits.band_rows != 0;
  const uint32_t rows = std::min(own ? traits.band_rows : reader.row_quantum, info.height_px);
  return page_memory(info, reader, rows, own ? kLeastSearchedInFlight : kLeastInFlight, halftoners);
}

}  // namespace mezzo::plan
