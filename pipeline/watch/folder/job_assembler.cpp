#include "pipeline/watch/folder/job_assembler.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "pipeline/text.h"
#include "pipeline/watch/folder/entry_names.h"
#include "pipeline/watch/folder/ink_sets.h"

namespace mezzo::watch {
namespace {

using Entry = const ArrivalMap::value_type*;

/// Older first; by name when they are the same age.
bool is_older(Entry a, Entry b) {
  return std::tie(a->second.still.changed, a->first) < std::tie(b->second.still.changed, b->first);
}

WallTime wall_time(int64_t nanoseconds) {
  return WallTime(std::chrono::duration_cast<std::chrono::system_clock::duration>(
      std::chrono::nanoseconds(nanoseconds)));
}

std::string listed(const std::vector<std::string>& names) {
  constexpr size_t kMostNames = 5;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMostNames) {
    text += " and " + std::to_string(names.size() - kMostNames) + " more";
  }
  return text;
}

/// When the last of the files changed.
SteadyTime newest(const std::vector<Entry>& files) {
  SteadyTime time = files.front()->second.still.changed;
  for (Entry entry : files) time = std::max(time, entry->second.still.changed);
  return time;
}

/// A total order, so that it is the same at every look. Files that were there before the first
/// look are of one age, and only then their own times count.
bool goes_before(manifests::TakeOrder order, const WaitingJob& a, const WaitingJob& b) {
  const auto age = [](const WaitingJob& c) { return std::tie(c.seen, c.arrived, c.name, c.files); };
  switch (order) {
    case manifests::TakeOrder::kOldest:
      break;
    case manifests::TakeOrder::kNewest:
      if (a.seen != b.seen) return a.seen > b.seen;
      if (a.arrived != b.arrived) return a.arrived > b.arrived;
      break;
    case manifests::TakeOrder::kSmallest:
      if (a.bytes != b.bytes) return a.bytes < b.bytes;
      break;
    case manifests::TakeOrder::kLargest:
      if (a.bytes != b.bytes) return a.bytes > b.bytes;
      break;
    case manifests::TakeOrder::kName:
      if (a.name != b.name) return a.name < b.name;
      break;
  }
  return age(a) < age(b);
}

class JobAssembler {
 public:
  JobAssembler(const ArrivalMap& entries,
               const HeldPages& held,
               const manifests::FolderSettings& settings,
               SteadyTime now)
      : entries_(entries),
        held_(held),
        settings_(settings),
        now_(now),
        sets_(settings.separations) {}

  AssembledJobs run() {
    for (const auto& entry : entries_) sort_in(&entry);
    take_tickets();
    for (Entry refused : refused_) take_refused(refused);
    for (Entry page : pages_) take_page(page);
    for (Entry page : odd_pages_) take_odd_page(page);
    for (auto& [key, set] : sets_of_pages_) take_sets(set);
    put_in_order();
    return std::move(assembled_);
  }

 private:
  struct Stray {
    Entry file;
    std::string ink;
  };

  /// The files of all pages with one name.
  struct PageSets {
    std::string page;                        ///< as the first of the files has it
    std::vector<std::vector<Entry>> by_ink;  ///< in the order of the settings
    std::vector<Stray> strays;
  };

  void sort_in(Entry entry) {
    const Arrival& arrival = entry->second;
    if (arrival.kind == JobKind::kTicket) {
      tickets_.push_back(entry);
    } else if (!arrival.problem.empty()) {
      refused_.push_back(entry);
    } else if (arrival.kind == JobKind::kPages) {
      pages_.push_back(entry);
    } else if (!are_arriving({entry})) {
      add_job(entry->first, {entry});
    }
  }

  void take_tickets() {
    std::ranges::sort(tickets_, is_older);
    for (Entry ticket : tickets_) {
      for (const std::string& name : ticket->second.ticket.names) owners_.try_emplace(name, ticket);
    }
    for (Entry ticket : tickets_) take_ticket(ticket);
  }

