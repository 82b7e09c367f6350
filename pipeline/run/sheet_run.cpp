#include "pipeline/run/sheet_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "kernels/band/drop_levels.h"
#include "kernels/band/ink15.h"
#include "kernels/prepress/finish.h"
#include "kernels/registry.h"
#include "kernels/together/inks_halftoner.h"
#include "pipeline/plan/disk_forecast.h"
#include "pipeline/plan/gpu_way.h"
#include "pipeline/plan/ink_groups.h"
#include "pipeline/plan/linework.h"
#include "pipeline/plan/page_chain.h"
#include "pipeline/plan/provenance.h"
#include "pipeline/run/compression_sample.h"
#include "pipeline/run/device_page.h"
#include "pipeline/run/ink_use.h"
#include "pipeline/run/open_linework.h"
#include "pipeline/run/other_page.h"
#include "pipeline/run/replaced_files.h"
#include "pipeline/run/sheet_input.h"
#include "pipeline/run/textures.h"
#include "pipeline/run/turn.h"
#include "pipeline/run/verify.h"
#include "stages/chain/limit_stage.h"
#include "stages/files/input_file.h"
#include "stages/tiff/read/digesting_reader.h"

namespace mezzo::run {
namespace {

InkAmount ink_amount(const prepress::InkLimitCounts& counts, const manifests::InkLimit& limit) {
  const auto percent = [](double ink15) { return 100 * ink15 / kInk15; };
  const double pixels = std::max(static_cast<double>(counts.pixels), 1.0);
  return {.limit_percent = limit.percent,
          .only_checked = limit.only_checks,
          .pixels = counts.pixels,
          .above_px = counts.above,
          .changed_px = counts.changed,
          .mean_percent = percent(static_cast<double>(counts.sum_before) / pixels),
          .most_percent = percent(counts.most_before),
          .mean_after_percent = percent(static_cast<double>(counts.sum_after) / pixels),
          .most_after_percent = percent(counts.most_after)};
}

tiff::PlatePage plate_page(const plan::SheetPlan& sheet, size_t page, size_t plate) {
  const PageInfo& info = sheet.infos[page];
  tiff::PlatePage result;
  result.width_px = info.width_px;
  result.height_px = info.height_px;
  result.bits_per_px = bits_per_pixel(settings_of(sheet, sheet.plates[plate]).halftone);
  result.rows_per_strip = tiff::plate_rows_per_strip(info.width_px, result.bits_per_px);
  result.resolution = info.resolution;
  result.ink = sheet.plates[plate].ink;
  result.document_name = info.document_name;
  result.page_index = static_cast<uint32_t>(page);
  result.page_count = static_cast<uint32_t>(sheet.pages.size());
  return result;
}

/// Of plates whose pixels are levels; none for others.
std::optional<DropLevels> levels_of(const HalftoneSettings& halftone) {
  if (bits_per_pixel(halftone) == 1) return std::nullopt;
  return drop_levels(*halftone.levels);
}

/// Of all drops, in millilitres, where their volumes are known.
std::optional<double> volume_of(const HalftoneSettings& halftone,
                                const std::vector<uint64_t>& drops) {
  if (drops.empty() || !halftone.levels->in_picolitres) return std::nullopt;
  double picolitres = 0;
  for (size_t j = 0; j < drops.size(); ++j) {
    picolitres += static_cast<double>(drops[j]) * halftone.levels->drops[j];
  }
  return picolitres * 1e-9;
}

class SheetRun {
 public:
  SheetRun(const plan::SheetPlan& sheet, const SheetContext& context)
      : sheet_(sheet),
        context_(context),
        input_(sheet, context.files, static_cast<bool>(context.on_sealed)),
        seal_time_(context.timeline) {
    for (const plan::PlatePlan& plate : sheet.plates) {
      settings_.push_back(plan::settings_of(sheet, plate));
      compression_.push_back(plan::compression_of(sheet, plate));
      halftoners_.push_back(halftoner_for(settings_.back().halftone));
    }
    for (const plan::InkGroup& group : plan::ink_groups(sheet)) {
      together_.emplace_back(group,
                             make_inks_halftoner(complete(settings_[group.front()].halftone),
                                                 plan::colours_of_group(sheet, group),
                                                 context.gpu)
                                 .halftoner);
    }
  }

