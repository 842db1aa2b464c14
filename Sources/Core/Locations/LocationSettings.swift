/// The configured location sources and their addresses.
/// There are none by default: a device is located only on request.
public struct LocationSettings: Hashable, Sendable {
  public var gpsd: GPSDSettings?
  public var geoClue: GeoClueSettings?
  public var nmea: ReceiverAddress?
  /// The configured location of the device; validated, so no value in it is impossible.
  public var fixed: LocationReading?
  /// A recorded walk that replaces all other sources.
  public var capture: RecordedWalk?

  public init(
    gpsd: GPSDSettings? = nil, geoClue: GeoClueSettings? = nil, nmea: ReceiverAddress? = nil, fixed: LocationReading? = nil,
    capture: RecordedWalk? = nil
  ) {
    self.gpsd = gpsd
    self.geoClue = geoClue
    self.nmea = nmea
    self.fixed = fixed
    self.capture = capture
  }

  /// The settings of the configured sources.
  private var sources: [any LocationSourceSettings] {
    let all: [(any LocationSourceSettings)?] = [gpsd, geoClue, nmea, fixed, capture]
    return all.compactMap(\.self)
  }

  /// The typical accuracy of the most accurate configured source, one sigma in metres; nil without sources.
  public var typicalAccuracy: Double? { sources.map(\.typicalAccuracy).min() }

  /// Whether a source measures, so that its fixes have the clock of the machine.
  public var hasLiveSource: Bool { sources.contains { type(of: $0).isLive } }

  /// Whether a source receives satellites, or plays the recording of a receiver.
  public var hasSatelliteReceiver: Bool { sources.contains { type(of: $0).isSatelliteReceiver } }
}

/// The settings of one location source, as the config states them.
public protocol LocationSourceSettings: Hashable, Sendable {
  /// The accuracy of the source in good conditions: one sigma, in metres.
  var typicalAccuracy: Double { get }
  /// Whether the source measures, so that its fixes have the clock of the machine.
  static var isLive: Bool { get }
  /// Whether the source receives satellites, or plays the recording of a receiver.
  static var isSatelliteReceiver: Bool { get }
}

/// The typical accuracy of satellite receivers under an open sky: one sigma, in metres.
public let satelliteAccuracy = 3.0

/// GeoClue, which has no settings of its own.
public struct GeoClueSettings: LocationSourceSettings {
  /// The accuracy of Wi-Fi positioning in a mapped area.
  public var typicalAccuracy: Double { 50 }
  public static var isLive: Bool { true }
  public static var isSatelliteReceiver: Bool { false }

  public init() {}
}

/// The file of a recorded walk.
public struct RecordedWalk: LocationSourceSettings {
  public var path: String
  public var typicalAccuracy: Double { satelliteAccuracy }
  public static var isLive: Bool { false }
  public static var isSatelliteReceiver: Bool { true }

  public init(path: String) {
    self.path = path
  }
}

extension LocationReading: LocationSourceSettings {
  /// The configured accuracy of a device that does not move.
  public var typicalAccuracy: Double { horizontalAccuracy ?? 0 }
  public static var isLive: Bool { false }
  public static var isSatelliteReceiver: Bool { false }
}

public struct GPSDSettings: LocationSourceSettings {
  public var address: HostAddress
  /// The only gpsd receiver to use; nil uses all.
  public var device: String?
  public var typicalAccuracy: Double { satelliteAccuracy }
  public static var isLive: Bool { true }
  public static var isSatelliteReceiver: Bool { true }

  public init(address: HostAddress = .gpsd, device: String? = nil) {
    self.address = address
    self.device = device
  }
}

/// The address of an NMEA 0183 receiver.
public enum ReceiverAddress: LocationSourceSettings {
  case serial(path: String, baud: Int)
  case tcp(HostAddress)

  /// The baud rates that both receivers and this program support.
  public static let bauds = [4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]
  /// The factory setting of most receivers.
  public static let usualBaud = 9600

  public var typicalAccuracy: Double { satelliteAccuracy }
  public static var isLive: Bool { true }
  public static var isSatelliteReceiver: Bool { true }
}

/// A host by name or number, and a port.
public struct HostAddress: Hashable, Sendable {
  public var host: String
  public var port: UInt16

  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Parses `localhost:2947`, `192.0.2.7:2947` or `[2001:db8::7]:2947`.
  /// Returns nil for any other form and for port 0.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else { return nil }
    var host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = host.dropFirst().dropLast() }
    // A leading hyphen would look like an option to a program, and a host name has no blanks.
    guard let first = host.first, first != "-", host.contains(":") == isBracketed,
      host.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") })
    else { return nil }
    self.init(host: String(host), port: port)
  }

  /// The default address of gpsd.
  public static let gpsd = HostAddress(host: "localhost", port: 2947)
}

extension HostAddress: CustomStringConvertible {
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension LocationSettings {
  /// The error for a recorded walk next to live beacons.
  public static let needsRecording = "runs on the clock of a recording; source must be \"capture:FILE\" too, or \"none\" for a walk alone"
}
