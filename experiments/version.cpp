#include "experiments/version.hpp"

namespace wormcast {

std::string_view program_version()
{
  return WORMCAST_VERSION;
}

} // namespace wormcast
