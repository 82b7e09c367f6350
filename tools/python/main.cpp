// The native part of the Python module `mezzotint`: the C functions of mezzotint.h with NumPy's arrays
// for pointers. The module around it (mezzotint/__init__.py) checks shapes and types, and has the
// words. Python's lock is released in every call that takes time.
#include <mezzotint/mezzotint.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace py = pybind11;

/// A call that failed; becomes an exception of mezzotint._errors.
struct Failure {
  int status;
  std::string message;
};

/// The text for C, which would take a NUL for its end.
const char* c_text(const std::string& text) {
  if (text.find('\0') == std::string::npos) return text.c_str();
  throw Failure{MEZZOTINT_USAGE, "a text with a NUL in it cannot be used"};
}

/// A message, whose paths may be of any bytes.
py::str words(std::string_view message) {
  return py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(
      message.data(), static_cast<Py_ssize_t>(message.size()), "backslashreplace"));
}

template <typename Call>
void check(const Call& call) {
  mezzotint_error error;
  int status = 0;
  {
    const py::gil_scoped_release release;
    status = call(&error);
  }
  if (status != MEZZOTINT_GOOD) throw Failure{status, error.message};
}

template <typename Call>
auto made(const Call& call) {
  mezzotint_error error;
  decltype(call(&error)) result = nullptr;
  {
    const py::gil_scoped_release release;
    result = call(&error);
  }
  if (result == nullptr) throw Failure{error.status, error.message};
  return result;
}

template <typename Handle, void (*kFree)(Handle*)>
struct Free {
  void operator()(Handle* handle) const { kFree(handle); }
};
template <typename Handle, void (*kFree)(Handle*)>
using Owned = std::unique_ptr<Handle, Free<Handle, kFree>>;

class Settings {
 public:
  Settings() : handle_(mezzotint_settings_new()) {
    if (handle_ == nullptr) throw std::bad_alloc();
  }
  void set(const std::string& name, const std::string& value) {
    check([&](mezzotint_error* e) { return mezzotint_set(get(), c_text(name), c_text(value), e); });
  }
  void set_number(const std::string& name, double value) {
    check([&](mezzotint_error* e) { return mezzotint_set_number(get(), c_text(name), value, e); });
  }
  void curve(const std::vector<double>& in, const std::vector<double>& out) {
    check([&](mezzotint_error* e) {
      return mezzotint_set_curve(get(), in.data(), out.data(), in.size(), e);
    });
  }
  void tile(const py::array_t<uint16_t, py::array::c_style>& thresholds, uint32_t bits) {
    check([&](mezzotint_error* e) {
      return mezzotint_set_tile(get(),
                                thresholds.data(),
                                static_cast<uint32_t>(thresholds.shape(1)),
                                static_cast<uint32_t>(thresholds.shape(0)),
                                bits,
                                e);
    });
  }
  mezzotint_settings* get() const { return handle_.get(); }

 private:
  Owned<mezzotint_settings, mezzotint_settings_free> handle_;
};

/// A 2-D array of samples, with any distances between them that are not negative.
mezzotint_image image_of(const py::array& samples) {
  mezzotint_image image = {};
  image.samples = samples.data();
  image.height = static_cast<uint32_t>(samples.shape(0));
  image.width = static_cast<uint32_t>(samples.shape(1));
  image.sample_bits = static_cast<uint32_t>(8 * samples.itemsize());
  image.row_bytes = static_cast<size_t>(samples.strides(0));
  image.pixel_bytes = static_cast<size_t>(samples.strides(1));
  return image;
}

/// A 2-D array of bytes, which lie side by side in each row.
mezzotint_dots dots_of(const py::array& dots, uint32_t bits_per_pixel) {
  mezzotint_dots out = {};
  out.data = const_cast<void*>(dots.data());  // the module hands in arrays that may be written
  out.bits_per_pixel = bits_per_pixel;
  out.row_bytes = static_cast<size_t>(dots.strides(0));
  return out;
}

/// Runs a call in another thread while this one checks for signals: Ctrl+C stops it.
class Interruptible {
 public:
  explicit Interruptible(mezzotint_settings* settings) : settings_(settings) {
    mezzotint_set_pulse(
        settings_,
        [](void* stop) -> int { return static_cast<std::atomic<bool>*>(stop)->load(); },
        &stop_);
  }
  ~Interruptible() { mezzotint_set_pulse(settings_, nullptr, nullptr); }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  template <typename Call>
  void run(const Call& call) {
    mezzotint_error error;
    std::future<int> status = std::async(std::launch::async, [&] { return call(&error); });
    while (!is_ready(status)) {
      if (PyErr_CheckSignals() == 0) continue;
      stop_ = true;
      const py::gil_scoped_release release;
      status.wait();
    }
    if (stop_) throw py::error_already_set();
    if (status.get() != MEZZOTINT_GOOD) throw Failure{error.status, error.message};
  }

