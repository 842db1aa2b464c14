/// The payload of one iBeacon structure: the identity, and the measured power at 1 m.
///
/// Manufacturer specific data in 26 octets after its length octet: type 0xFF, company 0x004C little-endian, `02 15`, UUID (16), major and
/// minor (2 each, big-endian), measured power (Int8, dBm at 1 m). Apple, Proximity Beacon Specification R1.
public struct IBeacon: Hashable, Sendable {
  public var identity: BeaconIdentity
  public var measuredPower: Int8

  /// The length octet of an iBeacon, which has only one form.
  static let structureLength = 0x1A
  /// AD type, company and Apple's type 0x02, as one little-endian word.
  static let prefix: UInt32 = 0x0200_4CFF
  /// Apple's length octet: the 21 octets that follow it.
  static let payloadLength: UInt8 = 0x15

  /// Reads the structure whose AD type is at `offset`.
  /// The caller has already checked its length, prefix and payload length.
  @inline(__always)
  init(_ data: RawSpan, at offset: Int) {
    identity = BeaconIdentity(
      uuid: BeaconUUID(
        high: data.bigEndian(at: offset &+ 5, as: UInt64.self), low: data.bigEndian(at: offset &+ 13, as: UInt64.self)),
      major: data.bigEndian(at: offset &+ 21, as: UInt16.self), minor: data.bigEndian(at: offset &+ 23, as: UInt16.self))
    measuredPower = Int8(bitPattern: data.octet(at: offset &+ 25))
  }
}
