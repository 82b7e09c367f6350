#include "pipeline/watch/folder/job_record.h"

#include <array>
#include <nlohmann/json.hpp>

#include "manifests/source_text.h"
#include "pipeline/watch/folder/entry_names.h"

namespace mezzo::watch {
namespace {

constexpr std::array<const char*, 4> kKinds = {"pages", "ticket", "folder", "loose"};

std::optional<JobKind> kind_named(const std::string& name) {
  for (size_t i = 0; i < kKinds.size(); ++i) {
    if (name == kKinds[i]) return static_cast<JobKind>(i);
  }
  return std::nullopt;
}

bool is_one_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

}  // namespace

const char* folder_of(WorkEnd end) {
  switch (end) {
    case WorkEnd::kDone:
      return "done";
    case WorkEnd::kFailed:
      return "failed";
    case WorkEnd::kIncomplete:
      break;
  }
  return "incomplete";
}

std::string JobRecord::original_name(const std::string& inside) const {
  for (const RecordedFile& file : files) {
    if (file.inside == inside) return file.name;
  }
  return inside;
}

std::string to_text(const JobRecord& record) {
  nlohmann::json list = nlohmann::json::array();
  for (const RecordedFile& file : record.files) {
    const std::string& name = manifests::is_clean_text(file.name) ? file.name : file.inside;
    list.push_back({{"name", name}, {"inside", file.inside}, {"inode", file.inode}});
  }
  return nlohmann::json{{"v", 1},
                        {"kind", kKinds[static_cast<size_t>(record.kind)]},
                        {"name", record.name},
                        {"files", list},
                        {"manifest", record.manifest},
                        {"end", folder_of(record.loose_end)},
                        {"reason", record.loose_reason}}
      .dump();
}

std::optional<JobRecord> parse_record(const std::string& text) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    const std::optional<JobKind> kind = kind_named(json.at("kind").get<std::string>());
    if (json.at("v").get<int>() != 1 || !kind) return std::nullopt;
    const bool incomplete = json.at("end") == folder_of(WorkEnd::kIncomplete);
    JobRecord record{.kind = *kind,
                     .name = printable_name(json.at("name").get<std::string>()),
                     .files = {},
                     .manifest = json.at("manifest"),
                     .loose_end = incomplete ? WorkEnd::kIncomplete : WorkEnd::kFailed,
                     .loose_reason = json.at("reason"),
                     .end = {}};
    for (const nlohmann::json& file : json.at("files")) {
      record.files.push_back(
          {.name = file.at("name"), .inside = file.at("inside"), .inode = file.at("inode")});
      const RecordedFile& added = record.files.back();
      if (!is_one_name(added.name) || !is_one_name(added.inside)) return std::nullopt;
    }
    if (record.files.empty()) return std::nullopt;
    return record;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace mezzo::watch
