#pragma once

// Included before each source of the playground (-include), so that the sources need not know what Debian's C++ library
// for WebAssembly is built without. library_gaps.cpp defines what is declared here.

// Files. A page has none: none can be opened.
#include <__config_site>
#undef _LIBCPP_HAS_NO_FILESYSTEM

// A std::function whose result is still an incomplete type, as in topologies/registry.hpp.
#include <__config>
#undef _LIBCPP_ABI_OPTIMIZED_FUNCTION

// Floating-point numbers, which the library reads from version 20 on.
#include <charconv>

_LIBCPP_BEGIN_NAMESPACE_STD
from_chars_result from_chars(const char* first, const char* last, double& value);
_LIBCPP_END_NAMESPACE_STD
