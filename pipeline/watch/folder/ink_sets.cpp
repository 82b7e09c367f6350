#include "pipeline/watch/folder/ink_sets.h"

#include <algorithm>
#include <functional>

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
  for (size_t ink = 0; ink < sets.inks.size(); ++ink) {
    std::string form(stem_of(sets.pattern));
    const size_t at = form.find(kInk);
    if (at == std::string::npos) continue;
    form.replace(at, kInk.size(), sets.inks[ink]);
    const size_t page = form.find(kPage);
    if (page == std::string::npos) continue;
    forms_.push_back({.before = lower(form.substr(0, page)),
                      .after = lower(form.substr(page + kPage.size())),
                      .ink = ink,
                      .ink_bytes = sets.inks[ink].size()});
  }
  std::ranges::stable_sort(forms_, std::ranges::greater(), &Form::ink_bytes);
}

std::optional<SetMember> SetMatcher::match(std::string_view name) const {
  if (forms_.empty()) return std::nullopt;
  const std::string_view stem = stem_of(name);
  const std::string lower_stem = lower(stem);
  for (const Form& form : forms_) {
    const size_t around = form.before.size() + form.after.size();
    if (stem.size() <= around || !lower_stem.starts_with(form.before) ||
        !lower_stem.ends_with(form.after)) {
      continue;
    }
    return SetMember{.page = std::string(stem.substr(form.before.size(), stem.size() - around)),
                     .ink = form.ink};
  }
  return std::nullopt;
}

}  // namespace mezzo::watch
