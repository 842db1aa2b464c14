import Instants

/// When to look at a socket again: as soon as something comes; or in dense traffic a moment later, so that one wake-up takes many packets.
///
/// Without it two thousand reports per second are two thousand wake-ups, each dearer than the report.
public struct ReadPacing: Sendable {
  public enum Next: Equatable, Sendable {
    case whenReadable
    case at(Instant)
  }

  /// What a report may wait for those behind it. At 3,000 reports per second 60 gather, and an HCI socket's default queue holds above 250.
  static let gathering = Span.milliseconds(20)
  /// Wake-ups that bring so many packets are as cheap as they get: a flood is read while its packets are still in the processor's cache.
  static let enough = 16

  private var lastRead: Instant?
  private var isGathering = false

  public init() {}

  /// `isCut` when the socket may hold more than the loop's turn allowed to read: that waits for nothing.
  public mutating func next(afterReading count: Int, isCut: Bool, at now: Instant) -> Next {
    defer { lastRead = now }
    let isDense = lastRead.map { now - $0 < Self.gathering } ?? false
    isGathering = !isCut && (isGathering ? count > 1 : isDense && (1..<Self.enough).contains(count))
    return isGathering ? .at(now + Self.gathering) : .whenReadable
  }
}
