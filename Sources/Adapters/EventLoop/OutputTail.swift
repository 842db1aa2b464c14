/// The last octets of a stream, at most `limit` of them.
public struct OutputTail: Hashable, Sendable {
  private let limit: Int
  private var kept: [UInt8] = []
  /// The number of octets seen, kept or not.
  public private(set) var total = 0

  init(limit: Int) {
    self.limit = max(0, limit)
  }

  public var bytes: [UInt8] { kept.suffix(limit) }

  /// The text as UTF-8; invalid octets become U+FFFD, as does a character that the limit cut.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  public var isTruncated: Bool { total > limit }

  mutating func append(_ bytes: some Collection<UInt8>) {
    total += bytes.count
    kept.append(contentsOf: bytes.suffix(limit))
    // Twice the limit may gather before the front is dropped, so each octet is moved once on average.
    if kept.count > 2 * limit { kept.removeFirst(kept.count - limit) }
  }
}
