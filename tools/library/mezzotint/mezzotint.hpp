// mezzotint from C++20: halftoning of arrays, pages in, plates out, whole jobs.
//
//     const mezzo::Dots dots = mezzo::halftone(grey, width, height, "floyd-steinberg");
//     const mezzo::Dots screened =
//         mezzo::halftone(grey, width, height, {"am", {{"ruling", 175}, {"dpi", 2400}}});
//
// All of it is inline over the C functions of mezzotint.h, which say more of each call; so programs
// go on with a later library of the same soname. Errors are exceptions of type Error. Objects own
// what they open, may be moved, and are for one thread at a time.
#pragma once

#include <mezzotint/mezzotint.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace mezzo {
inline namespace library_0 {

/// A call that failed; what() says what happened, where, and what to do.
class Error : public std::runtime_error {
 public:
  explicit Error(const mezzotint_error& error)
      : std::runtime_error(error.message), status_(error.status) {}
  int status() const { return status_; }  ///< MEZZOTINT_USAGE, ..

 private:
  int status_;
};

namespace detail {

template <typename Handle, void (*kFree)(Handle*)>
struct Free {
  void operator()(Handle* handle) const { kFree(handle); }
};
template <typename Handle, void (*kFree)(Handle*)>
using Owned = std::unique_ptr<Handle, Free<Handle, kFree>>;

/// Calls a C function that returns a status.
template <typename Call>
void check(const Call& call) {
  mezzotint_error error;
  if (call(&error) != MEZZOTINT_GOOD) throw Error(error);
}

/// Calls one that returns a pointer.
template <typename Call>
auto made(const Call& call) {
  mezzotint_error error;
  auto* const result = call(&error);
  if (result == nullptr) throw Error(error);
  return result;
}

inline std::string taken(char* text) {
  const std::unique_ptr<char, Free<char, mezzotint_free>> owned(text);
  return text;
}

template <typename Sample>
concept Grey = std::is_same_v<std::remove_const_t<Sample>, uint8_t> ||
    std::is_same_v<std::remove_const_t<Sample>, uint16_t>;

}  // namespace detail

/// The value of a setting: a number, or a text as a manifest has it.
class Value {
 public:
  // NOLINTBEGIN(google-explicit-constructor): {"ruling", 175} is how users write it
  template <typename Number>
  requires std::is_arithmetic_v<Number> Value(Number number)
      : is_number_(!std::is_same_v<Number, bool>), number_(static_cast<double>(number)) {
    if (!is_number_) text_ = number ? "true" : "false";
  }
  Value(const char* text) : text_(text) {}
  Value(std::string text) : text_(std::move(text)) {}
  // NOLINTEND(google-explicit-constructor)

 private:
  friend class Settings;
  bool is_number_ = false;
  double number_ = 0;
  std::string text_;
};

/// A method, its parameters, and how it is run; mezzotint_set() lists the names.
class Settings {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a method is settings enough
  Settings(const char* method = "floyd-steinberg") : Settings(method, {}) {}
  Settings(const std::string& method) : Settings(method.c_str(), {}) {}
  // NOLINTEND(google-explicit-constructor)
  Settings(const char* method, std::initializer_list<std::pair<const char*, Value>> values)
      : handle_(mezzotint_settings_new()) {
    if (handle_ == nullptr) throw std::bad_alloc();
    set("method", method);
    for (const auto& [name, value] : values) set(name, value);
  }

  Settings& set(const char* name, const Value& value) {
    detail::check([&](mezzotint_error* error) {
      return value.is_number_ ? mezzotint_set_number(get(), name, value.number_, error)
                              : mezzotint_set(get(), name, value.text_.c_str(), error);
    });
    return *this;
  }

  /// Points of the transfer curve, from coverage to coverage in percent.
  Settings& curve(std::initializer_list<std::pair<double, double>> points) {
    std::vector<double> in, out;
    for (const auto& [from, to] : points) {
      in.push_back(from);
      out.push_back(to);
    }
    detail::check([&](mezzotint_error* error) {
      return mezzotint_set_curve(get(), in.data(), out.data(), in.size(), error);
    });
    return *this;
  }

  /// Thresholds of method "tile", by rows.
  Settings& tile(std::span<const uint16_t> thresholds,
                 uint32_t width,
                 uint32_t height,
                 uint32_t bits = 16) {
    if (thresholds.size() != size_t{width} * height) {
      throw std::invalid_argument("the thresholds are not width x height");
    }
    detail::check([&](mezzotint_error* error) {
      return mezzotint_set_tile(get(), thresholds.data(), width, height, bits, error);
    });
    return *this;
  }

  mezzotint_settings* get() const { return handle_.get(); }

 private:
  detail::Owned<mezzotint_settings, mezzotint_settings_free> handle_;
};

/// Dots in rows of bytes: 1 is ink, the first pixel of a row is the highest bit of its first byte.
struct Dots {
  std::vector<uint8_t> bytes;
  uint32_t width = 0;
  uint32_t height = 0;

  size_t row_bytes() const { return (size_t{width} + 7) / 8; }
  /// Throws where `bytes` are not those of width x height.
  void check() const {
    if (bytes.size() != row_bytes() * height) {
      throw std::invalid_argument("the bytes of dots are not width x height");
    }
  }
  bool ink(uint32_t x, uint32_t y) const {
    return (bytes[y * row_bytes() + x / 8] >> (7 - x % 8) & 1) != 0;
  }
};

/// Halftones an array of width x height greys of 8 or 16 bits.
template <typename Range>
requires detail::Grey<std::remove_pointer_t<decltype(std::data(std::declval<const Range&>()))>> Dots
halftone(const Range& grey, uint32_t width, uint32_t height, const Settings& settings = {}) {
  using Sample = std::remove_pointer_t<decltype(std::data(grey))>;
  if (std::size(grey) != size_t{width} * height) {
    throw std::invalid_argument("the samples are not width x height");
  }
  Dots dots{{}, width, height};
  dots.bytes.resize(dots.row_bytes() * height);
  mezzotint_image page = {};
  page.samples = std::data(grey);
  page.width = width;
  page.height = height;
  page.sample_bits = 8 * sizeof(Sample);
  mezzotint_dots out = {};
  out.data = dots.bytes.data();
  out.bits_per_pixel = 1;
  detail::check([&](mezzotint_error* error) {
    return mezzotint_halftone(settings.get(), &page, &out, error);
  });
  return dots;
}

/// A plane that comes from the top in bands of any height, and whose dots go the same way, eight to
/// a byte. `Sample` is uint8_t or uint16_t.
template <detail::Grey Sample>
class Stream {
 public:
  explicit Stream(uint32_t width, const Settings& settings = {})
      : width_(width), handle_(detail::made([&](mezzotint_error* error) {
          return mezzotint_stream_new(settings.get(), width, 8 * sizeof(Sample), 1, error);
        })) {}

  /// Takes the next rows: a multiple of the width.
  void put(std::span<const Sample> rows) {
    if (rows.size() % width_ != 0) throw std::invalid_argument("rows are cut off");
    detail::check([&](mezzotint_error* error) {
      return mezzotint_stream_put(
          handle_.get(), rows.data(), 0, static_cast<uint32_t>(rows.size() / width_), error);
    });
  }
  /// There are no more rows.
  void end() {
    detail::check(
        [&](mezzotint_error* error) { return mezzotint_stream_end(handle_.get(), error); });
  }
  /// The dots that are made; perhaps of no row.
  Dots take() {
    Dots dots{{}, width_, mezzotint_stream_ready(handle_.get())};
    dots.bytes.resize(dots.row_bytes() * dots.height);
    detail::check([&](mezzotint_error* error) {
      return mezzotint_stream_take(handle_.get(), dots.bytes.data(), 0, dots.height, error);
    });
    return dots;
  }

 private:
  uint32_t width_;
  detail::Owned<mezzotint_stream, mezzotint_stream_free> handle_;
};

/// A page of a contone TIFF file.
class Page {
 public:
  explicit Page(const std::string& path, uint32_t number = 1)
      : handle_(detail::made([&](mezzotint_error* error) {
          return mezzotint_page_open(path.c_str(), number, error);
        })) {
    mezzotint_page_describe(handle_.get(), &info_);
  }

  const mezzotint_page_info& info() const { return info_; }
  std::string ink(uint32_t i) const {
    const char* name = mezzotint_page_ink(handle_.get(), i);
    return name == nullptr ? "" : name;
  }
  /// The number of an ink by its name.
  uint32_t find_ink(const std::string& name) const {
    uint32_t ink = 0;
    detail::check([&](mezzotint_error* error) {
      return mezzotint_page_find_ink(handle_.get(), name.c_str(), &ink, error);
    });
    return ink;
  }
  /// Settings for its samples: paper and max_sample.
  Settings& fit(Settings& settings) const {
    settings.set("paper", info_.max_is_paper != 0 ? "max" : "min");
    return settings.set("max_sample", info_.max_sample);
  }

  /// Rows of one ink. `Sample` has info().sample_bits.
  template <detail::Grey Sample>
  std::vector<Sample> read(uint32_t ink, uint32_t first_row, uint32_t rows) {
    if (8 * sizeof(Sample) != info_.sample_bits || ink >= info_.ink_count) {
      throw std::invalid_argument("the page has no such ink, or samples of another size");
    }
    std::vector<Sample> samples(size_t{info_.width} * rows);
    std::vector<void*> planes(info_.ink_count, nullptr);
    planes[ink] = samples.data();
    detail::check([&](mezzotint_error* error) {
      return mezzotint_page_read(handle_.get(), first_row, rows, planes.data(), 0, error);
    });
    return samples;
  }
  template <detail::Grey Sample>
  std::vector<Sample> read(uint32_t ink = 0) {
    return read<Sample>(ink, 0, info_.height);
  }

 private:
  detail::Owned<mezzotint_page, mezzotint_page_free> handle_;
  mezzotint_page_info info_ = {};
};

/// A bilevel TIFF file; without finish() there is none.
class Plate {
 public:
  Plate(const std::string& path, const mezzotint_plate_info& info)
      : width_(info.width), handle_(detail::made([&](mezzotint_error* error) {
          return mezzotint_plate_new(path.c_str(), &info, error);
        })) {}

  void put(const Dots& dots) {
    dots.check();
    if (dots.width != width_) throw std::invalid_argument("the dots are not as wide as the plate");
    detail::check([&](mezzotint_error* error) {
      return mezzotint_plate_put(handle_.get(), dots.bytes.data(), 0, dots.height, error);
    });
  }
  void finish() {
    detail::check(
        [&](mezzotint_error* error) { return mezzotint_plate_finish(handle_.get(), error); });
  }

 private:
  uint32_t width_;
  detail::Owned<mezzotint_plate, mezzotint_plate_free> handle_;
};

/// Writes dots as a plate in one call. `force` replaces a file that is no plate of mezzotint, too.
inline void write_plate(const std::string& path,
                        const Dots& dots,
                        double dpi = 0,
                        const char* compression = nullptr,
                        bool force = false) {
  mezzotint_plate_info info = {};
  info.width = dots.width;
  info.height = dots.height;
  info.x_dpi = info.y_dpi = dpi;
  info.compression = compression;
  info.replace_any = force ? 1 : 0;
  Plate plate(path, info);
  plate.put(dots);
  plate.finish();
}

/// A parameter of a method.
struct Parameter {
  std::string name, summary, unit;
  double least = 0, most = 0, standard = 0;
  std::vector<std::string> choices;  ///< of values that have names
};

struct Method {
  std::string name, summary, engines;
  std::vector<Parameter> parameters;
};

/// All methods.
inline std::vector<Method> methods() {
  std::vector<Method> all;
  for (size_t m = 0; m < mezzotint_method_count(); ++m) {
    Method& method = all.emplace_back();
    method.name = mezzotint_method_name(m);
    method.summary = mezzotint_method_summary(m);
    method.engines = mezzotint_method_engines(m);
    for (size_t p = 0; p < mezzotint_parameter_count(m); ++p) {
      Parameter& parameter = method.parameters.emplace_back();
      parameter.name = mezzotint_parameter_name(m, p);
      parameter.summary = mezzotint_parameter_summary(m, p);
      parameter.unit = mezzotint_parameter_unit(m, p);
      mezzotint_parameter_range(m, p, &parameter.least, &parameter.most, &parameter.standard);
      for (size_t c = 0; mezzotint_parameter_choice(m, p, c) != nullptr; ++c) {
        parameter.choices.emplace_back(mezzotint_parameter_choice(m, p, c));
      }
    }
  }
  return all;
}

/// The measures of a halftone against its page, by name; those that are not defined are NaN. A
/// distance of 0 is 3500 / dpi inches, as of `mezzotint compare`.
template <typename Range>
requires detail::Grey<std::remove_pointer_t<decltype(std::data(std::declval<const Range&>()))>>
    std::map<std::string, double> compare(const Range& grey,
                                          const Dots& dots,
                                          double dpi = 300,
                                          double distance_inch = 0,
                                          const Settings& settings = {}) {
  using Sample = std::remove_pointer_t<decltype(std::data(grey))>;
  dots.check();
  if (std::size(grey) != size_t{dots.width} * dots.height) {
    throw std::invalid_argument("page and dots are of different sizes");
  }
  mezzotint_image page = {};
  page.samples = std::data(grey);
  page.width = dots.width;
  page.height = dots.height;
  page.sample_bits = 8 * sizeof(Sample);
  mezzotint_dots made = {};
  made.data = const_cast<uint8_t*>(dots.bytes.data());  // only read
  made.bits_per_pixel = 1;
  std::vector<double> values(mezzotint_measure_count());
  detail::check([&](mezzotint_error* error) {
    return mezzotint_compare(
        settings.get(), &page, &made, dpi, distance_inch, values.data(), values.size(), error);
  });
  std::map<std::string, double> named;
  for (size_t i = 0; i < values.size(); ++i) named[mezzotint_measure_name(i)] = values[i];
  return named;
}

/// A manifest, as `mezzotint run` runs it.
class Job {
 public:
  explicit Job(const std::string& manifest)
      : handle_(detail::made(
            [&](mezzotint_error* error) { return mezzotint_job_open(manifest.c_str(), error); })) {}

  /// threads, memory, device-memory, verify, plates, journal, fresh, force.
  Job& set(const char* name, const std::string& value) {
    detail::check([&](mezzotint_error* error) {
      return mezzotint_job_set(handle_.get(), name, value.c_str(), error);
    });
    return *this;
  }

  /// Lines of JSON: what a run would do.
  std::string plan() {
    return detail::taken(detail::made(
        [&](mezzotint_error* error) { return mezzotint_job_plan(handle_.get(), error); }));
  }

  /// Makes the plates that are not made yet; lines of JSON say which. `on_progress` returns false to
  /// cancel, is called from several threads, one at a time; what it throws cancels, and comes out
  /// of run(). Throws Error, also where single sheets failed.
  std::string run(const std::function<bool(const mezzotint_progress&)>& on_progress = {}) {
    Tell tell{on_progress, {}};
    char* text = nullptr;
    mezzotint_error error;
    const int status =
        mezzotint_job_run(handle_.get(), on_progress ? Tell::call : nullptr, &tell, &text, &error);
    std::string result = text == nullptr ? std::string() : detail::taken(text);
    if (tell.thrown) std::rethrow_exception(tell.thrown);
    if (status != MEZZOTINT_GOOD) throw Error(error);
    return result;
  }

  /// Ends a run soon; for any thread.
  void cancel() { mezzotint_job_cancel(handle_.get()); }

 private:
  struct Tell {
    const std::function<bool(const mezzotint_progress&)>& callee;
    std::exception_ptr thrown;

    static int call(const mezzotint_progress* now, void* context) {
      auto& tell = *static_cast<Tell*>(context);
      if (tell.thrown) return 1;
      try {
        return tell.callee(*now) ? 0 : 1;
      } catch (...) {
        tell.thrown = std::current_exception();
        return 1;
      }
    }
  };
  detail::Owned<mezzotint_job, mezzotint_job_free> handle_;
};

}  // namespace library_0
}  // namespace mezzo
