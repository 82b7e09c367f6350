#include "pipeline/cluster/plan/settings_json.h"

#include "manifests/settings/field_value.h"
#include "manifests/settings/setting.h"

namespace mezzo::cluster {
namespace {

using manifests::SettingGroup;
using manifests::SettingValue;

struct RowValue {
  const manifests::Field& field;
  SettingValue& value;
};

struct Transfer {
  json::Slot& slot;

  template <typename T>
  void operator()(T& value) const {
    transfer(slot, value);
  }
  void operator()(std::vector<CurvePoint>& value) const { transfer(slot, CurvePoints{value}); }
  // No settings of pages:
  void operator()(std::monostate) const { slot.fail("is a setting without a value"); }
  void operator()(std::vector<manifests::TimeWindow>&) const {
    slot.fail("is no setting of pages");
  }
};

void transfer(json::Slot& slot, RowValue row) {
  if (slot.reads()) row.value = manifests::empty_value(row.field.type);
  std::visit(Transfer{slot}, row.value);
  if (!slot.reads()) return;
  if (const std::string fault = fault_of(row.field, row.value); !fault.empty()) slot.fail(fault);
}

void describe_group(json::Members& members,
                    const SettingGroup& group,
                    manifests::PageSettings& settings) {
  static const manifests::PageSettings usual;
  bool has_begun = false;
  for (const manifests::Setting<manifests::PageSettings>& row : group.rows) {
    const std::string key = key_of(group, row);
    SettingValue value = row.in.get(settings);
    if (members.reads() ? !members.has(key) : value == row.in.get(usual)) continue;
    members(key, RowValue{row.field, value});
    if (!members.reads()) continue;
    if (!has_begun && group.begin != nullptr) group.begin(settings);
    has_begun = true;
    row.in.set(settings, value);
  }
}

}  // namespace

void transfer(json::Slot& slot, CurvePoints curve) {
  if (!slot.reads()) {
    json::Value list = json::Value::list();
    for (const CurvePoint& point : curve.points) {
      list.push_back(std::vector<double>{point.in_percent, point.out_percent});
    }
    return slot.put(std::move(list));
  }
  const auto* list = slot.in().items();
  if (list == nullptr) return slot.fail("is not a list");
  for (size_t i = 0; i < list->size(); ++i) {
    const auto* pair = (*list)[i].items();
    const bool is_pair =
        pair != nullptr && pair->size() == 2 && pair->front().number() && pair->back().number();
    if (!is_pair) return json::Slot((*list)[i], slot, i).fail("is not a pair of numbers");
    curve.points.push_back({*pair->front().number(), *pair->back().number()});
  }
}

void describe_settings(json::Members& members, manifests::PageSettings& settings) {
  for (const SettingGroup* group : manifests::setting_groups()) {
    describe_group(members, *group, settings);
  }
}

void describe_settings(json::Members& members, manifests::InkSettings& ink) {
  for (const auto& [group, row, key] : manifests::settings_of_inks()) {
    const SettingValue* own = find_own(ink.over, key);
    if (members.reads() ? !members.has(key) : own == nullptr) continue;
    SettingValue value = own == nullptr ? SettingValue() : *own;
    members(key, RowValue{row->field, value});
    if (members.reads()) ink.over[key] = std::move(value);
  }
  manifests::PageSettings as_page;
  as_page.halftone.levels = ink.halftone.levels;
  describe_group(members, *manifests::find_group("levels"), as_page);
  ink.halftone.levels = as_page.halftone.levels;
}

}  // namespace mezzo::cluster
