#include "pipeline/watch/folder/hot_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "kernels/base/error.h"
#include "manifests/source_text.h"
#include "pipeline/watch/folder/arrivals.h"
#include "pipeline/watch/folder/entry_names.h"
#include "pipeline/watch/folder/gathering.h"
#include "pipeline/watch/folder/job_record.h"
#include "pipeline/watch/folder/keep_times.h"
#include "pipeline/watch/folder/ticket.h"
#include "pipeline/watch/folder/work_folder.h"
#include "stages/files/folder.h"

namespace mezzo::watch {
namespace {

constexpr const char* kSettingsName = "folder.yaml";

/// Each costs a few writes to the disk, and the caller has other folders to look after.
constexpr size_t kMaxRemovals = 50;

/// Between two looks on account of files that arrive one after another.
constexpr std::chrono::milliseconds kMaxPause{500};

}  // namespace

struct HotFolder::State {
  State(std::string folder_path, files::FileSystem& folder_calls)
      : path(std::move(folder_path)), calls(folder_calls) {}

  std::string path;
  files::FileSystem& calls;
  files::Descriptor root;
  manifests::FolderSettings settings;
  std::pair<dev_t, ino_t> place;  ///< which folder the last look was at
  bool has_settings = false;      ///< good ones, of this very folder
  std::optional<std::optional<files::FileStat>>
      settings_stat;  ///< of folder.yaml when it was last read
  std::vector<Diagnostic> mistakes;
  Arrivals arrivals;
  Gathered gathered;
  std::vector<FolderNote> notes;
  std::vector<RefusedFiles> refused;
  SteadyTime looked;
  bool has_more_removals = false;

  /// The folder as it is now. When another has taken its place, what was seen is forgotten.
  int open_root();
  void read_settings(int folder);
  void take_settings(manifests::Checked<manifests::FolderSettings> parsed);
  ClaimPlan plan(JobKind kind, const std::string& name, const std::vector<std::string>& files);
  JobKind kind_of(const WaitingJob& job) const;
  void carry_out(int folder);
  WorkFolder work() { return WorkFolder(open_root(), path, calls); }
};

int HotFolder::State::open_root() {
  files::Descriptor now(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!now) {
    const bool gone = errno == ENOENT || errno == ENOTDIR;
    std::string reason = "it cannot be opened: " + std::generic_category().message(errno);
    struct stat found {};
    if (errno == ENOTDIR && ::stat(path.c_str(), &found) == 0)
      reason = "it is a file, and no folder";
    root.reset();
    arrivals.forget();
    gathered = {};
    throw Error(gone ? ErrorKind::kMissing : ErrorKind::kIo,
                "the hot folder " + manifests::in_quotes(path) + ": " + reason);
  }
  struct stat before {};
  struct stat after {};
  if (::fstat(now.get(), &after) != 0) after = {};
  const bool is_same = root && ::fstat(root.get(), &before) == 0 && before.st_ino == after.st_ino &&
                       before.st_dev == after.st_dev;
  if (!is_same) {
    root = std::move(now);
    arrivals.forget();
    gathered = {};
    settings_stat.reset();
    // Settings stay good for the folder that they were read in, also when it was away.
    const std::pair is_at(after.st_dev, after.st_ino);
    if (std::exchange(place, is_at) != is_at) has_settings = false;
  }
  return root.get();
}

void HotFolder::State::read_settings(int folder) {
  const std::optional<files::FileStat> stat = files::stat_file(folder, kSettingsName);
  if (!stat && errno != ENOENT) throw Error(ErrorKind::kIo, path + ": cannot be looked at");
  if (settings_stat && *settings_stat == stat) return;
  settings_stat = stat;
  const std::string file = path + "/" + kSettingsName;
  if (!stat) return take_settings(manifests::FolderSettings());
  const files::Descriptor opened = files::open_regular(folder, kSettingsName);
  const std::optional<std::string> text =
      opened ? files::read_all(opened.get(), manifests::kMaxManifestBytes + 1) : std::nullopt;
  if (!text) {
    mistakes = {{.file = file,
                 .line = 0,
                 .column = 0,
                 .message = "the settings cannot be read: " +
                            (errno == EMLINK ? "no regular file of its own"
                                             : std::generic_category().message(errno)),
                 .hint = {},
                 .excerpt = {}}};
    return;
  }
  take_settings(manifests::parse_folder_settings(*text, file));
}

void HotFolder::State::take_settings(manifests::Checked<manifests::FolderSettings> parsed) {
  if (auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed)) {
    mistakes = std::move(*wrong);
    return;
  }
  manifests::FolderSettings& good = std::get<manifests::FolderSettings>(parsed);
  if (const auto problem = plates_problem(path, good, good.defaults.output.path);
      !problem.empty()) {
    mistakes = {{.file = path + "/" + kSettingsName,
                 .line = 0,
                 .column = 0,
                 .message = problem,
                 .hint = "let 'plates', or 'path' of 'output', name another folder",
                 .excerpt = {}}};
    return;
  }
  mistakes.clear();
  settings = std::move(good);
  has_settings = true;
}

JobKind HotFolder::State::kind_of(const WaitingJob& job) const {
  const auto first = arrivals.entries().find(job.files.front());
  if (first == arrivals.entries().end()) return JobKind::kPages;
  switch (first->second.kind) {
    case ArrivalKind::kTicket:
      return JobKind::kTicket;
    case ArrivalKind::kFolder:
      return JobKind::kFolder;
    case ArrivalKind::kPage:
      break;
  }
  return JobKind::kPages;
}

