#include "manifests/json/value.h"

#include <algorithm>
#include <istream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <streambuf>

#include "kernels/base/error.h"

namespace mezzo::json {
namespace {

using Library = nlohmann::json;

constexpr size_t kDeepest = 8;

/// Text of a single value, as the library writes it.
std::string library_text(const Library& value) {
  return value.dump(-1, ' ', false, Library::error_handler_t::replace);
}

/// Text that needs no escape in quotes.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text,
                             [](char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; });
}

class Writer {
 public:
  explicit Writer(int indent) : indent_(indent) {}

  void write(const Value& value) {
    if (const auto* members = value.members()) {
      write_all('{', *members, '}', [this](const Member& member) {
        write_text(member.key);
        out_ += indent_ < 0 ? ":" : ": ";
        write(member.value);
      });
    } else if (const auto* items = value.items()) {
      write_all('[', *items, ']', [this](const Value& item) { write(item); });
    } else if (const std::string* text = value.text()) {
      write_text(*text);
    } else if (const bool* flag = value.flag()) {
      out_ += *flag ? "true" : "false";
    } else if (const auto whole = value.whole()) {
      out_ += std::to_string(*whole);
    } else if (const auto integer = value.integer()) {
      out_ += std::to_string(*integer);
    } else {
      out_ += value.is_null() ? "null" : library_text(*value.number());
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void write_text(const std::string& text) {
    if (is_plain(text)) {
      out_.append(1, '"').append(text).append(1, '"');
    } else {
      out_ += library_text(text);
    }
  }

  template <typename List, typename WriteOne>
  void write_all(char open, const List& list, char close, const WriteOne& write_one) {
    out_ += open;
    ++depth_;
    for (const auto& one : list) {
      if (&one != &list.front()) out_ += ',';
      begin_line();
      write_one(one);
    }
    --depth_;
    if (!list.empty()) begin_line();
    out_ += close;
  }

  void begin_line() {
    if (indent_ >= 0) out_.append(1, '\n').append(depth_ * static_cast<size_t>(indent_), ' ');
  }

  std::string out_;
  const int indent_;
  size_t depth_ = 0;
};

/// Of members of one name, leaves the value of the last in the place of the first. Files that
/// strangers can write may have a million members, so none is looked up as they come.
void join_members_of_one_name(Value::Object& members) {
  std::vector<size_t> order(members.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return std::string_view(members[i].key); });
  std::vector<bool> is_surplus(members.size());
  for (size_t first = 0, i = 1; i < order.size(); ++i) {
    if (members[order[i]].key != members[order[first]].key) {
      first = i;
      continue;
    }
    members[order[first]].value = std::move(members[order[i]].value);
    is_surplus[order[i]] = true;
  }
  size_t kept = 0;
  for (size_t i = 0; i < members.size(); ++i) {
    if (is_surplus[i]) continue;
    if (kept != i) members[kept] = std::move(members[i]);
    ++kept;
  }
  members.erase(members.begin() + static_cast<std::ptrdiff_t>(kept), members.end());
}

/// Builds a Value from the events of the library's parser.
class Builder : public nlohmann::json_sax<Library> {
 public:
  bool null() override { return add(nullptr); }
  bool boolean(bool flag) override { return add(flag); }
  bool number_integer(number_integer_t number) override { return add(number); }
  bool number_unsigned(number_unsigned_t number) override { return add(number); }
  bool number_float(number_float_t number, const string_t&) override { return add(number); }
  bool string(string_t& text) override { return add(std::move(text)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return begin(Value::object()); }
  bool start_array(std::size_t) override { return begin(Value::list()); }
  bool end_object() override {
    join_members_of_one_name(*open_.back()->members());
    return end();
  }
  bool end_array() override { return end(); }
  bool key(string_t& name) override {
    slot_ = &open_.back()->members()->emplace_back(Member{std::move(name), Value()}).value;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Library::exception& error) override {
    problem_ = std::string("it is not whole, or damaged: ") + error.what();
    return false;
  }

  const std::string& problem() const { return problem_; }
  Value take() { return std::move(root_); }

 protected:
  /// A value has ended that is in so many others: the root in none.
  virtual void ended(size_t) {}

  Value& root() { return root_; }

 private:
  /// The place of the next value: after a key, at the end of a list, or all by itself.
  Value& place(Value value) {
    if (slot_ == nullptr && !open_.empty()) {
      open_.back()->push_back(std::move(value));
      return open_.back()->items()->back();
    }
    Value& slot = slot_ != nullptr ? *slot_ : root_;
    slot_ = nullptr;
    return slot = std::move(value);
  }

  bool add(Value value) {
    place(std::move(value));
    ended(open_.size());
    return true;
  }

  bool begin(Value value) {
    if (open_.size() == kDeepest) {
      problem_ = "it is nested too deeply";
      return false;
    }
    open_.push_back(&place(std::move(value)));
    return true;
  }

  bool end() {
    open_.pop_back();
    ended(open_.size());
    return true;
  }

  Value root_;
  std::vector<Value*> open_;  ///< lists and objects, the innermost last; none grows but that
  Value* slot_ = nullptr;     ///< of the key that came last
  std::string problem_;
};

/// A text in pieces, for the library's parser: it ends when too much is read without an allow().
class PieceStream final : public std::streambuf {
 public:
  PieceStream(const NextPiece& next, size_t most_bytes) : next_(next), most_(most_bytes) {}