 private:
  static bool is_ready(const std::future<int>& status) {
    const py::gil_scoped_release release;
    return status.wait_for(std::chrono::milliseconds(50)) == std::future_status::ready;
  }

  mezzotint_settings* const settings_;
  std::atomic<bool> stop_ = false;
};

void halftone(const Settings& settings,
              const py::array& samples,
              const py::array& dots,
              uint32_t bits_per_pixel) {
  constexpr size_t kSmall = size_t{128} * 128;  // pixels, done before anybody could stop it
  const mezzotint_image page = image_of(samples);
  const mezzotint_dots out = dots_of(dots, bits_per_pixel);
  const auto call = [&](mezzotint_error* e) {
    return mezzotint_halftone(settings.get(), &page, &out, e);
  };
  if (size_t{page.width} * page.height <= kSmall) return check(call);
  Interruptible(settings.get()).run(call);
}

/// A plane in the memory of a GPU: (address, bytes from row to row).
using GpuRows = std::pair<uintptr_t, size_t>;

void halftone_gpu(const Settings& settings,
                  GpuRows samples,
                  uint32_t width,
                  uint32_t height,
                  uint32_t sample_bits,
                  GpuRows dots,
                  uint32_t bits_per_pixel,
                  uintptr_t stream) {
  mezzotint_image page = {};
  page.samples = reinterpret_cast<const void*>(samples.first);
  page.width = width;
  page.height = height;
  page.sample_bits = sample_bits;
  page.memory = MEZZOTINT_CUDA;
  page.row_bytes = samples.second;
  page.stream = reinterpret_cast<void*>(stream);
  mezzotint_dots out = {};
  out.data = reinterpret_cast<void*>(dots.first);
  out.bits_per_pixel = bits_per_pixel;
  out.memory = MEZZOTINT_CUDA;
  out.row_bytes = dots.second;
  check([&](mezzotint_error* e) { return mezzotint_halftone(settings.get(), &page, &out, e); });
}

/// Memory of a GPU.
class GpuMemory {
 public:
  explicit GpuMemory(size_t bytes)
      : memory_(made([&](mezzotint_error* e) { return mezzotint_gpu_alloc(bytes, e); })) {}
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;
  ~GpuMemory() { mezzotint_gpu_free(memory_); }
  uintptr_t address() const { return reinterpret_cast<uintptr_t>(memory_); }

 private:
  void* memory_;
};

class Stream {
 public:
  Stream(const Settings& settings, uint32_t width, uint32_t sample_bits, uint32_t bits_per_pixel)
      : handle_(made([&](mezzotint_error* e) {
          return mezzotint_stream_new(settings.get(), width, sample_bits, bits_per_pixel, e);
        })) {}
  /// Rows that are side by side.
  void put(const py::array& rows) {
    const auto count = static_cast<uint32_t>(rows.shape(0));
    const void* data = rows.data();
    const auto row_bytes = static_cast<size_t>(rows.strides(0));
    check([&](mezzotint_error* e) {
      return mezzotint_stream_put(handle_.get(), data, row_bytes, count, e);
    });
  }
  void end() {
    check([&](mezzotint_error* e) { return mezzotint_stream_end(handle_.get(), e); });
  }
  uint32_t ready() const { return mezzotint_stream_ready(handle_.get()); }
  /// Fills a contiguous array of rows.
  void take(py::array& rows) {
    const auto count = static_cast<uint32_t>(rows.shape(0));
    void* data = rows.mutable_data();
    check([&](mezzotint_error* e) {
      return mezzotint_stream_take(handle_.get(), data, 0, count, e);
    });
  }

 private:
  Owned<mezzotint_stream, mezzotint_stream_free> handle_;
};