  SheetResult run() {
    input_.check_digest();
    refuse_foreign_files(sheet_, context_.files);
    if (context_.keep_others && is_a_name_taken()) keep_plates_of_others(read_sample_hashes());
    input_.digest_along_reads();
    open_plates();
    for (size_t i = 0; i < sheet_.pages.size(); ++i) run_page(i);
    input_.check_samples(sample_hashes_, [this] { return read_sample_hashes(); });
    Team& team = context_.executor.team();
    for (size_t p = 0; p < plates_.size(); ++p) {
      stop_if_requested();
      const StageTimer timer(seal_time_, Stage::kSeal);
      // Its bands are gone by now.
      plates_[p]->seal(level(), team, sheet_.memory_bytes, static_cast<bool>(context_.on_sealed));
    }
    if (level() == tiff::VerifyLevel::kRecompute) {
      const StageTimer timer(seal_time_, Stage::kSeal);
      work_in_turn([this](Team&) { verify(); });
    }
    stop_if_requested();
    refuse_foreign_files(sheet_, context_.files);  // that came meanwhile
    if (context_.keep_others) keep_plates_of_others(sample_hashes_);
    SheetResult finished = result();
    if (context_.on_sealed) report_sealed(finished);
    // All or none, unless the machine stops in between: published plates are taken back until the
    // last one is final.
    for (const auto& plate : plates_) plate->publish(context_.published);
    for (const auto& plate : plates_) plate->commit();
    return finished;
  }

 private:
  /// That of an earlier plate with the same settings, or a new one.
  std::shared_ptr<const Halftoner> halftoner_for(const HalftoneSettings& settings) const {
    for (size_t i = 0; i < halftoners_.size(); ++i) {
      if (settings_[i].halftone == settings) return halftoners_[i];
    }
    return make_halftoner(complete(settings), context_.gpu).halftoner;
  }

  tiff::VerifyLevel level() const { return sheet_.settings.output.verify; }

  bool is_automatic(size_t plate) const {
    return compression_[plate] == tiff::Compression::kAutomatic;
  }

  /// The curve of each plate for a page; plates of one tone share theirs.
  std::vector<std::shared_ptr<const ToneCurve>> curves_for(const PageInfo& info) const {
    std::vector<std::shared_ptr<const ToneCurve>> curves;
    for (size_t p = 0; p < settings_.size(); ++p) {
      size_t same = 0;
      while (settings_[same].tone != settings_[p].tone) ++same;
      curves.push_back(same < p ? curves[same]
                                : std::make_shared<const ToneCurve>(
                                      info.max_sample, info.polarity, settings_[p].tone));
    }
    return curves;
  }

  /// The compression of each plate; where it is automatic, as samples of the page suggest.
  std::vector<tiff::Compression> choose_compression(
      const chain::Chain& chain,
      size_t page,
      const std::vector<std::shared_ptr<const ToneCurve>>& curves) const {
    if (std::ranges::find(compression_, tiff::Compression::kAutomatic) == compression_.end()) {
      return compression_;
    }
    const auto reader = plan::through(chain, input_.open_page(chain, page));
    std::vector<CompressionSample::Plane> planes;
    for (size_t p = 0; p < settings_.size(); ++p) {
      const HalftoneSettings& halftone = settings_[p].halftone;
      planes.push_back(CompressionSample::plane(halftone, sheet_.plates[p].traits, curves[p]));
    }
    CompressionSample sample(chain.page(),
                             *reader,
                             sheet_.bands[page].rows,
                             std::move(planes),
                             finish_of(sheet_.settings.output));
    std::vector<tiff::Compression> chosen;
    work_in_turn([&](Team& team) { chosen = sample.choose(team); });
    for (size_t p = 0; p < chosen.size(); ++p) {
      if (!is_automatic(p)) chosen[p] = compression_[p];
    }
    return chosen;
  }

  /// Work of this thread beside the pages of others, which with one thread has to wait for them.
  void work_in_turn(const std::function<void(Team&)>& work) const {
    run::work_in_turn(context_.executor.team(), work);
  }

  void open_plates() {
    for (const plan::PlatePlan& plate : sheet_.plates) {
      const uint64_t most_bytes = plan::most_plate_bytes(sheet_, plate);
      // Where nothing stands yet, a plate of another job that appears meanwhile is kept, too.
      const bool replace = (sheet_.settings.output.replace || plate.own) &&
                           !(context_.keep_others && !files::mark_of(context_.files, plate.path));
      const files::ExistingFile existing =
          replace ? files::ExistingFile::kReplace : files::ExistingFile::kRefuse;
      plates_.push_back(tiff::PlateFile::create(plate.path, most_bytes, existing, context_.files));
    }
    ink_pixels_.resize(plates_.size());
    drops_.resize(plates_.size());
    protection_.resize(plates_.size());
    linework_.resize(plates_.size());
    overlays_ = plan::overlays_of(sheet_);
  }

