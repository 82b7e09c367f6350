#include "kernels/prepress/ink_key.h"

#include <algorithm>

#include "kernels/prepress/folded_name.h"

namespace mezzo::prepress {
namespace {

struct Alias {
  std::string_view key;    ///< of the ink
  std::string_view alias;  ///< in lower case, without spaces
};

constexpr Alias kAliases[] = {
    {"black", "k"},
    {"black", "processblack"},
    {"black", "schwarz"},
    {"black", "noir"},
    {"black", "negro"},
    {"black", "nero"},
    {"black", "key"},
    {"cyan", "c"},
    {"cyan", "processcyan"},
    {"magenta", "m"},
    {"magenta", "processmagenta"},
    {"yellow", "y"},
    {"yellow", "gelb"},
    {"yellow", "jaune"},
    {"yellow", "amarillo"},
    {"yellow", "giallo"},
    {"yellow", "processyellow"},
};

}  // namespace

std::string ink_key(std::string_view name) {
  std::string key = folded_name(name, Alike::kAsWords);
  std::erase(key, ' ');
  const auto* found = std::ranges::find(kAliases, key, &Alias::alias);
  return found == std::end(kAliases) ? key : std::string(found->key);
}

bool is_same_ink(std::string_view a, std::string_view b) {
  return ink_key(a) == ink_key(b);
}

bool is_process_ink(std::string_view name) {
  const std::string key = ink_key(name);
  return std::ranges::find(kAliases, key, &Alias::key) != std::end(kAliases);
}

}  // namespace mezzo::prepress
