#include "manifests/scalars.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

#include "manifests/source_text.h"

namespace mezzo::manifests {
namespace {

/// Ten digits are enough for people, and hide the rounding of binary fractions.
std::string short_number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

/// Digits as they are written in a manifest; nothing when they are malformed or too large.
std::optional<uint64_t> digits(std::string_view text) {
  if (!all_digits(text) || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

/// Why digits() refused a text that a person would take for a number; may be empty.
std::string hint_for_number(std::string_view text) {
  if (text.starts_with('-')) return "negative numbers have no meaning here";
  if (text.find(',') != std::string_view::npos) return "write a point, not a comma: 0.5";
  if (text.size() > 1 && text[0] == '0' && all_digits(text)) return "leave out the leading zero";
  if (text.starts_with('.') && all_digits(text.substr(1))) return "write a zero before the point";
  if (text.starts_with("0x") || text.starts_with("0o")) return "write it in decimal digits";
  if (reads_as_number(text) && text.find_first_of("eE") != text.npos) {
    return "write it without an exponent";
  }
  if (text.find('_') != std::string_view::npos) return "write the digits without '_'";
  return {};
}

struct ByteUnit {
  std::string_view name;
  uint64_t bytes;
};
constexpr ByteUnit kByteUnits[] = {
    {"", 1},
    {"KiB", 1ULL << 10},
    {"MiB", 1ULL << 20},
    {"GiB", 1ULL << 30},
    {"TiB", 1ULL << 40},
    {"KB", 1'000},
    {"MB", 1'000'000},
    {"GB", 1'000'000'000},
    {"TB", 1'000'000'000'000},
};

using PageRange = std::pair<uint64_t, uint64_t>;  // first and last, from 1

/// "7" or "1-3"; nothing when it is neither.
std::optional<PageRange> page_range(std::string_view part) {
  const size_t dash = part.find('-');
  const auto first = digits(trimmed(part.substr(0, dash)));
  if (!first) return std::nullopt;
  if (dash == std::string_view::npos) return PageRange{*first, *first};
  const auto last = digits(trimmed(part.substr(dash + 1)));
  if (!last) return std::nullopt;
  return PageRange{*first, *last};
}

}  // namespace

Parsed<uint64_t> parse_integer(std::string_view text) {
  if (const auto value = digits(text)) return Parsed<uint64_t>::good(*value);
  const std::string expected = all_digits(text) && text[0] != '0' ? "must be a smaller whole number"
                                                                  : "must be a whole number";
  return Parsed<uint64_t>::bad(expected + ", found " + in_quotes(text), hint_for_number(text));
}

Parsed<double> parse_number(std::string_view text) {
  const size_t point = text.find('.');
  const bool good = digits(text.substr(0, point)).has_value() &&
                    (point == std::string_view::npos || all_digits(text.substr(point + 1)));
  double value = 0;
  if (good) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc()) return Parsed<double>::good(value);
  }
  return Parsed<double>::bad("must be a number such as 2 or 0.85, found " + in_quotes(text),
                             hint_for_number(text));
}

Parsed<double> parse_number_from(double minimum, bool whole, std::string_view text) {
  const bool negative = minimum < 0 && text.starts_with('-');
  const std::string_view magnitude = negative ? text.substr(1) : text;
  const Parsed<double> parsed = parse_number(magnitude);
  const Parsed<uint64_t> as_whole = parse_integer(magnitude);
  if (whole && !as_whole.value) {
    return Parsed<double>::bad(parse_integer(text).problem, as_whole.hint);
  }
  if (!parsed.value) return Parsed<double>::bad(parse_number(text).problem, parsed.hint);
  return Parsed<double>::good(negative ? 0 - *parsed.value : *parsed.value);
}

Parsed<double> parse_percent(std::string_view text) {
  std::string_view number = text;
  if (number.ends_with('%')) {
    number.remove_suffix(1);
    if (number.ends_with(' ')) number.remove_suffix(1);
  }
  Parsed<double> value = parse_number(number);
  const bool has_sign = number.size() < text.size();
  const bool may_be_fraction = !has_sign && value.value && *value.value > 0 && *value.value <= 1;
  if (value.value && !may_be_fraction) return value;
  if (may_be_fraction) {
    value.hint = "write " + short_number(100 * *value.value) + "% if it is a fraction, or " +
                 std::string(number) + "% if it is a percentage";
  }
  return Parsed<double>::bad("must be a percentage such as 50% or 12.5, found " + in_quotes(text),
                             value.hint);
}

std::optional<CurveProblem> check_span(std::span<const CurvePoint> points) {
  const double first = points.front().in_percent;
  const double last = points.back().in_percent;
  if (first != 0) {
    return CurveProblem{false,
                        "must begin at 0%, and its first point is at " + short_number(first) + "%",
                        "put [0%, 0%] before it to leave paper blank"};
  }
  if (last == 100) return std::nullopt;
  return CurveProblem{true,
                      "must end at 100%, and its last point is at " + short_number(last) + "%",
                      "put [100%, 100%] behind it to leave solids solid"};
}

Parsed<bool> parse_boolean(std::string_view text) {
  if (text == "true") return Parsed<bool>::good(true);
  if (text == "false") return Parsed<bool>::good(false);
  constexpr std::string_view kYes[] = {"yes", "on", "1", "y", "True", "TRUE", "Yes", "On", "YES"};
  constexpr std::string_view kNo[] = {"no", "off", "0", "n", "False", "FALSE", "No", "Off", "NO"};
  std::string hint;
  if (std::ranges::find(kYes, text) != std::end(kYes)) hint = "write true";
  if (std::ranges::find(kNo, text) != std::end(kNo)) hint = "write false";
  return Parsed<bool>::bad("must be true or false, found " + in_quotes(text), hint);
}

Parsed<size_t> parse_choice(std::span<const std::string_view> names, std::string_view text) {
  const auto found = std::ranges::find(names, text);
  if (found != names.end()) {
    return Parsed<size_t>::good(static_cast<size_t>(found - names.begin()));
  }
  const std::string_view close = meant(text, names);
  return Parsed<size_t>::bad("must be " + alternatives(names) + ", found " + in_quotes(text),
                             close.empty() ? "" : "did you mean '" + std::string(close) + "'?");
}

Parsed<uint64_t> parse_byte_size(std::string_view text) {
  using Size = Parsed<uint64_t>;
  const std::string expected = "must be a size such as 512 MiB or 1 GiB, found " + in_quotes(text);
  const auto is_number_part = [](char c) { return is_digit(c) || c == '.'; };
  const size_t length =
      static_cast<size_t>(std::ranges::find_if_not(text, is_number_part) - text.begin());
  std::string_view name = text.substr(length);
  if (name.starts_with(' ')) name.remove_prefix(1);
  const std::string_view number = text.substr(0, length);
  if (number.find('.') != std::string_view::npos) {
    return Size::bad(expected, "write a whole number, of a smaller unit: 1536 MiB, not 1.5 GiB");
  }
  const auto unit = std::ranges::find(kByteUnits, name, &ByteUnit::name);
  if (number.empty()) return Size::bad(expected);
  if (unit == std::end(kByteUnits) || (name.empty() && length != text.size())) {
    return Size::bad(expected, "the units are KiB, MiB, GiB, TiB and KB, MB, GB, TB");
  }
  if (number.size() > 1 && number[0] == '0') return Size::bad(expected, hint_for_number(number));
  const auto value = digits(number);
  if (!value || *value > UINT64_MAX / unit->bytes) {
    return Size::bad(expected, "this is more than any machine has");
  }
  return Size::good(*value * unit->bytes);
}

Parsed<uint64_t> parse_length(std::string_view text) {
  using Length = Parsed<uint64_t>;
  constexpr size_t kDecimals = 3;
  const std::string expected = "must be a length such as 3 mm, found " + in_quotes(text);
  std::string_view number = text;
  if (!number.ends_with("mm")) {
    return Length::bad(expected,
                       digits(text) ? "write " + std::string(text) + " mm"
                                    : "lengths are in millimetres; an inch has 25.4 mm");
  }
  number.remove_suffix(2);
  if (number.ends_with(' ')) number.remove_suffix(1);
  const size_t point = std::min(number.find('.'), number.size());
  const auto whole = digits(number.substr(0, point));
  std::string decimals(number.substr(std::min(point + 1, number.size())));
  if (!whole || (point < number.size() && !all_digits(decimals))) {
    return Length::bad(expected, hint_for_number(number));
  }
  if (decimals.size() > kDecimals) {
    return Length::bad(expected, "a thousandth of a millimetre is the finest step");
  }
  constexpr uint64_t kMostMm = 1'000'000;
  if (*whole > kMostMm) return Length::bad(expected, "no page is that long");
  decimals.resize(kDecimals, '0');
  return Length::good(*whole * 1000 + std::stoul(decimals));
}

std::string length_text(uint64_t micrometres) {
  std::string text = std::to_string(micrometres / 1000);
  if (micrometres % 1000 != 0) {
    text += '.' + std::to_string(1000 + micrometres % 1000).substr(1);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text + " mm";
}

Parsed<std::chrono::sys_days> parse_date(std::string_view text) {
  using Date = Parsed<std::chrono::sys_days>;
  const bool has_form = text.size() == 10 && text[4] == '-' && text[7] == '-' &&
                        all_digits(text.substr(0, 4)) && all_digits(text.substr(5, 2)) &&
                        all_digits(text.substr(8));
  if (!has_form) {
    return Date::bad("must be a date such as 2026-11-20, found " + in_quotes(text),
                     "write year, month and day, with '-' between them");
  }
  const auto number = [&](size_t at, size_t count) {
    return std::stoi(std::string(text.substr(at, count)));
  };
  const std::chrono::year_month_day day{std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  if (day.ok() && day.year() >= std::chrono::year(1900)) {
    return Date::good(std::chrono::sys_days(day));
  }
  return Date::bad("must be a day of the calendar, found " + in_quotes(text));
}

Parsed<std::string> parse_sha256(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
  const bool good = lower.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (good && lower.size() == 64) return Parsed<std::string>::good(lower);
  const std::string found = good ? std::to_string(text.size()) + " of them" : in_quotes(text);
  return Parsed<std::string>::bad("must be the 64 hexadecimal digits of a SHA-256, found " + found,
                                  "sha256sum FILE prints them");
}

Parsed<std::vector<uint32_t>> parse_page_ranges(std::string_view text) {
  using Pages = Parsed<std::vector<uint32_t>>;
  const std::string expected = "must name pages such as 3 or 1-3, 7, found " + in_quotes(text);
  std::vector<uint32_t> pages;
  uint64_t before = 0;
  for (std::string_view rest = text;;) {
    const size_t comma = rest.find(',');
    const auto range = page_range(trimmed(rest.substr(0, comma)));
    if (!range) return Pages::bad(expected);
    const auto [first, last] = *range;
    if (first == 0) return Pages::bad(expected, "pages count from 1");
    if (last > kMaxPageNumber || first > kMaxPageNumber) {
      return Pages::bad(expected, "the last possible page is " + std::to_string(kMaxPageNumber));
    }
    if (first > last) return Pages::bad(expected, "a range runs upwards, from first to last");
    if (first <= before) {
      return Pages::bad(expected, "pages are taken in the order of the file, each once");
    }
    for (uint64_t page = first; page <= last; ++page)
      pages.push_back(static_cast<uint32_t>(page - 1));
    before = last;
    if (comma == std::string_view::npos) return Pages::good(std::move(pages));
    rest.remove_prefix(comma + 1);
  }
}

bool reads_as_number(std::string_view text) {
  if (text.starts_with("0x")) {
    return text.size() > 2 && text.find_first_not_of("0123456789abcdefABCDEF", 2) == text.npos;
  }
  if (text.starts_with("0o")) {
    return text.size() > 2 && text.find_first_not_of("01234567", 2) == text.npos;
  }
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  for (const std::string_view name : {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"}) {
    if (text == name) return true;
  }
  const size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) {
    std::string_view exponent = text.substr(e + 1);
    if (exponent.starts_with('+') || exponent.starts_with('-')) exponent.remove_prefix(1);
    if (!all_digits(exponent)) return false;
    text = text.substr(0, e);
  }
  const size_t point = text.find('.');
  if (point == std::string_view::npos) return all_digits(text);
  const std::string_view whole = text.substr(0, point), part = text.substr(point + 1);
  return (whole.empty() || all_digits(whole)) && (part.empty() || all_digits(part)) &&
         !(whole.empty() && part.empty());
}

}  // namespace mezzo::manifests
