#include "pipeline/cluster/plan/plan_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/base/utf8.h"
#include "pipeline/cluster/plan/paths.h"
#include "pipeline/cluster/plan/plan_check.h"
#include "pipeline/cluster/plan/plan_json.h"
#include "pipeline/text.h"
#include "stages/colour/table_file.h"
#include "stages/files/folder.h"
#include "stages/files/input_file.h"
#include "stages/files/publish.h"
#include "stages/files/temporary_name.h"

namespace mezzo::cluster {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostPlanBytes = 64ULL << 20;

constexpr std::array<const char*, 4> kFoldersInside = {"records", "pictures", "logs", "report"};

/// Only plans of pages that are converted have it.
constexpr const char* kTables = "colour";

/// One that others may not write to, whatever the folders above it allow.
void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (!error && ::mkdir(path.c_str(), 0755) != 0 && !fs::is_directory(path)) {
    error.assign(errno, std::generic_category());
  }
  if (!error) return;
  throw Error(ErrorKind::kCannotCreate,
              path + ": the folder of a plan cannot be made: " + error.message());
}

/// The folder that a path to a plan means.
std::string folder_of(const std::string& path) {
  std::string whole = absolute_path(path);
  std::error_code error;
  if (fs::is_directory(whole, error) || fs::path(whole).filename() != "plan.json") return whole;
  return fs::path(whole).parent_path().string();
}

/// The folder; throws for a file.
std::string checked_folder_of(const std::string& path) {
  std::string folder = folder_of(path);
  std::error_code ignored;
  if (!fs::is_regular_file(folder, ignored)) return folder;
  throw Error(
      ErrorKind::kMissing,
      path + ": expected the folder of a plan, which 'mezzotint submit' makes, found a file");
}

std::string read_plan(const std::string& file) {
  try {
    return files::read_text(file, kMostPlanBytes, files::FileSystem::real());
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kMissing || error.kind() == ErrorKind::kIo) throw;
    throw Error(ErrorKind::kData, error.what());
  }
}

ClusterPlan plan_of(const std::string& folder, const std::string& text) {
  try {
    ClusterPlan plan = parse_plan(text);
    check_plan(plan);
    plan.path = folder;
    for (PlannedSheet& sheet : plan.sheets) {
      if (!sheet.page.conversions.empty()) sheet.page.table_folder = table_folder(folder);
    }
    return plan;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kData) throw Error(ErrorKind::kData, error.what());
    throw Error(ErrorKind::kData,
                fmt::format("{}: this plan cannot be run: {}", plan_file(folder), error.what()),
                "make it again with 'mezzotint submit'");
  }
}

/// Throws unless this user or root owns what `fd` is, and nobody else may write to it.
void refuse_strangers(int fd, const std::string& path) {
  struct stat found {};
  if (::fstat(fd, &found) != 0) throw files::file_error(path, "looking at it", errno);
  if (found.st_uid != ::geteuid() && found.st_uid != 0) {
    throw Error(ErrorKind::kData,
                fmt::format("{}: it belongs to another user (number {}), who could change the "
                            "program that the plan runs",
                            path,
                            found.st_uid),
                "submit the job as yourself");
  }
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    throw Error(ErrorKind::kData,
                fmt::format("{}: other users may write to it, and so change the program that the "
                            "plan runs, or lead its files elsewhere by links; if they have not, "
                            "'chmod -R go-w' on the plan's folder allows it",
                            path));
  }
}

[[noreturn]] void refuse_unopened(const std::string& path, int error_number) {
  const ErrorKind kind = error_number == ENOENT ? ErrorKind::kMissing : ErrorKind::kIo;
  throw Error(kind,
              fmt::format("{}: cannot be opened for reading: {}",
                          path,
                          std::generic_category().message(error_number)));
}

/// The folder, open; throws unless it and those in it belong to this user or root, and nobody else
/// may write there.
files::Descriptor own_folder(const std::string& path) {
  files::Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder) refuse_unopened(plan_file(path), errno);
  refuse_strangers(folder.get(), path);
  std::vector<const char*> names(kFoldersInside.begin(), kFoldersInside.end());
  names.push_back(kTables);
  for (const char* name : names) {
    const files::Descriptor inside = files::open_folder(folder.get(), name);
    if (inside) refuse_strangers(inside.get(), path + "/" + name);
    if (inside || errno == ENOENT) continue;
    throw Error(
        ErrorKind::kData,
        fmt::format(
            "{}/{}: expected a folder of the plan, found a link or another file", path, name),
        "remove it");
  }
  return folder;
}

/// While it lives, new files cannot be written to by others.
class OwnFiles {
 public:
  OwnFiles() : before_(::umask(S_IWGRP | S_IWOTH)) { ::umask(before_ | S_IWGRP | S_IWOTH); }
  ~OwnFiles() { ::umask(before_); }
  OwnFiles(const OwnFiles&) = delete;
  OwnFiles& operator=(const OwnFiles&) = delete;

 private:
  const mode_t before_;
};

}  // namespace

void make_plan_folder(const std::string& path) {
  make_folder(path);
  (void)own_folder(path);
}

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
                  fmt::format("it would have {}, the limit is {}",
                              bytes_text(text.size()),
                              bytes_text(kMostPlanBytes)),
                  "submit fewer pages at a time");
    }
  } catch (const Error& error) {
    throw error.at(file + ": this plan cannot be written: ");
  }
  make_plan_folder(plan.path);
  for (const char* name : kFoldersInside) make_folder(plan.path + "/" + name);
  if (!plan.tables.empty()) make_folder(table_folder(plan.path));
  const OwnFiles own;
  for (const auto& [digest, table] : plan.tables) {
    colour::write_table(table_folder(plan.path) + "/" + digest + ".lut", *table);
  }
  files::write_whole_file(file, text);
}

std::string table_folder(const std::string& plan_folder) {
  return plan_folder + "/" + kTables;
}

bool is_of_unfinished_plan(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename();
  files::Writer writer;
  if (name == "lock" || files::final_name_of(name, writer) == "plan.json") return true;
  std::error_code error;
  if (entry.symlink_status(error).type() != fs::file_type::directory) return false;
  return name == kTables || (std::ranges::count(kFoldersInside, name) > 0 &&
                             fs::is_empty(entry.path(), error) && !error);
}

ClusterPlan load_plan(const std::string& path) {
  const std::string folder = checked_folder_of(path);
  return plan_of(folder, read_plan(plan_file(folder)));
}

ClusterPlan load_own_plan(const std::string& path) {
  const std::string folder = checked_folder_of(path);
  const std::string file = plan_file(folder);
  const files::Descriptor inside = own_folder(folder);
  // Of this very folder and file, whatever takes their names meanwhile.
  const files::Descriptor opened = files::open_regular(inside.get(), "plan.json");
  if (!opened) refuse_unopened(file, errno);
  refuse_strangers(opened.get(), file);
  const auto text = files::read_all(opened.get(), kMostPlanBytes + 1);
  if (!text || text->size() > kMostPlanBytes) {
    throw files::file_error(file, "reading it", text ? EFBIG : errno);
  }
  return plan_of(folder, *text);
}

}  // namespace mezzo::cluster
