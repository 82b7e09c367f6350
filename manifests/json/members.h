// Records as JSON objects, each described once for both ways, member by member in their order:
//
//   void describe(json::Members& members, Unit& unit) {
//     members("first", unit.first);
//     members("count", unit.count);
//   }
//
//   const json::Value value = json::to_value(unit);
//   const Unit unit = json::from_value<Unit>(value, json::Reading::kStrict);
//
// Members may be bool, whole numbers, double, std::string, described records, and vectors, maps by
// name and optionals of those; an optional that is empty is left out. For any other type, write a
// function transfer(json::Slot&, T&) beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "manifests/json/value.h"

namespace mezzo::json {

/// The treatment of values that differ from their description. A mistake is an Error(kData) which
/// names the value, as in "sheets[3].input is missing".
enum class Reading {
  kStrict,   ///< members that are missing, of another type or not known are mistakes
  kOpen,     ///< unknown members are ignored
  kPartial,  ///< missing ones, too: their variables keep their values
  kLenient,  ///< those of another type, too; such items are left out of their list
};

/// One value on its way in or out.
class Slot {
 public:
  Slot(const Value& in, Reading reading) : in_(&in), reading_(reading) {}
  explicit Slot(Value& out) : out_(&out) {}
  Slot(const Value& in, const Slot& parent, std::string_view key)
      : in_(&in), reading_(parent.reading_), parent_(&parent), key_(key) {}
  Slot(const Value& in, const Slot& parent, size_t index)
      : in_(&in), reading_(parent.reading_), parent_(&parent), index_(index) {}

  bool reads() const { return in_ != nullptr; }
  const Value& in() const { return *in_; }
  void put(Value value) { *out_ = std::move(value); }

  /// "sheets[3].input"; empty for the value that reading began with.
  std::string name() const;

  /// Throws Error(kData) with the name and `problem`, as in "is not a text"; for a lenient reader
  /// the slot has failed, and its variable keeps its value.
  void fail(std::string_view problem);
  bool failed() const { return failed_; }

  Reading reading() const { return reading_; }
  void set_reading(Reading reading) { reading_ = reading; }

  /// A whole number up to `most`, when reading.
  uint64_t whole(uint64_t most, uint64_t otherwise);

 private:
  const Value* in_ = nullptr;
  Value* out_ = nullptr;
  Reading reading_ = Reading::kStrict;
  const Slot* parent_ = nullptr;
  std::string_view key_;
  size_t index_ = 0;
  bool failed_ = false;
};

/// The members of one object.
class Members {
 public:
  /// The slot fails when it is not an object.
  explicit Members(Slot& slot);

  bool reads() const { return slot_.reads(); }
  bool has(std::string_view key) const { return reads() && slot_.in().find(key) != nullptr; }

  template <typename T>
  void operator()(std::string_view key, T&& value) {
    transfer_as(slot_.reading(), key, value, true);
  }

  /// One that older files do not have: it may be missing.
  template <typename T>
  void maybe(std::string_view key, T&& value) {
    transfer_as(slot_.reading(), key, value, false);
  }

  /// Read by another rule than the rest.
  template <typename T>
  void operator()(std::string_view key, T&& value, Reading reading) {
    transfer_as(reading, key, value, true);
  }

  /// An object without a record type: `describe_members` describes it.
  template <typename Describe>
  void object(std::string_view key, const Describe& describe_members);

  /// One that is written, and ignored when read; it may be missing.
  void put(std::string_view key, Value value);

  /// "v": a mistake, however lenient the reader, when it is missing or another.
  void version(uint64_t version, std::optional<uint64_t> oldest = {});

  /// "v" and "type", likewise. Versions from `oldest` on are read, too, where it is given.
  void head(std::string_view type, uint64_t version, std::optional<uint64_t> oldest = {});

  /// Call it when all are described.
  void end();

 private:
  template <typename T>
  void transfer_as(Reading reading, std::string_view key, T& value, bool is_needed);
  const Value* take(std::string_view key, bool is_needed);

