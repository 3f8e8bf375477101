// In place of wormhole_model.cpp where SimGrid's network models are not as abi.hpp declares them.

#include "wormcast/simulator/simgrid/wormhole_model.hpp"
#include "wormcast/values/input_error.hpp"

#include <stdexcept>
#include <string>

namespace wormcast {

class WormholeModel::Model {};

std::string_view WormholeModel::what_is_missing()
{
  return "this build of wormcast found a SimGrid whose network models it does not know: messages of SimGrid and MPI "
         "programs need version 3.32, 3.36, 4.0 or 4.1";
}

WormholeModel::WormholeModel(SimGridPlatform& /*platform*/, const NetworkParameters& /*network*/,
                             const WormholeModelOptions& /*options*/)
{
  throw InputError(std::string(what_is_missing()));
}

WormholeModel::~WormholeModel() = default;

const OnlineNetwork& WormholeModel::network() const
{
  throw std::logic_error("no model was made");
}
Time WormholeModel::last_delivery() const
{
  return {};
}

} // namespace wormcast
