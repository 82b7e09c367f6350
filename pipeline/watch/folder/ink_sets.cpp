#include "pipeline/watch/folder/ink_sets.h"

#include <algorithm>

#include "kernels/base/utf8.h"
#include "kernels/prepress/folded_name.h"
#include "kernels/prepress/ink_key.h"
#include "pipeline/watch/folder/entry_names.h"

namespace mezzo::watch {
namespace {

constexpr std::string_view kPage = "{page}";
constexpr std::string_view kInk = "{ink}";

/// A name whose characters are folded one by one.
struct FoldedStem {
  explicit FoldedStem(std::string_view stem) {
    for (size_t i = 0; i < stem.size();) {
      const size_t bytes = std::max<size_t>(1, first_character(stem.substr(i)).bytes);
      const std::string folded = prepress::folded_name(stem.substr(i, bytes));
      if (!folded.empty()) begins.resize(text.size() + 1, kInside);
      if (!folded.empty()) begins[text.size()] = i;
      text += folded;
      i += bytes;
    }
    begins.resize(text.size() + 1, kInside);
    begins[text.size()] = stem.size();
  }

  static constexpr size_t kInside = std::string::npos;
  std::string text;
  /// For each byte of `text`, and its end: where its character begins in the stem; kInside for the bytes
  /// after the first of a character.
  std::vector<size_t> begins;
};

}  // namespace

SetMatcher::SetMatcher(const manifests::SeparationSets& sets) {
  const std::string_view form = stem_of(sets.pattern);
  const size_t page = form.find(kPage), ink = form.find(kInk);
  if (page == std::string::npos || ink == std::string::npos) return;
  page_is_first_ = page < ink;
  const size_t first_end = page_is_first_ ? page + kPage.size() : ink + kInk.size();
  const size_t second = std::max(page, ink);
  before_ = FoldedStem(form.substr(0, std::min(page, ink))).text;
  between_ = FoldedStem(form.substr(first_end, second - first_end)).text;
  after_ = FoldedStem(form.substr(second + (page_is_first_ ? kInk.size() : kPage.size()))).text;
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
  const auto [text, begins] = FoldedStem(stem);
  if (text.size() < before_.size() + between_.size() + after_.size() ||
      !text.starts_with(before_) || !text.ends_with(after_)) {
    return {};
  }
  const auto piece = [&](size_t from, size_t to) {
    const size_t begin = begins[from], end = begins[to];
    const bool is_cut = begin == FoldedStem::kInside || end == FoldedStem::kInside;
    return is_cut ? std::string_view() : stem.substr(begin, end - begin);
  };
  std::vector<Split> splits;
  const size_t begin = before_.size(), end = text.size() - after_.size();
  for (size_t at = text.find(between_, begin);
       at != std::string::npos && at + between_.size() <= end;
       at = text.find(between_, at + 1)) {
    const std::string_view first = piece(begin, at), second = piece(at + between_.size(), end);
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

std::string SetMatcher::set_key(std::string_view page) {
  return prepress::folded_name(page, prepress::Alike::kAsText);
}

std::string SetMatcher::page_key(std::string_view page) {
  return prepress::folded_name(page);
}

}  // namespace mezzo::watch
