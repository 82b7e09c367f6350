#include "pipeline/watch/folder/not_taken.h"

#include <fcntl.h>

#include <array>
#include <utility>

#include "pipeline/watch/folder/entry_names.h"
#include "stages/files/folder.h"

namespace mezzo::watch {
namespace {

constexpr std::string_view kTail = ".error.txt";

/// All texts of this kind begin so: others of that name are left alone.
constexpr std::string_view kBegin = "Not taken: ";

std::string text_name(const std::string& name) {
  return numbered_name(name, 1, kTail);
}

bool is_ours(int folder, const std::string& name) {
  const files::Descriptor file = files::open_regular(folder, name);
  return file && files::read_all(file.get(), kBegin.size()) == kBegin;
}

void write_text(int folder, files::FileSystem& calls, const std::string& name, std::string reason) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const files::Descriptor file(calls.open({folder, name}, kFlags, 0666));
  if (!file) return;
  const std::string text =
      std::string(kBegin) + std::move(reason) +
      ".\nHot folders take pages (.tif, .tiff), tickets (.yaml, .yml) and "
      "folders with a job.yaml.\nThis text is removed when it is moved away.\n";
  if (calls.pwrite(file.get(), text.data(), text.size(), 0) < 0) calls.unlink({folder, name});
}

}  // namespace

std::string reason_for_other(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, const char*>, 6> kKinds = {{
      {".pdf", "it is a PDF; export each page as a TIFF file"},
      {".ps", "it is PostScript; export each page as a TIFF file"},
      {".eps", "it is PostScript; export it as a TIFF file"},
      {".jpg", "it is a JPEG picture; save it as a TIFF file"},
      {".jpeg", "it is a JPEG picture; save it as a TIFF file"},
      {".png", "it is a PNG picture; save it as a TIFF file"},
  }};
  for (const auto& [suffix, reason] : kKinds) {
    if (ends_with(name, suffix)) return reason;
  }
  return "it is neither a TIFF file nor a job ticket";
}

void NotTaken::begin() {
  for (auto& [name, file] : files_) file.is_there = false;
  texts_.clear();
  count_ = 0;
}

void NotTaken::end() {
  std::erase_if(files_, [](const auto& file) { return !file.second.is_there; });
}

void NotTaken::add(std::string_view name, const std::string& reason, SteadyTime now) {
  ++count_;
  const auto found = files_.find(std::string(name));
  if (found != files_.end()) {
    found->second.is_there = true;
    found->second.reason = reason;
  } else if (files_.size() < kMost) {
    files_.emplace(name, File{.reason = reason, .since = now});
  }
}

bool NotTaken::take_text(std::string_view name) {
  if (!ends_with(name, kTail)) return false;
  if (texts_.size() < 2 * kMost) texts_.emplace(name);
  return true;
}

void NotTaken::tell(int folder, files::FileSystem& calls, SteadyTime now) const {
  std::set<std::string> wanted;
  for (const auto& [name, file] : files_) {
    const std::string text = text_name(name);
    wanted.insert(text);
    const bool is_due = now - file.since >= kTellAfter && texts_.size() < kMost;
    if (is_due && !texts_.contains(text)) write_text(folder, calls, text, file.reason);
  }
  if (count_ > files_.size()) return;  // the texts may be those of files that are not kept
  for (const std::string& text : texts_) {
    if (!wanted.contains(text) && is_ours(folder, text)) calls.unlink({folder, text});
  }
}

}  // namespace mezzo::watch
