import Instants

/// A limit for the octets that are read from a peer, which is above the rate of any receiver.
///
/// It is a token bucket. A receiver with 25 epochs a second sends about 20 KB a second, and a gpsd with 40 satellites at 10 Hz about 45 KB.
/// When the bucket is empty, reading pauses, and the full buffers of the kernel slow down the peer.
struct OctetBudget {
  /// The rate in octets per second.
  static let rate = 65_536.0
  /// The octets that can arrive at once after a quieter time, such as the greeting and the backlog of gpsd.
  static let burst = 131_072.0
  /// The octets that are available after a pause, so that a flood does not wake the daemon for each packet.
  private static let portion = 16_384.0

  private var left = burst
  private var refilled: Instant

  init(at time: Instant) {
    refilled = time
  }

  /// Consumes octets that were read, and returns the duration of a pause in reading; `nil` if none is necessary.
  mutating func spend(_ octets: Int, at time: Instant) -> Span? {
    left = min(Self.burst, left + (time - refilled).seconds * Self.rate) - Double(octets)
    refilled = time
    return left < 0 ? .seconds((Self.portion - left) / Self.rate) : nil
  }
}
