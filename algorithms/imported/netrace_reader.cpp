#include "wormcast/algorithms/imported/netrace.hpp"
#include "wormcast/formats/compressed_input.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

namespace wormcast {

namespace {

constexpr std::uint32_t netrace_magic = 0x484A5455;
constexpr float netrace_version = 1.0F;
constexpr std::uint64_t longest_netrace = std::uint64_t{1} << 32;
constexpr std::size_t header_bytes = 72;
constexpr std::size_t name_offset = 8;
constexpr std::size_t name_bytes = 30;
constexpr std::size_t nodes_offset = 38;
constexpr std::size_t cycles_offset = 40;
constexpr std::size_t packets_offset = 48;
constexpr std::size_t notes_offset = 56;
constexpr std::size_t regions_offset = 60;
constexpr std::uint32_t longest_notes = 8191;
constexpr std::uint32_t most_regions = 100;
constexpr std::size_t region_bytes = 24;
constexpr std::size_t packet_bytes = 21;
constexpr std::uint32_t short_types =
    1U << 1 | 1U << 5 | 1U << 13 | 1U << 14 | 1U << 15 | 1U << 25 | 1U << 27 | 1U << 28 | 1U << 29;
constexpr std::uint32_t long_types = 1U << 2 | 1U << 3 | 1U << 4 | 1U << 6 | 1U << 16 | 1U << 30;
constexpr std::uint64_t short_packet = 8;
constexpr std::uint64_t long_packet = 72;

bool is_in(std::uint32_t types, std::uint8_t type)
{
  return type < 32 && (types >> type & 1U) != 0;
}

/// A whole number of the least significant byte first.
template <typename Number> Number number_at(std::span<const unsigned char> bytes, std::size_t offset)
{
  Number number = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    number |= static_cast<Number>(Number{bytes[offset + i]} << (8 * i));
  }
  return number;
}

/// A dependency as the file has it: the packet with the id `dependent` waits for packet `on`.
struct ReadDependency {
  std::uint32_t on = 0;
  std::uint32_t dependent = 0;
};

class NetraceReader {
public:
  NetraceReader(std::istream& in, std::string_view name) : name_(name), input_(in, name, longest_netrace) {}

  Netrace read(std::optional<std::uint64_t> region)
  {
    read_header();
    if (region) {
      go_to(*region);
    }
    while (read_packet()) {
    }
    if (!region && trace_.packets.size() != packets_) {
      throw InputError(fmt::format("{}: {} packets, but the header says {}", name_, trace_.packets.size(), packets_));
    }
    if (region) {
      const std::uint64_t first = trace_.packets.empty() ? 0 : trace_.packets.front().cycle;
      for (NetracePacket& packet : trace_.packets) {
        packet.cycle -= first;
      }
    }
    resolve_dependencies();
    find_chains();
    return std::move(trace_);
  }

private:
  [[noreturn]] void fail(std::uint64_t byte, const std::string& text) const
  {
    throw InputError(fmt::format("{}: byte {}: {}", name_, byte, text));
  }

  /// Reads a part; `what` is for the error where the file ends in it.
  template <std::size_t Count> std::array<unsigned char, Count> take(std::string_view what)
  {
    std::array<unsigned char, Count> bytes{};
    const std::uint64_t begin = input_.offset();
    if (input_.read(bytes) < Count) {
      fail(begin, fmt::format("the file ends within {}", what));
    }
    return bytes;
  }

  void read_header()
  {
    const auto header = take<header_bytes>("the header");
    const auto magic = number_at<std::uint32_t>(header, 0);
    if (magic != netrace_magic) {
      fail(0, fmt::format("found 0x{:08X}, expected 0x{:08X}, the magic number of netrace", magic, netrace_magic));
    }
    const auto version = std::bit_cast<float>(number_at<std::uint32_t>(header, 4));
    if (version != netrace_version) {
      fail(4, fmt::format("found version {}, expected {:.1f}", version, netrace_version));
    }
    const auto* const text = reinterpret_cast<const char*>(header.data()) + name_offset;
    trace_.benchmark.assign(text, std::find(text, text + name_bytes, '\0'));
    trace_.nodes = header[nodes_offset];
    trace_.cycles = number_at<std::uint64_t>(header, cycles_offset);
    packets_ = number_at<std::uint64_t>(header, packets_offset);
    const auto notes = number_at<std::uint32_t>(header, notes_offset);
    const auto regions = number_at<std::uint32_t>(header, regions_offset);
    if (trace_.nodes == 0) {
      fail(nodes_offset, "found 0 nodes, expected at least 1");
    }
    if (notes > longest_notes) {
      fail(notes_offset, fmt::format("found notes of {} bytes, expected at most {}", notes, longest_notes));
    }
    if (regions > most_regions) {
      fail(regions_offset, fmt::format("found {} regions, expected at most {}", regions, most_regions));
    }
    for (std::uint32_t i = 0; i < notes; ++i) {
      take<1>("the notes");
    }
    for (std::uint32_t i = 0; i < regions; ++i) {
      const auto region = take<region_bytes>(fmt::format("region {}", i));
      trace_.regions.push_back({.offset = number_at<std::uint64_t>(region, 0),
                                .cycles = number_at<std::uint64_t>(region, 8),
                                .packets = number_at<std::uint64_t>(region, 16)});
    }
    packets_begin_ = input_.offset();
  }

