/// Which sources there are, and where. None by default: nobody is located without being asked to.
public struct LocationSettings: Hashable, Sendable {
  public var gpsd: GPSDSettings?
  public var usesGeoClue: Bool
  public var nmea: ReceiverAddress?
  /// Where the device stands; nothing in it is impossible.
  public var fixed: LocationReading?
  /// A walk that was recorded, in place of all others.
  public var capture: String?

  public init(
    gpsd: GPSDSettings? = nil, usesGeoClue: Bool = false, nmea: ReceiverAddress? = nil, fixed: LocationReading? = nil,
    capture: String? = nil
  ) {
    self.gpsd = gpsd
    self.usesGeoClue = usesGeoClue
    self.nmea = nmea
    self.fixed = fixed
    self.capture = capture
  }
}

public struct GPSDSettings: Hashable, Sendable {
  public var address: HostAddress
  /// The only one of gpsd's receivers that counts; nil: all do.
  public var device: String?

  public init(address: HostAddress = .gpsd, device: String? = nil) {
    self.address = address
    self.device = device
  }
}

/// Where a receiver that speaks NMEA 0183 is.
public enum ReceiverAddress: Hashable, Sendable {
  case serial(path: String, baud: Int)
  case tcp(HostAddress)

  /// What receivers and this program can both be set to, in bits per second.
  public static let bauds = [4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]
  /// What most receivers are set to when they are new.
  public static let usualBaud = 9600
}

/// A host by name or number, and a port.
public struct HostAddress: Hashable, Sendable {
  public var host: String
  public var port: UInt16

  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads `localhost:2947`, `192.0.2.7:2947` or `[2001:db8::7]:2947`. Nil for anything else, and for a port of 0.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else { return nil }
    var host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = host.dropFirst().dropLast() }
    // A name begins with neither a hyphen, which a program would take for an option, nor a blank.
    guard let first = host.first, first != "-", host.contains(":") == isBracketed,
      host.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") })
    else { return nil }
    self.init(host: String(host), port: port)
  }

  /// Where gpsd listens unless it is told otherwise.
  public static let gpsd = HostAddress(host: "localhost", port: 2947)
}

extension HostAddress: CustomStringConvertible {
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension LocationSettings {
  /// What is wrong with a walk beside beacons of now.
  public static let needsRecording = "has the clock of a recording; source has to be \"capture:FILE\" too, or \"none\" for a walk alone"
}
