// Catch2 version 3 brings its own main function in Catch2::Catch2WithMain.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
