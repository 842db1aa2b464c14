/// Limits the octets that a broker sends without a complete message or answer.
///
/// MQTT permits messages of 256 MiB, for which libmosquitto allocates memory as they arrive. A hub sends at most 32 KiB.
struct InputLimit {
  static let most: UInt64 = 256 << 10

  /// The received octets up to the last complete message or answer.
  private var finished: UInt64 = 0
  private var hasFinished = false

  /// Notes a complete message or answer.
  mutating func finish() { hasFinished = true }

  /// Returns whether too many octets have arrived since the last complete message or answer.
  ///
  /// - Parameter received: the octets since the beginning of the connection; nil if they are not known.
  mutating func isExceeded(by received: UInt64?) -> Bool {
    guard let received else { return false }
    if hasFinished { (hasFinished, finished) = (false, received) }
    return received - min(finished, received) > Self.most
  }
}