  /// Of its plates.
  std::vector<manifests::PlateSettings> settings_of_page(size_t i) const {
    std::vector<manifests::PlateSettings> settings = settings_;
    for (manifests::PlateSettings& plate : settings) {
      plate.protect = plan::protect_of(source_of(sheet_, i), sheet_.settings, plate.protect);
      // Levels keep paper and solid by themselves; a bit of theirs may be 0 in solids.
      if (plate.halftone.levels) plate.protect = {};
    }
    return settings;
  }

  /// The inks that are halftoned together, whose page begins.
  std::vector<PlaneGroup> begin_groups() const {
    std::vector<PlaneGroup> groups;
    for (const auto& [plates, halftoner] : together_) {
      groups.push_back({.planes = plates, .inks = halftoner});
    }
    return groups;
  }

  /// A plane for each plate, whose page begins.
  std::vector<PlaneRun> begin_planes(size_t i,
                                     const std::vector<std::shared_ptr<const ToneCurve>>& curves,
                                     const std::vector<tiff::Compression>& compression) {
    const std::vector<InkTexture> textures = textures_of(sheet_);
    const std::vector<manifests::PlateSettings> settings = settings_of_page(i);
    std::vector<PlaneRun> planes(plates_.size());
    for (size_t p = 0; p < planes.size(); ++p) {
      planes[p].halftoner = halftoners_[p].get();
      planes[p].curve = curves[p];
      planes[p].plate = plates_[p].get();
      planes[p].page = plate_page(sheet_, i, p);
      planes[p].compression = compression[p];
      planes[p].engine = sheet_.plates[p].engine;
      planes[p].texture = textures[p];
      planes[p].protect = settings[p].protect;
      planes[p].overlays = overlays_[p];
      planes[p].levels = levels_of(settings[p].halftone);
      planes[p].finish = finish_of(sheet_.settings.output);
      plates_[p]->begin_page(planes[p].page, compression[p], is_automatic(p));
    }
    return planes;
  }

  void run_page(size_t i) {
    const chain::Chain chain = input_.chain_of(i);
    const PageInfo& info = chain.page();
    const auto curves = curves_for(info);
    const std::vector<tiff::Compression> compression = choose_compression(chain, i, curves);
    std::vector<PlaneRun> planes = begin_planes(i, curves, compression);
    std::vector<PlaneGroup> together = begin_groups();
    PageOutputs outputs;
    outputs.on_round = [this](uint32_t plane, const RoundReport& report) {
      if (report.out_of_time) note_budget(sheet_.plates[plane].ink, report);
      context_.on_round(sheet_.plates[plane].ink, report);
    };
    std::optional<PagePreview> preview;
    if (context_.on_pictures) outputs.preview = &preview.emplace(info, levels_of_plates());
    outputs.timeline = context_.timeline;
    const OpenLinework linework(sheet_, context_.files);
    plan::BandPlan bands = sheet_.bands[i];
    std::optional<Gate::Pass> pass;
    std::optional<PageOnDevice> on_device = go_to_device(chain,
                                                         {planes,
                                                          together,
                                                          outputs.preview,
                                                          !sheet_.linework.empty(),
                                                          level() != tiff::VerifyLevel::kBytes,
                                                          bands},
                                                         pass);
    const chain::Chain on_cpu = on_device ? chain.without_gpu() : chain::Chain(chain);
    auto source = input_.open_digesting(chain, i);
    const tiff::DigestingReader& samples = *source;
    const auto reader = plan::through(on_cpu, std::move(source));
    PageRun page(info,
                 bands,
                 *curves.front(),
                 *reader,
                 std::move(planes),
                 outputs,
                 linework.readers(),
                 std::move(on_device),
                 std::move(together));
    context_.executor.run(page, context_.on_pixels);
    end_linework(linework);
    if (preview) {
      page.finish_preview();
      context_.on_pictures(i, preview->take());
    }
    add(page.times().seconds());
    sample_hashes_.push_back(samples.digest());
    end_page(i, page);
    add_ink_totals(chain);
    notes_.insert(notes_.end(), info.notes.begin(), info.notes.end());
  }

  void end_linework(const OpenLinework& linework) {
    if (sheet_.linework.empty()) return;
    std::vector<std::string> cut;
    work_in_turn([&](Team& team) { cut = linework.cut_texts(team); });
    notes_.insert(notes_.end(), cut.begin(), cut.end());
    linework.check_unchanged();
  }

  void add_ink_totals(const chain::Chain& chain) {
    if (chain.ink_totals() == nullptr) return;
    if (!ink_) {
      ink_.emplace();
      ink_map_ = chain.ink_totals()->map();
      ink_map_columns_ = chain.ink_totals()->columns();
    }
    *ink_ += chain.ink_totals()->total();
  }

