#include "pipeline/watch/folder/job_record.h"

#include <algorithm>
#include <array>

#include "kernels/base/error.h"
#include "kernels/base/utf8.h"
#include "manifests/json/members.h"
#include "pipeline/watch/folder/entry_names.h"

namespace mezzo::watch {
namespace {

constexpr std::array<const char*, 4> kKinds = {"pages", "ticket", "folder", "loose"};
constexpr std::array<const char*, 3> kEndFolders = {"done", "failed", "incomplete"};

std::optional<JobKind> job_kind_named(const std::string& name) {
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
  return kEndFolders[static_cast<size_t>(end)];
}

std::string JobRecord::original_name(const std::string& inside) const {
  for (const RecordedFile& file : files) {
    if (file.inside == inside) return file.name;
  }
  return inside;
}

static void transfer(json::Slot& slot, JobKind& kind) {
  json::transfer_named(
      slot, kind, [](JobKind one) { return kKinds[static_cast<size_t>(one)]; }, job_kind_named);
}

/// Any end but "incomplete" is a failure.
static void transfer(json::Slot& slot, WorkEnd& end) {
  if (!slot.reads()) return slot.put(folder_of(end));
  const bool incomplete = slot.in() == json::Value(folder_of(WorkEnd::kIncomplete));
  end = incomplete ? WorkEnd::kIncomplete : WorkEnd::kFailed;
}

// In the order of their names, as records have them.
static void describe(json::Members& members, RecordedFile& file) {
  members("inode", file.inode);
  members("inside", file.inside);
  members("name", file.name);
}

static void describe(json::Members& members, JobRecord& record) {
  members("end", record.loose_end);
  members("files", record.files);
  members("kind", record.kind);
  members("manifest", record.manifest);
  members("name", record.name);
  members("reason", record.loose_reason);
  members.version(1);
}

std::string to_text(const JobRecord& record) {
  JobRecord readable = record;
  for (RecordedFile& file : readable.files) {
    if (!is_clean_text(file.name)) file.name = file.inside;
  }
  return json::to_text(json::to_value(readable));
}

std::optional<JobRecord> parse_record(const std::string& text) {
  try {
    auto record = json::from_value<JobRecord>(json::parse(text), json::Reading::kOpen);
    const bool are_names = std::ranges::all_of(record.files, [](const RecordedFile& file) {
      return is_one_name(file.name) && is_one_name(file.inside);
    });
    if (record.files.empty() || !are_names) return std::nullopt;
    record.name = printable_name(record.name);
    return record;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace mezzo::watch
