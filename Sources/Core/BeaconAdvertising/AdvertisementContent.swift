/// The result of parsing the AD structures of one advertisement.
///
/// Each structure is a length octet, an AD type and the data. A length of zero ends the significant part early, which is allowed.
/// Bluetooth Core Specification 5.4, Volume 3, Part C, 11. Assigned Numbers, 2.3.
struct AdvertisementContent: Equatable, Sendable {
  var kind: AdvertisementKind
  /// The first rule that the data break; a beacon before or after that place still counts.
  var malformed: MalformedReason?
  /// Whether an Eddystone structure has the frame type of telemetry, which few have.
  private(set) var mayHaveTelemetry = false

  /// Calls `found` for every well-formed beacon, in order.
  /// It never fails: `malformed` names the first broken rule.
  @inline(__always)
  init(_ data: RawSpan, in range: Range<Int>, found: (BeaconPayload) -> Void) {
    malformed = nil
    guard !range.isEmpty else {
      kind = .empty
      return
    }
    // Every structure is at least `.other`, so only the others are noted.
    kind = .other
    var offset = range.lowerBound
    // Most advertisements begin with the flags: two octets of which the first is their AD type, 0x01.
    if range.upperBound &- offset > 3, data.littleEndian(at: offset, as: UInt16.self) == 0x0102 { offset &+= 3 }
    repeat {
      let length = Int(data.octet(at: offset))
      let type = offset &+ 1
      offset = type &+ length
      guard offset <= range.upperBound else {
        note(.structureOverrun)
        return
      }
      if length == 0 {
        if offset == range.lowerBound &+ 1 { kind = .empty }
        return
      }
      // One comparison passes over most structures: manufacturer data are 0xFF, service data 0x16, and few other types have all bits of
      // 0x16.
      guard data.octet(at: type) | ~0x16 == 0xFF else { continue }
      let format: BeaconFormat
      if length == BeaconPayload.structureLength, data.littleEndian(at: type, as: UInt32.self) == BeaconPayload.prefix,
        data.octet(at: type &+ 4) == BeaconPayload.payloadLength
      {
        kind = .iBeacon
        format = .iBeacon
      } else {
        guard note(structure: data, at: type, length: length) else { continue }
        format = .altBeacon
      }
      // One call for all formats, because a second one would not be inlined.
      found(BeaconPayload(data, at: type, format: format))
    } while offset < range.upperBound
  }

  /// Notes a structure other than an iBeacon, and returns whether it is an AltBeacon.
  @inline(__always)
  private mutating func note(structure data: RawSpan, at type: Int, length: Int) -> Bool {
    switch data.octet(at: type) {
    case 0xFF: return note(manufacturerData: data, at: type, length: length)
    case 0x16 where length >= 3 && data.littleEndian(at: type &+ 1, as: UInt16.self) == 0xFEAA:
      note(.eddystone)
      if length > 3, data.octet(at: type &+ 3) == BeaconTelemetry.frameType { mayHaveTelemetry = true }
    default: break
    }
    return false
  }

  @inline(__always)
  private mutating func note(manufacturerData data: RawSpan, at type: Int, length: Int) -> Bool {
    if length == BeaconPayload.altBeaconLength, data.bigEndian(at: type &+ 3, as: UInt16.self) == BeaconPayload.altBeaconCode {
      note(.altBeacon)
      return true
    }
    if length >= 3, data.littleEndian(at: type &+ 1, as: UInt16.self) == 0x004C {
      if length > 3 && data.octet(at: type &+ 3) == 0x02 { note(.iBeaconLength) } else { note(.apple) }
    } else {
      note(.manufacturer)
    }
    return false
  }

  @inline(__always)
  private mutating func note(_ other: AdvertisementKind) {
    if other.rawValue > kind.rawValue { kind = other }
  }

  @inline(__always)
  private mutating func note(_ reason: MalformedReason) {
    if malformed == nil { malformed = reason }
    note(.malformed)
  }
}
