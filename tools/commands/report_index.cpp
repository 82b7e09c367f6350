#include "tools/commands/report_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "stages/files/publish.h"
#include "stages/tiff/plate/file_origin.h"

namespace mezzo::commands {
namespace {

using State = report::IndexEntry::State;

/// The first mistake of a manifest, in one line.
std::string reason_of_refusal(const std::string& manifest,
                              const manifests::ManifestFolders& folders) {
  try {
    const auto checked = manifests::load_manifest(manifest, folders);
    const auto* diagnostics = std::get_if<std::vector<Diagnostic>>(&checked);
    if (diagnostics == nullptr || diagnostics->empty()) return "";
    const Diagnostic& first = diagnostics->front();
    const std::string hint = first.hint.empty() ? "" : "; " + first.hint;
    return first.line > 0 ? fmt::format("line {}: {}{}", first.line, first.message, hint)
                          : first.message + hint;
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

ReportIndex::ReportIndex(const std::string& folder,
                         const std::vector<std::string>& manifests,
                         const manifests::ManifestFolders& folders,
                         const std::vector<manifests::Job>& jobs)
    : folder_(folder), is_single_(manifests.size() == 1) {
  std::map<std::string, int> times;  // that a name occurred
  for (const manifests::Job& job : jobs) {
    const int time = ++times[job.name];
    // A name has no slash.
    const std::string name = time > 1 ? fmt::format("{} ({})", job.name, time) : job.name;
    entries_.push_back({.job = job.name, .manifest = job.manifest, .folder = name});
  }
  if (!folder_.empty() && !is_single_) add_refused(manifests, folders);
}

void ReportIndex::add_refused(const std::vector<std::string>& manifests,
                              const manifests::ManifestFolders& folders) {
  const size_t jobs = entries_.size();
  for (const std::string& manifest : manifests) {
    const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(jobs);
    if (std::find_if(entries_.begin(), end, [&](const auto& entry) {
          return entry.manifest == manifest;
        }) != end) {
      continue;
    }
    entries_.push_back({.job = "",
                        .manifest = manifest,
                        .folder = "",
                        .state = State::kRefused,
                        .problem = one_line(reason_of_refusal(manifest, folders))});
  }
}

std::string ReportIndex::folder_of(size_t index) const {
  if (folder_.empty() || is_single_) return folder_;
  return folder_ + "/" + entries_[index].folder;
}

void ReportIndex::begin(size_t index) {
  begin_ = std::chrono::system_clock::now();
  entries_[index].state = State::kRunning;
  write();
}

void ReportIndex::end(size_t index, const std::string& problem) {
  entries_[index].state = State::kEnded;
  entries_[index].problem = one_line(problem);
  entries_[index].summary = report::read_summary(folder_of(index), begin_);
  write();
}

void ReportIndex::write() const {
  if (folder_.empty() || is_single_) return;
  try {
    const std::string path = folder_ + "/index.html";
    if (!tiff::may_replace(tiff::origin_of_file(path), tiff::FileOrigin::kOther)) {
      throw Error(ErrorKind::kUsage, path + ": this file was not written by mezzotint, and stays");
    }
    files::write_whole_file(path, report::index_page(entries_, std::chrono::system_clock::now()));
  } catch (const Error& error) {
    log::warn("the index of the reports is not written: {}", error.what());
  }
}

}  // namespace mezzo::commands
