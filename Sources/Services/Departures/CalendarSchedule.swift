import Instants

/// Decides when a calendar is read: soon after a change, and after growing pauses while it cannot be read or watched.
public struct CalendarSchedule: Sendable {
  /// The time after a change in which more may follow, as a program that synchronises writes.
  private static let settling = Span.seconds(1)
  /// The time after which a calendar is read although it still changes.
  private static let longestSettling = Span.seconds(10)
  private static let longestRetry = Span.seconds(3600)

  /// The time of the next reading.
  public private(set) var deadline = Instant.never
  private var isReading = false
  /// The first change since the start of the last reading.
  private var firstChange: Instant?
  private var backoff: Backoff

  /// - Parameter retry: the first pause before another attempt; each one after it is twice as long.
  public init(retry: Span) { backoff = Backoff(from: retry, to: Self.longestRetry) }

  /// Requests a reading now, and returns whether it begins. Otherwise another one follows that which is in progress.
  public mutating func begin(at now: Instant) -> Bool {
    guard !isReading else {
      change(at: now)
      return false
    }
    (isReading, firstChange, deadline) = (true, nil, .never)
    return true
  }

  /// Notes a change of the calendar.
  public mutating func change(at now: Instant) {
    let first = firstChange ?? now
    firstChange = first
    // A file that is written again and again would otherwise never be read.
    if !isReading { deadline = min(now + Self.settling, first + Self.longestSettling) }
  }

  /// Notes the end of a reading.
  ///
  /// - Parameter isCertain: whether everything was read, and changes will be noticed.
  public mutating func end(isCertain: Bool, at now: Instant) {
    isReading = false
    if isCertain { backoff.reset() }
    if firstChange != nil {
      firstChange = now
      deadline = now + Self.settling
    } else if !isCertain {
      deadline = now + backoff.next()
    }
  }
}
