#include "kernels/prepress/folded_name.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>

namespace mezzo::prepress {
namespace {

constexpr int kCanonical = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;

std::string ascii_folded(std::string_view name) {
  std::string folded(name);
  for (char& c : folded) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return folded;
}

/// Nothing when the text is not UTF-8.
std::optional<std::string> mapped(std::string_view text, int options) {
  utf8proc_uint8_t* made = nullptr;
  const utf8proc_ssize_t bytes =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()),
                   &made,
                   static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, &std::free);
  if (bytes == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (bytes < 0) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(made), static_cast<size_t>(bytes));
}

std::string decomposed(std::string_view name) {
  return mapped(name, kCanonical).value_or(std::string(name));
}

}  // namespace

std::string folded_name(std::string_view name, Alike alike) {
  if (alike == Alike::kAsText) return decomposed(name);
  if (std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    return ascii_folded(name);
  }
  const int fold = kCanonical | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE |
                   (alike == Alike::kAsWords ? UTF8PROC_COMPAT : 0);
  // Marks are put in order before letters change, and folding may give letters that fold again.
  auto folded = mapped(name, kCanonical);
  for (int pass = 0; folded && pass < 2; ++pass) folded = mapped(*folded, fold);
  return folded ? *folded : ascii_folded(name);
}

std::string_view difference_of_names(std::string_view a, std::string_view b) {
  if (ascii_folded(a) == ascii_folded(b)) return "in upper and lower case alone";
  if (decomposed(a) == decomposed(b)) return "in the form of Unicode alone (NFC, NFD)";
  return "in case or in the form of Unicode alone";
}

}  // namespace mezzo::prepress
