#include "stages/tiff/handle.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "kernels/base/error.h"
#include "stages/tiff/damaged.h"

namespace mezzo::tiff {
namespace {

constexpr size_t kMaxMessages = 20;

/// "Module: message" on one line.
std::string cleaned(const char* module, const char* text) {
  std::string message = text;
  if (module != nullptr && *module != '\0') message = std::string(module) + ": " + message;
  std::replace_if(
      message.begin(),
      message.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; },
      ' ');
  while (!message.empty() && (message.back() == ' ' || message.back() == '.')) message.pop_back();
  return message;
}

template <Messages::Severity kSeverity>
__attribute__((format(printf, 4, 0))) int keep_message(
    TIFF*, void* user, const char* module, const char* format, va_list arguments) {
  char text[512];
  const int size = std::vsnprintf(text, sizeof text, format, arguments);
  static_cast<Messages*>(user)->add(kSeverity, module, size < 0 ? format : text);
  return 1;  // keeps it from the handlers that the whole process shares
}

/// What libtiff takes for the value of a tag of one number; nothing when it has none.
std::optional<uint32_t> number_taken(TIFF* tiff, uint16_t tag) {
  constexpr uint16_t kWide[] = {TIFFTAG_IMAGEWIDTH,
                                TIFFTAG_IMAGELENGTH,
                                TIFFTAG_ROWSPERSTRIP,
                                TIFFTAG_TILEWIDTH,
                                TIFFTAG_TILELENGTH,
                                TIFFTAG_GROUP3OPTIONS,
                                TIFFTAG_GROUP4OPTIONS};
  uint32_t wide = 0;
  uint16_t narrow = 0;
  if (std::ranges::find(kWide, tag) != std::end(kWide)) {
    return TIFFGetField(tiff, tag, &wide) == 1 ? std::optional(wide) : std::nullopt;
  }
  return TIFFGetField(tiff, tag, &narrow) == 1 ? std::optional<uint32_t>(narrow) : std::nullopt;
}

}  // namespace

void Messages::add(Severity severity, const char* module, const char* text) noexcept {
  ++(severity == Severity::kError ? errors_ : warnings_);
  if (kept_.size() >= kMaxMessages) return;
  try {
    kept_.push_back({severity, cleaned(module, text)});
  } catch (const std::bad_alloc&) {
    // It counts all the same.
  }
}

void Messages::clear() {
  kept_.clear();
  errors_ = 0;
  warnings_ = 0;
}

std::string Messages::first_error() const {
  const auto found = std::ranges::find(kept_, Severity::kError, &Message::severity);
  if (found != kept_.end()) return found->text;
  return errors_ > 0 ? "no memory for the message" : "";
}

std::string Messages::summary() const {
  if (kept_.empty()) return {};
  std::string text = errors_ > 0 ? first_error() : kept_.front().text;
  const uint64_t more = errors_ + warnings_ - 1;
  if (more > 0) text += " (and " + std::to_string(more) + " more)";
  return text;
}

std::string PagePlace::text() const {
  return page == 0 ? path : path + ", page " + std::to_string(page);
}

/// The procedures that libtiff calls; the handle is their context.
struct Procedures {
  static Handle& handle_of(thandle_t context) { return *static_cast<Handle*>(context); }

  static tmsize_t read(thandle_t context, void* data, tmsize_t bytes) {
    Handle& handle = handle_of(context);
    if (bytes < 0) return -1;
    const auto wanted = static_cast<size_t>(bytes);
    const std::span<std::byte> to(static_cast<std::byte*>(data), wanted);
    int error_number = 0;
    const size_t got = handle.store_.read_at(handle.position_, to, error_number);
    handle.directory_.overlay(handle.position_, to.first(got));
    if (handle.error_number_ == 0) handle.error_number_ = error_number;
    handle.position_ += got;
    if (got < wanted && handle.position_ < handle.store_.size()) handle.fell_short_ = true;
    return static_cast<tmsize_t>(got);
  }

