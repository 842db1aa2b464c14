import ConfigurationTree
import Locations

extension ConfigurationReader {
  /// Reads the location sources. A table enables its source, even if a key in it is invalid.
  static func location(_ table: consuming TableReader) -> LocationSettings {
    var settings = LocationSettings()
    for (name, read) in sources {
      if let source = table.table(name) { read(source, &settings) }
    }
    if table.has("capture"), let other = sources.map(\.name).first(where: { $0 != "capture" && table.has($0) }) {
      table.report("capture", "replaces every other source, so it cannot be combined with [location.\(other)]; remove one of them")
    }
    table.finish()
    return settings
  }

  /// The tables of the sources.
  private static let sources: [(name: String, read: @Sendable (consuming TableReader, inout LocationSettings) -> Void)] = [
    ("gpsd", { $1.gpsd = gpsd($0) }),
    ("geoclue", { $1.geoClue = geoClue($0) }),
    ("nmea", { $1.nmea = nmea($0) }),
    ("fixed", { $1.fixed = fixed($0) }),
    ("capture", { $1.capture = capture($0) }),
  ]

  private static func geoClue(_ table: consuming TableReader) -> GeoClueSettings {
    table.finish()
    return GeoClueSettings()
  }

  private static func gpsd(_ table: consuming TableReader) -> GPSDSettings {
    var settings = GPSDSettings()
    if let address = table.read("address", as: .hostAddress(example: "localhost:2947"), default: .text("\(settings.address)")) {
      settings.address = address
    }
    settings.device = table.read("device", as: .device)
    table.finish()
    return settings
  }

  private static func nmea(_ table: consuming TableReader) -> ReceiverAddress? {
    let device = table.read("device", as: .device)
    let baud = table.read("baud", as: .baud)
    let address = table.read("address", as: .hostAddress(example: "192.0.2.7:10110"))
    let hasDevice = table.has("device")
    if hasDevice, table.has("address") {
      table.report("address", "cannot be combined with device; remove one of them")
    } else if !hasDevice, !table.has("address") {
      table.report(nil, "has no receiver; write device = \"/dev/ttyUSB0\" or address = \"192.0.2.7:10110\"")
    } else if !hasDevice, table.has("baud") {
      table.report("baud", "requires a device; remove it")
    }
    if let device { table.refer("device", to: .serialDevice(device)) }
    table.finish()
    return device.map { .serial(path: $0, baud: baud ?? ReceiverAddress.usualBaud) } ?? address.map { .tcp($0) }
  }

  private static func capture(_ table: consuming TableReader) -> RecordedWalk? {
    let path = table.require("path", as: .recording("path", example: "walk.nmea"))
    if let path { table.refer("path", to: .recordedTrack(path)) }
    table.finish()
    return path.map { RecordedWalk(path: $0) }
  }

  /// The default accuracy in metres: a position read from a map means the building.
  private static let accuracyOnMap = 10.0

  private static func fixed(_ table: consuming TableReader) -> LocationReading? {
    let latitude = table.require("latitude", as: .latitude)
    let longitude = table.require("longitude", as: .number(-180...180))
    let altitude = table.read("altitude", as: .number(Location.altitudes))
    let floor = table.read("floor", as: .integer(-100...1000))
    let accuracy = table.read("accuracy", as: .number(0.01...100_000), default: .number(accuracyOnMap))
    table.finish()
    guard let latitude, let longitude else { return nil }
    var place = LocationReading(latitude: latitude, longitude: longitude, horizontalAccuracy: accuracy ?? Self.accuracyOnMap)
    (place.altitude, place.floor) = (altitude, floor)
    return place
  }
}

extension ValueDecoder where Value == HostAddress {
  fileprivate static func hostAddress(example: String) -> ValueDecoder {
    ValueDecoder(.text(pattern: ":[0-9]{1,5}$")) { node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: example).decode(node)
      guard let address = HostAddress(text) else {
        throw DecodingIssue("\(text.quoted) is not a host with a port; write \"\(example)\", with brackets around an IPv6 address")
      }
      return address
    }
  }
}

extension ValueDecoder where Value == String {
  fileprivate static var device: ValueDecoder {
    ValueDecoder(.absolutePath) { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: "/dev/ttyUSB0").decode(node)
      guard text.hasPrefix("/"), !text.hasSuffix("/") else {
        throw DecodingIssue("\(text.quoted) is not a device; write its path, such as \"/dev/ttyUSB0\"")
      }
      return text
    }
  }
}

extension ValueDecoder where Value == String {
  /// Decodes the path of a recording.
  ///
  /// - Parameters:
  ///   - key: the key that has the path, for the advice.
  ///   - example: a path that the advice names.
  static func recording(_ key: String, example: String) -> ValueDecoder {
    ValueDecoder(.text(1...65_536)) { node throws(DecodingIssue) in
      let text = try ValueDecoder.text(example: example).decode(node)
      guard !text.isEmpty else { throw DecodingIssue("is empty; write \(key) = \(example.quoted)") }
      return text
    }
  }
}

extension ValueDecoder where Value == Int {
  fileprivate static var baud: ValueDecoder {
    ValueDecoder(.oneOf(ReceiverAddress.bauds)) { node throws(DecodingIssue) in
      let baud = try ValueDecoder.integer(0...(.max)).decode(node)
      guard ReceiverAddress.bauds.contains(baud) else {
        throw DecodingIssue("\(baud) is not a supported speed; use one of \(ReceiverAddress.bauds.map { "\($0)" }.joined(separator: ", "))")
      }
      return baud
    }
  }
}
