#include "wormcast/experiments/cluster/sockets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <ifaddrs.h>
#include <memory>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace wormcast {

namespace {

constexpr int patience_to_connect = 5000; // milliseconds

[[noreturn]] void fail(const char* what)
{
  throw std::system_error(errno, std::generic_category(), what);
}

void set_option(int socket, int level, int option, int value)
{
  ::setsockopt(socket, level, option, &value, sizeof value); // without it connections only break later
}

// A connection on which nothing comes for 30 s is asked whether it lives, six times in 30 s.
void settle_connection(int socket)
{
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, 30);
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, 6);
  set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, 60000);
}

std::string numeric(const sockaddr* address)
{
  std::array<char, NI_MAXHOST> text = {};
  const socklen_t size = address->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
  const int error = ::getnameinfo(address, size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
  return error == 0 ? text.data() : "";
}

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Addresses resolved(const std::string& address, std::uint16_t port)
{
  addrinfo wanted = {};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (::getaddrinfo(address.c_str(), fmt::to_string(port).c_str(), &wanted, &found) != 0) {
    found = nullptr;
  }
  return {found, &::freeaddrinfo};
}

bool finish_connecting(int socket)
{
  pollfd ready = {socket, POLLOUT, 0};
  int error = 0;
  socklen_t size = sizeof error;
  return ::poll(&ready, 1, patience_to_connect) == 1 &&
         ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

std::optional<Descriptor> connect_to(const addrinfo& address)
{
  Descriptor socket(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) {
    return std::nullopt;
  }
  if (::connect(socket.number(), address.ai_addr, address.ai_addrlen) != 0 &&
      (errno != EINPROGRESS || !finish_connecting(socket.number()))) {
    return std::nullopt;
  }
  ::fcntl(socket.number(), F_SETFL, 0);
  settle_connection(socket.number());
  return socket;
}

} // namespace

Descriptor::~Descriptor()
{
  if (number_ >= 0) {
    ::close(number_);
  }
}

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept
{
  std::swap(number_, other.number_);
  return *this;
}

Listener listen_for_ranks()
{
  Listener listener;
  sockaddr_in6 address = {};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_any;
  socklen_t size = sizeof address;
  listener.socket = Descriptor(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (listener.socket.is_open()) {
    set_option(listener.socket.number(), IPPROTO_IPV6, IPV6_V6ONLY, 0);
  } else { // a machine without IPv6
    listener.socket = Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    address.sin6_family = AF_INET; // any port and address are zeros in both families
    size = sizeof(sockaddr_in);
  }
  auto* any = reinterpret_cast<sockaddr*>(&address);
  if (!listener.socket.is_open() || ::bind(listener.socket.number(), any, size) != 0 ||
      ::listen(listener.socket.number(), SOMAXCONN) != 0 || ::getsockname(listener.socket.number(), any, &size) != 0) {
    fail("cannot listen for other ranks");
  }
  listener.port = ntohs(address.sin6_port); // lies where that of IPv4 does
  return listener;
}

std::optional<Descriptor> accept_connection(const Listener& listener)
{
  Descriptor socket(::accept4(listener.socket.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!socket.is_open()) {
    return std::nullopt;
  }
  settle_connection(socket.number());
  return socket;
}

std::vector<std::string> own_addresses()
{
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) {
    fail("cannot find the addresses of this node");
  }
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owned(all, &::freeifaddrs);
  std::vector<std::string> addresses;
  std::vector<std::string> loopback;
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || (one->ifa_flags & IFF_UP) == 0 ||
        (one->ifa_addr->sa_family != AF_INET && one->ifa_addr->sa_family != AF_INET6)) {
      continue;
    }
    std::string text = numeric(one->ifa_addr);
    if (!text.empty() && text.find('%') == std::string::npos) { // those of one link have no meaning elsewhere
      ((one->ifa_flags & IFF_LOOPBACK) != 0 ? loopback : addresses).push_back(std::move(text));
    }
  }
  std::ranges::move(loopback, std::back_inserter(addresses));
  return addresses;
}

std::optional<Descriptor> connect_to_any(const std::vector<std::string>& addresses, std::uint16_t port)
{
  for (const std::string& address : addresses) {
    const Addresses found = resolved(address, port);
    if (found != nullptr) {
      if (std::optional<Descriptor> socket = connect_to(*found)) {
        return socket;
      }
    }
  }
  return std::nullopt;
}

std::string own_host()
{
  std::array<char, 256> name = {};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "an unknown node";
}

bool send_all(const Descriptor& socket, std::string_view bytes)
{
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) {
      return false;
    }
    bytes.remove_prefix(sent > 0 ? static_cast<std::size_t>(sent) : 0);
  }
  return true;
}

} // namespace wormcast
