// One page on its way through the stages: the data that both executors move, and the stages, each
// a function that works on one band or strip. The executors decide only when and on which thread.
//
//   read_band          serial per page; decodes strips in parallel inside
//   halftone           serial per group of planes, bands in order; a GPU goes on after the call
//   split_into_strips  serial per plane, bands in order
//   encode             any order, any thread
//   write_strip        serial per plate, strips in order
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "kernels/band/tone.h"
#include "kernels/device_chain/plane.h"
#include "kernels/halftoner.h"
#include "kernels/prepress/finish.h"
#include "kernels/prepress/overlay.h"
#include "kernels/prepress/protect.h"
#include "kernels/together/inks_halftoner.h"
#include "pipeline/plan/plan.h"
#include "pipeline/run/stage_times.h"
#include "pipeline/run/textures.h"
#include "stages/band/band_reader.h"
#include "stages/band/bit_reader.h"
#include "stages/band/contone_buffer.h"
#include "stages/chain/stage.h"
#include "stages/preview.h"
#include "stages/tiff/plate/writer.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::run {

/// Samples of one band, all planes.
struct ContoneBand {
  uint32_t index = 0;
  uint32_t first_row = 0, rows = 0;  ///< of the plates
  ContoneBuffer samples;
  uint32_t samples_rows = 0;       ///< room in it, where a GPU makes the rows
  std::vector<SampleBand> planes;  ///< views of `samples`: those rows, or what a GPU makes them of
  BandMemory linework_bits;
  std::vector<BitBand> linework;  ///< views of `linework_bits`, one a line work of the page
};

/// Bits of one plane's rows of a band. The memory goes back to the page for the next.
struct BitRows {
  uint32_t plane = 0;
  BandMemory memory;
  BitBand rows;                 ///< view of `memory`
  device_chain::Strips strips;  ///< views likewise, of a plane on a GPU to its strips
};

/// A strip of a plate: raw rows, then also their sum, their ink and, where the plate takes it, their encoded
/// form with its sum. A GPU gives sums and ink, and perhaps the encoded form alone.
struct Strip {
  uint32_t plane = 0;
  uint32_t index = 0;  ///< within its page
  std::vector<uint8_t> raw;
  BitBand rows;  ///< view of `raw`, if it has data
  bool is_counted = false;
  tiff::StripSums sums;
  uint64_t ink_px = 0;             ///< of bilevel rows
  std::vector<uint64_t> value_px;  ///< of others: pixels of each value
  std::vector<std::byte> encoded;
};

/// One plane of the page: its settings, the state that goes from band to band, and its plate.
struct PlaneRun {
  const Halftoner* halftoner = nullptr;
  std::unique_ptr<HalftonerState> state;
  std::unique_ptr<device_chain::Plane> device;  ///< the way to strips on a GPU; null: no such way
  tiff::StripWriter* plate = nullptr;
  tiff::PlatePage page;
  tiff::Compression compression = tiff::Compression::kNone;
  Engine engine = Engine::kCpu;            ///< that the halftoner was made for
  std::shared_ptr<const ToneCurve> curve;  ///< null: the page's
  prepress::Protect protect;
  std::vector<prepress::Overlay> overlays;  ///< one a line work of the page
  std::optional<DropLevels> levels;         ///< of pixels of 2 or 4 bits; none: bilevel
  prepress::Finish finish;                  ///< between the halftoner's bits and the plate's
  InkTexture texture;                       ///< of the ink

  std::vector<BandMemory> spare_bits;  ///< for bands to come
  std::unique_ptr<Strip> unfinished;   ///< rows that do not fill a strip yet
  uint32_t next_strip = 0;
  double ink_pixels = 0;        ///< written so far; with levels the solid pixels of their volume
  std::vector<uint64_t> drops;  ///< likewise, pixels of each level
  prepress::Protection protection;   ///< so far
  prepress::OverlayPixels linework;  ///< so far
};

/// Planes that are halftoned at a time: one, or the inks that see each other.
struct PlaneGroup {
  std::vector<uint32_t> planes;  ///< the darkest ink first
  /// Null: the only plane's own halftoner.
  std::shared_ptr<const together::InksHalftoner> inks = {};
  std::unique_ptr<HalftonerState> state = {};            ///< of `inks`
  std::unique_ptr<device_chain::InkPlanes> device = {};  ///< as that of PlaneRun, of `inks`
};

/// Outputs of a page beside its plates; each may be left out, and outlives the run.
struct PageOutputs {
  /// Told of the rounds of a plane's method, from any thread, planes side by side; may throw to
  /// stop the page.
  std::function<void(uint32_t plane, const RoundReport& report)> on_round = {};
  PagePreview* preview = nullptr;  ///< gets the samples and bits
  Timeline* timeline = nullptr;    ///< gets the stages' times
};

/// The samples that go up to GPUs that make strips of them: all planes of the page have this way.
struct PageOnDevice {
  PageInfo page;                                   ///< as it goes up
  std::shared_ptr<const chain::Stage> scale = {};  ///< what the GPU does with it; null: nothing
};

