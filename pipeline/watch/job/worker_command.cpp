#include "pipeline/watch/job/worker_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "kernels/base/error.h"
#include "manifests/named_files.h"
#include "stages/files/file_mark.h"
#include "stages/files/publish.h"
#include "stages/files/xxh3.h"

namespace mezzo::watch {
namespace {

namespace fs = std::filesystem;

std::string mark_text(const std::string& path) {
  const auto mark = files::mark_of(files::FileSystem::real(), path);
  return mark ? files::to_string(*mark) : "none";
}

/// Returns the marks of the tile files that the settings name. Does not read the files: only workers decode.
std::string file_marks(manifests::PageSettings settings) {
  std::string marks;
  for (const manifests::NamedFile& file : named_files(settings, nullptr)) {
    marks += " " + mark_text(*file.path);
  }
  return marks;
}

/// Returns the marks of the curves that jobs of the press may look up.
std::string curve_marks(const manifests::CurveSettings& curves) {
  if (curves.library.empty()) return {};
  std::vector<std::string> marks;
  std::error_code error;
  for (fs::directory_iterator entry(curves.library, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string path = entry->path().string();
    marks.push_back(" " + path + " " + mark_text(path));
  }
  std::ranges::sort(marks);
  return " curves" + fmt::to_string(fmt::join(marks, ""));
}

/// Throws Error(kIo) when that is not known.
bool is_there(const std::string& path) {
  std::error_code error;
  const bool found = fs::exists(path, error);
  if (!error) return found;
  throw Error(ErrorKind::kIo, path + ": cannot be looked at: " + error.message());
}

/// The limits that folder.yaml gives, as the most that a manifest may ask for. A ticket comes with the
/// pages, from people who may not ask for more than the folder has. Nor may those who can write into .work,
/// where the manifest of plain pages lies.
void add_limits(const manifests::FolderSettings& settings, std::vector<std::string>& words) {
  const auto add = [&](const char* option, uint64_t most) {
    if (most != 0) words.insert(words.end(), {option, std::to_string(most)});
  };
  add("--most-memory", settings.names_memory ? settings.limits.memory_bytes : 0);
  add("--most-device-memory", settings.limits.device_memory_bytes);
  add("--most-threads", settings.limits.threads);
}

}  // namespace

std::string report_folder(const HotFolder& folder, const ClaimedJob& job) {
  return folder.path() + "/reports/" + job.id;
}

std::vector<std::string> worker_command(const HotFolder& folder,
                                        const ClaimedJob& job,
                                        const JobContext& context) {
  std::vector<std::string> words = context.worker_command;
  words.insert(words.end(),
               {"--journal",
                context.journal_of(job.id),
                "--job-id",
                job.id,
                "--within",
                job.work,
                "--plates",
                folder.plates(),
                "--hot-folder",
                folder.path(),
                "--report",
                report_folder(folder, job),
                "--wait-for-space",
                "--reserve",
                std::to_string(folder.settings().reserve_bytes)});
  add_limits(folder.settings(), words);
  // The settings are those of folder.yaml, for whatever pages come.
  if (job.kind == JobKind::kPages) words.emplace_back("--any-inks");
  if (!folder.settings().replaces_others) words.emplace_back("--keep-others");
  if (const std::string press = context.press_of(job.id); is_there(press)) {
    words.insert(words.end(), {"--press", press});
  }
  words.push_back(job.manifest);
  return words;
}

void keep_press(const HotFolder& folder, const ClaimedJob& job, const JobContext& context) {
  const manifests::PressFilePtr& press = folder.settings().press;
  const std::string copy = context.press_of(job.id);
  if (press && !is_there(copy)) files::write_whole_file(copy, press->text);
}

std::string digest_on_press(const std::string& digest, const manifests::FolderSettings& folder) {
  if (!folder.press || digest.empty()) return digest;
  const manifests::PageSettings& settings = folder.press->layered.settings;
  const std::string all =
      digest + settings.press->xxh3 + file_marks(settings) + curve_marks(settings.curves);
  files::Xxh3 both;
  both.add(all.data(), all.size());
  return both.hex128();
}

}  // namespace mezzo::watch
