// The methods and the measures of mezzotint.h, by index, and the library's version.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/quality/metrics.h"
#include "kernels/registry.h"
#include "pipeline/version.h"
#include "tools/library/mezzotint/mezzotint.h"

namespace mezzo::library {
namespace {

// The registry's texts once more, with a NUL at the end.
struct ParameterTexts {
  std::string name, summary, unit;
  std::vector<std::string> choices;
};
struct MethodTexts {
  std::string name, summary, engines;
  std::vector<ParameterTexts> parameters;
};
struct MeasureTexts {
  std::string name, summary, unit;
};

std::string engines_of(const MethodInfo& method) {
  std::string names;
  for (const EngineInfo& engine : engines()) {
    const auto runs_on = [&](const ScheduleInfo& schedule) {
      return schedule.engine == engine.engine;
    };
    if (std::ranges::none_of(method.schedules, runs_on)) continue;
    names += (names.empty() ? "" : " ") + std::string(engine.name);
  }
  return names;
}

const std::vector<MethodTexts>& method_texts() {
  static const auto texts = [] {
    std::vector<MethodTexts> all;
    for (const MethodInfo& method : methods()) {
      MethodTexts& one = all.emplace_back(MethodTexts{
          std::string(method.name), std::string(method.summary), engines_of(method), {}});
      for (const ParameterInfo& parameter : method.parameters) {
        one.parameters.push_back({std::string(parameter.name),
                                  std::string(parameter.summary),
                                  parameter.percent ? "%" : std::string(parameter.unit),
                                  {parameter.choices.begin(), parameter.choices.end()}});
      }
    }
    return all;
  }();
  return texts;
}

/// Without the entities of HTML.
std::string plain(std::string_view note) {
  constexpr std::pair<std::string_view, std::string_view> kEntities[] = {{"&auml;", "ä"},
                                                                         {"&rsquo;", "'"},
                                                                         {"&minus;", "-"},
                                                                         {"&nbsp;", " "},
                                                                         {"&times;", "x"},
                                                                         {"&ndash;", "-"}};
  std::string text(note);
  for (const auto& [entity, sign] : kEntities) {
    for (size_t at = text.find(entity); at != std::string::npos; at = text.find(entity)) {
      text.replace(at, entity.size(), sign);
    }
  }
  return text;
}

/// What is measured, how, and which way is better.
std::string summary_of(const quality::Metric& metric) {
  constexpr std::string_view kDirections[] = {
      "; lower is better", "; higher is better", "; best near 0", ""};
  const std::string note = plain(metric.note);
  return std::string(metric.name) + (note.empty() ? "" : ": " + note) +
         std::string(kDirections[static_cast<size_t>(metric.better)]);
}

const std::vector<MeasureTexts>& measure_texts() {
  static const auto texts = [] {
    std::vector<MeasureTexts> all;
    for (const quality::Metric& metric : quality::metrics()) {
      if (metric.key.empty()) continue;
      all.push_back({std::string(metric.key), summary_of(metric), std::string(metric.unit)});
    }
    return all;
  }();
  return texts;
}

const MethodTexts* method_at(size_t method) {
  return method < method_texts().size() ? &method_texts()[method] : nullptr;
}

const ParameterTexts* parameter_at(size_t method, size_t parameter) {
  const MethodTexts* texts = method_at(method);
  const bool is_there = texts != nullptr && parameter < texts->parameters.size();
  return is_there ? &texts->parameters[parameter] : nullptr;
}

const MeasureTexts* measure_at(size_t measure) {
  return measure < measure_texts().size() ? &measure_texts()[measure] : nullptr;
}

template <typename Texts>
const char* text(const Texts* texts, std::string Texts::*member) {
  return texts == nullptr ? nullptr : (texts->*member).c_str();
}

}  // namespace
}  // namespace mezzo::library

using namespace mezzo;           // NOLINT(google-build-using-namespace)
using namespace mezzo::library;  // NOLINT(google-build-using-namespace)

const char* mezzotint_version() {
  return kVersion;
}

void mezzotint_free(char* text) {
  std::free(text);  // NOLINT(cppcoreguidelines-no-malloc): made by strdup()
}

size_t mezzotint_method_count() {
  return method_texts().size();
}
const char* mezzotint_method_name(size_t method) {
  return text(method_at(method), &MethodTexts::name);
}
const char* mezzotint_method_summary(size_t method) {
  return text(method_at(method), &MethodTexts::summary);
}
const char* mezzotint_method_engines(size_t method) {
  return text(method_at(method), &MethodTexts::engines);
}

size_t mezzotint_parameter_count(size_t method) {
  return method_at(method) == nullptr ? 0 : method_at(method)->parameters.size();
}
const char* mezzotint_parameter_name(size_t method, size_t parameter) {
  return text(parameter_at(method, parameter), &ParameterTexts::name);
}
const char* mezzotint_parameter_summary(size_t method, size_t parameter) {
  return text(parameter_at(method, parameter), &ParameterTexts::summary);
}
const char* mezzotint_parameter_unit(size_t method, size_t parameter) {
  return text(parameter_at(method, parameter), &ParameterTexts::unit);
}
const char* mezzotint_parameter_choice(size_t method, size_t parameter, size_t choice) {
  const ParameterTexts* texts = parameter_at(method, parameter);
  const bool is_there = texts != nullptr && choice < texts->choices.size();
  return is_there ? texts->choices[choice].c_str() : nullptr;
}

int mezzotint_parameter_range(
    size_t method, size_t parameter, double* least, double* most, double* standard) {
  if (parameter_at(method, parameter) == nullptr) return 0;
  const ParameterInfo& info = methods()[method].parameters[parameter];
  if (least != nullptr) *least = info.minimum;
  if (most != nullptr) *most = info.maximum;
  if (standard != nullptr) *standard = info.default_value;
  return 1;
}

size_t mezzotint_measure_count() {
  return measure_texts().size();
}
const char* mezzotint_measure_name(size_t measure) {
  return text(measure_at(measure), &MeasureTexts::name);
}
const char* mezzotint_measure_unit(size_t measure) {
  return text(measure_at(measure), &MeasureTexts::unit);
}
const char* mezzotint_measure_summary(size_t measure) {
  return text(measure_at(measure), &MeasureTexts::summary);
}