  void take_ticket(Entry entry) {
    const Arrival& arrival = entry->second;
    if (arrival.is_unread) {  // it may name any page
      pages_wait_ = true;
      ++assembled_.arriving;
      return;
    }
    std::vector<Entry> files = {entry};
    std::vector<std::string> missing;
    for (const std::string& name : arrival.ticket.names) {
      const auto found = entries_.find(name);
      const bool is_there = found != entries_.end() && found->second.kind == JobKind::kPages &&
                            owners_.at(name) == entry;
      if (is_there) files.push_back(&*found);
      if (!is_there) missing.push_back(name);
    }
    const bool is_good = arrival.problem.empty() && arrival.ticket.is_readable;
    // With a mistake in it, it may be half copied, and the other half may name any page.
    pages_wait_ = pages_wait_ || (!is_good && arrival.problem.empty() && !arrival.is_complete);
    if (refuse_with_page(files)) return;
    const std::string stem(stem_of(entry->first));
    if (is_good) return add_set(stem, files, missing);
    if (are_arriving(files)) return;
    if (arrival.problem.empty()) {
      add_job(stem, files);  // which tells the mistakes, and fails
    } else {
      remove(WorkEnd::kFailed, entry->first, files, arrival.problem);
    }
  }

  /// A ticket that names a page that is refused fails with it: it would wait for that in vain.
  bool refuse_with_page(const std::vector<Entry>& files) {
    const auto page = std::find_if(
        files.begin() + 1, files.end(), [](Entry e) { return !e->second.problem.empty(); });
    if (page == files.end()) return false;
    const Entry ticket = files.front();
    if (are_arriving(files)) return true;
    remove(WorkEnd::kFailed,
           ticket->first,
           files,
           ticket->second.problem.empty()
               ? (*page)->first + ", which it names, is refused: " + (*page)->second.problem
               : ticket->second.problem);
    assembled_.removals.back().can_retry = false;
    return true;
  }

  /// A page or a folder that cannot be a job; a page that a ticket names goes with that.
  void take_refused(Entry entry) {
    const Arrival& arrival = entry->second;
    if (arrival.kind == JobKind::kPages && owners_.contains(entry->first)) return;
    if (are_arriving({entry})) return;
    remove(WorkEnd::kFailed, entry->first, {entry}, arrival.problem);
    assembled_.removals.back().can_retry = arrival.kind == JobKind::kFolder;
  }

  void take_page(Entry entry) {
    if (owners_.contains(entry->first)) return;  // comes with its ticket
    if (settings_.needs_tickets || held_.contains(entry->first)) return take_page_without(entry);
    if (std::optional<SetMember> member = sets_.match(entry->first)) {
      PageSets& sets = sets_of_pages_[SetMatcher::set_key(member->page)];
      if (sets.page.empty()) sets.page = member->page;
      sets.by_ink.resize(settings_.separations.inks.size());
      sets.by_ink[member->ink].push_back(entry);
      sets_by_page_.emplace(SetMatcher::page_key(member->page), &sets);
    } else if (!sets_.stray_inks(entry->first).empty()) {
      odd_pages_.push_back(entry);
    } else if (!are_arriving({entry}, pages_wait_)) {
      add_job(std::string(stem_of(entry->first)), {entry});
    }
  }

  /// A page whose name is that of a separation with an ink that is not in the list.
  void take_odd_page(Entry entry) {
    const std::vector<StrayInk> strays = sets_.stray_inks(entry->first);
    for (const StrayInk& stray : strays) {
      const auto found = sets_by_page_.find(SetMatcher::page_key(stray.page));
      if (found == sets_by_page_.end()) continue;
      found->second->strays.push_back({.file = entry, .ink = stray.ink});
      return note_stray(entry, stray.ink, "the set '" + found->second->page + "' waits");
    }
    const StrayInk& stray =
        *std::ranges::min_element(strays, {}, [](const StrayInk& one) { return one.ink.size(); });
    note_stray(entry, stray.ink, "it waits");
    add_lone_stray(entry, stray.ink);
  }

  void note_stray(Entry entry, const std::string& ink, const std::string& what) {
    assembled_.notes.push_back(
        {.name = printable_name(entry->first),
         .text = "its ink '" + ink +
                 "' is not among the inks of `separations` in folder.yaml, so " + what +
                 "; add the ink there, or rename or remove the file"});
  }