/// Without files when one of them is not known any more.
ClaimPlan HotFolder::State::plan(JobKind kind,
                                 const std::string& name,
                                 const std::vector<std::string>& files) {
  ClaimPlan plan;
  plan.kind = kind;
  plan.name = name;
  std::vector<manifests::WrittenPage> pages;
  for (const std::string& file : files) {
    const auto found = arrivals.entries().find(file);
    if (found == arrivals.entries().end()) {
      plan.files.clear();
      return plan;
    }
    plan.files.push_back({.name = file, .stat = found->second.stat, .tree = found->second.tree});
    pages.push_back({.input = file, .sha256 = {}});
  }
  if (kind == JobKind::kPages) {
    plan.manifest =
        manifests::write_manifest(job_name_for(name), settings.limits, settings.defaults, pages);
  }
  return plan;
}

/// Moves what cannot become a job out of the way, through a claim, so that each goes once.
void HotFolder::State::carry_out(int folder) {
  WorkFolder work(folder, path, calls);
  size_t done = 0;
  has_more_removals = gathered.removals.size() > kMaxRemovals;
  if (has_more_removals) gathered.arriving += gathered.removals.size() - kMaxRemovals;
  for (const Removal& removal : gathered.removals) {
    if (++done > kMaxRemovals) break;
    try {
      ClaimPlan loose = plan(JobKind::kLoose, printable_name(removal.name), removal.files);
      loose.loose_end = removal.to;
      loose.loose_reason = removal.reason;
      std::optional<ClaimedJob> claimed = work.claim(loose);
      if (!claimed) continue;
      const std::string id = claimed->id;
      refused.push_back({.id = id,
                         .name = loose.name,
                         .reason = removal.reason,
                         .files = work.finish(std::move(*claimed), removal.to, removal.reason)});
      notes.push_back(
          {.name = loose.name,
           .text = std::string("moved to ") + folder_of(removal.to) + "/: " + removal.reason});
    } catch (const Error& error) {
      notes.push_back({.name = printable_name(removal.name), .text = error.what()});
    }
  }
}

HotFolder::HotFolder(std::string path, files::FileSystem& calls)
    : state_(std::make_shared<State>(std::move(path), calls)) {}

const std::string& HotFolder::path() const {
  return state_->path;
}

const manifests::FolderSettings& HotFolder::settings() const {
  return state_->settings;
}

std::vector<Diagnostic> HotFolder::reload_settings() {
  state_->read_settings(state_->open_root());
  return state_->mistakes;
}

bool HotFolder::has_settings() const {
  return state_->has_settings;
}

void HotFolder::look(std::chrono::steady_clock::time_point now) {
  State& state = *state_;
  const int folder = state.open_root();
  state.arrivals.look(folder, state.path, state.settings, now);
  state.gathered = gather(state.arrivals.entries(), state.settings, now);
  state.looked = now;
  state.notes = state.arrivals.notes();
  state.carry_out(folder);
}

const std::vector<WaitingJob>& HotFolder::waiting() const {
  return state_->gathered.waiting;
}

size_t HotFolder::arriving() const {
  return state_->gathered.arriving;
}

std::optional<std::chrono::steady_clock::time_point> HotFolder::next_look() const {
  const State& state = *state_;
  if (state.has_more_removals) return state.looked;
  std::optional<SteadyTime> next = state.arrivals.next();
  if (next) {
    next = std::max(*next, state.looked + std::min(kMaxPause, state.settings.every / 4));
  }
  const std::optional<SteadyTime> set = state.gathered.next;
  return set && (!next || *set < *next) ? set : next;
}

const std::vector<FolderNote>& HotFolder::notes() const {
  return state_->notes;
}

std::vector<RefusedFiles> HotFolder::take_refused() {
  return std::exchange(state_->refused, {});
}

std::optional<ClaimedJob> HotFolder::claim(const WaitingJob& job) {
  State& state = *state_;
  const int folder = state.open_root();
  const ClaimPlan plan = state.plan(state.kind_of(job), job.name, job.files);
  if (plan.files.empty()) return std::nullopt;
  return WorkFolder(folder, state.path, state.calls).claim(plan);
}

std::vector<ClaimedJob> HotFolder::take_left_over() {
  return state_->work().take_left_over(state_->notes);
}

void HotFolder::note_try(ClaimedJob& job) {
  state_->work().note_try(job);
}

void HotFolder::forget_try(ClaimedJob& job) {
  state_->work().forget_try(job);
}

std::vector<MovedFile> HotFolder::finish(ClaimedJob job, bool good, const std::string& reason) {
  return state_->work().finish(std::move(job), good ? WorkEnd::kDone : WorkEnd::kFailed, reason);
}

void HotFolder::give_back(ClaimedJob job) {
  state_->work().give_back(std::move(job));
}

size_t HotFolder::drop_again(const std::vector<MovedFile>& files) {
  return state_->work().drop_again(files);
}

void HotFolder::clean_up(std::chrono::system_clock::time_point now) {
  State& state = *state_;
  delete_old(state.open_root(), state.path, state.settings, now, state.calls);
}

}  // namespace mezzo::watch
