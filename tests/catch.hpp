#pragma once
/// \file
/// The one way into Catch2, version 2 or 3.

#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
inline auto contains_text(std::string const& text) { return Catch::Matchers::ContainsSubstring(text); }
#else
#include <catch2/catch.hpp>
inline auto contains_text(std::string const& text) { return Catch::Matchers::Contains(text); }
#endif
