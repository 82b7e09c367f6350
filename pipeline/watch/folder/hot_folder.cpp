#include "pipeline/watch/folder/hot_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "kernels/base/error.h"
#include "manifests/source_text.h"
#include "pipeline/watch/folder/entry_names.h"
#include "pipeline/watch/folder/ink_sets.h"
#include "pipeline/watch/folder/job_record.h"
#include "stages/files/xxh3.h"

namespace mezzo::watch {
namespace {

/// Each costs a few writes to the disk, and the caller has other folders to look after.
constexpr size_t kMaxRemovals = 50;

constexpr std::chrono::milliseconds kTurnInWork{100};

/// Between two looks on account of files that arrive one after another.
constexpr std::chrono::milliseconds kMaxPause{500};

/// Whether the file was made after that mark was taken: it is another one, which has got the inode of
/// a file that was deleted. Both times are of one clock. False where files have no time of birth.
bool was_made_after(const files::FileMark& mark, int folder, const std::string& path) {
  constexpr int64_t kNanoseconds = 1'000'000'000;
  struct statx found {};
  if (::statx(folder, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BTIME, &found) != 0) return false;
  if ((found.stx_mask & STATX_BTIME) == 0) return false;
  return found.stx_btime.tv_sec * kNanoseconds + found.stx_btime.tv_nsec > mark.changed_ns;
}

/// Of a regular file with one or more names; nothing when it cannot be read.
std::optional<std::string> digest_below(int folder, const std::string& path) {
  const files::Descriptor file = files::open_beneath(folder, path, O_RDONLY | O_NONBLOCK);
  if (!file) return std::nullopt;
  files::Xxh3 digest;
  for (;;) {
    const std::optional<std::string> piece = files::read_all(file.get(), size_t{256} << 10);
    if (!piece) return std::nullopt;
    if (piece->empty()) return digest.hex128();
    digest.add(piece->data(), piece->size());
  }
}

}  // namespace

HotFolder::HotFolder(std::string path,
                     files::FileSystem& calls,
                     const Writers& writers,
                     const Clock& clock)
    : path_(std::move(path)),
      calls_(calls),
      writers_(writers),
      clock_(clock),
      settings_(path_),
      arrivals_(clock) {}

/// The folder as it is now. When another has taken its place, the arrivals are forgotten.
int HotFolder::open_root() {
  files::Descriptor now(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!now) fail_to_open();
  struct stat before {};
  struct stat after {};
  if (::fstat(now.get(), &after) != 0) after = {};
  const bool is_same = root_ && ::fstat(root_.get(), &before) == 0 &&
                       before.st_ino == after.st_ino && before.st_dev == after.st_dev;
  if (!is_same) {
    refuse_links();
    root_ = std::move(now);
    arrivals_.forget();
    assembled_ = {};
    settings_.folder_opened();
  }
  return root_.get();
}

/// The path was free of links when the watcher began, and workers follow none.
void HotFolder::refuse_links() const {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path_, error);
  if (error || real == path_) return;
  throw Error(ErrorKind::kIo,
              "the hot folder " + manifests::in_quotes(path_) +
                  ": its path leads through a link to " + manifests::in_quotes(real.string()) +
                  "; start the watcher again");
}

/// After open(2) has failed.
void HotFolder::fail_to_open() {
  const bool gone = errno == ENOENT || errno == ENOTDIR;
  std::string reason = "it cannot be opened: " + std::generic_category().message(errno);
  if (errno == ENOENT) reason = "it is not there; create it, or mount the share that it is on";
  struct stat found {};
  if (errno == ENOTDIR && ::stat(path_.c_str(), &found) == 0) reason = "it is a file, not a folder";
  root_.reset();
  arrivals_.forget();
  assembled_ = {};
  throw Error(gone ? ErrorKind::kMissing : ErrorKind::kIo,
              "the hot folder " + manifests::in_quotes(path_) + ": " + reason);
}

/// Whether jobs of the folder may begin: another one may have taken its place since its settings were read.
bool HotFolder::open_with_settings() {
  const int folder = open_root();
  if (!settings_.is_read()) settings_.read(folder);
  return has_settings();
}

