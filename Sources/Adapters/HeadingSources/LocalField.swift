import EventLoop
import Geodesy
import Geomagnetism
import Instants
import Locations
import Orientation

/// The magnetic field at a place, in µT.
public struct LocalField: Hashable, Sendable {
  public let horizontal: Double
  /// The component to the centre of the earth.
  public let down: Double

  /// The field in Central Europe.
  public static let usual = LocalField(horizontal: 20, down: 45)

  init(horizontal: Double, down: Double) {
    (self.horizontal, self.down) = (horizontal, down)
  }

  /// Creates the field of a place, or the usual one if the place is unknown or the time is beyond the calendar.
  ///
  /// - Parameter time: the time since the Unix epoch.
  public init(at place: Coordinate?, _ time: Instant) {
    let year = DecimalYear.at(unixTime: Double(time.microseconds) / 1e6)
    let field = place.flatMap { place in year.flatMap { MagneticModel.wmm2025.field(at: place, year: $0) } }
    self = field.map { Self(horizontal: $0.horizontal / 1000, down: $0.components.down / 1000) } ?? Self.usual
  }
}

extension SimulatedSensors {
  /// Creates sensors in the field of the known location.
  public convenience init(_ loop: Loop, _ locations: any HeadingLocations) {
    self.init(loop) { [weak locations] in
      let field = LocalField(at: locations?.location?.coordinate, loop.wallClock)
      return (field.horizontal, field.down)
    }
  }
}