class Page {
 public:
  Page(const std::string& path, uint32_t number)
      : handle_(made(
            [&](mezzotint_error* e) { return mezzotint_page_open(c_text(path), number, e); })) {
    mezzotint_page_describe(handle_.get(), &info);
  }
  std::vector<std::string> inks() const {
    std::vector<std::string> names;
    for (uint32_t i = 0; i < info.ink_count; ++i)
      names.emplace_back(mezzotint_page_ink(handle_.get(), i));
    return names;
  }
  uint32_t find_ink(const std::string& name) const {
    uint32_t ink = 0;
    check([&](mezzotint_error* e) {
      return mezzotint_page_find_ink(handle_.get(), c_text(name), &ink, e);
    });
    return ink;
  }
  /// Fills a contiguous array of rows of one ink.
  void read(uint32_t ink, uint32_t first_row, py::array& rows) {
    std::vector<void*> planes(info.ink_count, nullptr);
    planes.at(ink) = rows.mutable_data();
    const auto count = static_cast<uint32_t>(rows.shape(0));
    check([&](mezzotint_error* e) {
      const std::lock_guard lock(mutex_);
      return mezzotint_page_read(handle_.get(), first_row, count, planes.data(), 0, e);
    });
  }
  mezzotint_page_info info = {};

 private:
  std::mutex mutex_;  ///< threads may read one page, each an ink
  Owned<mezzotint_page, mezzotint_page_free> handle_;
};

class Plate {
 public:
  Plate(const std::string& path,
        uint32_t width,
        uint32_t height,
        std::pair<double, double> dpi,
        const std::string& ink,
        const std::string& compression,
        bool force) {
    mezzotint_plate_info info = {};
    info.width = width;
    info.height = height;
    info.x_dpi = dpi.first;
    info.y_dpi = dpi.second;
    info.ink = ink.empty() ? nullptr : c_text(ink);
    info.compression = c_text(compression);
    info.replace_any = force ? 1 : 0;
    handle_.reset(
        made([&](mezzotint_error* e) { return mezzotint_plate_new(c_text(path), &info, e); }));
  }
  /// Packed rows that are side by side.
  void put(const py::array& rows) {
    const auto count = static_cast<uint32_t>(rows.shape(0));
    const void* data = rows.data();
    const auto row_bytes = static_cast<size_t>(rows.strides(0));
    check([&](mezzotint_error* e) {
      const std::lock_guard lock(mutex_);
      return mezzotint_plate_put(handle_.get(), data, row_bytes, count, e);
    });
  }
  void finish() {
    check([&](mezzotint_error* e) {
      const std::lock_guard lock(mutex_);
      return mezzotint_plate_finish(handle_.get(), e);
    });
  }
  void abandon() {
    const py::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    handle_.reset();
  }

 private:
  std::mutex mutex_;
  Owned<mezzotint_plate, mezzotint_plate_free> handle_;
};

py::dict compare(const Settings& settings,
                 const py::array& samples,
                 const py::array& dots,
                 uint32_t bits_per_pixel,
                 double dpi,
                 double distance_inch) {
  const mezzotint_image page = image_of(samples);
  const mezzotint_dots made_dots = dots_of(dots, bits_per_pixel);
  std::vector<double> values(mezzotint_measure_count());
  check([&](mezzotint_error* e) {
    return mezzotint_compare(
        settings.get(), &page, &made_dots, dpi, distance_inch, values.data(), values.size(), e);
  });
  py::dict named;
  for (size_t i = 0; i < values.size(); ++i) named[mezzotint_measure_name(i)] = values[i];
  return named;
}

class Job {
 public:
  explicit Job(const std::string& manifest)
      : handle_(made([&](mezzotint_error* e) { return mezzotint_job_open(c_text(manifest), e); })) {
  }
  void set(const std::string& name, const std::string& value) {
    check([&](mezzotint_error* e) {
      return mezzotint_job_set(handle_.get(), c_text(name), c_text(value), e);
    });
  }
  py::bytes plan() {
    return taken(made([&](mezzotint_error* e) { return mezzotint_job_plan(handle_.get(), e); }));
  }
  using Tell = std::function<void(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)>;
  /// Status, message, and lines of JSON. `tell` gets the members of mezzotint_progress.
  std::tuple<int, py::str, py::bytes> run(const Tell& tell) {
    const auto on_progress = [](const mezzotint_progress* now, void* context) {
      const auto& callee = *static_cast<const Tell*>(context);
      const py::gil_scoped_acquire acquire;
      callee(now->sheets, now->sheets_done, now->sheets_failed, now->pixels, now->pixels_done);
      return 0;
    };
    mezzotint_error error;
    char* text = nullptr;
    int status = 0;
    {
      const py::gil_scoped_release release;
      status = mezzotint_job_run(
          handle_.get(), tell ? +on_progress : nullptr, const_cast<Tell*>(&tell), &text, &error);
    }
    return {status, words(error.message), text == nullptr ? std::string() : taken(text)};
  }
  void cancel() { mezzotint_job_cancel(handle_.get()); }