std::vector<Diagnostic> HotFolder::reload_settings() {
  settings_.read(open_root());
  return settings_.mistakes();
}

std::string HotFolder::plates() const {
  return (std::filesystem::path(path_) / settings().plates).lexically_normal().string();
}

void HotFolder::look(SteadyTime now) {
  if (!open_with_settings()) return;
  const int folder = root_.get();
  arrivals_.look({folder, path_, settings(), now, held_.size()});
  looked_ = now;
  if (is_looking()) return;
  arrivals_.not_taken().tell(folder, calls_, now);
  std::erase_if(held_, [&](const auto& page) { return page.second.until <= now; });
  assembled_ = assemble_jobs(arrivals_.entries(), held_, settings(), now);
  notes_ = arrivals_.notes();
  notes_.insert(notes_.end(), assembled_.notes.begin(), assembled_.notes.end());
  notes_.insert(notes_.end(), work_notes_.begin(), work_notes_.end());
  carry_out_removals(folder);
}

std::vector<ArrivedFile> HotFolder::arrived_files(const Moment& now) const {
  std::vector<ArrivedFile> files;
  for (const WaitingSet& set : waiting_sets()) {
    for (const std::string& name : set.files) {
      const auto found = arrivals_.entries().find(name);
      if (found == arrivals_.entries().end() || files.size() == kMaxRemembered) continue;
      const Arrival& arrival = found->second;
      files.push_back({name, arrival.stat.mark(), now.wall_of(arrival.still.changed)});
    }
  }
  return files;
}

void HotFolder::recall(const ArrivedFile& file, const Moment& now) {
  arrivals_.recall(file.name, file.mark, now.steady - (now.wall - file.seen));
}

std::optional<SteadyTime> HotFolder::next_look() const {
  if (has_more_removals_ || is_looking()) return looked_;
  std::optional<SteadyTime> next = arrivals_.next();
  if (next) next = std::max(*next, looked_ + std::min(kMaxPause, settings().every / 4));
  const std::optional<SteadyTime> set = assembled_.next;
  return set && (!next || *set < *next) ? set : next;
}

/// Without files when one of them is not known any more.
ClaimPlan HotFolder::plan(JobKind kind,
                          const std::string& name,
                          const std::vector<std::string>& files) {
  ClaimPlan plan;
  plan.record.kind = kind;
  plan.record.name = name;
  const manifests::SeparationSets& sets = settings().separations;
  const SetMatcher matcher(sets);
  std::vector<manifests::WrittenPage> pages;
  for (const std::string& file : files) {
    const auto found = arrivals_.entries().find(file);
    if (found == arrivals_.entries().end()) {
      plan.files.clear();
      return plan;
    }
    plan.files.push_back({.name = file, .stat = found->second.stat, .tree = found->second.tree});
    const std::optional<SetMember> member = matcher.match(file);
    pages.push_back({.input = file, .ink = member ? sets.inks[member->ink] : ""});
  }
  if (kind == JobKind::kPages) {
    plan.record.manifest = manifests::write_manifest(job_name_for(name), settings(), pages);
  }
  return plan;
}

/// Moves files that cannot become a job out of the way.
void HotFolder::carry_out_removals(int folder) {
  WorkFolder work(folder, path_, calls_);
  const std::vector<Removal>& removals = assembled_.removals;
  const size_t count = std::min(removals.size(), kMaxRemovals);
  has_more_removals_ = removals.size() > count;
  assembled_.arriving += removals.size() - count;
  for (size_t i = 0; i < count; ++i) {
    try {
      carry_out(removals[i], work);
    } catch (const Error& error) {
      notes_.push_back({.name = printable_name(removals[i].name), .text = error.what()});
    }
  }
}

/// Those that are must hold still once more.
bool HotFolder::are_written(const std::vector<std::string>& files) {
  bool found = false;
  for (const std::string& name : files) {
    if (!writers_.are_at(root_.get(), name)) continue;
    arrivals_.hold(name, HeldBy::kWriter);
    found = true;
  }
  return found;
}

