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

/// The position that a consumer has reached in each journal.
///
/// A daemon may return to a journal after a failure of its disk, so one place is not enough.
public struct EventPlaces: Hashable, Sendable {
  /// The maximum number of journals: a consumer that has seen this many no longer needs the first.
  private static let most = 16

  /// The places, in the order in which they were noted.
  public private(set) var all: [EventPlace]

  public init(_ places: [EventPlace] = []) {
    all = Array(places.suffix(Self.most))
  }

  /// The place of the last event; nil for a consumer without any.
  public var latest: EventPlace? { all.last }

  public subscript(journal: String) -> UInt64? { all.first { $0.journal == journal }?.sequence }

  public mutating func note(_ place: EventPlace) {
    all.removeAll { $0.journal == place.journal }
    all.append(place)
    if all.count > Self.most { all.removeFirst() }
  }
}
