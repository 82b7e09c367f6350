#include "pipeline/plan/page_memory.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>

#include "kernels/base/error.h"
#include "kernels/registry.h"
#include "kernels/together/parameter.h"
#include "pipeline/plan/page_chain.h"
#include "pipeline/plan/side_files.h"
#include "pipeline/plan/side_needs.h"
#include "pipeline/text.h"

namespace mezzo::plan {
namespace {

constexpr uint64_t kLittle = 512ULL << 20;

/// Of a reader that takes no more with its share of the memory, the least is not sought.
constexpr uint64_t kLittleReader = 1 << 20;

/// Advice to make a page fit, other than by more memory; empty without any. Methods that can work
/// in slabs have a parameter of this name.
std::string advice_on_slabs(const HalftoneSettings& halftone, const HalftonerTraits& traits) {
  constexpr std::string_view kSlabRows = "slab_rows";
  const std::span<const ParameterInfo> parameters = find_method(halftone.method)->parameters;
  if (traits.band_rows == 0 ||
      std::ranges::find(parameters, kSlabRows, &ParameterInfo::name) == parameters.end()) {
    return {};
  }
  if (together::are_together(halftone)) return ", or use 'inks: apart'";
  return traits.band_rows == kWholePlane
             ? fmt::format(", or set {} to halftone so many rows at a time", kSlabRows)
             : fmt::format(", or lower {}", kSlabRows);
}

/// What pages and their plan have.
uint64_t budget_of(uint64_t memory_limit) {
  return memory_limit - std::min(memory_limit, kProgramBytes);
}

/// The memory of a chain grows with the rows of a band, that of a file's reader hardly.
ReaderNeeds needs_of(const tiff::PageReader& reader,
                     uint32_t threads,
                     bool is_file,
                     uint64_t open_bytes) {
  const uint32_t quantum = reader.row_quantum();
  const uint64_t bytes = reader.working_bytes(quantum, threads);
  if (is_file) return {quantum, bytes, 0, open_bytes};
  const uint64_t bytes_a_row = (reader.working_bytes(9 * quantum, threads) - bytes) / (8 * quantum);
  return {quantum, bytes, bytes_a_row + 1, open_bytes};
}

/// Those that work on one page at a time: in a job of many, each thread has a page of its own most of
/// the time. The last pages of a job are made by few threads then, so there must be many before them.
uint32_t threads_of_page(const manifests::Job& job, uint32_t threads) {
  return job.pages.size() >= 2 * size_t{threads} ? 1 : threads;
}

uint64_t making_bytes(const PageHalftoners& halftoners, uint64_t memory_limit) {
  return tile_makers(memory_limit) * halftoners.traits().making_bytes;
}

/// The limit with which the page can be made, or with which the files beside its plates can.
struct Limit {
  uint64_t bytes;
  std::optional<SideKind> beside = {};  ///< that takes most
};

/// Of a page whose reader has the least memory.
Limit limit_for(const SheetPlan& sheet,
                size_t i,
                const PageHalftoners& halftoners,
                uint64_t own_bytes,
                const SideNeeds& side) {
  const ReaderNeeds& least = sheet.least_readers[i];
  const uint64_t taken = kProgramBytes + own_bytes;
  const uint64_t of_page = std::max(least.working_bytes, kLittleReader) +
                           least_page_memory(sheet.infos[i], least, halftoners);
  const uint64_t bytes = taken + std::max(of_page, side.memory_bytes);
  const uint64_t few = bytes + making_bytes(halftoners, bytes);
  Limit limit{tile_makers(few) == tile_makers(bytes) ? few : bytes + making_bytes(halftoners, few)};
  if (side.memory_bytes > of_page) limit.beside = side.largest;
  return limit;
}

[[noreturn]] void refuse(const SheetPlan& sheet,
                         size_t i,
                         const PageHalftoners& halftoners,
                         uint64_t memory_limit,
                         const Limit& limit) {
  const PlatePlan& tallest = *std::ranges::max_element(
      sheet.plates, {}, [](const PlatePlan& plate) { return plate.traits.band_rows; });
  const bool is_whole = halftoners.traits().band_rows == kWholePlane;
  const std::string reason =
      limit.beside
          ? fmt::format(" for its {}", *limit.beside == SideKind::kProof ? "proof" : "PPF file")
      : is_whole ? ", as its method works on all of it at once"
                 : "";
  const std::string advice =
      limit.beside ? fmt::format(", or leave out '{}'", name_of(*limit.beside))
                   : advice_on_slabs(settings_of(sheet, tallest).halftone, tallest.traits);
  throw Error(ErrorKind::kLimit,
              fmt::format("{}: page {} needs at least {} of memory{}, the limit is {}",
                          sheet.input,
                          sheet.pages[i] + 1,
                          limit_text(limit.bytes),
                          reason,
                          bytes_text(memory_limit)),
              fmt::format("raise limits.memory or --memory{}", advice));
}

}  // namespace

uint32_t tile_makers(uint64_t memory_limit) {
  constexpr uint64_t kMuch = 4ULL << 30;
  return memory_limit < kLittle ? 1 : memory_limit < kMuch ? 4 : 16;
}

void keep_little(uint64_t memory_limit) {
  // Once set, glibc does not raise it to the size of the largest block that was freed.
  constexpr int kLargeBlock = 256 << 10;
  // Threads share heaps: what each of 16 keeps would come to megabytes.
  constexpr int kHeaps = 4;
  if (memory_limit >= kLittle) return;
  mallopt(M_MMAP_THRESHOLD, kLargeBlock);
  mallopt(M_ARENA_MAX, kHeaps);
}

void refuse_tiny_budget(const SheetPlan& sheet, uint64_t memory_limit) {
  if (memory_limit >= kLeastMemoryBytes) return;
  throw Error(
      ErrorKind::kLimit,
      fmt::format(
          "{}: the memory limit is {}, a job needs at least {} (the program itself takes {})",
          sheet.input,
          bytes_text(memory_limit),
          bytes_text(kLeastMemoryBytes),
          bytes_text(kProgramBytes)),
      "raise limits.memory or --memory");
}

void add_reader_needs(const tiff::TiffFile& file,
                      uint32_t page,
                      const tiff::ReadAs& form,
                      const chain::Chain& chain,
                      uint64_t memory_limit,
                      uint32_t threads,
                      SheetPlan& sheet) {
  const auto needs = [&](uint64_t memory) {
    const auto reader = through(chain, file.open_page(page, memory, form, chain.rotation()));
    return needs_of(*reader, threads, chain.is_empty(), memory);
  };
  const uint64_t share = budget_of(memory_limit) / 2;
  std::optional<ReaderNeeds> usual;
  try {
    usual = needs(share);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kLimit) throw;
  }
  const bool is_little = usual && usual->working_bytes <= kLittleReader;
  const ReaderNeeds least =
      is_little ? *usual : needs(file.least_memory(page, form, chain.rotation()));
  sheet.readers.push_back(usual.value_or(least));
  sheet.least_readers.push_back(least);
}

