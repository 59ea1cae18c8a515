#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include "xwalk/yson/node.h"

namespace xwalk::yson::testing {

/// Draws values of every kind, with the borders of each kind often among them.
class RandomNode {
 public:
  explicit RandomNode(uint64_t seed) : random_(seed) {}

  Node operator()(int depth = 4) {
    Node node = bare(depth);
    if (depth > 0 && below(6) == 0) {
      for (uint64_t i = below(3) + 1; i > 0; --i) node.add_attribute(bytes(), (*this)(depth - 1));
    }
    return node;
  }

  std::string bytes() {
    std::string text;
    uint64_t size = below(10) == 0 ? below(100) : below(12);
    uint64_t alphabet = below(3);
    for (uint64_t i = 0; i < size; ++i) {
      static constexpr std::string_view kHard =
          "\"\\\n\r\t\0\1\7\x8\x1f\x7f\x80\xff"
          "0789afgAFG;[]{}<>#=%";
      if (alphabet == 0) {
        text += static_cast<char>('a' + below(26));
      } else if (alphabet == 1) {
        text += kHard[below(kHard.size())];
      } else {
        text += static_cast<char>(below(256));
      }
    }
    return text;
  }

  double real() {
    switch (below(5)) {
      case 0: {
        static constexpr double kBorders[] = {0.0,
                                              -0.0,
                                              std::numeric_limits<double>::infinity(),
                                              -std::numeric_limits<double>::infinity(),
                                              std::numeric_limits<double>::quiet_NaN(),
                                              std::numeric_limits<double>::max(),
                                              std::numeric_limits<double>::min(),
                                              std::numeric_limits<double>::denorm_min(),
                                              1e21,
                                              1e-10,
                                              9.999999999999999e-11,
                                              999999999999999900000.0,
                                              9007199254740993.0};
        return kBorders[below(std::size(kBorders))];
      }
      case 1:
        return static_cast<double>(static_cast<int64_t>(below(2000000)) - 1000000) / 1000;
      case 2:
        return static_cast<double>(static_cast<int64_t>(random_()));
      case 3:
        return static_cast<double>(below(1000000)) *
               std::pow(10.0, static_cast<double>(below(60)) - 30);
      default:
        return std::bit_cast<double>(random_());
    }
  }

  uint64_t below(uint64_t limit) { return random_() % limit; }

 private:
  uint64_t bits() { return random_() >> below(64); }

  Node bare(int depth) {
    switch (below(depth > 0 ? 10 : 6)) {
      case 0:
        return Node();
      case 1:
        return Node::boolean(below(2) == 0);
      case 2:
        return Node::int64(static_cast<int64_t>(below(2) == 0 ? bits() : ~bits()));
      case 3:
        return Node::uint64(below(2) == 0 ? bits() : ~bits());
      case 4:
        return Node::real(real());
      case 5:
        return Node::string(bytes());
      case 6:
      case 7: {
        Node list = Node::list();
        for (uint64_t i = below(5); i > 0; --i) list.add((*this)(depth - 1));
        return list;
      }
      default: {
        Node map = Node::map();
        for (uint64_t i = below(5); i > 0; --i) map.add(bytes(), (*this)(depth - 1));
        return map;
      }
    }
  }

  std::mt19937_64 random_;
};

}  // namespace xwalk::yson::testing
