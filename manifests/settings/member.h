// Access to a member by the way to it: member<&PageSettings::geometry, &Geometry::rotate_degrees>().
#pragma once

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "manifests/settings/setting.h"

namespace mezzo::manifests {
namespace way {

template <typename T>
T* opened(T* value) {
  return value;
}
template <typename T>
T* opened(std::optional<T>* value) {
  return *value ? &**value : nullptr;
}
template <typename T>
const T* opened(const std::optional<T>* value) {
  return *value ? &**value : nullptr;
}

template <typename Record>
Record* walk(Record* record) {
  return record;
}

/// The member at the end; null where an optional on the way has nothing.
template <typename Record, typename Member, typename... Rest>
auto* walk(Record* record, Member member, Rest... rest) {
  using Next = std::remove_pointer_t<decltype(opened(&(record->*member)))>;
  Next* next = record == nullptr ? nullptr : opened(&(record->*member));
  return walk(next, rest...);
}

template <typename Member>
struct Owner;
template <typename Record, typename Member>
struct Owner<Member Record::*> {
  using Type = Record;
};
template <auto kMember>
using RecordOf = typename Owner<decltype(kMember)>::Type;

template <typename T>
constexpr bool is_duration =
    std::is_same_v<T, std::chrono::milliseconds> || std::is_same_v<T, std::chrono::seconds>;

template <typename Record, bool kOrNone, auto... kPath>
SettingValue get(const Record& record) {
  const auto* member = walk(&record, kPath...);
  if (member == nullptr) return {};
  using T = std::remove_cvref_t<decltype(*member)>;
  if (kOrNone && *member == T{}) return {};
  if constexpr (std::is_same_v<T, uint32_t>)
    return uint64_t{*member};
  else if constexpr (is_duration<T>)
    return static_cast<uint64_t>(std::chrono::milliseconds(*member).count());
  else
    return *member;
}

template <typename Record, auto... kPath>
void set(Record& record, const SettingValue& value) {
  auto* member = walk(&record, kPath...);
  if (member == nullptr) return;
  using T = std::remove_cvref_t<decltype(*member)>;
  if constexpr (std::is_same_v<T, uint32_t>)
    *member = static_cast<T>(std::get<uint64_t>(value));
  else if constexpr (is_duration<T>)
    *member = std::chrono::duration_cast<T>(std::chrono::milliseconds(std::get<uint64_t>(value)));
  else
    *member = std::get<T>(value);
}

}  // namespace way

template <auto kFirst, auto... kRest>
constexpr auto member() {
  using Record = way::RecordOf<kFirst>;
  return Access<Record>{way::get<Record, false, kFirst, kRest...>,
                        way::set<Record, kFirst, kRest...>};
}

/// Likewise, where 0 or empty stands for no value.
template <auto kFirst, auto... kRest>
constexpr auto member_or_none() {
  using Record = way::RecordOf<kFirst>;
  return Access<Record>{way::get<Record, true, kFirst, kRest...>,
                        way::set<Record, kFirst, kRest...>};
}

template <const auto& kWords>
std::vector<std::string_view> words() {
  return {std::begin(kWords), std::end(kWords)};
}

/// The member is a boolean, or an enumeration that counts from 0: a word for each value, in order.
template <const auto& kWords, auto kFirst, auto... kRest>
constexpr auto word_of() {
  using Record = way::RecordOf<kFirst>;
  return Access<Record>{
      [](const Record& record) -> SettingValue {
        const auto* member = way::walk(&record, kFirst, kRest...);
        if (member == nullptr) return {};
        return std::string(kWords[static_cast<size_t>(*member)]);
      },
      [](Record& record, const SettingValue& value) {
        auto* member = way::walk(&record, kFirst, kRest...);
        if (member == nullptr) return;
        const auto* found = std::ranges::find(kWords, std::get<std::string>(value));
        *member = static_cast<std::remove_cvref_t<decltype(*member)>>(found - std::begin(kWords));
      }};
}

}  // namespace mezzo::manifests
