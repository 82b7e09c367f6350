#include "kernels/spelling/synonyms.h"

#include <algorithm>

namespace mezzo::spelling {
namespace {

constexpr Synonym kSynonyms[] = {
    // Keys and options.
    {"dpi", "resolution"},
    {"ppi", "resolution"},
    {"lpi", "ruling"},
    {"lpcm", "ruling"},
    {"frequency", "ruling"},
    {"line-screen", "ruling"},
    {"screen", "halftone"},
    {"screening", "halftone"},
    {"dither", "halftone"},
    {"screen", "method"},
    {"screening", "method"},
    {"dither", "method"},
    {"type", "method"},
    {"algorithm", "method"},
    {"format", "compression"},
    {"codec", "compression"},
    {"spot-shape", "dot"},
    {"spot-function", "dot"},
    {"flip", "mirror"},
    {"flop", "mirror"},
    {"negative", "invert"},
    {"rotation", "rotate"},
    {"icc", "profile"},
    {"tac", "ink_limit"},
    {"tac", "ink-limit"},
    {"total-area-coverage", "ink_limit"},
    {"total-area-coverage", "ink-limit"},
    {"step-and-repeat", "copies"},
    {"files", "pages"},
    {"file", "input"},
    {"file", "path"},
    {"filename", "input"},
    {"filename", "path"},
    {"colors", "inks"},
    {"colours", "inks"},
    {"overwrite", "existing"},
    {"cores", "threads"},
    // Methods.
    {"fs", "floyd-steinberg"},
    {"error-diffusion", "floyd-steinberg"},
    {"stochastic", "fm"},
    {"blue-noise", "fm"},
    {"void-and-cluster", "fm"},
    {"clustered-dot", "am"},
    {"rosette", "am"},
    {"ordered", "bayer"},
    {"white-noise", "random"},
    {"direct-binary-search", "dbs"},
    // Topics of help.
    {"keys", "manifest"},
    {"yaml", "manifest"},
    // Values.
    {"fax", "g4"},
    {"fax4", "g4"},
    {"ccitt", "g4"},
    {"group4", "g4"},
    {"zip", "deflate"},
    {"rle", "packbits"},
    {"cuda", "gpu"},
    {"bicubic", "cubic"},
    {"box", "area"},
};

}  // namespace

std::span<const Synonym> synonyms() {
  return kSynonyms;
}

std::string folded(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    text += is_capital ? static_cast<char>(c + 32) : c == '_' || c == ' ' ? '-' : c;
  }
  return text;
}

std::string_view synonym_of(std::string_view name, std::span<const std::string_view> candidates) {
  const std::string wanted = folded(name);
  for (const Synonym& synonym : kSynonyms) {
    if (synonym.name != wanted) continue;
    const auto found = std::ranges::find(candidates, synonym.meaning);
    if (found != candidates.end()) return *found;
  }
  return {};
}

}  // namespace mezzo::spelling
