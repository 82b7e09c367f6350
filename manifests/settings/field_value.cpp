#include "manifests/settings/field_value.h"

#include <algorithm>

#include "manifests/geometry.h"
#include "manifests/kinds/kind.h"
#include "manifests/scalars.h"
#include "manifests/settings/setting.h"
#include "manifests/source_text.h"

namespace mezzo::manifests {
namespace {

struct Fits {
  const Field& field;

  template <typename T>
  bool operator()(const T&) const {
    return true;
  }
  bool operator()(std::monostate) const { return false; }
  bool operator()(uint64_t value) const {
    return field.type == FieldType::kRotation ? is_rotation(value)
                                              : (*this)(static_cast<double>(value));
  }
  bool operator()(double value) const { return value >= field.minimum && value <= field.maximum; }
  bool operator()(const std::string& value) const {
    if (field.choices == nullptr) return true;
    const bool is_file = field.type == FieldType::kFileTemplate;
    const std::string text = is_file ? lower_case(value) : value;
    return std::ranges::any_of(field.choices(), [&](std::string_view choice) {
      return is_file ? text.ends_with(choice) : text == choice;
    });
  }
  bool operator()(const std::vector<double>& values) const {
    return std::ranges::all_of(values, *this);
  }
  bool operator()(const std::vector<std::string>& values) const {
    return std::ranges::all_of(values, *this);
  }
};

std::string rule_of(const Field& field) {
  if (field.type == FieldType::kFileTemplate) {
    return "a path that ends with " + alternatives(field.choices());
  }
  if (field.type != FieldType::kLength) return expected(field);
  return "a length from " + length_text(static_cast<uint64_t>(field.minimum)) + " to " +
         length_text(static_cast<uint64_t>(field.maximum));
}

}  // namespace

SettingValue empty_value(FieldType type) {
  switch (type) {
    case FieldType::kBoolean:
      return false;
    case FieldType::kInteger:
    case FieldType::kByteSize:
    case FieldType::kLength:
    case FieldType::kRotation:
    case FieldType::kDuration:
      return uint64_t{0};
    case FieldType::kNumber:
    case FieldType::kPercent:
      return 0.0;
    case FieldType::kNumbers:
    case FieldType::kPercents:
      return std::vector<double>();
    case FieldType::kChoices:
    case FieldType::kInks:
      return std::vector<std::string>();
    case FieldType::kCurve:
      return std::vector<CurvePoint>();
    case FieldType::kTimeWindows:
      return std::vector<TimeWindow>();
    case FieldType::kChoice:
    case FieldType::kTitle:
    case FieldType::kText:
    case FieldType::kFile:
    case FieldType::kFolder:
    case FieldType::kTemplate:
    case FieldType::kFileTemplate:
      return std::string();
    default:
      return {};
  }
}

std::string fault_of(const Field& field, const SettingValue& value) {
  const bool has_type = value.index() == empty_value(field.type).index();
  if (has_type && std::visit(Fits{field}, value)) return {};
  const std::string found = json_of(value, field.type);
  return "must be " + rule_of(field) + (found.empty() ? "" : ", found " + found);
}

}  // namespace mezzo::manifests
