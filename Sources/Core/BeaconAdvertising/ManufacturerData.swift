/// Manufacturer specific data that somebody else has cut out of its advertisement, judged as if it were still in it.
public struct ManufacturerData: Equatable, Sendable {
  /// What an advertisement with nothing else in it would be.
  public var kind: AdvertisementKind
  public var malformed: MalformedReason?
  public var beacon: IBeacon?

  /// `payload` is what follows the company's two octets; 252 octets is the most that an AD structure holds, and what is beyond is not looked at.
  public init(company: UInt16, payload: [UInt8]) {
    let payload = payload.prefix(0xFF - 3)
    let length = UInt8(3 + payload.count)
    let structure = [length, 0xFF, UInt8(truncatingIfNeeded: company), UInt8(truncatingIfNeeded: company >> 8)] + payload
    var found: IBeacon?
    let content = AdvertisementContent(structure.span.bytes, in: 0..<structure.count) { found = $0 }
    kind = content.kind
    malformed = content.malformed
    beacon = found
  }
}
