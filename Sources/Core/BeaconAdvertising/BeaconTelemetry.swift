import Instants

/// The voltage and the temperature in an Eddystone-TLM frame.
///
/// The frame has no identity: it belongs to the beacon that is heard from the same address. A version other than 0 is encrypted. Eddystone
/// protocol specification, Eddystone-TLM.
public struct BeaconTelemetry: Hashable, Sendable {
  /// The transmitter, as in `Sighting.transmitter`.
  public var transmitter: UInt32
  /// The voltage of the battery in volts; nil for a beacon without one.
  public var voltage: Double?
  /// The temperature in °C; nil if the beacon does not measure it.
  public var temperature: Double?
  public var time: Instant

  /// The time within which a beacon must be heard from the address of a frame.
  public static let lifetime = Span.seconds(10)
  /// The maximum number of frames that wait for their beacon, or for the next time that they are fetched.
  public static let mostPending = 64

  public init(transmitter: UInt32, voltage: Double?, temperature: Double?, time: Instant) {
    (self.transmitter, self.voltage, self.temperature, self.time) = (transmitter, voltage, temperature, time)
  }

  /// The octets of the service data after the UUID: frame type, version, voltage, temperature, two counters.
  static let length = 14
  static let frameType: UInt8 = 0x20
  private static let unknownTemperature: UInt16 = 0x8000

  /// Reads the service data of the Eddystone UUID; nil for another frame.
  public init?(serviceData: [UInt8], transmitter: UInt32, time: Instant) {
    self.init(serviceData.span.bytes, at: 0, transmitter: transmitter, time: time)
  }

  /// Reads the service data of the Eddystone UUID at `offset`; nil for another frame.
  init?(_ data: RawSpan, at offset: Int, transmitter: UInt32, time: Instant) {
    guard offset + Self.length <= data.byteCount, data.octet(at: offset) == Self.frameType, data.octet(at: offset + 1) == 0 else {
      return nil
    }
    let millivolts = data.bigEndian(at: offset + 2, as: UInt16.self)
    let degrees = data.bigEndian(at: offset + 4, as: UInt16.self)
    self.init(
      transmitter: transmitter, voltage: millivolts == 0 ? nil : Double(millivolts) / 1000,
      temperature: degrees == Self.unknownTemperature ? nil : Double(Int16(bitPattern: degrees)) / 256, time: time)
  }

  /// Returns the frame in the AD structures of an advertisement; nil if there is none.
  static func frame(in data: RawSpan, _ range: Range<Int>, transmitter: UInt32, time: Instant) -> BeaconTelemetry? {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let length = Int(data.octet(at: offset))
      let end = offset + 1 + length
      guard length > 0, end <= range.upperBound else { return nil }
      if length == 3 + Self.length, data.octet(at: offset + 1) == 0x16, data.littleEndian(at: offset + 2, as: UInt16.self) == 0xFEAA,
        let frame = BeaconTelemetry(data, at: offset + 4, transmitter: transmitter, time: time)
      {
        return frame
      }
      offset = end
    }
    return nil
  }
}