BandPlan bands_of_page(size_t i,
                       const PageHalftoners& halftoners,
                       const manifests::Job& job,
                       uint64_t own_bytes,
                       uint32_t threads,
                       const PlanOptions& options,
                       SheetPlan& sheet) {
  const uint64_t limit = job.limits.memory_bytes;
  const uint64_t taken = own_bytes + making_bytes(halftoners, limit);
  const uint64_t budget = budget_of(limit) - std::min(budget_of(limit), taken);
  SideNeeds side;
  for (const ReaderNeeds& reader : {sheet.readers[i], sheet.least_readers[i]}) {
    sheet.readers[i] = reader;
    side = side_needs(sheet, i, threads);
    if (std::max(reader.working_bytes, side.memory_bytes) > budget) continue;
    auto bands = plan_bands(sheet.infos[i],
                            reader,
                            halftoners,
                            threads_of_page(job, threads),
                            budget - reader.working_bytes,
                            options);
    if (!bands) continue;
    bands->memory_bytes = std::max(bands->memory_bytes + reader.working_bytes, side.memory_bytes);
    bands->reader_bytes = reader.open_bytes;
    for (LineworkPlan& linework : sheet.linework) linework.reader_bytes = reader.linework_bytes;
    return *bands;
  }
  sheet.lacks_memory = true;
  refuse(sheet, i, halftoners, limit, limit_for(sheet, i, halftoners, own_bytes, side));
}

}  // namespace mezzo::plan