  /// The page on GPUs, if its planes become strips there and fit; then with a pass for them.
  std::optional<PageOnDevice> go_to_device(const chain::Chain& chain,
                                           const PageToRun& page,
                                           std::optional<Gate::Pass>& pass) {
    if (!plan::gpu_way(sheet_).to_strips) return std::nullopt;
    pass.emplace(context_.planes_on_gpus, page.planes.size());
    stop_if_requested();  // it may have waited long
    std::optional<PageOnDevice> on_device = put_on_device(chain, page);
    if (on_device) return on_device;
    pass.reset();
    notes_.push_back(
        "a GPU halftoned the page, and threads made its strips, which did not fit on the GPU");
    return std::nullopt;
  }

  /// Of an ink, from any thread; of its slabs the least round is told.
  void note_budget(const std::string& ink, const RoundReport& report) {
    const std::lock_guard lock(budget_mutex_);
    const auto [found, is_first] = ended_by_budget_.insert({ink, report});
    if (!is_first && report.round < found->second.round) found->second = report;
  }

  void tell_of_budgets() {
    const std::lock_guard lock(budget_mutex_);
    for (const auto& [ink, report] : ended_by_budget_) {
      notes_.push_back(
          fmt::format("{}: the budget ended the search in round {}{}, with an error of {:.3f}",
                      ink,
                      report.round,
                      report.stage.empty() ? "" : fmt::format(" ({})", report.stage),
                      report.average_error));
    }
    ended_by_budget_.clear();
  }

  /// Takes over what page `i` has counted, and ends it in all plates.
  void end_page(size_t i, PageRun& page) {
    tell_of_budgets();
    for (size_t p = 0; p < plates_.size(); ++p) {
      const PlaneRun& plane = page.plane(static_cast<uint32_t>(p));
      ink_pixels_[p] += plane.ink_pixels;
      drops_[p].resize(plane.drops.size());
      for (size_t j = 0; j < plane.drops.size(); ++j) drops_[p][j] += plane.drops[j];
      protection_[p] += plane.protection;
      linework_[p] += plane.linework;
      plates_[p]->end_page(
          plan::provenance_software(),
          plan::provenance_text(sheet_, i, sheet_.plates[p].ink, sample_hashes_.back()));
    }
  }

  std::vector<std::optional<DropLevels>> levels_of_plates() const {
    std::vector<std::optional<DropLevels>> levels;
    for (const manifests::PlateSettings& plate : settings_) {
      levels.push_back(levels_of(plate.halftone));
    }
    return levels;
  }

  /// The paths of the plates that do not replace an earlier plate of this sheet.
  std::vector<std::string> new_plates() const {
    std::vector<std::string> paths;
    for (const plan::PlatePlan& plate : sheet_.plates) {
      if (!plate.own) paths.push_back(plate.path);
    }
    return paths;
  }

  /// Whether a file that is not the job's own has the name of a plate.
  bool is_a_name_taken() const {
    return std::ranges::any_of(files_with_names_of(context_.files, new_plates()),
                               [](const std::string& file) { return !file.empty(); });
  }

  /// Of all pages, read for that alone: a page whose plates may not get their names is not halftoned first.
  std::vector<std::string> read_sample_hashes() const {
    std::vector<std::string> hashes;
    work_in_turn([&](Team& team) {
      hashes = input_.read_sample_hashes(team, [this] { stop_if_requested(); });
    });
    return hashes;
  }

  void keep_plates_of_others(const std::vector<std::string>& sample_hashes) const {
    const std::vector<std::string> plates = new_plates();
    const std::vector<std::string> taken = files_with_names_of(context_.files, plates);
    for (size_t i = 0; i < plates.size(); ++i) {
      if (taken[i].empty()) continue;
      refuse_other_page(context_.files, plates[i], taken[i], sample_hashes);
    }
  }

  std::vector<VerifyInks> inks_to_verify() const {
    std::vector<VerifyInks> inks;
    for (const auto& [plates, halftoner] : together_) {
      inks.push_back({plates, plan::colours_of_group(sheet_, plates)});
    }
    return inks;
  }

