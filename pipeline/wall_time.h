// Points in time as files and logs have them: UTC, as text or as milliseconds since 1970; and local
// times for people.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace mezzo::json {
class Slot;
}  // namespace mezzo::json

namespace mezzo {

using WallTime = std::chrono::system_clock::time_point;

/// "2026-03-01T05:59:59Z"; fractions of a second are cut off.
std::string utc_text(WallTime time);

/// "2026-03-01T05:59:59.042Z", likewise.
std::string utc_text_ms(WallTime time);

/// "2026-03-01 06:59:59 CET", for people: by the clocks of this machine.
std::string local_text(WallTime time);

/// The time of a text as utc_text_ms() writes it, from 1970 to 2200; nothing for any other text.
std::optional<WallTime> parse_utc_ms(const std::string& text);

/// The same for utc_text().
std::optional<WallTime> parse_utc(const std::string& text);

/// Since 1970; negative before.
int64_t milliseconds_of(WallTime time);

/// A member of a record that is a number of milliseconds since 1970.
struct Milliseconds {
  WallTime& time;
};
void transfer(json::Slot& slot, Milliseconds value);

}  // namespace mezzo
