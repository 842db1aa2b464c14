import Instants

extension Event {
  /// Returns the event that replaces events of a journal that cannot be read.
  ///
  /// - Parameters:
  ///   - cause: `unreadable` or `missing`.
  ///   - time: The time of the event, if it can be read; ignored outside the years 1970 to 9999.
  public static func damaged(_ sequences: ClosedRange<UInt64>, _ cause: Cause, time: Instant? = nil) -> Event {
    let plausible = time.flatMap { (0..<253_402_300_800_000_000).contains($0.microseconds) ? $0 : nil }
    var event = Event(sequence: sequences.upperBound, kind: .damaged, time: plausible, reason: Reason(cause))
    if sequences.count > 1 { event.firstSequence = sequences.lowerBound }
    return event
  }

  /// The numbers of the events that a damaged event replaces; nil for any other event.
  public var damagedSequences: ClosedRange<UInt64>? {
    guard kind == .damaged else { return nil }
    guard let firstSequence, firstSequence <= sequence else { return sequence...sequence }
    return firstSequence...sequence
  }

  /// The numbers as text, `event 3` or `events 17 to 20`; nil for an event that is not damaged.
  public var damagedEvents: String? {
    damagedSequences.map { $0.count == 1 ? "event \($0.lowerBound)" : "events \($0.lowerBound) to \($0.upperBound)" }
  }
}
