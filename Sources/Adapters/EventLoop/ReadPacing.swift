import Instants

/// Decides when to read a socket again: at once, or in dense traffic a moment later.
/// One wake-up then takes many packets.
///
/// Without it two thousand reports per second are two thousand wake-ups, each more expensive than the report.
public struct ReadPacing: Sendable {
  public enum Next: Equatable, Sendable {
    case whenReadable
    case at(Instant)
  }

  /// The longest time that a report waits for more.
  /// At 3,000 reports per second 60 gather, and an HCI socket's default queue holds above 250.
  static let gathering = Span.milliseconds(20)
  /// The number of packets above which a longer wait saves nothing.
  /// A flood is read while its packets are still in the processor's cache.
  static let enough = 16

  private var lastRead: Instant?
  private var isGathering = false

  public init() {}

  /// Returns when to read next; `isCut` if the socket may hold more than the turn allowed to read, which requires no wait.
  public mutating func next(afterReading count: Int, isCut: Bool, at now: Instant) -> Next {
    defer { lastRead = now }
    let isDense = lastRead.map { now - $0 < Self.gathering } ?? false
    isGathering = !isCut && (isGathering ? count > 1 : isDense && (1..<Self.enough).contains(count))
    return isGathering ? .at(now + Self.gathering) : .whenReadable
  }
}