/// The file may be a ticket that is refused or has a mistake, and has gone now: its pages that are
/// still to come must not be printed without it.
void HotFolder::hold_pages_of(const std::string& ticket, bool is_refused) {
  const auto found = arrivals_.entries().find(ticket);
  if (found == arrivals_.entries().end() || found->second.kind != JobKind::kTicket) return;
  const Arrival& arrival = found->second;
  if (!is_refused && arrival.ticket.is_readable) return;
  for (const std::string& name : arrival.ticket.names) {
    held_[name] = {.ticket = printable_name(ticket),
                   .until = looked_ + settings().separations.wait};
  }
}

/// With the pages that its ticket waited for in vain, as they had been printed before it came.
std::string HotFolder::reason_of(const Removal& removal) const {
  std::string reason = removal.reason;
  for (const std::string& name : removal.missing) {
    if (!files::stat_file(root_.get(), "done/" + name)) continue;
    return reason + " " + name +
           " is in done/: its plates were made before the ticket came. To make them again, with "
           "the ticket, drop the page again, too.";
  }
  return reason;
}

/// Through a claim, so that each file goes once.
void HotFolder::carry_out(const Removal& removal, WorkFolder& work) {
  if (are_written(removal.files)) return;
  const std::string reason = reason_of(removal);
  ClaimPlan loose = plan(JobKind::kLoose, printable_name(removal.name), removal.files);
  loose.record.loose_end = removal.to;
  loose.record.loose_reason = reason;
  std::optional<ClaimedJob> claimed = work.claim(loose);
  if (!claimed) return;
  hold_pages_of(removal.files.front(), removal.to == WorkEnd::kFailed);
  const std::string id = claimed->id;
  refused_.push_back({.id = id,
                      .name = loose.record.name,
                      .reason = reason,
                      .files = work.finish(std::move(*claimed), removal.to, reason),
                      .can_retry = removal.can_retry});
  notes_.push_back({.name = loose.record.name,
                    .text = std::string("moved to ") + folder_of(removal.to) + "/: " + reason});
}

std::optional<ClaimedJob> HotFolder::claim(const WaitingJob& job) {
  WorkFolder claims = work();
  const ClaimPlan claim = plan(job.kind, job.name, job.files);
  const bool are_complete = std::ranges::all_of(job.files, [&](const std::string& name) {
    const auto found = arrivals_.entries().find(name);
    return found != arrivals_.entries().end() && found->second.is_complete;
  });
  if (!are_complete || are_written(job.files)) return std::nullopt;
  if (claims.is_name_taken(job.name)) {
    for (const std::string& name : job.files) arrivals_.hold(name, HeldBy::kJob);
    return std::nullopt;
  }
  std::optional<ClaimedJob> claimed = claims.claim(claim);
  if (!claimed) return claimed;
  hold_pages_of(job.files.front(), false);
  return claimed;
}

void HotFolder::search_work() {
  search_notes_.clear();
  left_ = work().names(search_notes_);
}

std::vector<ClaimedJob> HotFolder::take_orphaned(size_t most) {
  if (!open_with_settings()) {
    left_.clear();
    return {};
  }
  std::vector<ClaimedJob> jobs =
      work().take_orphaned(left_, most, Deadline(clock_, kTurnInWork), search_notes_);
  if (!is_searching()) {
    work_notes_ = std::exchange(search_notes_, {});
    notes_.insert(notes_.end(), work_notes_.begin(), work_notes_.end());
  }
  return jobs;
}

bool HotFolder::has_changed(MovedFile& file) const {
  if (!root_ || file.mark == files::FileMark()) return false;
  const std::optional<files::FileStat> now = files::stat_file(root_.get(), file.path);
  if (!now || !now->is_regular() || now->inode != file.mark.inode) return false;
  if (!now->FileMark::same_content(file.mark)) {
    return !was_made_after(file.mark, root_.get(), file.path);
  }
  if (now->changed_ns == file.mark.changed_ns || file.digest.empty()) return false;
  const std::optional<std::string> digest = digest_below(root_.get(), file.path);
  if (!digest || *digest != file.digest) return digest.has_value();
  file.mark = now->mark();
  return false;
}

bool HotFolder::is_written(const ClaimedJob& job) {
  return writers_.are_at(open_root(), std::string(kWorkName) + "/" + job.id + "/" + kFilesName);
}

}  // namespace mezzo::watch
