#include "pipeline/plan/failure_json.h"

#include "manifests/json/members.h"

namespace mezzo::plan {
namespace {

struct NamedKind {
  ErrorKind& kind;
};

void transfer(json::Slot& slot, NamedKind named) {
  json::transfer_named(
      slot,
      named.kind,
      [](ErrorKind one) { return name_of(one); },
      [&](const std::string& name) {
        const std::optional<ErrorKind> known = error_kind_named(name);
        const bool must_be_known = slot.reading() == json::Reading::kStrict;
        return known || must_be_known ? known : ErrorKind::kBug;
      });
}

}  // namespace

void describe(json::Members& members, Failure& failure) {
  members("kind", NamedKind{failure.kind});
  members("message", failure.message);
  members.maybe("advice", failure.advice);
  members.maybe("place", failure.place);
}

}  // namespace mezzo::plan