  Slot& slot_;
  Value out_;
  size_t taken_ = 0;
};

void transfer(Slot& slot, bool& value);
void transfer(Slot& slot, int& value);
void transfer(Slot& slot, int64_t& value);
void transfer(Slot& slot, uint32_t& value);
void transfer(Slot& slot, uint64_t& value);
void transfer(Slot& slot, double& value);
void transfer(Slot& slot, std::string& value);

template <typename T>
concept Described = requires(Members& members, T& record) {
  describe(members, record);
};

template <Described T>
void transfer(Slot& slot, T& record);
template <typename T>
void transfer(Slot& slot, std::vector<T>& items);
template <typename T, typename Order>
void transfer(Slot& slot, std::map<std::string, T, Order>& members);

/// One of a few values that have names: `name_of` gives that of a value, `find` an optional value.
template <typename T, typename NameOf, typename Find>
void transfer_named(Slot& slot, T& value, const NameOf& name_of, const Find& find) {
  if (!slot.reads()) return slot.put(std::string_view(name_of(value)));
  std::string name;
  transfer(slot, name);
  if (slot.failed()) return;
  if (const auto found = find(name)) {
    value = *found;
  } else {
    slot.fail("cannot be '" + name + "'");
  }
}

template <typename T>
Value to_value(const T& value) {
  Value out;
  Slot slot(out);
  transfer(slot, const_cast<T&>(value));  // nothing that is written is changed
  return out;
}

/// Writes a record's members to an object that may have others; those of its names are replaced.
template <Described T>
void add_members(Value& object, const T& record) {
  Value members = to_value(record);
  for (const Member& member : *members.members()) object[member.key] = member.value;
}

/// Throws Error(kData) for a mistake.
template <typename T>
void read_value(const Value& value, Reading reading, T& result) {
  Slot slot(value, reading);
  transfer(slot, result);
}

template <typename T>
T from_value(const Value& value, Reading reading) {
  T result{};
  read_value(value, reading, result);
  return result;
}

// ---- Templates ---------------------------------------------------------------------------------

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <typename T>
void Members::transfer_as(Reading reading, std::string_view key, T& value, bool is_needed) {
  constexpr bool kOptional = IsOptional<T>::value;
  if (!reads()) {
    if constexpr (kOptional) {
      if (value) out_[key] = to_value(*value);
    } else {
      Slot slot(out_[key]);
      transfer(slot, value);
    }
    return;
  }
  const Value* found = take(key, is_needed && !kOptional);
  if (found == nullptr) return;
  Slot slot(*found, slot_, key);
  slot.set_reading(reading);
  if constexpr (kOptional) {
    transfer(slot, value.emplace());
    if (slot.failed()) value.reset();
  } else {
    transfer(slot, value);
  }
}

template <typename Describe>
void Members::object(std::string_view key, const Describe& describe_members) {
  const auto describe_all = [&](Slot slot) {
    Members members(slot);
    if (slot.failed()) return;
    describe_members(members);
    members.end();
  };
  if (!reads()) return describe_all(Slot(out_[key]));
  if (const Value* found = take(key, true)) describe_all(Slot(*found, slot_, key));
}

template <Described T>
void transfer(Slot& slot, T& record) {
  Members members(slot);
  if (slot.failed()) return;
  describe(members, record);
  members.end();
}

template <typename T>
void transfer(Slot& slot, std::vector<T>& items) {
  if (!slot.reads()) {
    Value list = Value::list();
    for (const T& item : items) list.push_back(to_value(item));
    return slot.put(std::move(list));
  }
  const Value::List* list = slot.in().items();
  if (list == nullptr) return slot.fail("is not a list");
  items.clear();
  items.reserve(list->size());
  for (size_t i = 0; i < list->size(); ++i) {
    Slot item((*list)[i], slot, i);
    transfer(item, items.emplace_back());
    if (item.failed()) items.pop_back();
  }
}

template <typename T, typename Order>
void transfer(Slot& slot, std::map<std::string, T, Order>& members) {
  if (!slot.reads()) {
    Value object = Value::object();
    for (const auto& [key, value] : members) object[key] = to_value(value);
    return slot.put(std::move(object));
  }
  const Value::Object* object = slot.in().members();
  if (object == nullptr) return slot.fail("is not an object");
  members.clear();
  for (const Member& member : *object) {
    Slot item(member.value, slot, std::string_view(member.key));
    T value{};
    transfer(item, value);
    if (!item.failed()) members.insert_or_assign(member.key, std::move(value));
  }
}

}  // namespace mezzo::json