  void verify() const {
    std::vector<std::string> files, names;
    for (size_t p = 0; p < plates_.size(); ++p) {
      files.push_back(plates_[p]->temporary_path());
      names.push_back(sheet_.plates[p].path);
    }
    for (size_t i = 0; i < sheet_.pages.size(); ++i) {
      const chain::Chain chain = input_.chain_of(i);
      const auto reader = plan::through(chain, input_.open_page(chain, i));
      const OpenLinework linework(sheet_, context_.files);
      const std::vector<manifests::PlateSettings> settings = settings_of_page(i);
      verify_page({.settings = settings,
                   .finish = finish_of(sheet_.settings.output),
                   .info = sheet_.infos[i],
                   .band_rows = sheet_.bands[i].rows,
                   .plates = files,
                   .names = names,
                   .textures = textures_of(sheet_),
                   .together = inks_to_verify(),
                   .linework = linework.readers(),
                   .overlays = overlays_,
                   .plate_page = static_cast<uint32_t>(i),
                   .files = context_.files,
                   .on_band = [this] { stop_if_requested(); }},
                  *reader);
    }
  }

  void report_sealed(const SheetResult& finished) const {
    std::vector<SealedFile> files;
    for (const auto& plate : plates_) {
      const auto mark = files::mark_of(context_.files, plate->temporary_path());
      if (!mark) throw Error(ErrorKind::kIo, plate->temporary_path() + ": the file has vanished");
      files.push_back({plate->temporary_path(), *mark, plate->file_digest()});
    }
    const std::string digest = input_.digest();
    context_.on_sealed({sheet_, finished, input_.mark(), digest, files});
  }

  void add(const StageSeconds& seconds) {
    for (size_t i = 0; i < seconds.size(); ++i) stages_[i] += seconds[i];
  }

  void stop_if_requested() const { context_.on_pixels(0); }

  SheetResult result() {
    SheetResult result;
    result.input = sheet_.input;
    result.pages = sheet_.pages;
    result.pixels = sheet_.pixels;
    result.input_bytes = input_.mark().bytes;
    add(seal_time_.seconds());
    result.stages = stages_;
    result.verified = level();
    std::ranges::sort(notes_);
    notes_.erase(std::unique(notes_.begin(), notes_.end()), notes_.end());
    result.notes = notes_;
    if (ink_) {
      result.ink = ink_amount(*ink_, sheet_.settings.ink_limit);
      result.ink->map = ink_map_;
      result.ink->map_columns = ink_map_columns_;
    }
    const double plate_pixels =
        static_cast<double>(sheet_.pixels) / static_cast<double>(plates_.size());
    for (size_t p = 0; p < plates_.size(); ++p) {
      result.plates.push_back({sheet_.plates[p].ink,
                               sheet_.plates[p].path,
                               std::string(to_string(plates_[p]->page_compression(0))),
                               plates_[p]->file_bytes(),
                               plates_[p]->content_sum(),
                               100 * ink_pixels_[p] / plate_pixels,
                               settings_[p].protect.any() && !settings_[p].halftone.levels
                                   ? std::optional(protection_[p])
                                   : std::nullopt,
                               sheet_.linework.empty() ? std::nullopt : std::optional(linework_[p]),
                               drops_[p],
                               volume_of(settings_[p].halftone, drops_[p])});
      add_ink_use(sheet_, p, result.plates.back());
    }
    return result;
  }

  const plan::SheetPlan& sheet_;
  const SheetContext& context_;
  SheetInput input_;
  std::vector<manifests::PlateSettings> settings_;            // of each plate
  std::vector<tiff::Compression> compression_;                // likewise, as they name it
  std::vector<std::shared_ptr<const Halftoner>> halftoners_;  // likewise
  std::vector<std::pair<plan::InkGroup, std::shared_ptr<const together::InksHalftoner>>> together_;
  std::vector<std::unique_ptr<tiff::PlateFile>> plates_;
  std::vector<double> ink_pixels_;
  std::vector<std::vector<uint64_t>> drops_;  // pixels of each level, where plates have packed ones
  std::vector<std::string> sample_hashes_;    // of each page that is made
  std::vector<prepress::Protection> protection_;
  std::mutex budget_mutex_;
  std::map<std::string, RoundReport> ended_by_budget_;    // of each ink
  std::vector<std::vector<prepress::Overlay>> overlays_;  // one a plate
  std::vector<prepress::OverlayPixels> linework_;         // likewise
  std::optional<prepress::InkLimitCounts> ink_;           // of all pages, where they have a limit
  std::vector<uint8_t> ink_map_;                          // of the first page
  uint32_t ink_map_columns_ = 0;
  std::vector<std::string> notes_;
  StageTimes seal_time_;
  StageSeconds stages_{};
};

}  // namespace

SheetResult run_sheet(const plan::SheetPlan& sheet, const SheetContext& context) {
  return SheetRun(sheet, context).run();
}

}  // namespace mezzo::run
