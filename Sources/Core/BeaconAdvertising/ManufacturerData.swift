/// Manufacturer specific data that somebody else has cut out of its advertisement, judged as if it were still in it.
public struct ManufacturerData: Equatable, Sendable {
  /// What an advertisement with nothing else in it would be.
  public var kind: AdvertisementKind
  public var malformed: MalformedReason?
  public var beacon: IBeacon?

  /// `payload` is what follows the company's two octets; what an AD structure cannot hold is not looked at.
  public init(company: UInt16, payload: [UInt8]) {
    let structure = Self.structure(company: company, payload: payload)
    var found: IBeacon?
    let content = AdvertisementContent(structure.span.bytes, in: 0..<structure.count) { found = $0 }
    kind = content.kind
    malformed = content.malformed
    beacon = found
  }

  /// The AD structure that it was: length, type, company and payload, of which 252 octets is the most that one holds.
  public static func structure(company: UInt16, payload: [UInt8]) -> [UInt8] {
    let payload = payload.prefix(0xFF - 3)
    return [UInt8(3 + payload.count), 0xFF, UInt8(truncatingIfNeeded: company), UInt8(truncatingIfNeeded: company >> 8)] + payload
  }
}

extension IBeacon {
  /// The AD structure that it is.
  public var structure: [UInt8] { ManufacturerData.structure(company: Self.company, payload: payload) }
}