  static tmsize_t write(thandle_t context, void* data, tmsize_t bytes) {
    Handle& handle = handle_of(context);
    if (bytes < 0 || handle.sink_ == nullptr) return -1;
    const std::span<const std::byte> span(static_cast<const std::byte*>(data),
                                          static_cast<size_t>(bytes));
    if (!handle.discards_writes_) {
      const int error_number = handle.sink_->write_at(handle.position_, span);
      if (handle.error_number_ == 0) handle.error_number_ = error_number;
      if (error_number != 0) return -1;
    }
    handle.position_ += span.size();
    return bytes;
  }

  static toff_t seek(thandle_t context, toff_t offset, int whence) {
    Handle& handle = handle_of(context);
    if (whence == SEEK_CUR) offset += handle.position_;
    if (whence == SEEK_END) offset += handle.store_.size();
    handle.position_ = offset;
    return offset;
  }
  static int close(thandle_t) { return 0; }
  static toff_t size(thandle_t context) { return handle_of(context).store_.size(); }
  static int map(thandle_t, void**, toff_t*) { return 0; }
  static void unmap(thandle_t, void*, toff_t) {}
};

Handle::Handle(files::ByteStore& store,
               const std::string& name,
               const char* mode,
               uint64_t max_alloc_bytes)
    : Handle(store, &store, name, mode, max_alloc_bytes) {}

Handle::Handle(const files::ByteStore& store,
               const std::string& name,
               const char* mode,
               uint64_t max_alloc_bytes)
    : Handle(store, nullptr, name, mode, max_alloc_bytes) {}

Handle::Handle(const files::ByteStore& store,
               files::ByteStore* sink,
               const std::string& name,
               const char* mode,
               uint64_t max_alloc_bytes)
    : store_(store), sink_(sink), name_(name), mode_(mode), max_alloc_bytes_(max_alloc_bytes) {
  open();
}

void Handle::open() {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(
      TIFFOpenOptionsAlloc(), &TIFFOpenOptionsFree);
  if (!options) throw Error(ErrorKind::kLimit, name_ + ": no memory to open the file");
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(max_alloc_bytes_));
  TIFFOpenOptionsSetErrorHandlerExtR(
      options.get(), keep_message<Messages::Severity::kError>, &messages_);
  TIFFOpenOptionsSetWarningHandlerExtR(
      options.get(), keep_message<Messages::Severity::kWarning>, &messages_);
  tiff_ = TIFFClientOpenExt(name_.c_str(),
                            mode_,
                            this,
                            Procedures::read,
                            Procedures::write,
                            Procedures::seek,
                            Procedures::close,
                            Procedures::size,
                            Procedures::map,
                            Procedures::unmap,
                            options.get());
}

Handle::~Handle() {
  discards_writes_ = true;
  close();
}

void Handle::close() {
  if (tiff_ != nullptr) TIFFClose(std::exchange(tiff_, nullptr));
}

bool Handle::select_directory(LeanDirectory directory) {
  close();
  messages_.clear();
  directory_ = std::move(directory);
  position_ = 0;
  open();
  if (tiff_ == nullptr || TIFFSetSubDirectory(tiff_, directory_.offset()) != 1 ||
      messages_.errors() > 0 || error_number_ != 0) {
    return false;
  }
  return std::ranges::all_of(directory_.numbers(), [&](const ShownNumber& shown) {
    if (number_taken(tiff_, shown.tag) == shown.value) return true;
    const std::string text = "libtiff takes tag " + tag_name(shown.tag) + " for another than " +
                             std::to_string(shown.value);
    messages_.add(Messages::Severity::kError, nullptr, text.c_str());
    return false;
  });
}

void Handle::fail(ErrorKind kind, const std::string& where, const std::string& expectation) const {
  if (error_number_ != 0) {
    throw Error(ErrorKind::kIo,
                where + ": reading failed: " + std::generic_category().message(error_number_));
  }
  const std::string said = messages_.summary();
  throw Error(kind,
              where + ": " + expectation + ": " +
                  (said.empty() ? "libtiff gives no reason" : "libtiff says: " + said),
              kind == ErrorKind::kData ? kExportAgain : "");
}

}  // namespace mezzo::tiff
