#include "stages/proof/ppf_file.h"

#include <fmt/format.h>

#include "kernels/base/error.h"
#include "kernels/base/utf8.h"
#include "kernels/prepress/ink_key.h"

namespace mezzo::proof {
namespace {

constexpr size_t kBytesALine = 40;

uint64_t hex_bytes(uint64_t bytes) {
  return 2 * bytes + (bytes + kBytesALine - 1) / kBytesALine;
}

/// Hexadecimal digits of the bytes, in lines that any reader takes.
std::string in_hex(std::span<const uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  text.reserve(hex_bytes(bytes.size()));
  for (size_t i = 0; i < bytes.size(); ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
    if (i % kBytesALine == kBytesALine - 1 || i + 1 == bytes.size()) text += '\n';
  }
  return text;
}

std::string head_of(const PpfSheet& sheet) {
  std::string names;
  for (const std::string& ink : sheet.inks) {
    names += (names.empty() ? "" : " ") + postscript_text(ppf_ink_name(ink));
  }
  return fmt::format(
      "%!PS-Adobe-3.0\n%%CIP3-File Version 2.1\nCIP3BeginSheet\n"
      "/CIP3AdmJobName {} def\n/CIP3AdmSoftware {} def\n"
      "/CIP3AdmPSExtent [{:.4f} {:.4f}] def\n"
      "/CIP3TransferFilmCurveData [0.0 0.0 1.0 1.0] def\n"
      "/CIP3TransferPlateCurveData [0.0 0.0 1.0 1.0] def\n"
      "CIP3BeginFront\n/CIP3AdmSeparationNames [{}] def\nCIP3BeginPreviewImage\n",
      postscript_text(sheet.job),
      postscript_text(sheet.software),
      sheet.width_pt,
      sheet.height_pt,
      names);
}

std::string head_of_ink(const PpfSheet& sheet) {
  return fmt::format(
      "CIP3BeginSeparation\n"
      "/CIP3PreviewImageWidth {0} def\n/CIP3PreviewImageHeight {1} def\n"
      "/CIP3PreviewImageBitsPerComp 8 def\n/CIP3PreviewImageComponents 1 def\n"
      "/CIP3PreviewImageMatrix [{0} 0 0 -{1} 0 {1}] def\n"
      "/CIP3PreviewImageResolution [{2} {2}] def\n"
      "/CIP3PreviewImageEncoding /ASCIIHexDecode def\n"
      "/CIP3PreviewImageCompression /None def\nCIP3PreviewImage\n",
      sheet.width_px,
      sheet.height_px,
      sheet.dpi);
}

}  // namespace

std::string postscript_text(std::string_view text) {
  std::string result = "(";
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    const uint32_t code = character.bytes > 0 ? character.value : '?';
    const bool is_plain = code >= 0x20 && code < 0x7F && code != '(' && code != ')' && code != '\\';
    if (is_plain) {
      result += static_cast<char>(code);
    } else if (code == '(' || code == ')' || code == '\\') {
      result += '\\';
      result += static_cast<char>(code);
    } else {
      result += code < 0x100 ? fmt::format("\\{:03o}", code) : "?";
    }
    text.remove_prefix(character.bytes > 0 ? character.bytes : 1);
  }
  return result + ")";
}

std::string ppf_ink_name(const std::string& ink) {
  if (!prepress::is_process_ink(ink)) return ink;
  std::string name = prepress::ink_key(ink);
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

uint64_t ppf_bytes_of_ink(uint32_t width_px, uint32_t height_px) {
  return hex_bytes(width_px) * height_px;
}

PpfFile::PpfFile(const std::string& path, const PpfSheet& sheet, files::FileSystem& files)
    : width_px_(sheet.width_px), height_px_(sheet.height_px), file_(path, files) {
  file_.put(head_of(sheet));
  const std::string head = head_of_ink(sheet);
  for (size_t ink = 0; ink < sheet.inks.size(); ++ink) {
    file_.put(head);
    rows_at_.push_back(file_.size());
    file_.put_at(file_.size() + ppf_bytes_of_ink(width_px_, height_px_), ">\nCIP3EndSeparation\n");
  }
  file_.put("CIP3EndPreviewImage\nCIP3EndFront\nCIP3EndSheet\n%%CIP3EndOfFile\n");
}

void PpfFile::put_row(size_t ink, uint32_t y, std::span<const uint8_t> row) {
  MZ_ASSERT(row.size() == width_px_ && y < height_px_);
  file_.put_at(rows_at_[ink] + hex_bytes(width_px_) * y, in_hex(row));
}

uint64_t PpfFile::publish() {
  file_.publish();
  return file_.size();
}

}  // namespace mezzo::proof
