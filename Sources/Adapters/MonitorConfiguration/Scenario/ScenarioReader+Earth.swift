import Geodesy
import Instants
import Simulation

// The position of the venue on the earth, and the receiver that measures it.

extension ScenarioReader {
  static func site(_ table: consuming TableReader) -> VenueSite? {
    let latitude = table.require("latitude", as: .latitude)
    let longitude = table.require("longitude", as: .number(-180...180))
    let bearing = table.read("bearing", as: .number(-360...360))
    table.finish()
    guard let latitude, let longitude, let origin = Coordinate(latitude: latitude, longitude: longitude) else { return nil }
    return VenueSite(origin: origin, bearing: bearing ?? 0)
  }

}

extension ScenarioBuilding {
  func positioning(_ table: consuming TableReader) -> PositionReceiver? {
    let position = position(&table)
    let interval = table.read("interval", as: .duration(.milliseconds(100)...(.seconds(3600))))
    let noise = table.read("noise", as: .number(0.01...10_000))
    let drift = table.read("drift", as: .number(0...10_000))
    let driftTime = table.read("drift-time", as: .duration(.seconds(1)...(.seconds(86_400))))
    if table.has("drift-time"), !table.has("drift") { table.report("drift-time", "requires drift") }
    let speedNoise = table.read("speed-noise", as: .number(0.01...100))
    let hasSpeed = table.read("speed", as: .flag) ?? true
    if !hasSpeed, table.has("speed-noise") {
      table.report("speed-noise", "has no effect with speed = false; remove one of them")
    }
    table.finish()
    guard let position else { return nil }
    return PositionReceiver(
      position: position, interval: interval ?? PositionReceiver.defaultInterval, noise: noise ?? PositionReceiver.defaultNoise,
      drift: drift ?? 0, driftTime: driftTime ?? PositionReceiver.defaultDriftTime,
      speedNoise: hasSpeed ? speedNoise ?? PositionReceiver.defaultSpeedNoise : nil)
  }
}
