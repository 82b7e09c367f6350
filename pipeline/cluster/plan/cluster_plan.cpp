#include "pipeline/cluster/plan/cluster_plan.h"

#include <algorithm>
#include <filesystem>

#include "kernels/base/error.h"
#include "pipeline/text.h"

namespace mezzo::cluster {
namespace {

namespace fs = std::filesystem;

/// The position at which two paths differ.
fs::path common_folder(const fs::path& a, const fs::path& b) {
  fs::path common;
  auto of_a = a.begin();
  for (auto of_b = b.begin(); of_a != a.end() && of_b != b.end() && *of_a == *of_b; ++of_b) {
    common /= *of_a++;
  }
  return common;
}

}  // namespace

std::string_view name_of(ClusterEngineKind kind) {
  switch (kind) {
    case ClusterEngineKind::kSlurm:
      return "slurm";
    case ClusterEngineKind::kLocal:
      return "local";
    case ClusterEngineKind::kNone:
      return "none";
  }
  return "";
}

std::optional<ClusterEngineKind> cluster_engine_named(std::string_view name) {
  using enum ClusterEngineKind;
  for (const ClusterEngineKind kind : {kSlurm, kLocal, kNone}) {
    if (name_of(kind) == name) return kind;
  }
  return std::nullopt;
}

manifests::Job job_of_unit(const ClusterPlan& plan, uint32_t unit) {
  MZ_ASSERT(unit < plan.units.size());
  const Unit& sheets = plan.units[unit];
  const PlannedJob& planned = plan.jobs[plan.sheets[sheets.first].job];
  manifests::Job job;
  job.name = planned.name;
  job.manifest = planned.manifest;
  job.folder = job.plates_folder = planned.folder;
  job.limits = planned.limits;
  for (uint32_t i = 0; i < sheets.count; ++i) {
    job.pages.push_back(plan.sheets[sheets.first + i].page);
  }
  return job;
}

manifests::Job job_of_plan(const ClusterPlan& plan) {
  manifests::Job job;
  const PlannedJob& first = plan.jobs.front();
  job.name = plan.jobs.size() == 1 ? first.name : counted(plan.jobs.size(), "job");
  if (plan.jobs.size() == 1) job.manifest = first.manifest;
  job.limits = first.limits;
  for (const PlannedJob& other : plan.jobs) {
    job.limits.memory_bytes = std::max(job.limits.memory_bytes, other.limits.memory_bytes);
  }
  fs::path folder = fs::path(plan.sheets.front().page.input).parent_path();
  for (const PlannedSheet& sheet : plan.sheets) {
    folder = common_folder(folder, fs::path(sheet.page.input).parent_path());
    job.pages.push_back(sheet.page);
  }
  job.folder = job.plates_folder = folder.string();
  return job;
}

}  // namespace mezzo::cluster
