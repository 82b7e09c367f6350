// A proof from the plates of a page: their bits as they are on disk, averaged exactly over the pixels
// of a picture, and the colours that these areas of ink have in print.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/band/drop_levels.h"
#include "kernels/band/team.h"
#include "kernels/proof/box_axis.h"
#include "kernels/proof/box_counts.h"
#include "stages/proof/plate_rows.h"

namespace mezzo::proof {

/// The plates of one ink: one, or one for each bit of its levels, the lowest first.
struct ProofInk {
  std::string ink;
  std::vector<PlatePageFile> plates;
  std::optional<DropLevels> levels = {};
};

/// The resolution of the proof over that of the plates, in lowest terms and at most 1.
struct ProofRatio {
  uint32_t p = 1, q = 1;
};

/// What decides how much memory a proof takes.
struct ProofShape {
  uint32_t boxes = 1;       ///< pixels of a row of the proof
  uint32_t rows_a_box = 1;  ///< of the plates
  size_t inks = 0;
  uint32_t most_bits = 1;    ///< of a pixel of one ink, over all its plates
  uint64_t row_bytes = 0;    ///< of a row of all plates
  uint64_t strip_bytes = 0;  ///< of a strip of each plate

  /// A plate: the only one of its ink, or with `bit` the one of this bit of the ink's levels.
  void add(const tiff::PlatePage& plate, uint32_t bit);

  /// Rows of the proof that are made at a time: at most four for each thread, and as many as some MiB
  /// hold.
  uint32_t rows_at_once(uint32_t threads) const;

  /// Memory of PlateProof::make() with a team of `threads`, about.
  uint64_t working_bytes(uint32_t threads) const;

 private:
  uint64_t area_bytes() const;
  uint64_t thread_bytes() const;
};

/// A row of pixels of a proof.
struct AreaRow {
  uint32_t boxes = 0;
  size_t counted = 0;            ///< inks whose overprints are told apart
  std::vector<uint64_t> areas;   ///< of their sets: areas[box << counted | set]
  size_t others = 0;             ///< inks after them
  std::vector<double> coverage;  ///< of those, 0 .. 1: coverage[box * others + ink]
  std::vector<uint8_t> rgb;      ///< for its colours: 3 * boxes
};

/// The first inks of `inks`, in their order, that are told apart: at most kMostCounted.
size_t counted_inks(std::span<const ProofInk> inks);

/// Reads the plates and makes the rows of the proof from the top. One thread at a time.
class PlateProof {
 public:
  /// Throws Error: kMissing, kIo; kData where plates differ in size.
  PlateProof(std::vector<ProofInk> inks,
             ProofRatio across,
             ProofRatio down,
             files::FileSystem& files);
  ~PlateProof();

  uint32_t width_px() const { return across_.boxes(); }
  uint32_t height_px() const { return down_.boxes(); }

  /// Calls `paint`, for the colours of a row, from any thread of the team, and then `take` for every
  /// row, in order, on this one. Throws what they throw and Error: kIo, kData.
  void make(Team& team,
            const std::function<void(AreaRow&)>& paint,
            const std::function<void(const AreaRow&)>& take);

 private:
  struct Ink;
  void fill(uint32_t y, AreaRow& row) const;
  void fill_sets(uint32_t y, AreaRow& row) const;
  void fill_others(uint32_t y, AreaRow& row) const;
  std::vector<double> coverage_of(const Ink& ink, uint32_t y) const;

  std::vector<Ink> inks_;
  ProofShape shape_;
  size_t counted_;
  bool is_exact_;  ///< all counted inks are bilevel
  BoxAxis across_, down_;
};

}  // namespace mezzo::proof
