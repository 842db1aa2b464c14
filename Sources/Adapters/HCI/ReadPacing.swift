import Instants

/// When to look at the socket again: as soon as something comes; or in dense traffic a moment later, so that one wake-up takes many packets.
///
/// Without it two thousand reports per second are two thousand wake-ups, each dearer than the report.
struct ReadPacing: Sendable {
  enum Next: Equatable, Sendable {
    case whenReadable
    case at(Instant)
  }

  /// What a report may wait for those behind it. At 3,000 reports per second 15 gather, and the kernel's default queue holds above 250.
  static let gathering = Span.milliseconds(5)

  private var lastRead: Instant?
  private var isGathering = false

  /// `isCut` when the socket may hold more than the loop's turn allowed to read: that waits for nothing.
  mutating func next(afterReading count: Int, isCut: Bool, at now: Instant) -> Next {
    defer { lastRead = now }
    let isDense = lastRead.map { now - $0 < Self.gathering } ?? false
    isGathering = !isCut && (isGathering ? count > 1 : count > 0 && isDense)
    return isGathering ? .at(now + Self.gathering) : .whenReadable
  }
}
