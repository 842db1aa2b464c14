import Instants

/// How many octets of a peer are read: as many as any receiver sends, and no more of one that floods.
///
/// A token bucket. A receiver with 25 epochs a second sends about 20 KB in it, a gpsd with 40 satellites at 10 Hz about 45 KB. Where the bucket is empty, reading pauses and
/// what is not read fills the buffers of the kernel, which holds the peer back.
struct OctetBudget {
  /// Octets a second.
  static let rate = 65_536.0
  /// Octets that may come at once after a quieter time, as a gpsd's greeting and backlog do.
  static let burst = 131_072.0
  /// Octets that there are after a pause, so that a flood does not wake the daemon for each of its packets.
  private static let portion = 16_384.0

  private var left = burst
  private var refilled: Instant

  init(at time: Instant) {
    refilled = time
  }

  /// Takes octets that were read, and returns how long reading has to pause; nil while there is no need to.
  mutating func spend(_ octets: Int, at time: Instant) -> Span? {
    left = min(Self.burst, left + (time - refilled).seconds * Self.rate) - Double(octets)
    refilled = time
    return left < 0 ? .seconds((Self.portion - left) / Self.rate) : nil
  }
}
