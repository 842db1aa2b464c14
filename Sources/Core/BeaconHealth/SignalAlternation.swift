import Instants

/// The alternation of two signals of one beacon: how often one returns after the other.
///
/// One transmitter does not return to an earlier address or phase. Three returns within a minute show two transmitters that are heard at
/// the same time. One return after some seconds shows two transmitters that are heard one after the other; packets in the wrong order
/// differ by less.
struct SignalAlternation: Sendable {
  /// The time in which the returns count.
  static let window = Span.seconds(60)
  /// The time within which a signal must return.
  static let longestAbsence = Span.seconds(120)
  /// The returns within the window that show two transmitters.
  private static let least = 3
  /// The time after which one return is enough.
  private static let lateness = Span.seconds(5)
  /// The packets of the other signal, and those after a late return, that make it certain.
  private static let leastPackets = 2

  /// The times of the latest returns, at most `least`.
  private var returns: [Instant] = []
  /// The packets since a late return; nil without one.
  private var packetsSinceLate: Int?

  /// Applies a packet of the same signal as the last one.
  mutating func stay() { packetsSinceLate = packetsSinceLate.map { $0 + 1 } }

  /// Applies a packet of a signal that is not one of the two.
  mutating func leave() { packetsSinceLate = nil }

  /// Applies the return of a signal.
  ///
  /// - Parameters:
  ///   - other: the first time of the signal that was heard in between.
  ///   - packets: the number of its packets.
  mutating func `return`(at time: Instant, other: Instant, packets: Int) {
    if returns.count == Self.least { returns.removeFirst() }
    returns.append(time)
    packetsSinceLate = time - other >= Self.lateness && packets >= Self.leastPackets ? 1 : nil
  }

  /// Returns whether there is evidence, and takes a late return.
  mutating func takeEvidence(at time: Instant) -> Bool {
    if packetsSinceLate == Self.leastPackets {
      packetsSinceLate = nil
      return true
    }
    return returns.count == Self.least && returns.first.map { time - $0 <= Self.window } ?? false
  }
}
