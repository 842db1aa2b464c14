import DeliveryScheduling
import Instants

/// Reads the end of a certificate: `notAfter` of RFC 5280, section 4.1.2.5.
public enum CertificateEnd {
  private static let begin = "-----BEGIN CERTIFICATE-----"
  private static let end = "-----END CERTIFICATE-----"

  /// Returns the end of the first certificate in a file; nil if it has none that can be read.
  public static func read(pem: String) -> Instant? {
    let lines = pem.split(whereSeparator: \.isNewline).map { String($0.trimmed) }
    guard let first = lines.firstIndex(of: begin), let last = lines[first...].firstIndex(of: end),
      let octets = Base64.octets(lines[(first + 1)..<last].joined())
    else { return nil }
    var file = DERReader(octets[...])
    guard var certificate = file.enter(DERReader.sequence), var fields = certificate.enter(DERReader.sequence) else { return nil }
    // The version may be absent; serial number, algorithm and issuer come before the validity.
    if fields.next == 0xA0 { _ = fields.enter(0xA0) }
    guard fields.enter(DERReader.integer) != nil, fields.enter(DERReader.sequence) != nil, fields.enter(DERReader.sequence) != nil,
      var validity = fields.enter(DERReader.sequence)
    else { return nil }
    _ = validity.time()
    return validity.time()
  }
}

/// Reads elements of DER one after the other: ITU-T X.690.
private struct DERReader {
  static let (integer, sequence, shortTime, longTime): (UInt8, UInt8, UInt8, UInt8) = (0x02, 0x30, 0x17, 0x18)

  private var rest: ArraySlice<UInt8>

  init(_ octets: ArraySlice<UInt8>) { rest = octets }

  /// The tag of the next element; nil after the last one.
  var next: UInt8? { rest.first }

  /// Passes the next element, and returns a reader of its content; nil if it has another tag or is not complete.
  mutating func enter(_ tag: UInt8) -> DERReader? {
    guard rest.first == tag, var length = rest.dropFirst().first.map(Int.init) else { return nil }
    var content = rest.dropFirst(2)
    if length >= 0x80 {
      let count = length - 0x80
      guard (1...3).contains(count), content.count >= count else { return nil }
      length = content.prefix(count).reduce(0) { $0 << 8 | Int($1) }
      content = content.dropFirst(count)
    }
    guard content.count >= length else { return nil }
    rest = content.dropFirst(length)
    return DERReader(content.prefix(length))
  }

  /// Passes a time, and returns it. A short one is between 1950 and 2049.
  mutating func time() -> Instant? {
    let isShort = next == Self.shortTime
    guard let content = enter(isShort ? Self.shortTime : Self.longTime) else { return nil }
    var text = String(decoding: content.rest, as: UTF8.self)
    if isShort { text = (text < "50" ? "20" : "19") + text }
    guard text.count == 15 else { return nil }
    let parts = [0, 4, 6, 8, 10, 12].map { start in text.dropFirst(start).prefix(start == 0 ? 4 : 2) }
    return Instant(rfc3339: "\(parts[0])-\(parts[1])-\(parts[2])T\(parts[3]):\(parts[4]):\(parts[5])Z")
  }
}

extension Substring {
  /// The text without spaces at both ends.
  fileprivate var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    return start.prefix(start.reversed().drop { $0.isWhitespace }.count)
  }
}
