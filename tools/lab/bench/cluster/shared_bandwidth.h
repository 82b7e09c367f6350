// A file system that many nodes read and write at once, as processor sharing: of its bandwidth each
// node at work gets an equal part, no more than its link carries, and each transfer of a node an
// equal part of that.
#pragma once

#include <cstdint>
#include <queue>
#include <set>
#include <utility>
#include <vector>

namespace mezzo::bench {

/// Time only goes forward: `now` is at least that of the call before, at most end_s().
class SharedBandwidth {
 public:
  /// Bandwidths in MiB/s, > 0.
  SharedBandwidth(uint32_t nodes, double total_mib_per_s, double node_mib_per_s);

  /// `who` transfers `mib` > 0; a slot of `node`, with one transfer at a time.
  void begin(double now, uint32_t node, uint32_t who, double mib);

  /// All transfers of a node are gone.
  void drop(double now, uint32_t node);

  /// The end of the next transfer; infinity without one.
  double end_s() const;

  /// Goes there, and returns its owner.
  uint32_t end_next();

 private:
  // Every node at work gets the same rate, so one number, given_, is the amount given to each of
  // them, and a node's next transfer ends when it reaches a value that changes only with the node's
  // own transfers: an event costs the logarithm of the number of nodes.
  struct Transfer {
    double end_mib;  ///< of Node::served_mib
    uint32_t who;
    bool operator>(const Transfer& other) const {
      return std::pair(end_mib, who) > std::pair(other.end_mib, other.who);
    }
  };
  struct Node {
    double given_mib = 0;   ///< given_ when this was looked at last
    double served_mib = 0;  ///< amount of each transfer since the node began
    std::priority_queue<Transfer, std::vector<Transfer>, std::greater<>> transfers;
  };

  double rate() const;
  void go_to(double now);
  void take_out(uint32_t node);  ///< of order_, and serves it up to now
  void put_back(uint32_t node);
  double next_given(const Node& node) const;

  double total_mib_per_s_;
  double node_mib_per_s_;
  double now_ = 0;
  double given_ = 0;
  std::vector<Node> nodes_;
  std::set<std::pair<double, uint32_t>> order_;  ///< nodes at work, by given_ when their next ends
};

}  // namespace mezzo::bench
