#include "stages/proof/plate_proof.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/error.h"

namespace mezzo::proof {
namespace {

/// Rows of plates, of all inks, that are held at a time, and as much again for rows of the proof.
constexpr uint64_t kHeldBytes = 8 << 20;

}  // namespace

struct PlateProof::Ink {
  std::vector<std::unique_ptr<PlateRows>> plates;
  std::optional<DropLevels> levels;
  std::vector<BitBand> bands = {};  ///< the rows at hand, of each plate
};

size_t counted_inks(std::span<const ProofInk> inks) {
  return std::min(inks.size(), kMostCounted);
}

PlateProof::PlateProof(std::vector<ProofInk> inks,
                       ProofRatio across,
                       ProofRatio down,
                       files::FileSystem& files)
    : counted_(counted_inks(inks)) {
  MZ_ASSERT(!inks.empty());
  for (const ProofInk& ink : inks) {
    Ink& own = inks_.emplace_back();
    own.levels = ink.levels;
    for (const PlatePageFile& plate : ink.plates) {
      own.plates.push_back(std::make_unique<PlateRows>(plate, files));
    }
  }
  const PlateRows& first = *inks_.front().plates.front();
  for (const Ink& ink : inks_) {
    for (const auto& plate : ink.plates) {
      const tiff::PlatePage &a = first.page(), &b = plate->page();
      if (a.width_px == b.width_px && a.height_px == b.height_px) continue;
      throw Error(ErrorKind::kData,
                  fmt::format("{} has {} x {} px, and {} has {} x {}; plates of one page are alike",
                              first.path(),
                              a.width_px,
                              a.height_px,
                              plate->path(),
                              b.width_px,
                              b.height_px));
    }
  }
  is_exact_ = std::all_of(inks_.begin(),
                          inks_.begin() + static_cast<std::ptrdiff_t>(counted_),
                          [](const Ink& ink) { return !ink.levels; });
  across_ = {first.page().width_px, across.p, across.q};
  down_ = {first.page().height_px, down.p, down.q};
  shape_ = {.boxes = across_.boxes(), .rows_a_box = down.q / down.p + 1};
  for (const Ink& ink : inks_) {
    for (uint32_t bit = 0; bit < ink.plates.size(); ++bit) shape_.add(ink.plates[bit]->page(), bit);
  }
}

PlateProof::~PlateProof() = default;

void ProofShape::add(const tiff::PlatePage& plate, uint32_t bit) {
  inks += bit == 0;
  most_bits = std::max({most_bits, plate.bits_per_px, bit + 1});
  row_bytes += tiff::row_bytes_of(plate);
  strip_bytes += tiff::row_bytes_of(plate) * std::min(plate.rows_per_strip, plate.height_px);
}

/// Of an AreaRow.
uint64_t ProofShape::area_bytes() const {
  const size_t counted = std::min(inks, kMostCounted);
  return uint64_t{boxes} * ((sizeof(uint64_t) << counted) + sizeof(double) * (inks - counted) + 3);
}

/// Of the coverage of inks, while a row is made.
uint64_t ProofShape::thread_bytes() const {
  return uint64_t{boxes} * (sizeof(double) * kMostCounted + (sizeof(uint64_t) << most_bits));
}

uint32_t ProofShape::rows_at_once(uint32_t threads) const {
  const uint64_t bytes_a_row = std::max(row_bytes * rows_a_box, area_bytes() + thread_bytes());
  return static_cast<uint32_t>(std::clamp<uint64_t>(kHeldBytes / bytes_a_row, 1, 4 * threads));
}

uint64_t ProofShape::working_bytes(uint32_t threads) const {
  const uint64_t rows = rows_at_once(threads);
  return 2 * (rows * rows_a_box * row_bytes + strip_bytes) + rows * area_bytes() +
         std::min<uint64_t>(rows, threads) * thread_bytes();
}

void PlateProof::make(Team& team,
                      const std::function<void(AreaRow&)>& paint,
                      const std::function<void(const AreaRow&)>& take) {
  const uint32_t at_once = shape_.rows_at_once(team.size());
  std::vector<AreaRow> rows(at_once);
  for (uint32_t y = 0; y < height_px(); y += at_once) {
    const uint32_t count = std::min(at_once, height_px() - y);
    const uint32_t first = down_.first_px(y), end = down_.end_px(y + count);
    std::vector<std::pair<Ink*, size_t>> plates;
    for (Ink& ink : inks_) {
      ink.bands.resize(ink.plates.size());
      for (size_t i = 0; i < ink.plates.size(); ++i) plates.emplace_back(&ink, i);
    }
    for_each_index(team, static_cast<uint32_t>(plates.size()), [&](uint32_t i) {
      auto& [ink, plate] = plates[i];
      ink->bands[plate] = ink->plates[plate]->rows(first, end - first);
    });
    for_each_index(team, count, [&](uint32_t i) {
      fill(y + i, rows[i]);
      paint(rows[i]);
    });
    for (uint32_t i = 0; i < count; ++i) take(rows[i]);
  }
}

void PlateProof::fill(uint32_t y, AreaRow& row) const {
  row.boxes = width_px();
  row.counted = counted_;
  row.others = inks_.size() - counted_;
  row.areas.resize(size_t{row.boxes} << counted_);
  row.coverage.resize(row.boxes * row.others);
  row.rgb.resize(size_t{3} * row.boxes);
  fill_sets(y, row);
  fill_others(y, row);
}

/// Inks with levels have no area of their own: their sets are those of inks that do not know of each
/// other (Demichel), in parts of 2^20.
void PlateProof::fill_sets(uint32_t y, AreaRow& row) const {
  if (is_exact_) {
    std::vector<BitBand> bands;
    for (size_t k = 0; k < counted_; ++k) bands.push_back(inks_[k].bands.front());
    return count_overprints(across_, down_, y, bands, row.areas);
  }
  std::vector<std::vector<double>> coverage;
  for (size_t k = 0; k < counted_; ++k) coverage.push_back(coverage_of(inks_[k], y));
  for (size_t box = 0; box < row.boxes; ++box) {
    for (size_t set = 0; set < size_t{1} << counted_; ++set) {
      double area = 1 << 20;
      for (size_t k = 0; k < counted_; ++k) {
        area *= (set >> k & 1) != 0 ? coverage[k][box] : 1 - coverage[k][box];
      }
      row.areas[(box << counted_) + set] = static_cast<uint64_t>(area + 0.5);
    }
  }
}

void PlateProof::fill_others(uint32_t y, AreaRow& row) const {
  for (size_t k = 0; k < row.others; ++k) {
    const std::vector<double> coverage = coverage_of(inks_[counted_ + k], y);
    for (size_t box = 0; box < row.boxes; ++box) row.coverage[box * row.others + k] = coverage[box];
  }
}

/// In each box, 0 .. 1; of levels the mean of their volumes.
std::vector<double> PlateProof::coverage_of(const Ink& ink, uint32_t y) const {
  const size_t boxes = width_px();
  std::vector<double> coverage(boxes);
  const bool is_packed = ink.levels && ink.bands.size() == 1;
  std::vector<uint64_t> areas(is_packed ? boxes : boxes << ink.bands.size());
  if (is_packed) {
    count_ink(across_, down_, y, ink.bands.front(), &*ink.levels, areas);
  } else {
    count_overprints(across_, down_, y, ink.bands, areas);
  }
  for (size_t box = 0; box < boxes; ++box) {
    const double whole = static_cast<double>(across_.length(static_cast<uint32_t>(box))) *
                         static_cast<double>(down_.length(y));
    double sum = 0;
    if (is_packed) {
      sum = static_cast<double>(areas[box]) / kSolid;
    } else {
      const size_t sets = size_t{1} << ink.bands.size();
      for (size_t set = 1; set < sets; ++set) {
        // Bits that no level has stand for the largest one.
        const double volume =
            ink.levels
                ? double{1} * ink.levels->tones[std::min<size_t>(set, ink.levels->count - 1)] /
                      kSolid
                : 1;
        sum += volume * static_cast<double>(areas[box * sets + set]);
      }
    }
    coverage[box] = sum / whole;
  }
  return coverage;
}

}  // namespace mezzo::proof
