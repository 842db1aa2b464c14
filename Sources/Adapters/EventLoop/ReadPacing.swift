import Instants

/// Decides when to read a socket again: at once, or in dense traffic a moment later.
/// One wake-up then takes many packets.
///
/// Without it, two thousand reports per second cause two thousand wake-ups, each more expensive than the report.
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
  /// The number of gathered packets above which the next wait is half as long.
  /// A socket's queue then never fills: a full one loses reports, or wakes its sender for each report that is read.
  static let plenty = 128
  /// The shortest wait; a wake-up costs as much as the reading of ten packets.
  static let leastWait = Span(microseconds: 500)

  private var lastRead: Instant?
  private var isGathering = false
  private var wait = gathering

  public init() {}

  /// Returns when to read next; `isCut` if the socket may hold more than the turn allowed to read, which requires no wait.
  public mutating func next(afterReading count: Int, isCut: Bool, at now: Instant) -> Next {
    defer { lastRead = now }
    let isDense = lastRead.map { now - $0 < Self.gathering } ?? false
    adapt(to: count, isDense)
    isGathering = !isCut && (isGathering ? count > 1 : isDense && (1..<Self.enough).contains(count))
    return isGathering ? .at(now + wait) : .whenReadable
  }

  /// Shortens the wait while much arrives in it, and lengthens it again while little does.
  private mutating func adapt(to count: Int, _ isDense: Bool) {
    if isGathering ? count <= 1 : !isDense {
      wait = Self.gathering
    } else if count > Self.plenty {
      wait = max(Span(microseconds: wait.microseconds / 2), Self.leastWait)
    } else if isGathering, count < Self.plenty / 4 {
      wait = min(Span(microseconds: wait.microseconds * 2), Self.gathering)
    }
  }
}
