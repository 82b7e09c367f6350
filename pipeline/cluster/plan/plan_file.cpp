#include "pipeline/cluster/plan/plan_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "kernels/base/error.h"
#include "kernels/base/utf8.h"
#include "pipeline/cluster/plan/paths.h"
#include "pipeline/cluster/plan/plan_check.h"
#include "pipeline/cluster/plan/plan_json.h"
#include "pipeline/text.h"
#include "stages/files/input_file.h"
#include "stages/files/publish.h"

namespace mezzo::cluster {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostPlanBytes = 64ULL << 20;

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) return;
  throw Error(ErrorKind::kCannotCreate,
              path + ": the folder of a plan cannot be made: " + error.message());
}

/// The folder that a path to a plan means.
std::string folder_of(const std::string& path) {
  const std::string whole = absolute_path(path);
  std::error_code error;
  if (fs::is_directory(whole, error) || fs::path(whole).filename() != "plan.json") return whole;
  return fs::path(whole).parent_path().string();
}

}  // namespace

void save_plan(const ClusterPlan& plan) {
  const std::string file = plan_file(plan.path);
  std::string text;
  try {
    if (!is_clean_text(plan.path)) {
      throw Error(ErrorKind::kData,
                  "the name of its folder holds control characters or is not UTF-8");
    }
    check_plan(plan);
    text = plan_text(plan);
    if (text.size() > kMostPlanBytes) {
      throw Error(ErrorKind::kData,
                  fmt::format("it would have {}, the limit is {}; submit fewer pages at a time",
                              bytes_text(text.size()),
                              bytes_text(kMostPlanBytes)));
    }
  } catch (const Error& error) {
    throw Error(error.kind(), file + ": this plan cannot be written: " + error.what());
  }
  for (const char* name : {"", "/records", "/pictures", "/logs", "/report"}) {
    make_folder(plan.path + name);
  }
  files::write_whole_file(file, text);
}

ClusterPlan load_plan(const std::string& path) {
  const std::string folder = folder_of(path);
  const std::string file = plan_file(folder);
  std::error_code ignored;
  if (fs::is_regular_file(folder, ignored)) {
    throw Error(
        ErrorKind::kMissing,
        path + ": expected the folder of a plan, which 'mezzotint submit' makes, found a file");
  }
  try {
    ClusterPlan plan =
        parse_plan(files::read_text(file, kMostPlanBytes, files::FileSystem::real()));
    check_plan(plan);
    plan.path = folder;
    return plan;
  } catch (const Error& error) {
    // Errors of the file itself name it already.
    if (error.kind() == ErrorKind::kMissing || error.kind() == ErrorKind::kIo) throw;
    if (error.kind() != ErrorKind::kData) throw Error(ErrorKind::kData, error.what());
    throw Error(
        ErrorKind::kData,
        fmt::format("{}: this plan cannot be run: {}; make it again with 'mezzotint submit'",
                    file,
                    error.what()));
  }
}

}  // namespace mezzo::cluster
