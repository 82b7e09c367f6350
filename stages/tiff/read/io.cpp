#include "stages/tiff/read/io.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <utility>

#include "kernels/base/error.h"

namespace mezzo::tiff {
namespace {

constexpr size_t kMaxMessages = 20;

/// "Module: message" on one line, without control characters that a hostile file could smuggle in.
std::string format_message(const char* module, const char* format, va_list arguments) {
  char text[512];
  const int size = std::vsnprintf(text, sizeof text, format, arguments);
  std::string message = size < 0 ? std::string(format) : std::string(text);
  if (module != nullptr && *module != '\0') message = std::string(module) + ": " + message;
  std::replace_if(
      message.begin(),
      message.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; },
      ' ');
  while (!message.empty() && (message.back() == ' ' || message.back() == '.')) message.pop_back();
  return message;
}

int keep_error(TIFF*, void* user, const char* module, const char* format, va_list arguments) {
  static_cast<TiffDiagnostics*>(user)->add(TiffDiagnostics::Severity::kError,
                                           format_message(module, format, arguments));
  return 1;  // the global handler stays silent
}

int keep_warning(TIFF*, void* user, const char* module, const char* format, va_list arguments) {
  static_cast<TiffDiagnostics*>(user)->add(TiffDiagnostics::Severity::kWarning,
                                           format_message(module, format, arguments));
  return 1;
}

}  // namespace

void TiffDiagnostics::add(Severity severity, std::string message) {
  ++(severity == Severity::kError ? errors_ : warnings_);
  if (messages_.size() < kMaxMessages) messages_.push_back({severity, std::move(message)});
}

void TiffDiagnostics::clear() {
  messages_.clear();
  errors_ = 0;
  warnings_ = 0;
}

std::string TiffDiagnostics::words() const {
  if (messages_.empty()) return {};
  const auto worst = std::find_if(messages_.begin(), messages_.end(), [](const Message& message) {
    return message.severity == Severity::kError;
  });
  std::string words = (worst == messages_.end() ? messages_.front() : *worst).text;
  const uint64_t more = errors_ + warnings_ - 1;
  if (more > 0) words += " (and " + std::to_string(more) + " more)";
  return words;
}

std::string PagePlace::text() const {
  return page == 0 ? path : path + ", page " + std::to_string(page);
}

/// The procedures that libtiff calls; the handle is their context.
struct TiffReadProcs {
  static tmsize_t read(thandle_t context, void* to, tmsize_t size) {
    auto& handle = *static_cast<TiffHandle*>(context);
    int error_number = 0;
    const size_t got =
        handle.file_.read_some(handle.position_, to, static_cast<size_t>(size), error_number);
    if (handle.io_error_ == 0) handle.io_error_ = error_number;
    handle.position_ += got;
    return static_cast<tmsize_t>(got);
  }
  static tmsize_t write(thandle_t, void*, tmsize_t) { return -1; }
  static toff_t seek(thandle_t context, toff_t offset, int whence) {
    auto& handle = *static_cast<TiffHandle*>(context);
    if (whence == SEEK_CUR) offset += handle.position_;
    if (whence == SEEK_END) offset += handle.file_.size();
    handle.position_ = offset;
    return offset;
  }
  static int close(thandle_t) { return 0; }
  static toff_t size(thandle_t context) { return static_cast<TiffHandle*>(context)->file_.size(); }
  static int map(thandle_t, void**, toff_t*) { return 0; }
  static void unmap(thandle_t, void*, toff_t) {}
};

TiffHandle::TiffHandle(const files::InputFile& file, uint64_t max_alloc_bytes) : file_(file) {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(
      TIFFOpenOptionsAlloc(), &TIFFOpenOptionsFree);
  if (!options) throw Error(ErrorKind::kLimit, file.path() + ": no memory to open the file");
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(max_alloc_bytes));
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep_error, &diagnostics_);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), keep_warning, &diagnostics_);
  // m: no mapping; O: strip arrays are loaded piecewise; c: strips as they are; h: header only.
  tiff_ = TIFFClientOpenExt(file.path().c_str(),
                            "rmOch",
                            this,
                            TiffReadProcs::read,
                            TiffReadProcs::write,
                            TiffReadProcs::seek,
                            TiffReadProcs::close,
                            TiffReadProcs::size,
                            TiffReadProcs::map,
                            TiffReadProcs::unmap,
                            options.get());
  if (tiff_ == nullptr) fail(ErrorKind::kData, file.path(), "expected a TIFF header");
}

TiffHandle::~TiffHandle() {
  if (tiff_ != nullptr) TIFFClose(tiff_);
}

bool TiffHandle::select_directory(uint64_t offset) {
  diagnostics_.clear();
  return TIFFSetSubDirectory(tiff_, offset) == 1 && diagnostics_.errors() == 0 && io_error_ == 0;
}

void TiffHandle::fail(ErrorKind kind,
                      const std::string& where,
                      const std::string& expectation) const {
  if (io_error_ != 0) {
    throw Error(ErrorKind::kIo,
                where + ": reading failed: " + std::generic_category().message(io_error_));
  }
  const std::string words = diagnostics_.words();
  throw Error(kind,
              where + ": " + expectation + ": " +
                  (words.empty() ? "libtiff gives no reason" : "libtiff says: " + words));
}

void clear_codec_environment() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const char* name :
         {"LIBTIFF_JPEG_MAX_ALLOWED_SCAN_NUMBER", "LIBTIFF_ALLOW_LARGE_LIBJPEG_MEM_ALLOC"}) {
      // Only when set: changing the environment is not safe beside threads that read it.
      if (std::getenv(name) != nullptr) ::unsetenv(name);
    }
  });
}

}  // namespace mezzo::tiff
