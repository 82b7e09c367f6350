#include "pipeline/watch/job_record.h"

#include <array>
#include <nlohmann/json.hpp>

namespace mezzo {
namespace {

constexpr std::array<const char*, 4> kKinds = {"pages", "ticket", "folder", "loose"};

std::optional<JobKind> kind_named(const std::string& name) {
  for (size_t i = 0; i < kKinds.size(); ++i) {
    if (name == kKinds[i]) return static_cast<JobKind>(i);
  }
  return std::nullopt;
}

}  // namespace

const char* folder_of(JobEnd end) {
  switch (end) {
    case JobEnd::kDone:
      return "done";
    case JobEnd::kFailed:
      return "failed";
    case JobEnd::kIncomplete:
      break;
  }
  return "incomplete";
}

std::string JobRecord::name_inside(const std::string& original) const {
  const bool is_ticket = kind == JobKind::kTicket && original == files.front().name;
  return is_ticket ? kManifestName : original;
}

std::string JobRecord::original_name(const std::string& inside) const {
  return kind == JobKind::kTicket && inside == kManifestName ? files.front().name : inside;
}

std::string to_text(const JobRecord& record) {
  nlohmann::json files = nlohmann::json::array();
  for (const RecordedFile& file : record.files) {
    files.push_back({{"name", file.name}, {"inode", file.inode}});
  }
  return nlohmann::json{{"v", 1},
                        {"kind", kKinds[static_cast<size_t>(record.kind)]},
                        {"name", record.name},
                        {"files", files}}
      .dump();
}

std::optional<JobRecord> parse_record(const std::string& text) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    const std::optional<JobKind> kind = kind_named(json.at("kind").get<std::string>());
    if (json.at("v").get<int>() != 1 || !kind) return std::nullopt;
    JobRecord record{.kind = *kind, .name = json.at("name"), .files = {}, .end = {}};
    for (const nlohmann::json& file : json.at("files")) {
      record.files.push_back({.name = file.at("name"), .inode = file.at("inode")});
      const std::string& name = record.files.back().name;
      if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) {
        return std::nullopt;
      }
    }
    if (record.files.empty()) return std::nullopt;
    return record;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace mezzo
