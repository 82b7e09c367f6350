#include "pipeline/watch/folder/ink_sets.h"

#include <algorithm>

#include "kernels/prepress/ink_key.h"
#include "pipeline/watch/folder/entry_names.h"

namespace mezzo::watch {
namespace {

constexpr std::string_view kPage = "{page}";
constexpr std::string_view kInk = "{ink}";

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return result;
}

}  // namespace

SetMatcher::SetMatcher(const manifests::SeparationSets& sets) {
  const std::string form = lower(stem_of(sets.pattern));
  const size_t page = form.find(kPage), ink = form.find(kInk);
  if (page == std::string::npos || ink == std::string::npos) return;
  page_is_first_ = page < ink;
  const size_t first_end = page_is_first_ ? page + kPage.size() : ink + kInk.size();
  before_ = form.substr(0, std::min(page, ink));
  between_ = form.substr(first_end, std::max(page, ink) - first_end);
  after_ = form.substr(page_is_first_ ? ink + kInk.size() : page + kPage.size());
  for (const std::string& name : sets.inks) keys_.push_back(prepress::ink_key(name));
}

std::optional<size_t> SetMatcher::ink_named(std::string_view name) const {
  const auto found = std::ranges::find(keys_, prepress::ink_key(name));
  if (found == keys_.end()) return std::nullopt;
  return static_cast<size_t>(found - keys_.begin());
}

/// All that the pattern allows, with a page and an ink that are no blanks at their ends.
std::vector<SetMatcher::Split> SetMatcher::splits_of(std::string_view name) const {
  if (keys_.empty()) return {};
  const std::string_view stem = stem_of(name);
  const std::string lower_stem = lower(stem);
  if (stem.size() < before_.size() + between_.size() + after_.size() ||
      !lower_stem.starts_with(before_) || !lower_stem.ends_with(after_)) {
    return {};
  }
  std::vector<Split> splits;
  const size_t begin = before_.size(), end = stem.size() - after_.size();
  for (size_t at = lower_stem.find(between_, begin);
       at != std::string::npos && at + between_.size() <= end;
       at = lower_stem.find(between_, at + 1)) {
    const std::string_view first = stem.substr(begin, at - begin);
    const std::string_view second = stem.substr(at + between_.size(), end - at - between_.size());
    const Split split{.page = page_is_first_ ? first : second,
                      .ink = page_is_first_ ? second : first};
    const bool is_whole = !split.page.empty() && !split.ink.empty();
    if (is_whole && split.ink.front() != ' ' && split.ink.back() != ' ') splits.push_back(split);
  }
  return splits;
}

std::optional<SetMember> SetMatcher::match(std::string_view name) const {
  std::optional<SetMember> longest;
  size_t ink_bytes = 0;
  for (const Split& split : splits_of(name)) {
    const auto ink = ink_named(split.ink);
    if (!ink || split.ink.size() <= ink_bytes) continue;
    longest = SetMember{.page = std::string(split.page), .ink = *ink};
    ink_bytes = split.ink.size();
  }
  return longest;
}

std::vector<StrayInk> SetMatcher::stray_inks(std::string_view name) const {
  if (match(name)) return {};
  std::vector<StrayInk> strays;
  for (const Split& split : splits_of(name)) {
    strays.push_back({.page = std::string(split.page), .ink = std::string(split.ink)});
  }
  return strays;
}

std::string SetMatcher::page_key(std::string_view page) {
  return lower(page);
}

}  // namespace mezzo::watch
