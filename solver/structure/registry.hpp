#pragma once
/// \file
/// The structures: those that move water between cells, and those that stand on faces. Buildings are part of
/// the bed (see buildings.hpp).

#include "solver/structure/lines.hpp"
#include "solver/structure/transfers.hpp"

namespace swe {

/// The word for a type, as case files spell it.
inline std::string_view structure_name(Structure::Type type) {
  switch (type) {
    case Structure::Type::culvert:
      return "culvert";
    case Structure::Type::pump:
      return "pump";
    case Structure::Type::weir:
      return "weir";
    case Structure::Type::gate:
      return "gate";
    case Structure::Type::levee:
      return "levee";
  }
  return "";
}

}  // namespace swe
