#include "tools/lab/bench/cluster/shared_bandwidth.h"

#include <algorithm>
#include <limits>

namespace mezzo::bench {

SharedBandwidth::SharedBandwidth(uint32_t nodes, double total_mib_per_s, double node_mib_per_s)
    : total_mib_per_s_(total_mib_per_s), node_mib_per_s_(node_mib_per_s), nodes_(nodes) {}

double SharedBandwidth::rate() const {
  return std::min(node_mib_per_s_, total_mib_per_s_ / static_cast<double>(order_.size()));
}

void SharedBandwidth::go_to(double now) {
  if (!order_.empty()) given_ += rate() * (now - now_);
  now_ = now;
}

double SharedBandwidth::next_given(const Node& node) const {
  const auto sharers = static_cast<double>(node.transfers.size());
  return node.given_mib + (node.transfers.top().end_mib - node.served_mib) * sharers;
}

void SharedBandwidth::take_out(uint32_t number) {
  Node& node = nodes_[number];
  if (!node.transfers.empty()) {
    order_.erase({next_given(node), number});
    node.served_mib += (given_ - node.given_mib) / static_cast<double>(node.transfers.size());
  }
  node.given_mib = given_;
}

void SharedBandwidth::put_back(uint32_t number) {
  const Node& node = nodes_[number];
  if (!node.transfers.empty()) order_.insert({next_given(node), number});
}

void SharedBandwidth::begin(double now, uint32_t number, uint32_t who, double mib) {
  go_to(now);
  take_out(number);
  Node& node = nodes_[number];
  node.transfers.push({node.served_mib + mib, who});
  put_back(number);
}

void SharedBandwidth::drop(double now, uint32_t number) {
  go_to(now);
  take_out(number);
  nodes_[number].transfers = {};
}

double SharedBandwidth::end_s() const {
  if (order_.empty()) return std::numeric_limits<double>::infinity();
  return now_ + std::max(0.0, order_.begin()->first - given_) / rate();
}

uint32_t SharedBandwidth::end_next() {
  const auto [given, number] = *order_.begin();
  now_ = end_s();
  given_ = std::max(given_, given);
  take_out(number);
  Node& node = nodes_[number];
  const Transfer ended = node.transfers.top();
  node.served_mib = ended.end_mib;  // without the rounding error
  node.transfers.pop();
  put_back(number);
  return ended.who;
}

}  // namespace mezzo::bench