/// A page that runs. Owned by the executor's caller; not copied, not moved.
class PageRun {
 public:
  /// `planes` has a PlaneRun for each ink of `info`; halftoner, plate, page and compression are set.
  /// `together` has the planes that see each other; their own halftoner is not used. `linework` has a reader
  /// for each file, framed to the size of `info`, and at most one with `on_device`. `reader` reads the page
  /// that the halftoner gets, or that of `on_device`.
  PageRun(const PageInfo& info,
          const plan::BandPlan& bands,
          ToneCurve curve,
          tiff::PageReader& reader,
          std::vector<PlaneRun> planes,
          const PageOutputs& outputs = {},
          std::vector<BitReader*> linework = {},
          std::optional<PageOnDevice> on_device = {},
          std::vector<PlaneGroup> together = {});
  PageRun(const PageRun&) = delete;
  PageRun& operator=(const PageRun&) = delete;
  ~PageRun();

  uint32_t plane_count() const { return static_cast<uint32_t>(planes_.size()); }
  uint32_t band_count() const;
  uint32_t bands_in_flight() const { return bands_.in_flight; }
  /// Whether a thread is busy from its beginning to its end, without waiting for a GPU.
  bool is_on_cpu() const;
  PlaneRun& plane(uint32_t index) { return planes_[index]; }
  /// Each plane is in one of them.
  const std::vector<PlaneGroup>& groups() const { return groups_; }

  /// Reads band `index` of the page: the first, then one after the other.
  void read_band(uint32_t index, ContoneBand& band, Team& team);

  /// Begins to halftone the rows of the band, of all planes of the group. `done` is called once, with
  /// an entry a plane, from any thread, in the order of the bands, perhaps before this returns; `band`
  /// stays until then.
  using Halftoned = std::function<void(std::vector<BitRows>, const std::exception_ptr&)>;
  void halftone(uint32_t group, const ContoneBand& band, Team& team, Halftoned done);

  /// Passes on every strip that these rows of `band` complete, its bits as the plate has them.
  void split_into_strips(const ContoneBand& band,
                         BitRows bits,
                         const std::function<void(std::unique_ptr<Strip>)>& done);

  /// Gives the page up: searches end at their next round.
  void give_up() { given_up_ = true; }

  void encode(Strip& strip);
  void write_strip(const Strip& strip);

  /// After the last strip is written: the preview has all planes.
  void finish_preview();

  StageTimes& times() { return times_; }

 private:
  void read_linework(ContoneBand& band, Team& team);
  void read_for_device(ContoneBand& band, Team& team);
  prepress::SampleRange rows_for_device(uint32_t first, uint32_t rows) const;
  void pass_on_strips(BitRows bits, const std::function<void(std::unique_ptr<Strip>)>& done);
  std::unique_ptr<Strip> next_strip(uint32_t index);
  size_t bits_bytes(const PlaneGroup& group, uint32_t plane) const;
  BandMemory take_bits(const PlaneGroup& group, uint32_t plane);
  BitRows bits_for(const PlaneGroup& group, uint32_t plane, const ContoneBand& band);
  void halftone_together(PlaneGroup& group,
                         const ContoneBand& band,
                         const std::shared_ptr<std::vector<BitRows>>& bits,
                         Team& team,
                         Halftoner::Done pass_on);
  void set_up_group(PlaneGroup& group, const PageOutputs& outputs);
  void count_ink(PlaneRun& plane, const Strip& strip) const;
  const ToneCurve& curve_of(const PlaneRun& plane) const {
    return plane.curve ? *plane.curve : curve_;
  }

  const PageInfo& info_;
  plan::BandPlan bands_;
  ToneCurve curve_;
  std::vector<prepress::ProtectedSamples> protected_;  ///< one a plane
  std::unique_ptr<BandReader> reader_;
  std::vector<PlaneRun> planes_;
  std::vector<PlaneGroup> groups_;
  std::optional<PageOnDevice> on_device_;
  std::unique_ptr<RangeReader> device_reader_;  ///< in place of reader_
  uint32_t context_rows_ = 0;
  std::mutex spare_mutex_;  ///< for PlaneRun::spare_bits
  std::atomic<bool> given_up_{false};
  BufferUse buffer_use_ = BufferUse::kCpuOnly;
  PagePreview* preview_;
  std::vector<BitReader*> linework_;
  StageTimes times_;
};

/// Runs every band of a page through every stage, and returns when the last strip is written.
/// Throws the first Error that a stage met.
class Executor {
 public:
  virtual ~Executor() = default;

  /// `on_band` is called after each band is halftoned, with the number of its pixels, from any
  /// thread; it may throw to stop the page.
  virtual void run(PageRun& page, const std::function<void(uint64_t)>& on_band) = 0;

  /// The team for work outside a page (sampling, verifying).
  virtual Team& team() = 0;
};

/// The same stages on one thread, one after another, band by band: simple, and slow.
class SimpleExecutor final : public Executor {
 public:
  void run(PageRun& page, const std::function<void(uint64_t)>& on_band) override;
  Team& team() override { return solo_; }

 private:
  SoloTeam solo_;
};

}  // namespace mezzo::run
