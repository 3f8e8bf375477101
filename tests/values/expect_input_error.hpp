#pragma once

#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace wormcast {

/// The message of the InputError that `action` throws; a failed expectation where it throws none.
template <typename Action> std::string input_error(Action&& action)
{
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError was thrown";
  return {};
}

} // namespace wormcast
