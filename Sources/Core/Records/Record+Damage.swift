extension Record {
  /// The numbers of the events that this record of kind `damaged` stands for; nil for an event.
  public var damagedSequences: ClosedRange<UInt64>? {
    guard self["event"] == .text("damaged"), case .count(let last) = self["sequence"] else { return nil }
    guard case .count(let first) = self["firstSequence"], first <= last else { return last...last }
    return first...last
  }

  /// `event 3`, or `events 17 to 20`, of a record of kind `damaged`; nil for an event.
  public var damagedEvents: String? {
    damagedSequences.map { $0.count == 1 ? "event \($0.lowerBound)" : "events \($0.lowerBound) to \($0.upperBound)" }
  }
}
