// A closed list of units, with exact factors to a base unit of each dimension.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "facts/quantities/pieces.h"

namespace vsr::facts {

enum class Dimension : uint8_t {
  kNone,  // a bare number
  kPercent,
  kPoints,  // percentage points
  kLength,  // metres
  kArea,
  kVolume,
  kMass,         // kilograms
  kTime,         // seconds
  kMonths,       // calendar months: these and seconds compare with a tolerance
  kSpeed,        // metres per second
  kTemperature,  // kelvins
  kEnergy,       // joules
  kPower,
  kData,      // bytes
  kDataRate,  // bytes per second
  kPressure,  // pascals
  kFrequency,
  kAngle,  // degrees
  kVoltage,
  kCurrent,
  kForce,
  kCharge,
  kPixels,
  kDecibels,
  kMoney,  // of a currency
};

struct Unit {
  Dimension dimension = Dimension::kNone;
  double factor = 1;      // of the base unit
  double offset = 0;      // added after the factor: temperatures
  uint16_t currency = 0;  // of kMoney: a number for each
  bool coarse = false;    // months and years
};

struct FoundUnit {
  Unit unit;
  size_t pieces = 0;   // how many it takes
  bool doubt = false;  // "pounds", which are money or mass
};

// The unit that begins at a piece: words ("square metres"), signs ("km/h", "m²", "°C"), currencies.
std::optional<FoundUnit> unit_at(std::span<const Piece> pieces, size_t at);
// A currency's sign or code, before or after a number.
std::optional<FoundUnit> currency_at(std::span<const Piece> pieces, size_t at);

}  // namespace vsr::facts
