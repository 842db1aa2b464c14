import DBus
import Headings
import Instants
import MonitorProtocol

extension HeadingRequest {
  static let keys = ["filter", "orientation", "mountAngle", "travel", "interval"]

  /// Reads the options of a client's heading request, `a{sv}`.
  ///
  /// Throws `InvalidOptions` for an unknown key or value and `InvalidArgs` for a value of another type.
  init(options: DBusValue, of method: String) throws(DBusError) {
    self.init()
    try OptionType.check(
      options, ["filter": .number, "orientation": .string, "mountAngle": .number, "travel": .flag, "interval": .string],
      keys: Self.keys, of: method)
    if let value = options["filter"] {
      guard let degrees = value.number, Self.filters.contains(degrees) else {
        throw Self.invalid("filter must be a number of degrees from 0 to 180")
      }
      filter = degrees
    }
    if let value = options["orientation"] {
      guard let known = value.string.flatMap(DeviceOrientation.init(named:)) else {
        throw Self.invalid("orientation must be one of \(DeviceOrientation.named.map(\.name).joined(separator: ", "))")
      }
      orientation = known
    }
    if let value = options["mountAngle"] {
      guard orientation == nil else { throw Self.invalid("mountAngle cannot be combined with orientation; it is an orientation itself") }
      guard let degrees = value.number, Self.mountAngles.contains(degrees) else {
        throw Self.invalid("mountAngle must be a number of degrees from -360 to 360")
      }
      orientation = .mounted(degrees: degrees)
    }
    followsTravel = options["travel"]?.boolean ?? false
    if let value = options["interval"] {
      guard let span = value.string.flatMap(Span.init(text:)), Self.intervals.contains(span) else {
        let (least, most) = (Self.intervals.lowerBound.text, Self.intervals.upperBound.text)
        throw Self.invalid("interval must be a duration from \(least) to \(most), such as \"5s\"")
      }
      interval = span
    }
  }

  private static func invalid(_ message: String) -> DBusError { .monitor(.invalidOptions, message) }
}
