// The databases of a job's journal and of a watcher's history, as files that anything may have happened to. A
// damaged one is set aside, and the next opening finds a good one.

#include <filesystem>

#include "pipeline/resume/journal.h"
#include "pipeline/watch/job/job_store.h"
#include "tests/fuzz/support.h"
#include "tests/stages/tiff/plate/writer_support.h"

namespace mezzo::fuzz {
namespace {

namespace fs = std::filesystem;

resume::JournalEntry entry() {
  return {.plate = "/p/a_black.tif",
          .file = {.bytes = 442, .inode = 7, .modified_ns = 3, .changed_ns = 4},
          .input = "/p/a.tif",
          .input_file = {.bytes = 582, .inode = 8, .modified_ns = 5, .changed_ns = 6},
          .input_digest = "xxh3:cf3317d1ae90b6e9a5b042d1f2d13380",
          .settings = "method=floyd-steinberg\n",
          .ink = "black",
          .compression = "g4",
          .content_sum = "197ae73915a0d93a197ae73915a0d93a",
          .coverage_percent = 60.5};
}

watch::StoredJob job() {
  watch::StoredJob stored;
  stored.view = {
      .id = "1", .folder = "/hot", .name = "a", .state = watch::JobState::kDone, .tries = 2};
  stored.view.plates.push_back({.ink = "K", .path = "/plates/k.tif", .coverage_percent = 12.5});
  stored.digest = "d1";
  stored.files = {{"a.tif", "done/a (2).tif"}};
  return stored;
}

/// An empty folder.
std::string fresh_folder() {
  const std::string folder = scratch() / "state";
  fs::remove_all(folder);
  fs::create_directory(folder);
  return folder;
}

bool check_journal(const Bytes& input) {
  const std::string path = fresh_folder() + "/job.db";
  scratch_file("state/job.db", input);
  std::string damage;
  const bool is_open = passes([&] {
    const auto journal = resume::Journal::open(path);
    damage = journal->damage();
    journal->find(entry().plate);
    journal->start();
    const resume::JournalEntry again = entry();
    journal->enter(std::span(&again, 1));
    const auto known = journal->find(again.plate);
    demand(known && known->file == again.file && known->settings == again.settings,
           "a journal forgets what was entered");
    journal->set_start(manifests::JobStart{"2026-11-22", "06-44-41", "x"});
  });
  if (is_open) {
    passes([&] {
      demand(resume::Journal::open(path)->damage().empty(), "a journal is damaged twice");
    });
  }
  return is_open && damage.empty();
}

bool check_store(const Bytes& input) {
  const std::string folder = fresh_folder();
  scratch_file("state/watch.db", input);
  std::string damage;
  const bool is_open = passes([&] {
    watch::JobStore store(folder);
    damage = store.damage();
    store.find("1");
    store.latest(10);
    store.failed(10);
    store.find_done("/hot", "d1");
    store.ended_since(WallTime{}, 10);
    store.is_paused("/hot");
    store.arrived("/hot");
    store.enter(job());
    const auto known = store.find("1");
    demand(known && known->view.plates.size() == 1, "a history forgets what was entered");
  });
  if (is_open)
    passes([&] { demand(watch::JobStore(folder).damage().empty(), "a history is damaged twice"); });
  return is_open && damage.empty();
}

}  // namespace

std::vector<Bytes> seeds() {
  const std::string folder = fresh_folder();
  {
    const auto journal = resume::Journal::open(folder + "/seed.db");
    const resume::JournalEntry one = entry();
    journal->enter(std::span(&one, 1));
    journal->set_start(manifests::JobStart{"2026-11-22", "06-44-41", "x"});
  }
  {
    watch::JobStore store(folder);
    store.enter(job());
    store.set_paused("/hot", true);
    store.set_arrived("/hot", {});
  }
  return {bytes_of(test::content_of(folder + "/seed.db")),
          bytes_of(test::content_of(folder + "/watch.db"))};
}

void change(Bytes& input, Random& random) {
  change_bytes(input, random);
}

void mend(Bytes&) {}

bool run(const Bytes& input) {
  const bool is_journal = check_journal(input);
  return check_store(input) || is_journal;
}

}  // namespace mezzo::fuzz
