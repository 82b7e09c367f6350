#include "tools/cli/curve_text.h"

#include <algorithm>
#include <string_view>

#include "manifests/source_text.h"

namespace mezzo::cli {
namespace {

/// A curve as a manifest has it, "[[0%, 0%], [50%, 54%], [100%, 100%]]", as IN:OUT,IN:OUT; any other
/// text as it is.
std::string plain_curve(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c != ' ') plain += c;
  }
  if (!plain.starts_with("[[") || !plain.ends_with("]]")) return std::string(text);
  plain = plain.substr(2, plain.size() - 4);
  for (size_t at = 0; (at = plain.find_first_of(",]", at)) != std::string::npos; ++at) {
    if (plain[at] == ',') {
      plain[at] = ':';
    } else if (plain.substr(at, 3) == "],[") {
      plain.replace(at, 3, ",");
    }
  }
  return plain;
}

}  // namespace

manifests::Parsed<std::vector<CurvePoint>> parse_curve(const std::string& written) {
  using Points = manifests::Parsed<std::vector<CurvePoint>>;
  const std::string plain = plain_curve(written);
  std::string_view text = plain;
  std::vector<CurvePoint> points;
  for (bool is_last = false; !is_last;) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    const size_t colon = std::min(part.find(':'), part.size());
    const auto in = manifests::parse_percent(part.substr(0, colon));
    const auto out = manifests::parse_percent(part.substr(std::min(colon + 1, part.size())));
    if (!in.value || !out.value) {
      return Points::bad(
          "must have points IN:OUT in percent, separated by commas, such as "
          "0:0,50:54,100:100; found " +
              manifests::in_quotes(part),
          in.value ? out.hint : in.hint);
    }
    points.push_back({*in.value, *out.value});
    is_last = comma == text.size();
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  if (const auto wrong = manifests::check_span(points)) {
    return Points::bad(wrong->problem, wrong->hint);
  }
  return Points::good(std::move(points));
}

}  // namespace mezzo::cli
