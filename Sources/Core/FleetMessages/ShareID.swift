import Beacons

/// The random identity of a share, which its owner's device or the hub has chosen.
public struct ShareID: Hashable, Sendable, CustomStringConvertible {
  public var high: UInt64
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  /// Nil for a text that is not a UUID.
  public init?(_ text: String) {
    // The caller reports the text, which the error would only repeat.
    guard let uuid = try? BeaconUUID(text) else { return nil }
    self.init(high: uuid.high, low: uuid.low)
  }

  /// Returns an identity that no other share has.
  public static func random() -> ShareID {
    var random = SystemRandomNumberGenerator()
    return ShareID(high: random.next(), low: random.next())
  }

  /// 36 characters, as a UUID has them.
  public var description: String { "\(BeaconUUID(high: high, low: low))".lowercased() }
}
