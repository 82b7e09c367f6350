// Pictures of pages, kept by attempts for the report of a plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/report/report_data.h"
#include "pipeline/run/job_runner.h"

namespace mezzo::cluster {

/// Keeps the pictures of a unit's pages in the plan's folder, pictures/SHEET-PAGE.json; of two
/// attempts at a page, which draw the same, the later one's stay. Keeps none when the plan wants
/// none, nor those that a report leaves out. Never throws: a lost picture fails no page. Any
/// thread.
class PictureKeeper final : public run::PictureSink {
 public:
  /// `plan` outlives the keeper. `attempt` is noted in each file.
  PictureKeeper(const ClusterPlan& plan, std::string attempt);

  /// The sheet of the plan for each sheet of the job's plan: set it before the run. `job_plan`
  /// outlives the keeper's use.
  void set_job_plan(const plan::JobPlan& job_plan, std::vector<uint32_t> sheets);
  void page_seen(const plan::SheetPlan& sheet, size_t page, PreviewImages pictures) override;

 private:
  const ClusterPlan& plan_;
  const std::string attempt_;
  const bool in_full_;
  const plan::JobPlan* job_plan_ = nullptr;
  std::vector<uint32_t> sheets_;
};

/// The kept picture of a page of a sheet; nothing without one, or when no keeper wrote the file for
/// this page.
std::optional<report::PagePicture> kept_picture(const ClusterPlan& plan, size_t sheet, size_t page);

}  // namespace mezzo::cluster
