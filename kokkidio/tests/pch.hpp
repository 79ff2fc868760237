#pragma once
#include <Kokkidio/Kokkidio.hpp>

#include "catch.hpp"
