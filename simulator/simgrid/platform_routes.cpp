#include "wormcast/simulator/simgrid/platform_routes.hpp"

#include "wormcast/topologies/graph_files/graph_text.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <span>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace wormcast {

namespace {

/// A file in memory, which a child process shares.
class SharedFile {
public:
  SharedFile() : descriptor_(::memfd_create("wormcast-platform", MFD_CLOEXEC))
  {
    if (descriptor_ < 0) {
      throw InputError(fmt::format("cannot make a file in memory: {}", std::strerror(errno)));
    }
  }
  ~SharedFile() { ::close(descriptor_); }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  int descriptor() const { return descriptor_; }

  void write(std::string_view bytes) const
  {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) {
        ::_exit(1);
      }
      bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
  }

  std::string content() const
  {
    std::string bytes;
    std::array<char, 1U << 16> part{};
    off_t at = 0;
    while (true) {
      const ssize_t length = ::pread(descriptor_, part.data(), part.size(), at);
      if (length < 0 && errno == EINTR) {
        continue;
      }
      if (length <= 0) {
        return bytes;
      }
      bytes.append(part.data(), static_cast<std::size_t>(length));
      at += length;
    }
  }

private:
  int descriptor_;
};

/// Numbers and texts in the bytes of this machine: the other end is the same program.
class Packed {
public:
  template <typename Number> void add(Number number)
  {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void add_text(std::string_view text)
  {
    add(text.size());
    bytes_ += text;
  }
  void add_all(std::span<const std::uint32_t> numbers)
  {
    add(numbers.size());
    bytes_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  }
  const std::string& bytes() const { return bytes_; }

private:
  std::string bytes_;
};

class Unpacked {
public:
  explicit Unpacked(std::string_view bytes) : bytes_(bytes) {}

  template <typename Number> Number number()
  {
    Number number{};
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }
  std::string text() { return std::string(take(number<std::size_t>())); }
  /// Returns how many things follow, of which each has `bytes` at least.
  std::size_t count(std::size_t bytes)
  {
    const auto many = number<std::size_t>();
    check(many <= bytes_.size() / bytes);
    return many;
  }
  std::vector<std::uint32_t> numbers()
  {
    std::vector<std::uint32_t> all(count(sizeof(std::uint32_t)));
    const std::string_view bytes = take(all.size() * sizeof(std::uint32_t));
    std::memcpy(all.data(), bytes.data(), bytes.size());
    return all;
  }

private:
  static void check(bool fits)
  {
    if (!fits) {
      throw InputError("the routes of a SimGrid platform end too early, expected those of packed_platform_routes()");
    }
  }

  std::string_view take(std::size_t length)
  {
    check(length <= bytes_.size());
    const std::string_view taken = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return taken;
  }

