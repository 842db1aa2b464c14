import ClientSessions
import DBus
import Instants
import LocationArbitration
import Locations
import MonitorProtocol

/// The options of a client's location request, `a{sv}`.
struct LocationOptions {
  private let options: DBusValue

  /// Throws `InvalidOptions` for an unknown key and `InvalidArgs` for a value of another type.
  ///
  /// - Parameter keys: the keys that the method takes.
  init(_ options: DBusValue, _ method: String, keys: [String]) throws(DBusError) {
    try OptionType.check(options, Self.types, keys: keys, of: method)
    self.options = options
  }

  private static let types: [String: OptionType] = [
    "desiredAccuracy": .stringOrNumber, "distanceFilter": .number, "significantChanges": .flag, "timeout": .string, "latitude": .number,
    "longitude": .number, "horizontalAccuracy": .number, "altitude": .number, "floor": .integer, "locale": .string,
  ]

  /// Returns `desiredAccuracy`: a class or metres; defaults to the best.
  func accuracy() throws(DBusError) -> DesiredAccuracy {
    guard let value = options["desiredAccuracy"] else { return .best }
    if let accuracy = value.string.flatMap(DesiredAccuracy.init(className:)) ?? value.number.flatMap(DesiredAccuracy.init(metres:)) {
      return accuracy
    }
    throw Self.invalid("desiredAccuracy must be metres or one of \(DesiredAccuracy.classNames.joined(separator: ", "))")
  }

  /// Returns the request with `desiredAccuracy` and `distanceFilter`, or the one that `significantChanges` stands for.
  func request() throws(DBusError) -> LocationRequest {
    if let value = options["significantChanges"] {
      guard let flag = value.boolean else { throw Self.invalid("significantChanges must be true or false") }
      guard !flag || options.entries?.allSatisfy({ ["significantChanges", "locale"].contains($0.key.string) }) == true else {
        throw Self.invalid("significantChanges cannot be combined with other options; it has its own accuracy and distance filter")
      }
      if flag { return .significantChanges }
    }
    var request = LocationRequest(accuracy: try accuracy())
    if let value = options["distanceFilter"] {
      guard let metres = value.number, metres.isFinite, metres > 0 else {
        throw Self.invalid("distanceFilter must be a number of metres greater than zero")
      }
      request.distanceFilter = metres
    }
    return request
  }

  /// The language of the names of places; nil for that of the daemon.
  var locale: String? { options["locale"]?.string.map { String($0.prefix(Self.mostLocale)) } }
  private static let mostLocale = 256

  private static let timeouts = Span.milliseconds(100)...Span.seconds(600)

  /// Returns `timeout`, a duration in the syntax of the config, from 100 ms to 600 s; defaults to 30 s.
  func timeout() throws(DBusError) -> Span {
    guard let value = options["timeout"] else { return .seconds(30) }
    guard let span = value.string.flatMap(Span.init(text:)), Self.timeouts.contains(span) else {
      let (least, most) = (Self.timeouts.lowerBound.text, Self.timeouts.upperBound.text)
      throw Self.invalid("timeout must be a duration from \(least) to \(most), such as \"30s\"")
    }
    return span
  }

  /// Returns the location that the client states; nil if the options are empty.
  func location(at now: Instant) throws(DBusError) -> Location? {
    guard options.entries?.isEmpty == false else { return nil }
    guard let latitude = options["latitude"]?.number, let longitude = options["longitude"]?.number else {
      throw Self.invalid("latitude and longitude are required, in degrees")
    }
    var reading = LocationReading(latitude: latitude, longitude: longitude, horizontalAccuracy: try number("horizontalAccuracy"))
    reading.altitude = try number("altitude")
    if let floor = options["floor"] {
      guard let number = floor.integer(Int32.self) else { throw Self.invalid("floor must be an integer; 0 is the ground floor") }
      reading.floor = Int(number)
    }
    do throws(LocationRefusal) {
      return try Location(reading, from: .manual, at: Receipt(recorded: now))
    } catch {
      throw Self.invalid("\(error.words) is refused")
    }
  }

  private func number(_ key: String) throws(DBusError) -> Double? {
    guard let value = options[key] else { return nil }
    guard let number = value.number else { throw Self.invalid("\(key) must be a number of metres") }
    return number
  }

  private static func invalid(_ message: String) -> DBusError { .monitor(.invalidOptions, message) }
}

extension DBusValue {
  /// The value as a number of any type: shells and dynamic languages send 10 for 10.0.
  var number: Double? { double ?? integer(Int64.self).map(Double.init) }
}
