import Beacons

/// The payload of a beacon's manufacturer specific data: identity, measured power at 1 m, and format.
///
/// An iBeacon is 26 octets after its length octet: type 0xFF, company 0x004C little-endian, `02 15`, UUID (16), major and minor (2 each,
/// big-endian), measured power (Int8, dBm at 1 m). Apple, Proximity Beacon Specification R1.
///
/// An AltBeacon has the same layout with any company, the code `BE AC` (big-endian) and one more octet, which is reserved for the maker.
/// AltBeacon specification 1.0.
public struct BeaconPayload: Hashable, Sendable {
  public var identity: BeaconIdentity
  public var measuredPower: Int8
  public var format: BeaconFormat

  /// The length octet of an iBeacon, which has only one form. No format is shorter.
  static let structureLength = 0x1A
  /// AD type, company and Apple's type 0x02, as one little-endian word.
  static let prefix: UInt32 = 0x0200_4CFF
  /// Apple's length octet: the 21 octets that follow it.
  static let payloadLength: UInt8 = 0x15

  /// The length octet of an AltBeacon.
  static let altBeaconLength = 0x1B
  /// The code of an AltBeacon, which is big-endian.
  static let altBeaconCode: UInt16 = 0xBEAC

  /// Reads the structure whose AD type is at `offset`.
  /// The caller has already checked its length and the octets before the identity, which has the same offset in both formats.
  @inline(__always)
  init(_ data: RawSpan, at offset: Int, format: BeaconFormat) {
    identity = BeaconIdentity(
      uuid: BeaconUUID(
        high: data.bigEndian(at: offset &+ 5, as: UInt64.self), low: data.bigEndian(at: offset &+ 13, as: UInt64.self)),
      major: data.bigEndian(at: offset &+ 21, as: UInt16.self), minor: data.bigEndian(at: offset &+ 23, as: UInt16.self))
    measuredPower = Int8(bitPattern: data.octet(at: offset &+ 25))
    self.format = format
  }
}

extension BeaconPayload {
  /// The company of the manufacturer specific data (Assigned Numbers, 7.1).
  ///
  /// An AltBeacon may have any company. Radius Networks wrote its specification.
  public var company: UInt16 {
    switch format {
    case .iBeacon: 0x004C
    case .altBeacon: 0x0118
    }
  }

  public init(identity: BeaconIdentity, measuredPower: Int8, format: BeaconFormat = .iBeacon) {
    self.identity = identity
    self.measuredPower = measuredPower
    self.format = format
  }

  /// The octets after the company in the manufacturer specific data.
  public var payload: [UInt8] {
    func octets(_ value: some FixedWidthInteger) -> [UInt8] {
      stride(from: value.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let content =
      octets(identity.uuid.high) + octets(identity.uuid.low) + octets(identity.major) + octets(identity.minor)
      + [UInt8(bitPattern: measuredPower)]
    return switch format {
    case .iBeacon: [0x02, Self.payloadLength] + content
    case .altBeacon: [0xBE, 0xAC] + content + [0x00]
    }
  }
}