  void allow() { left_ = most_; }

 protected:
  int_type underflow() override {
    if (left_ == 0) return traits_type::eof();
    piece_ = next_();
    left_ -= std::min(left_, piece_.size());
    setg(piece_.data(), piece_.data(), piece_.data() + piece_.size());
    return piece_.empty() ? traits_type::eof() : traits_type::to_int_type(piece_.front());
  }

 private:
  const NextPiece& next_;
  const size_t most_;
  size_t left_ = most_;
  std::string piece_;
};

/// Gives the items of a list in the root away.
class ItemsBuilder final : public Builder {
 public:
  ItemsBuilder(std::string_view list, PieceStream& text, const std::function<void(Value)>& take)
      : list_(list), text_(text), take_(take) {}

 private:
  void ended(size_t depth) override {
    if (had_list_ || depth == 0 || depth > 2 || root().members() == nullptr) return;
    Member& member = root().members()->back();
    if (member.key != list_ || member.value.items() == nullptr) return;
    text_.allow();
    if (depth == 1) {
      had_list_ = true;
      return;
    }
    take_(std::move(member.value.items()->back()));
    member.value.items()->pop_back();
  }

  const std::string_view list_;
  PieceStream& text_;
  const std::function<void(Value)>& take_;
  bool had_list_ = false;
};

}  // namespace

Value::Value() noexcept = default;
Value::Value(std::nullptr_t) noexcept {}
Value::Value(double number) noexcept : data_(number) {}
Value::Value(const char* text) : data_(std::string(text)) {}
Value::Value(std::string_view text) : data_(std::string(text)) {}
Value::Value(std::string text) noexcept : data_(std::move(text)) {}
Value::Value(List items) noexcept : data_(std::move(items)) {}
Value::Value(std::initializer_list<Member> members) : data_(Object(members)) {}
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

bool Value::operator==(const Value& other) const {
  return data_ == other.data_;
}

std::optional<double> Value::number() const {
  if (const auto* real = std::get_if<double>(&data_)) return *real;
  if (const auto* whole = std::get_if<uint64_t>(&data_)) return static_cast<double>(*whole);
  if (const auto* negative = std::get_if<int64_t>(&data_)) return static_cast<double>(*negative);
  return std::nullopt;
}

std::optional<uint64_t> Value::whole() const {
  const auto* whole = std::get_if<uint64_t>(&data_);
  return whole != nullptr ? std::optional(*whole) : std::nullopt;
}

std::optional<int64_t> Value::integer() const {
  if (const auto* negative = std::get_if<int64_t>(&data_)) return *negative;
  const auto* whole = std::get_if<uint64_t>(&data_);
  if (whole == nullptr || !std::in_range<int64_t>(*whole)) return std::nullopt;
  return static_cast<int64_t>(*whole);
}

const Value* Value::find(std::string_view key) const {
  const Object* object = members();
  if (object == nullptr) return nullptr;
  const auto found = std::ranges::find(*object, key, &Member::key);
  return found == object->end() ? nullptr : &found->value;
}

Value& Value::operator[](std::string_view key) {
  if (is_null()) data_ = Object();
  Object* object = members();
  MZ_ASSERT(object != nullptr);
  const auto found = std::ranges::find(*object, key, &Member::key);
  if (found != object->end()) return found->value;
  return object->emplace_back(Member{std::string(key), Value()}).value;
}

void Value::push_back(Value item) {
  if (is_null()) data_ = List();
  List* list = items();
  MZ_ASSERT(list != nullptr);
  list->push_back(std::move(item));
}

std::string to_text(const Value& value, int indent) {
  Writer writer(indent);
  writer.write(value);
  return writer.take();
}

Value sorted(Value value) {
  if (auto* items = value.items()) {
    for (Value& item : *items) item = sorted(std::move(item));
  } else if (auto* members = value.members()) {
    std::ranges::sort(*members, {}, &Member::key);
    for (Member& member : *members) member.value = sorted(std::move(member.value));
  }
  return value;
}

Value parse(std::string_view text) {
  Builder builder;
  if (!Library::sax_parse(text, &builder)) throw Error(ErrorKind::kData, builder.problem());
  return builder.take();
}

Value parse_items(const NextPiece& next,
                  std::string_view list,
                  size_t most_bytes,
                  const std::function<void(Value)>& take) {
  PieceStream text(next, most_bytes);
  ItemsBuilder builder(list, text, take);
  std::istream stream(&text);
  if (!Library::sax_parse(stream, &builder)) throw Error(ErrorKind::kData, builder.problem());
  return builder.take();
}

Value parse_or_null(std::string_view text) {
  Builder builder;
  return Library::sax_parse(text, &builder) ? builder.take() : Value();
}

std::string valid_utf8(std::string_view text) {
  return *parse(library_text(text)).text();
}

}  // namespace mezzo::json