  std::string_view bytes_;
};

std::string_view policy_name(simgrid::s4u::Link::SharingPolicy policy)
{
  switch (policy) {
  case simgrid::s4u::Link::SharingPolicy::FATPIPE:
    return "FATPIPE";
  case simgrid::s4u::Link::SharingPolicy::WIFI:
    return "WIFI";
  case simgrid::s4u::Link::SharingPolicy::NONLINEAR:
    return "NONLINEAR";
  default:
    return "SHARED";
  }
}

// The signal that a platform is loaded, which is private. Its name may stand in an explicit instantiation.
using PlatformLoaded = simgrid::xbt::signal<void()>;
PlatformLoaded& platform_loaded();
template <PlatformLoaded* Signal> struct OpenSignal {
  friend PlatformLoaded& platform_loaded() { return *Signal; }
};
template struct OpenSignal<&simgrid::s4u::Engine::on_platform_created>;

/// In the child: all routes of the platform. Throws what SimGrid throws, and InputError.
Packed routes_of_platform(const std::string& file)
{
  // An engine that this process had before is still connected, and would be called where it was.
  platform_loaded().disconnect_slots();
  simgrid::s4u::Engine engine("wormcast");
  engine.load_platform(file);
  std::vector<simgrid::s4u::Host*> hosts = engine.get_all_hosts();
  if (hosts.empty()) {
    throw InputError("found no hosts, expected one at least");
  }
  if (hosts.size() > most_platform_hosts) {
    throw InputError(fmt::format("found {} hosts, expected at most {}", hosts.size(), most_platform_hosts));
  }
  engine.get_netzone_root()->seal();
  std::ranges::stable_sort(hosts, [](const simgrid::s4u::Host* a, const simgrid::s4u::Host* b) {
    return naturally_before(a->get_name(), b->get_name());
  });
  std::map<const simgrid::s4u::Link*, std::uint32_t> number_of;
  std::vector<const simgrid::s4u::Link*> links;
  std::vector<std::uint32_t> ends;
  std::vector<std::uint32_t> route_links;
  std::vector<simgrid::s4u::Link*> route;
  for (const simgrid::s4u::Host* from : hosts) {
    for (const simgrid::s4u::Host* to : hosts) {
      if (from != to) {
        route.clear();
        from->route_to(to, route, nullptr);
        if (route.empty()) {
          throw InputError(fmt::format("found no route, or one without links, from host {} to host {}, expected one "
                                       "between any two hosts",
                                       from->get_name(), to->get_name()));
        }
        for (const simgrid::s4u::Link* link : route) {
          const auto [at, is_new] = number_of.try_emplace(link, static_cast<std::uint32_t>(links.size()));
          if (is_new) {
            links.push_back(link);
            const simgrid::s4u::Link::SharingPolicy policy = link->get_sharing_policy();
            if (policy != simgrid::s4u::Link::SharingPolicy::SHARED &&
                policy != simgrid::s4u::Link::SharingPolicy::SPLITDUPLEX) {
              throw InputError(fmt::format("found link {} with sharing policy {} in the route from host {} to host {}, "
                                           "expected SHARED or SPLITDUPLEX: a worm holds a channel alone",
                                           link->get_name(), policy_name(policy), from->get_name(), to->get_name()));
            }
          }
          route_links.push_back(at->second);
        }
        if (route_links.size() > most_platform_hops) {
          throw InputError(
              fmt::format("its routes have more than {} links in all, expected fewer", most_platform_hops));
        }
      }
      ends.push_back(static_cast<std::uint32_t>(route_links.size()));
    }
  }
  Packed packed;
  packed.add(hosts.size());
  for (const simgrid::s4u::Host* host : hosts) {
    packed.add_text(host->get_name());
  }
  packed.add(links.size());
  for (const simgrid::s4u::Link* link : links) {
    packed.add_text(link->get_name());
    packed.add(link->get_bandwidth());
    packed.add(link->get_latency());
    packed.add(link->get_sharing_policy() == simgrid::s4u::Link::SharingPolicy::SHARED);
  }
  packed.add_all(ends);
  packed.add_all(route_links);
  return packed;
}

constexpr char answer_of_routes = 'd';
constexpr char answer_of_error = 'r';

/// The child's work; what SimGrid prints is in `printed`.
[[noreturn]] void run_child(const std::string& file, const SharedFile& answer, const SharedFile& printed)
{
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(printed.descriptor(), STDOUT_FILENO);
  ::dup2(printed.descriptor(), STDERR_FILENO);
  try {
    const Packed packed = routes_of_platform(file);
    answer.write(std::string(1, answer_of_routes));
    answer.write(packed.bytes());
  } catch (const std::exception& error) {
    answer.write(std::string(1, answer_of_error) + error.what());
  }
  ::_exit(0);
}

/// The last line that SimGrid printed, for a child that it ended.
std::string last_line(std::string text)
{
  while (!text.empty() && text.back() == '\n') {
    text.pop_back();
  }
  return printable(text.substr(text.rfind('\n') + 1));
}

/// The routes that this process was given.
std::optional<std::string>& given_routes()
{
  static std::optional<std::string> routes;
  return routes;
}

} // namespace

std::string packed_platform_routes(const std::string& file)
{
  if (simgrid::s4u::Engine::has_instance()) {
    throw InputError(fmt::format("{}: SimGrid runs in this process already, and it can have one platform alone; "
                                 "expected another kind of topology here",
                                 file));
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    throw InputError(fmt::format("{}: cannot be read, expected a SimGrid platform", file));
  }
  const SharedFile answer;
  const SharedFile printed;
  const pid_t child = ::fork();
  if (child < 0) {
    throw InputError(fmt::format("{}: cannot start a process that loads it: {}", file, std::strerror(errno)));
  }
  if (child == 0) {
    run_child(file, answer, printed);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const std::string bytes = answer.content();
  if (bytes.empty() || status != 0) {
    throw InputError(fmt::format("{}: SimGrid cannot load it: {}", file, last_line(printed.content())));
  }
  if (bytes.front() == answer_of_error) {
    throw InputError(fmt::format("{}: {}", file, printable(bytes.substr(1))));
  }
  return bytes.substr(1);
}

void give_platform_routes(std::optional<std::string> packed)
{
  given_routes() = std::move(packed);
}

PlatformRoutes read_platform_routes(const std::string& file)
{
  const std::string bytes = given_routes() ? *given_routes() : packed_platform_routes(file);
  Unpacked unpacked(bytes);
  PlatformRoutes routes;
  routes.hosts.resize(unpacked.count(sizeof(std::size_t)));
  for (std::string& host : routes.hosts) {
    host = printable(unpacked.text());
  }
  routes.links.resize(unpacked.count(sizeof(std::size_t)));
  for (PlatformLink& link : routes.links) {
    link.name = printable(unpacked.text());
    link.bandwidth = unpacked.number<double>();
    link.latency = unpacked.number<double>();
    link.shared = unpacked.number<bool>();
  }
  routes.ends = unpacked.numbers();
  routes.route_links = unpacked.numbers();
  return routes;
}

} // namespace wormcast
