#include "pipeline/cluster/records/attempt_reader.h"

#include <algorithm>
#include <filesystem>

#include "kernels/base/error.h"
#include "pipeline/cluster/records/plate_digest.h"
#include "pipeline/cluster/records/record_json.h"
#include "stages/files/publish.h"

namespace mezzo::cluster {
namespace {

namespace fs = std::filesystem;

/// Names of the attempts' files, without suffix.
std::vector<std::string> attempt_names(const ClusterPlan& plan, std::optional<uint32_t> unit) {
  const std::string folder = records_folder(plan);
  const std::string start = unit ? std::to_string(*unit) + "-" : "";
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name == kEarlierName || !name.ends_with(kRecordSuffix) || !name.starts_with(start)) {
      continue;
    }
    names.push_back(name.substr(0, name.size() - kRecordSuffix.size()));
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    throw Error(ErrorKind::kIo, folder + ": the folder cannot be read: " + error.message());
  }
  return names;
}

void take_line(const RecordLine& line, Attempt& attempt) {
  if (line.type() == "begun") {
    attempt.begun.insert_or_assign(line.as<BegunLine>().sheet, line.time());
  } else if (line.type() == "sealed") {
    SealedPlate sealed = line.as<SealedLine>().plate;
    std::string plate = sealed.entry.plate;
    attempt.sealed.insert_or_assign(std::move(plate), std::move(sealed));
  } else if (line.type() == "sheet") {
    auto [sheet, end] = line.as<SheetLine>();
    end.time = line.time();
    attempt.ended.insert_or_assign(sheet, std::move(end));
  } else if (line.type() == "ended") {
    attempt.status = line.as<EndedLine>().status;
  }
  attempt.last_heard = std::max(attempt.last_heard, line.time());
}

/// Does it for a line that is not damaged: one that is was not written.
template <typename Take>
void try_line(const Take& take) {
  try {
    take();
  } catch (const Error&) {
  }
}

/// Nothing for a record without its first line, which tells whose it is.
std::optional<Attempt> read_attempt(const ClusterPlan& plan, const std::string& name) {
  const auto lines =
      read_record_lines(records_folder(plan) + "/" + name + std::string(kRecordSuffix));
  if (!lines || lines->empty() || lines->front().type() != "attempt") return std::nullopt;
  std::optional<Attempt> attempt;
  try_line([&] {
    Attempt begun = lines->front().as<Attempt>();
    begun.began = begun.last_heard = lines->front().time();
    attempt = std::move(begun);
  });
  if (!attempt) return std::nullopt;
  attempt->name = name;
  for (const RecordLine& line : *lines) try_line([&] { take_line(line, *attempt); });
  return attempt;
}

void remove_file(const std::string& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) throw Error(ErrorKind::kIo, path + ": cannot be removed: " + error.message());
}

/// Of two that were sealed for one plate, the one to keep: the one that is there, or the later.
void keep(std::map<std::string, SealedPlate>& plates, const SealedPlate& later) {
  const auto [kept, is_new] = plates.try_emplace(later.entry.plate, later);
  if (is_new) return;
  if (kept->second.file_digest != later.file_digest) {
    const auto file = digest_file(later.entry.plate);
    if (file && file->digest == kept->second.file_digest) return;
  }
  kept->second = later;
}

}  // namespace

std::vector<Attempt> read_attempts(const ClusterPlan& plan, std::optional<uint32_t> unit) {
  std::vector<Attempt> attempts;
  for (const std::string& name : attempt_names(plan, unit)) {
    auto attempt = read_attempt(plan, name);
    if (attempt && (!unit || attempt->unit == *unit)) attempts.push_back(std::move(*attempt));
  }
  std::ranges::sort(attempts, [](const Attempt& a, const Attempt& b) {
    return a.began != b.began ? a.began < b.began : a.name < b.name;
  });
  return attempts;
}

std::map<std::string, SealedPlate> read_earlier(const ClusterPlan& plan) {
  std::map<std::string, SealedPlate> plates;
  const auto lines = read_record_lines(records_folder(plan) + "/" + std::string(kEarlierName));
  if (!lines) return plates;
  for (const RecordLine& line : *lines) {
    if (line.type() != "sealed") continue;
    try_line([&] {
      SealedPlate sealed = line.as<SealedLine>().plate;
      std::string plate = sealed.entry.plate;
      plates.insert_or_assign(std::move(plate), std::move(sealed));
    });
  }
  return plates;
}

std::set<std::string> read_earlier_writers(const ClusterPlan& plan) {
  std::set<std::string> writers;
  const auto lines = read_record_lines(records_folder(plan) + "/" + std::string(kEarlierName));
  if (!lines) return writers;
  for (const RecordLine& line : *lines) {
    if (line.type() != "killed") continue;
    try_line([&] { writers.insert(line.as<KilledLine>().writer); });
  }
  return writers;
}

void compact_records(const ClusterPlan& plan, bool forget) {
  const std::string earlier = records_folder(plan) + "/" + std::string(kEarlierName);
  const std::vector<Attempt> attempts = read_attempts(plan);
  if (attempts.empty() && !forget) return;
  std::string text;
  std::set<std::string> writers = read_earlier_writers(plan);
  for (const Attempt& attempt : attempts) {
    if (!attempt.status && !attempt.writer.empty()) writers.insert(attempt.writer);
  }
  for (const std::string& writer : writers) text += record_line("killed", KilledLine{writer});
  std::map<std::string, SealedPlate> plates = read_earlier(plan);
  for (const Attempt& attempt : attempts) {
    for (const auto& [plate, sealed] : attempt.sealed) keep(plates, sealed);
  }
  for (auto& [plate, sealed] : plates) {
    if (forget) sealed.entry.settings.clear();  // see journal.h
    text += record_line("sealed", SealedLine{{}, sealed});
  }
  if (text.empty()) {
    remove_file(earlier);
  } else {
    files::write_whole_file(earlier, text);
  }
  for (const Attempt& attempt : attempts) {
    remove_file(records_folder(plan) + "/" + attempt.name + std::string(kRecordSuffix));
  }
}

}  // namespace mezzo::cluster
