#include "pipeline/watch/folder/arrivals.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "kernels/base/error.h"
#include "manifests/plate_settings.h"
#include "pipeline/watch/folder/entry_names.h"

namespace mezzo::watch {
namespace {

/// The caller has other folders to look after, and a ticket or a folder takes long to read.
constexpr std::chrono::milliseconds kLongestLook{100};

/// Why a file that is called like a page or a ticket is neither; empty when it may be.
std::string kind_problem(const files::FileStat& stat) {
  if (S_ISLNK(stat.mode)) return "it is a link, and links are not followed; drop the file itself";
  if (S_ISFIFO(stat.mode) || S_ISSOCK(stat.mode) || S_ISCHR(stat.mode) || S_ISBLK(stat.mode)) {
    return "it is a pipe, socket or device, not a file";
  }
  if (stat.links > 1) {
    return "the file has a second name elsewhere (a hard link), so it may change while it is "
           "read; drop a copy";
  }
  return {};
}

/// The folders of plates below the hot folder, which are no jobs. One may be a template: then any
/// folder may be one of plates.
std::vector<std::string> plates_folders(const manifests::FolderSettings& settings,
                                        const manifests::PageSettings& pages) {
  std::vector<std::string> folders;
  for (const std::string& plate : manifests::plate_templates(pages)) {
    const std::filesystem::path path =
        (std::filesystem::path(settings.plates) / plate).lexically_normal();
    if (!path.is_absolute()) folders.push_back(path.begin()->string());
  }
  return folders;
}

/// The usual folders of plates, proofs and ink data stay when the settings no longer ask for them.
std::vector<std::string> usual_plates_folders(const manifests::FolderSettings& settings) {
  manifests::PageSettings usual;
  usual.proof.emplace();
  usual.ppf.emplace();
  return plates_folders(settings, usual);
}

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

void Arrivals::look(const Looking& looking) {
  plates_ = plates_folders(looking.settings, looking.settings.defaults);
  usual_plates_ = usual_plates_folders(looking.settings);
  if (!is_looking()) {
    left_ = files::first_names_in(looking.folder, looking.path, kMaxEntries + 1);
    if (left_.size() > kMaxEntries) refuse_to_look(looking.path);
    ++look_number_;
    notes_.clear();
    not_taken_.begin();
    next_.reset();
    ticket_names_ = 0;
    for (const auto& [name, arrival] : entries_) ticket_names_ += arrival.ticket.names.size();
  }
  const Deadline end(clock_, kLongestLook);
  while (!left_.empty()) {
    look_at_name(looking, left_.back().c_str());
    left_.pop_back();
    if (end.is_past() && !left_.empty()) return;
  }
  not_taken_.end();
  recalled_.clear();
  std::erase_if(entries_, [&](const auto& e) { return e.second.look_number != look_number_; });
  std::ranges::sort(notes_, {}, &FolderNote::name);
}

void Arrivals::refuse_to_look(const std::string& path) {
  left_.clear();
  throw Error(ErrorKind::kLimit,
              path + ": there are more than " + std::to_string(kMaxEntries) +
                  " files and folders in it, which would hold up other hot folders",
              "take the greater part away");
}

void Arrivals::recall(const std::string& name, const files::FileMark& mark, SteadyTime changed) {
  recalled_[name] = {mark, changed};
}

void Arrivals::recall_time_of(std::string_view name, Arrival& arrival) const {
  const auto found = recalled_.find(name);
  if (found == recalled_.end() || found->second.mark != arrival.stat) return;
  arrival.still.changed = std::min(arrival.still.changed, found->second.changed);
}

void Arrivals::forget() {
  left_.clear();
  entries_.clear();
  notes_.clear();
  not_taken_ = {};
  next_.reset();
}

void Arrivals::look_at_name(const Looking& looking, const char* name) {
  const NameKind kind = kind_of_name(name);
  if (kind == NameKind::kIgnored || is_layout_name(name)) return;
  const std::optional<files::FileStat> stat = files::stat_file(looking.folder, name);
  if (!stat) return;  // gone meanwhile, or not ours to see
  if (stat->is_regular() && not_taken_.take_text(name)) return;
  if (stat->is_folder()) {
    if (is_among(plates_, name)) return;
    if (look_at_job_folder(looking, name, *stat)) return;
    if (is_among(usual_plates_, name)) return;
    const auto is_template = [](const std::string& path) {
      return path.find('{') != std::string::npos;
    };
    if (std::ranges::any_of(plates_, is_template)) return;
    return leave(looking, name, "it is a folder without a job.yaml");
  }
  if (kind == NameKind::kOther) return leave(looking, name, reason_for_other(name));
  const auto found = entries_.find(std::string_view(name));
  const bool is_known = found != entries_.end();
  Arrival& arrival = is_known ? found->second : entries_[name];
  const bool is_same = is_known && arrival.stat == *stat;
  arrival.look_number = look_number_;
  if (!is_same) {
    arrival.kind = kind == NameKind::kTicket ? JobKind::kTicket : JobKind::kPages;
    arrival.stat = *stat;
    arrival.problem = name_problem(name).value_or(kind_problem(*stat));
    ticket_names_ -= std::exchange(arrival.ticket, {}).names.size();
    arrival.is_unread = kind == NameKind::kTicket && arrival.problem.empty();
  }
  // At once, so that the pages it names wait for it.
  if (arrival.is_unread) look_at_ticket(looking, name, arrival);
  observe(looking, name, arrival, is_same);
  if (!is_known) recall_time_of(name, arrival);
}

/// False when the folder is not a job.
bool Arrivals::look_at_job_folder(const Looking& looking,
                                  const std::string& name,
                                  const files::FileStat& stat) {
  const std::optional<files::FileStat> manifest =
      files::stat_file(looking.folder, (name + "/" + kManifestName).c_str());
  if (!manifest || !manifest->is_regular()) return false;
  const std::optional<TreeStat> tree = stat_tree(looking.folder, name);
  if (!tree) return true;  // it changes as we look
  if (tree->is_too_large || name_problem(name)) {
    leave(looking,
          name,
          tree->is_too_large ? "it has too many files or folders inside each other for one job"
                             : *name_problem(name));
    return true;
  }
  const auto [place, is_new] = entries_.try_emplace(name);
  Arrival& arrival = place->second;
  const bool is_same = !is_new && arrival.stat.inode == stat.inode && arrival.tree == *tree;
  arrival.kind = JobKind::kFolder;
  arrival.look_number = look_number_;
  arrival.stat = stat;
  if (!is_same) {
    arrival.tree = *tree;
    arrival.problem = folder_job_problem(looking.folder, name, looking.path, looking.settings);
  }
  observe(looking, name, arrival, is_same);
  return true;
}

void Arrivals::look_at_ticket(const Looking& looking, const std::string& name, Arrival& arrival) {
  if (ticket_names_ + looking.names_kept >= kMaxTicketNames) {
    return leave(looking,
                 name,
                 "the tickets that wait in this folder name more than " +
                     std::to_string(kMaxTicketNames) +
                     " pages; it is read when there are fewer, and pages without a ticket wait "
                     "until then; take tickets away whose pages will not come");
  }
  arrival.is_unread = false;
  arrival.ticket = read_ticket(looking.folder, name, looking.path, looking.settings);
  arrival.problem = arrival.ticket.problem;
  ticket_names_ += arrival.ticket.names.size();
}

void Arrivals::observe(const Looking& looking,
                       std::string_view name,
                       Arrival& arrival,
                       bool is_same) {
  arrival.still.look(is_same, looking.settings, looking.now);
  arrival.is_complete = arrival.still.is_long_enough(looking.settings, looking.now);
  if (!is_same) arrival.held_by = HeldBy::kNothing;
  if (arrival.held_by == HeldBy::kWriter) {
    note(name, "a program still has it open for writing; it is taken once that program closes it");
  } else if (arrival.held_by == HeldBy::kJob) {
    note(name, "a job of this name is still in work; it is taken once that one has ended");
  }
  if (arrival.is_complete) return;
  const SteadyTime due = arrival.still.due(looking.settings);
  if (!next_ || due < *next_) next_ = due;
}

void Arrivals::hold(const std::string& name, HeldBy why) {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return;
  found->second.still.looks = 0;
  found->second.is_complete = false;
  found->second.held_by = why;
}

/// It stays in the folder, and is told.
void Arrivals::leave(const Looking& looking, std::string_view name, const std::string& reason) {
  not_taken_.add(name, reason, looking.now);
  note(name, "not taken: " + reason);
}

void Arrivals::note(std::string_view name, std::string text) {
  if (notes_.size() >= kMaxNotes) return;
  notes_.push_back({.name = printable_name(name), .text = std::move(text)});
}

}  // namespace mezzo::watch
