#include "io/output/version.hpp"

namespace swe::io {

std::string_view const version = SWE_VERSION;

}  // namespace swe::io
