#include "manifests/json/members.h"

#include "kernels/base/error.h"

namespace mezzo::json {

// ---- Slots -------------------------------------------------------------------------------------

std::string Slot::name() const {
  if (parent_ == nullptr) return "";
  const std::string above = parent_->name();
  if (key_.data() == nullptr) return above + "[" + std::to_string(index_) + "]";
  return above + (above.empty() ? "" : ".") + std::string(key_);
}

void Slot::fail(std::string_view problem) {
  failed_ = true;
  if (reading_ == Reading::kLenient) return;
  const std::string subject = name();
  throw Error(ErrorKind::kData, (subject.empty() ? "it" : subject) + " " + std::string(problem));
}

uint64_t Slot::whole(uint64_t most, uint64_t otherwise) {
  const std::optional<uint64_t> number = in_->whole();
  if (number && *number <= most) return *number;
  fail("is not a whole number in 0 .. " + std::to_string(most));
  return otherwise;
}

// ---- Members -----------------------------------------------------------------------------------

Members::Members(Slot& slot) : slot_(slot), out_(Value::object()) {
  if (slot.reads() && slot.in().members() == nullptr) slot.fail("is not an object");
}

const Value* Members::take(std::string_view key, bool is_needed) {
  const Value* found = slot_.in().find(key);
  if (found != nullptr) {
    ++taken_;
  } else if (is_needed && slot_.reading() <= Reading::kOpen) {
    const Value missing;
    Slot(missing, slot_, key).fail("is missing");
  }
  return found;
}

void Members::put(std::string_view key, Value value) {
  if (reads()) {
    take(key, false);
  } else {
    out_[key] = std::move(value);
  }
}

void Members::version(uint64_t version, std::optional<uint64_t> oldest) {
  if (!reads()) return put("v", version);
  const Value* found = take("v", true);
  for (uint64_t known = oldest.value_or(version); found != nullptr && known <= version; ++known) {
    if (*found == Value(known)) return;
  }
  throw Error(ErrorKind::kData,
              "it is of version " + (found == nullptr ? "null" : to_text(*found)) +
                  ", and this program reads version " + std::to_string(version));
}

void Members::head(std::string_view type, uint64_t number, std::optional<uint64_t> oldest) {
  if (!reads()) {
    version(number);
    return put("type", type);
  }
  const Value* found = take("type", true);
  if (found == nullptr || *found != Value(type)) {
    throw Error(ErrorKind::kData, "its type is not '" + std::string(type) + "'");
  }
  version(number, oldest);
}

void Members::end() {
  if (!reads()) return slot_.put(std::move(out_));
  const bool is_strict = slot_.reading() == Reading::kStrict;
  if (is_strict && taken_ != slot_.in().members()->size()) {
    slot_.fail("has a member that this program does not know");
  }
}

// ---- Values ------------------------------------------------------------------------------------

void transfer(Slot& slot, bool& value) {
  if (!slot.reads()) return slot.put(value);
  if (const bool* flag = slot.in().flag()) {
    value = *flag;
  } else {
    slot.fail("is neither true nor false");
  }
}

void transfer(Slot& slot, int64_t& value) {
  if (!slot.reads()) return slot.put(value);
  if (const auto number = slot.in().integer()) {
    value = *number;
  } else {
    slot.fail("is not a whole number");
  }
}

void transfer(Slot& slot, int& value) {
  int64_t number = value;
  transfer(slot, number);
  if (!std::in_range<int>(number)) return slot.fail("is too large a number");
  value = static_cast<int>(number);
}

void transfer(Slot& slot, uint64_t& value) {
  if (!slot.reads()) return slot.put(value);
  value = slot.whole(std::numeric_limits<uint64_t>::max(), value);
}

void transfer(Slot& slot, uint32_t& value) {
  if (!slot.reads()) return slot.put(value);
  value = static_cast<uint32_t>(slot.whole(std::numeric_limits<uint32_t>::max(), value));
}

void transfer(Slot& slot, double& value) {
  if (!slot.reads()) return slot.put(value);
  if (const auto number = slot.in().number()) {
    value = *number;
  } else {
    slot.fail("is not a number");
  }
}

void transfer(Slot& slot, std::string& value) {
  if (!slot.reads()) return slot.put(value);
  if (const std::string* text = slot.in().text()) {
    value = *text;
  } else {
    slot.fail("is not a text");
  }
}

}  // namespace mezzo::json
