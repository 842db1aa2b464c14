/// Up to where somebody has handled the events of each journal.
///
/// A daemon may come back to a journal after it had to do without, so one place is not enough.
public struct EventPlaces: Hashable, Sendable {
  /// Journals change when a disk fails; a consumer that has seen so many has no use for the first.
  private static let most = 16

  /// The one that was noted last is the last.
  public private(set) var all: [EventPlace]

  public init(_ places: [EventPlace] = []) {
    all = Array(places.suffix(Self.most))
  }

  /// Where the last event was; nil for one who has handled none.
  public var latest: EventPlace? { all.last }

  public subscript(journal: String) -> UInt64? { all.first { $0.journal == journal }?.sequence }

  public mutating func note(_ place: EventPlace) {
    all.removeAll { $0.journal == place.journal }
    all.append(place)
    if all.count > Self.most { all.removeFirst() }
  }
}
