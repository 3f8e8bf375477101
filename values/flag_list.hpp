#pragma once

#include "wormcast/values/parameter.hpp"

namespace wormcast {

/// Whether a parameter is a list of true and false: of type `integers` in 0 .. 1, as which it is stored. Files write
/// true and false; as a RawValue they are the texts "true" and "false".
inline bool is_flag_list(const Parameter& parameter)
{
  return parameter.type == ParameterType::integers && parameter.minimum == 0 && parameter.maximum == 1;
}

} // namespace wormcast
