#pragma once

#include "wormcast/values/names.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace wormcast {

/// What can be wrong with a schedule in a format of another program that can be read.
enum class FindingKind : std::uint8_t {
  bounds,     ///< a buffer is shorter than a step assumes
  connection, ///< two thread blocks use one end of a connection
  matching,   ///< a send without its receive, or of another size
  dependency, ///< a wait for what does not exist
  deadlock,   ///< steps that wait for each other in a cycle
  race,       ///< two accesses to the same data without an order, one of them a write
  possession, ///< what is sent or read is not there yet
  counting,   ///< a contribution is combined twice, or a rank is reached twice
  coverage    ///< a rank ends with something else than the operation requires
};

inline constexpr auto finding_kind_names = names<FindingKind>({{FindingKind::bounds, "bounds"},
                                                               {FindingKind::connection, "connection"},
                                                               {FindingKind::matching, "matching"},
                                                               {FindingKind::dependency, "dependency"},
                                                               {FindingKind::deadlock, "deadlock"},
                                                               {FindingKind::race, "race"},
                                                               {FindingKind::possession, "possession"},
                                                               {FindingKind::counting, "counting"},
                                                               {FindingKind::coverage, "coverage"}});

/// The first finding of a kind.
struct Finding {
  FindingKind kind = FindingKind::bounds;
  std::string text;        ///< where and what
  std::uint64_t line = 0;  ///< of the file; 0: it has no line of its own
  std::uint64_t count = 0; ///< of all findings of this kind
};

/// The findings of a proof: the first of each kind, and how many there are.
class Findings {
public:
  /// Counts a finding, and stores it if it is the first of its kind; `text` is made only then.
  template <typename Text> void add(FindingKind kind, std::uint64_t line, const Text& text)
  {
    Finding& first = first_[static_cast<std::size_t>(kind)];
    if (first.count++ == 0) {
      first.kind = kind;
      first.line = line;
      first.text = text();
    }
  }

  std::uint64_t count(FindingKind kind) const { return first_[static_cast<std::size_t>(kind)].count; }
  bool empty() const { return all().empty(); }

  /// In the order of the kinds.
  std::vector<Finding> all() const
  {
    std::vector<Finding> found;
    for (const Finding& finding : first_) {
      if (finding.count > 0) {
        found.push_back(finding);
      }
    }
    return found;
  }

private:
  std::array<Finding, finding_kind_names.size()> first_;
};

} // namespace wormcast
