#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A file descriptor that is closed at the end.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

private:
  int number_ = -1;
};

/// A socket on which others can connect from anywhere (TCP), and where they find it.
struct Listener {
  Descriptor socket;
  std::uint16_t port = 0;
};

/// Throws std::system_error.
Listener listen_for_ranks();

/// The next connection that waits; none where there is none. It is not blocking, and what is sent on it is sent at
/// once. It breaks a minute after its other end has vanished without a word (a node without power).
std::optional<Descriptor> accept_connection(const Listener& listener);

/// Numeric addresses of this node, those of its loopback last.
std::vector<std::string> own_addresses();

/// A connection to the first of the addresses that takes it; none where none does. It blocks, and breaks as those of
/// accept_connection.
std::optional<Descriptor> connect_to_any(const std::vector<std::string>& addresses, std::uint16_t port);

/// Name of this node.
std::string own_host();

/// Sends all of it on a socket that blocks. Returns false where the connection is broken.
bool send_all(const Descriptor& socket, std::string_view bytes);

} // namespace wormcast
