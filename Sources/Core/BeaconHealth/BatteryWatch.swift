import Instants

/// The voltage and the temperature that a beacon reports.
struct BatteryWatch: Sendable {
  /// The volts above the limit from which a battery is no longer low.
  static let margin = 0.15
  /// The consecutive readings that must agree, because a cold night or a burst of transmissions lowers single ones.
  static let leastReadings = 3

  private(set) var voltage: Double?
  private(set) var temperature: Double?
  private var streak = 0

  init(voltage: Double? = nil, temperature: Double? = nil) {
    (self.voltage, self.temperature) = (voltage, temperature)
  }

  /// Takes a reading, and returns whether the battery is low; nil if that is not certain.
  mutating func take(_ reading: (voltage: Double?, temperature: Double?), limit: Double) -> Bool? {
    temperature = reading.temperature ?? temperature
    guard let volts = reading.voltage else { return nil }
    voltage = volts
    let side = volts < limit ? -1 : volts >= limit + Self.margin ? 1 : 0
    streak = side != 0 && streak.signum() == side ? streak + side : side
    guard abs(streak) >= Self.leastReadings else { return nil }
    return streak < 0
  }
}
