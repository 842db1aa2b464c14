/// One event: a journal's identity and a number in it.
public struct EventPlace: Hashable, Sendable {
  public var journal: String
  public var sequence: UInt64

  public init(journal: String, sequence: UInt64) {
    self.journal = journal
    self.sequence = sequence
  }
}

extension Record {
  /// Nil unless it is an event that came from a daemon.
  public var place: EventPlace? {
    guard let journal = self["journal"]?.text, case .count(let sequence) = self["sequence"] else { return nil }
    return EventPlace(journal: journal, sequence: sequence)
  }
}
