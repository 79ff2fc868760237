#pragma once
/// \file
/// The program's version, from CMake.

#include <string_view>

namespace swe::io {

extern std::string_view const version;

}  // namespace swe::io