  static std::string wanted_for(const std::string& ink, const std::string& file) {
    return "'" + ink + "' among the inks of folder.yaml (for " + file + ")";
  }

  static std::string reason_for(const std::string& ink, const std::string& file) {
    return "The ink of " + file + ", '" + ink +
           "', is not among the inks of `separations` in folder.yaml. Add it there, or leave the "
           "file "
           "out, and drop all files of the set again together.";
  }

  /// Adds a stray whose set has no other file here: none has come yet, or the set has begun without it.
  void add_lone_stray(Entry entry, const std::string& ink) {
    const SteadyTime due = entry->second.still.changed + settings_.separations.wait;
    if (are_arriving({entry})) return;
    if (now_ >= due) {
      remove(WorkEnd::kIncomplete,
             entry->first,
             {entry},
             "By its name it is a separation of the ink '" + ink +
                 "', which is not among the inks of `separations` in folder.yaml. Add the ink "
                 "there, and drop all files of the set again together. If it is a page with all "
                 "its inks, drop it again under a name that does not fit `pattern`, or with a "
                 "ticket.");
    } else {
      wait_until(due, 1);
      add_waiting(entry->first, {wanted_for(ink, entry->first)}, {entry}, due);
    }
  }

  /// A page that is not to be printed without a ticket.
  void take_page_without(Entry entry) {
    const auto held = held_.find(entry->first);
    const SteadyTime due = entry->second.still.changed + settings_.separations.wait;
    if (entry->second.is_complete && held != held_.end()) {
      remove(WorkEnd::kFailed,
             entry->first,
             {entry},
             "The ticket " + held->second.ticket +
                 ", which names it, has a mistake. Drop the page and the corrected ticket again "
                 "together.");
    } else if (entry->second.is_complete && now_ >= due) {
      remove(WorkEnd::kIncomplete,
             entry->first,
             {entry},
             "No ticket names it, and by `tickets: required` of folder.yaml no page is printed "
             "without one. Drop the page and its ticket again together.");
    } else {
      wait_until(due, 1);
      if (!entry->second.is_complete || held != held_.end()) return;
      add_waiting(entry->first, {"its ticket"}, {entry}, due);
    }
  }

  /// Of several files for one ink the oldest belongs to the first set, the next to a second.
  void take_sets(PageSets& of_page) {
    std::vector<std::vector<Entry>>& by_ink = of_page.by_ink;
    size_t sets = 0;
    for (std::vector<Entry>& entries : by_ink) {
      std::ranges::sort(entries, is_older);
      sets = std::max(sets, entries.size());
    }
    for (size_t set = 0; set < sets; ++set) {
      std::vector<Entry> files;
      std::vector<std::string> missing;
      for (size_t ink = 0; ink < by_ink.size(); ++ink) {
        if (set < by_ink[ink].size()) {
          files.push_back(by_ink[ink][set]);
        } else {
          missing.push_back(settings_.separations.inks[ink]);
        }
      }
      std::string reason;
      if (set == 0) reason = add_strays(of_page.strays, files, missing);
      if (missing.empty() && are_arriving(files, pages_wait_)) continue;
      add_set(of_page.page, files, missing, reason);
    }
  }

  /// Adds the files of the set whose inks are not in the list, and the ink that is wanted for each of them.
  static std::string add_strays(const std::vector<Stray>& strays,
                                std::vector<Entry>& files,
                                std::vector<std::string>& missing) {
    std::string reason;
    for (const Stray& stray : strays) {
      files.push_back(stray.file);
      missing.push_back(wanted_for(stray.ink, stray.file->first));
      if (reason.empty()) reason = reason_for(stray.ink, stray.file->first);
    }
    return reason;
  }

