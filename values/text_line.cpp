#include "wormcast/values/text_line.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

constexpr std::size_t longest_line = std::size_t{1} << 26;

} // namespace

bool LineReader::read(std::string& line)
{
  line.clear();
  while (true) {
    in_.getline(part_.data(), static_cast<std::streamsize>(part_.size()));
    const auto count = static_cast<std::size_t>(in_.gcount());
    if (in_.bad()) {
      return false;
    }
    if (in_.eof()) {
      line.append(part_.data(), count);
      number_ += line.empty() ? 0 : 1;
      return !line.empty();
    }
    if (!in_.fail()) {
      line.append(part_.data(), count - 1); // the line's end is counted, but not stored
      ++number_;
      return true;
    }
    line.append(part_.data(), count); // the part is full
    if (count == 0) {
      return false;
    }
    if (line.size() > longest_line) {
      throw InputError(fmt::format("{}:{}: a line of more than 64 MiB", name_, number_ + 1));
    }
    in_.clear();
  }
}

} // namespace wormcast
