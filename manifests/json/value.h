// A JSON value, and its text.
//
// Members of an object keep their order, and texts have one layout: formats on disk depend on it.
// Bytes that are not UTF-8 are written as U+FFFD; numbers that are not finite as null.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mezzo::json {

struct Member;

class Value {
 public:
  using List = std::vector<Value>;
  using Object = std::vector<Member>;

  // NOLINTBEGIN(google-explicit-constructor): objects are written as {{"v", 1}, {"type", "plan"}}
  Value() noexcept;  ///< null
  Value(std::nullptr_t) noexcept;
  template <std::same_as<bool> Flag>
  Value(Flag flag) noexcept;
  template <std::integral Whole>
  requires(!std::same_as<Whole, bool>) Value(Whole number)
  noexcept;
  Value(double number) noexcept;
  Value(const char* text);
  Value(std::string_view text);
  Value(std::string text) noexcept;
  Value(List items) noexcept;
  template <typename T>
  Value(const std::vector<T>& items) : Value(List(items.begin(), items.end())) {}
  Value(std::initializer_list<Member> members);
  // NOLINTEND(google-explicit-constructor)
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();

  static Value list() { return List(); }
  static Value object() { return Value(std::initializer_list<Member>{}); }

  bool operator==(const Value& other) const;

  // Nothing, or null, for a value of another type.
  bool is_null() const { return std::holds_alternative<std::nullptr_t>(data_); }
  const bool* flag() const { return std::get_if<bool>(&data_); }
  const std::string* text() const { return std::get_if<std::string>(&data_); }
  const List* items() const { return std::get_if<List>(&data_); }
  List* items() { return std::get_if<List>(&data_); }
  const Object* members() const { return std::get_if<Object>(&data_); }
  Object* members() { return std::get_if<Object>(&data_); }
  std::optional<double> number() const;    ///< any number
  std::optional<uint64_t> whole() const;   ///< neither negative nor with a fraction
  std::optional<int64_t> integer() const;  ///< without a fraction, in the range of the type

  /// The member of that name; null when there is none, or this is not an object.
  const Value* find(std::string_view key) const;

  /// Likewise, added as null when missing. A null becomes an object; no other value may be asked.
  Value& operator[](std::string_view key);

  /// Adds to a list. A null becomes one; no other value may be asked.
  void push_back(Value item);

 private:
  std::variant<std::nullptr_t, bool, uint64_t, int64_t, double, std::string, List, Object> data_;
};

struct Member {
  std::string key;
  Value value;

  bool operator==(const Member&) const = default;
};

// Here, as they need a Member that is complete.
template <std::same_as<bool> Flag>
Value::Value(Flag flag) noexcept : data_(flag) {}

template <std::integral Whole>
requires(!std::same_as<Whole, bool>) Value::Value(Whole number)
noexcept {
  if (number < 0) {
    data_ = static_cast<int64_t>(number);
  } else {
    data_ = static_cast<uint64_t>(number);
  }
}

/// In one line without spaces; with an `indent`, one member or item a line.
std::string to_text(const Value& value, int indent = -1);

/// With the members of all its objects in the order of their names.
Value sorted(Value value);

/// Throws Error(kData) with the place for a text that is not JSON, is cut off, or is nested deeper
/// than 8 levels, more than any file of ours. Of two members of one name the later counts.
Value parse(std::string_view text);

/// Null for such a text.
Value parse_or_null(std::string_view text);

/// The next piece of a text; empty at its end.
using NextPiece = std::function<std::string()>;

/// As parse(), for the text of an object whose list `list` may be larger than memory: its items go
/// to `take` one by one, and the object that is returned has the list empty. A mistake, too, when an
/// item, or what is before the list or behind it, has more than `most_bytes` of text, by a piece.
Value parse_items(const NextPiece& next,
                  std::string_view list,
                  size_t most_bytes,
                  const std::function<void(Value)>& take);

/// The text with U+FFFD in place of bytes that are not UTF-8.
std::string valid_utf8(std::string_view text);

}  // namespace mezzo::json