  void go_to(std::uint64_t region)
  {
    if (region >= trace_.regions.size()) {
      throw InputError(fmt::format("{}: found region {}, but the trace has {}", name_, region, trace_.regions.size()));
    }
    packets_ = trace_.regions[region].packets;
    most_packets_ = packets_;
    const std::uint64_t begin = trace_.regions[region].offset;
    std::array<unsigned char, 1 << 12> skipped{};
    for (std::uint64_t left = begin; left > 0;) {
      const std::size_t count = std::min<std::uint64_t>(left, skipped.size());
      if (input_.read(std::span(skipped).first(count)) < count) {
        fail(input_.offset(),
             fmt::format("the file ends before region {}, which begins at byte {}", region, packets_begin_ + begin));
      }
      left -= count;
    }
  }

  /// False at the end.
  bool read_packet()
  {
    const std::size_t number = trace_.packets.size();
    if (most_packets_ && number == *most_packets_) {
      return false;
    }
    const std::uint64_t begin = input_.offset();
    std::array<unsigned char, packet_bytes> bytes{};
    const std::size_t count = input_.read(bytes);
    if (count == 0 && !most_packets_) {
      return false;
    }
    if (count < packet_bytes) {
      fail(begin, fmt::format("the file ends within packet {}", number));
    }
    const NetracePacket packet{.cycle = number_at<std::uint64_t>(bytes, 0),
                               .id = number_at<std::uint32_t>(bytes, 8),
                               .type = bytes[16],
                               .source = bytes[17],
                               .destination = bytes[18]};
    check(packet, begin, number);
    trace_.packets.push_back(packet);
    for (unsigned i = 0; i < bytes[20]; ++i) {
      std::array<unsigned char, 4> dependent{};
      if (input_.read(dependent) < dependent.size()) {
        fail(begin, fmt::format("the file ends within packet {}", number));
      }
      read_.push_back({.on = static_cast<std::uint32_t>(number), .dependent = number_at<std::uint32_t>(dependent, 0)});
    }
    return true;
  }

  void check(const NetracePacket& packet, std::uint64_t begin, std::size_t number)
  {
    const auto wrong = [&](const std::string& text) { fail(begin, fmt::format("packet {}: {}", number, text)); };
    if (number >= packets_) {
      wrong(fmt::format("the header says that there are {}", packets_));
    }
    if (!is_in(short_types | long_types, packet.type)) {
      wrong(fmt::format("found type {}, which has no length", packet.type));
    }
    if (std::max(packet.source, packet.destination) >= trace_.nodes) {
      wrong(fmt::format("from node {} to node {}, but there are {}", packet.source, packet.destination, trace_.nodes));
    }
    if (number > 0 && packet.cycle < trace_.packets.back().cycle) {
      wrong(fmt::format("its cycle {} is before {}, that of the packet before it", packet.cycle,
                        trace_.packets.back().cycle));
    }
    if (!packet_of_.emplace(packet.id, static_cast<std::uint32_t>(number)).second) {
      wrong(fmt::format("its id {} occurs a second time", packet.id));
    }
  }

