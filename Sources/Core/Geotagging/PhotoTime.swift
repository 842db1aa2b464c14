import Instants

/// The time of a photo as its tags state it: a clock reading, and the offset of its zone if the camera writes one.
public struct PhotoTime: Hashable, Sendable {
  /// The clock reading as if it were UTC.
  public let shown: Instant
  /// The distance of the camera's zone from UTC; nil if the photo does not state it.
  public let offset: Span?

  /// Parses the tags of EXIF 2.31, section 4.6.5: `2026:11:21 08:15:02`, `25` for a quarter of a second, and `+01:00`.
  /// Returns nil for a time that a camera writes when its clock is not set, and for any other text that is not a time.
  ///
  /// - Parameters:
  ///   - subsecond: an unreadable one is ignored.
  ///   - offset: an unreadable one is ignored, so that the user states the zone.
  public init?(dateTime: String, subsecond: String? = nil, offset: String? = nil) {
    let text = dateTime.trimmed
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count == 19 else { return nil }
    let date = parts[0].map { $0 == ":" ? "-" : $0 }
    guard let shown = Instant(rfc3339: "\(String(date))T\(parts[1])Z") else { return nil }
    let digits = (subsecond ?? "").trimmed.prefix(6)
    let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    self.shown = isNumber ? shown + .seconds(Double("0.\(digits)") ?? 0) : shown
    self.offset = offset.flatMap { Self.offset($0.trimmed) }
  }

  /// Returns the instant of the photo by its own offset, or else in a zone; nil if neither is known.
  ///
  /// - Parameter zone: returns the instant at which a clock in the zone shows a time.
  public func instant(inZone zone: ((_ shown: Instant) -> Instant)?) -> Instant? { offset.map { shown - $0 } ?? zone?(shown) }

  /// Parses the distance of a zone from UTC, `+01:00` or `Z`; nil for any other text.
  public static func offset(_ text: String) -> Span? {
    Instant(rfc3339: "1970-01-01T00:00:00\(text)").map { Instant(microseconds: 0) - $0 }
  }
}

extension String {
  /// The text without blanks and zero octets at its ends, with which cameras fill their tags.
  fileprivate var trimmed: String {
    let isFilling = { (character: Character) in character == " " || character == "\0" }
    return String(drop(while: isFilling).reversed().drop(while: isFilling).reversed())
  }
}