  /// Files that belong together are a job when none is missing and all are complete, and incomplete
  /// when no further file has come for a while: for `reason`, or what is missing.
  void add_set(const std::string& name,
               const std::vector<Entry>& files,
               const std::vector<std::string>& missing,
               const std::string& reason = {}) {
    if (are_arriving(files)) return;
    if (missing.empty()) return add_job(name, files);
    const SteadyTime due = newest(files) + settings_.separations.wait;
    if (now_ >= due) {
      const std::chrono::duration<double> waited = settings_.separations.wait;
      remove(WorkEnd::kIncomplete,
             name,
             files,
             !reason.empty() ? reason
                             : "Not everything that belongs together has arrived. Missing after " +
                                   duration_text(waited.count()) + ": " + listed(missing) +
                                   ". Drop all the files again together.");
      assembled_.removals.back().missing = missing;
      return;
    }
    wait_until(due, files.size());
    add_waiting(name, missing, files, due);
  }

  void add_waiting(const std::string& name,
                   const std::vector<std::string>& missing,
                   const std::vector<Entry>& files,
                   SteadyTime due) {
    SteadyTime since = now_;
    std::vector<std::string> names;
    for (Entry entry : files) {
      since = std::min(since, entry->second.still.changed);
      names.push_back(entry->first);
    }
    assembled_.sets.push_back({.name = name,
                               .wanted = listed(missing),
                               .missing = missing,
                               .files = std::move(names),
                               .since = since,
                               .due = due});
  }

  void wait_until(SteadyTime due, size_t files) {
    assembled_.arriving += files;
    if (due > now_ && (!assembled_.next || due < *assembled_.next)) assembled_.next = due;
  }

  /// Whether one of the files is not complete, or all are to wait; then they count as arriving.
  bool are_arriving(const std::vector<Entry>& files, bool all_wait = false) {
    const auto is_complete = [](Entry entry) { return entry->second.is_complete; };
    if (!all_wait && std::ranges::all_of(files, is_complete)) return false;
    assembled_.arriving += files.size();
    return true;
  }

  void add_job(std::string name, const std::vector<Entry>& files) {
    WaitingJob job{.kind = files.front()->second.kind, .name = std::move(name)};
    int64_t modified_ns = 0;
    for (Entry entry : files) {
      job.files.push_back(entry->first);
      job.bytes += entry->second.bytes();
      modified_ns = std::max(modified_ns, entry->second.modified_ns());
    }
    job.arrived = wall_time(modified_ns);
    job.seen = newest(files);
    assembled_.waiting.push_back(std::move(job));
  }

  void remove(WorkEnd to,
              const std::string& name,
              const std::vector<Entry>& files,
              const std::string& reason) {
    Removal removal{.to = to, .name = name, .files = {}, .reason = reason};
    for (Entry entry : files) removal.files.push_back(entry->first);
    assembled_.removals.push_back(std::move(removal));
  }

  void put_in_order() {
    std::ranges::sort(assembled_.waiting, [this](const WaitingJob& a, const WaitingJob& b) {
      return goes_before(settings_.order, a, b);
    });
    std::ranges::sort(assembled_.removals, {}, &Removal::name);
    std::ranges::sort(assembled_.sets, {}, &WaitingSet::name);
  }

  const ArrivalMap& entries_;
  const HeldPages& held_;
  const manifests::FolderSettings& settings_;
  SteadyTime now_;
  SetMatcher sets_;
  std::vector<Entry> tickets_;
  std::vector<Entry> pages_;
  std::vector<Entry> refused_;                     // pages and folders
  std::unordered_map<std::string, Entry> owners_;  // of pages: the oldest ticket that names them
  std::map<std::string, PageSets> sets_of_pages_;  // by SetMatcher::set_key()
  std::map<std::string, PageSets*> sets_by_page_;  // the first of them by SetMatcher::page_key()
  std::vector<Entry> odd_pages_;                   // of inks that are not in the list
  bool pages_wait_ = false;                        // for a ticket that cannot be read yet
  AssembledJobs assembled_;
};

}  // namespace

AssembledJobs assemble_jobs(const ArrivalMap& entries,
                            const HeldPages& held,
                            const manifests::FolderSettings& settings,
                            SteadyTime now) {
  return JobAssembler(entries, held, settings, now).run();
}

}  // namespace mezzo::watch