 private:
  static std::string taken(char* text) {
    const std::unique_ptr<char, Free<char, mezzotint_free>> owned(text);
    return text;
  }
  Owned<mezzotint_job, mezzotint_job_free> handle_;
};

/// (name, summary, unit, least, most, default, choices)
py::list parameters_of(size_t method) {
  py::list all;
  for (size_t p = 0; p < mezzotint_parameter_count(method); ++p) {
    double least = 0, most = 0, standard = 0;
    mezzotint_parameter_range(method, p, &least, &most, &standard);
    std::vector<std::string> choices;
    for (size_t c = 0; mezzotint_parameter_choice(method, p, c) != nullptr; ++c) {
      choices.emplace_back(mezzotint_parameter_choice(method, p, c));
    }
    all.append(py::make_tuple(mezzotint_parameter_name(method, p),
                              mezzotint_parameter_summary(method, p),
                              mezzotint_parameter_unit(method, p),
                              least,
                              most,
                              standard,
                              py::tuple(py::cast(choices))));
  }
  return all;
}

/// (name, summary, engines, parameters)
py::list methods() {
  py::list all;
  for (size_t m = 0; m < mezzotint_method_count(); ++m) {
    all.append(py::make_tuple(mezzotint_method_name(m),
                              mezzotint_method_summary(m),
                              mezzotint_method_engines(m),
                              parameters_of(m)));
  }
  return all;
}

/// (name, unit, summary)
py::list measures() {
  py::list all;
  for (size_t i = 0; i < mezzotint_measure_count(); ++i) {
    all.append(py::make_tuple(
        mezzotint_measure_name(i), mezzotint_measure_unit(i), mezzotint_measure_summary(i)));
  }
  return all;
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const Failure& failure) {
    const py::object error = py::module_::import("mezzotint._errors")
                                 .attr("error")(failure.status, words(failure.message));
    PyErr_SetObject(py::type::handle_of(error).ptr(), error.ptr());
  }
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  py::register_exception_translator(translate);
  module.def("version", mezzotint_version);
  module.def("gpu_count", mezzotint_gpu_count, py::call_guard<py::gil_scoped_release>());
  module.def("methods", methods);
  module.def("measures", measures);
  module.def("halftone", halftone);
  module.def("halftone_gpu", halftone_gpu);
  module.def("compare", compare);
  py::class_<Settings>(module, "Settings")
      .def(py::init<>())
      .def("set", &Settings::set)
      .def("set_number", &Settings::set_number)
      .def("curve", &Settings::curve)
      .def("tile", &Settings::tile);
  py::class_<GpuMemory>(module, "GpuMemory")
      .def(py::init<size_t>())
      .def_property_readonly("address", &GpuMemory::address);
  py::class_<Stream>(module, "Stream")
      .def(py::init<const Settings&, uint32_t, uint32_t, uint32_t>())
      .def("put", &Stream::put)
      .def("end", &Stream::end)
      .def_property_readonly("ready", &Stream::ready)
      .def("take", &Stream::take);
  py::class_<mezzotint_page_info>(module, "PageInfo")
      .def_readonly("page_count", &mezzotint_page_info::page_count)
      .def_readonly("width", &mezzotint_page_info::width)
      .def_readonly("height", &mezzotint_page_info::height)
      .def_readonly("sample_bits", &mezzotint_page_info::sample_bits)
      .def_readonly("max_sample", &mezzotint_page_info::max_sample)
      .def_readonly("max_is_paper", &mezzotint_page_info::max_is_paper)
      .def_readonly("rows_at_once", &mezzotint_page_info::rows_at_once)
      .def_readonly("x_dpi", &mezzotint_page_info::x_dpi)
      .def_readonly("y_dpi", &mezzotint_page_info::y_dpi);
  py::class_<Page>(module, "Page")
      .def(py::init<const std::string&, uint32_t>())
      .def_readonly("info", &Page::info)
      .def("inks", &Page::inks)
      .def("find_ink", &Page::find_ink)
      .def("read", &Page::read);
  py::class_<Plate>(module, "Plate")
      .def(py::init<const std::string&,
                    uint32_t,
                    uint32_t,
                    std::pair<double, double>,
                    const std::string&,
                    const std::string&,
                    bool>())
      .def("put", &Plate::put)
      .def("finish", &Plate::finish)
      .def("abandon", &Plate::abandon);
  py::class_<Job>(module, "Job")
      .def(py::init<const std::string&>())
      .def("set", &Job::set)
      .def("plan", &Job::plan)
      .def("run", &Job::run)
      .def("cancel", &Job::cancel);
}
