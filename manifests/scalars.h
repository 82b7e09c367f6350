// Values that a manifest and the command line write as text, each with one strict syntax.
//
// The result is a value or a problem. The problem completes a sentence that begins with the name of
// the setting: "'memory' " + "must be a size such as 512 MiB, found '12 gb'". Nothing here depends
// on the locale; nothing throws.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/band/tone_settings.h"

namespace mezzo::manifests {

template <typename T>
struct Parsed {
  std::optional<T> value;
  std::string problem;  ///< when there is no value
  std::string hint;     ///< how to mend it; may be empty

  static Parsed good(T v) { return {std::move(v), {}, {}}; }
  static Parsed bad(std::string problem, std::string hint = {}) {
    return {std::nullopt, std::move(problem), std::move(hint)};
  }
};

/// Decimal digits without a leading zero: 0, 7, 1200. No sign, no octal, no hexadecimal.
Parsed<uint64_t> parse_integer(std::string_view text);

/// Decimal digits with an optional fraction: 2, 0.85. No sign, no exponent, no .5.
Parsed<double> parse_number(std::string_view text);

/// A number, as above, with a minus sign allowed where `minimum` is below 0. A whole one is written
/// as for parse_integer().
Parsed<double> parse_number_from(double minimum, bool whole, std::string_view text);

/// 50%, 12.5 % or 50: a number in percent. One above 0 and up to 1 needs its sign, since it could be
/// meant as a fraction. The caller checks the range.
Parsed<double> parse_percent(std::string_view text);

/// Why the points do not say what becomes of every tone: they must begin at 0 % and end at 100 %.
struct CurveProblem {
  bool is_at_end = false;  ///< of the last point, else of the first
  std::string problem;     ///< as in Parsed
  std::string hint;
};
std::optional<CurveProblem> check_span(std::span<const CurvePoint> points);

/// true or false, nothing else.
Parsed<bool> parse_boolean(std::string_view text);

/// One of the names, letter for letter; the value is its index.
Parsed<size_t> parse_choice(std::span<const std::string_view> names, std::string_view text);

/// 1 GiB, 256MiB, 512 MB, 1048576: a whole number of bytes, KB MB GB TB or KiB MiB GiB TiB.
Parsed<uint64_t> parse_byte_size(std::string_view text);

/// 3 mm, 2.5 mm: a length in millimetres, in steps of 0.001; its value is in micrometres.
Parsed<uint64_t> parse_length(std::string_view text);
std::string length_text(uint64_t micrometres);

/// 2026-11-20: a day of the calendar, from 1900 on.
Parsed<std::chrono::sys_days> parse_date(std::string_view text);

/// 64 hexadecimal digits, given back in lower case.
Parsed<std::string> parse_sha256(std::string_view text);

inline constexpr uint32_t kMaxPageNumber = 4096;  ///< as many pages as a file may have

/// 3 or 1-3, 7: pages counted from 1, rising. Given back counted from 0, as JobPage has them.
Parsed<std::vector<uint32_t>> parse_page_ranges(std::string_view text);

/// True when a YAML reader would take the plain text for a number: 12, -3, 0x1F, 1e5, .inf.
bool reads_as_number(std::string_view text);

}  // namespace mezzo::manifests
