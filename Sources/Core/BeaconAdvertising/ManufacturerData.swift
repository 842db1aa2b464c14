/// Manufacturer specific data that another program, such as bluetoothd, has extracted from its advertisement.
/// They are classified as if they were still part of the advertisement.
public struct ManufacturerData: Equatable, Sendable {
  /// The kind of an advertisement with only these data.
  public var kind: AdvertisementKind
  public var malformed: MalformedReason?
  public var beacon: BeaconPayload?

  /// Classifies manufacturer specific data.
  /// `payload` starts after the company's two octets; octets beyond the size of an AD structure are ignored.
  public init(company: UInt16, payload: [UInt8]) {
    let structure = Self.structure(company: company, payload: payload)
    var found: BeaconPayload?
    let content = AdvertisementContent(structure.span.bytes, in: 0..<structure.count) { found = $0 }
    kind = content.kind
    malformed = content.malformed
    beacon = found
  }

  /// Returns the AD structure for the data: length, type, company and at most 252 octets of the payload.
  public static func structure(company: UInt16, payload: [UInt8]) -> [UInt8] {
    let payload = payload.prefix(0xFF - 3)
    return [UInt8(3 + payload.count), 0xFF, UInt8(truncatingIfNeeded: company), UInt8(truncatingIfNeeded: company >> 8)] + payload
  }
}

extension BeaconPayload {
  /// The AD structure of the beacon.
  public var structure: [UInt8] { ManufacturerData.structure(company: company, payload: payload) }
}
