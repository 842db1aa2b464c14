/// The identity of an event: a journal and a number in it.
public struct EventPlace: Hashable, Sendable {
  public var journal: String
  public var sequence: UInt64

  public init(journal: String, sequence: UInt64) {
    self.journal = journal
    self.sequence = sequence
  }
}

extension Event {
  /// Nil for an event that is in no journal.
  public var place: EventPlace? { journal.map { EventPlace(journal: $0, sequence: sequence) } }
}