  /// Dependencies by the packets that wait.
  void resolve_dependencies()
  {
    trace_.dependencies = read_.size();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> waits; // the first for the second
    waits.reserve(read_.size());
    for (const ReadDependency& dependency : read_) {
      const auto found = packet_of_.find(dependency.dependent);
      if (found == packet_of_.end()) {
        ++trace_.absent;
      } else {
        waits.emplace_back(found->second, dependency.on);
      }
    }
    std::ranges::sort(waits);
    const auto repeated = std::ranges::unique(waits);
    waits.erase(repeated.begin(), repeated.end());
    std::vector<MessageId> of_packet;
    for (std::size_t begin = 0; begin < waits.size();) {
      const std::uint32_t packet = waits[begin].first;
      of_packet.clear();
      for (; begin < waits.size() && waits[begin].first == packet; ++begin) {
        of_packet.push_back(MessageId{waits[begin].second});
      }
      trace_.after.set(packet, of_packet);
    }
  }

  /// The longest chain, by a sort in the order of dependencies (Kahn, 1962); a packet that cannot be sorted waits for
  /// itself.
  void find_chains()
  {
    const auto count = static_cast<std::uint32_t>(trace_.packets.size());
    std::vector<std::uint32_t> missing(count);
    std::vector<std::size_t> end(count + std::size_t{1}, 0);
    for (std::uint32_t packet = 0; packet < count; ++packet) {
      missing[packet] = static_cast<std::uint32_t>(trace_.after[packet].size());
      for (const MessageId earlier : trace_.after[packet]) {
        ++end[index(earlier)];
      }
    }
    std::partial_sum(end.begin(), end.end(), end.begin());
    std::vector<std::uint32_t> dependents(trace_.after.entry_count());
    std::vector<std::uint32_t>& sorted = trace_.order;
    for (std::uint32_t packet = 0; packet < count; ++packet) {
      for (const MessageId earlier : trace_.after[packet]) {
        dependents[--end[index(earlier)]] = packet;
      }
      if (missing[packet] == 0) {
        sorted.push_back(packet);
      }
    }
    std::vector<std::uint32_t> chain(count, 1);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const std::uint32_t packet = sorted[i];
      trace_.longest_chain = std::max(trace_.longest_chain, chain[packet]);
      for (std::size_t next = end[packet]; next < end[packet + std::size_t{1}]; ++next) {
        const std::uint32_t later = dependents[next];
        chain[later] = std::max(chain[later], chain[packet] + 1);
        if (--missing[later] == 0) {
          sorted.push_back(later);
        }
      }
    }
    if (sorted.size() < count) {
      trace_.longest_chain = 0;
      report_cycle(missing);
    }
  }

  /// Follows what a packet that was not sorted waits for, until one comes again.
  void report_cycle(const std::vector<std::uint32_t>& missing)
  {
    const auto stuck = [&](MessageId packet) { return missing[index(packet)] > 0; };
    auto packet = static_cast<std::uint32_t>(
        std::ranges::find_if(missing, [](std::uint32_t left) { return left > 0; }) - missing.begin());
    std::vector<bool> seen(missing.size());
    std::vector<std::uint32_t> path;
    while (!seen[packet]) {
      seen[packet] = true;
      path.push_back(packet);
      packet = index(*std::ranges::find_if(trace_.after[packet], stuck));
    }
    constexpr std::ptrdiff_t most_shown = 10;
    const auto begin = std::ranges::find(path, packet);
    std::string text =
        fmt::format("packet {} waits for itself: {}", trace_.packets[packet].id, trace_.packets[packet].id);
    for (auto next = begin + 1; next != path.end() && next - begin < most_shown; ++next) {
      text += fmt::format(" <- {}", trace_.packets[*next].id);
    }
    text += path.end() - begin > most_shown ? " <- ..." : "";
    trace_.findings.add(FindingKind::deadlock, 0,
                        [&] { return fmt::format("{} <- {}", text, trace_.packets[packet].id); });
  }

  std::string name_;
  CompressedInput input_;
  Netrace trace_;
  std::uint64_t packets_ = 0; ///< that the header, or the region, says there are
  std::optional<std::uint64_t> most_packets_;
  std::uint64_t packets_begin_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> packet_of_; ///< by id
  std::vector<ReadDependency> read_;
};

} // namespace

std::uint64_t netrace_bytes(const NetracePacket& packet)
{
  return is_in(short_types, packet.type) ? short_packet : long_packet;
}

Netrace read_netrace(std::istream& in, std::string_view name, std::optional<std::uint64_t> region)
{
  return NetraceReader(in, name).read(region);
}

Netrace read_netrace(const std::filesystem::path& file, std::optional<std::uint64_t> region)
{
  std::ifstream in = open_file(file);
  return read_netrace(in, file.string(), region);
}

} // namespace wormcast
