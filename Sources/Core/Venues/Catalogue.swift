public import Beacons

/// The beacons and places of all venues of a configuration, by identity and id.
public struct Catalogue: Hashable, Sendable {
  /// A beacon's venue and place.
  public struct Entry: Hashable, Sendable {
    /// The index of the venue in `venues`.
    public let venue: Int
    public let beacon: PlannedBeacon
    /// The index of the place in the venue's `places`; nil if no place has this beacon.
    public let place: Int?
  }

  public let venues: [Venue]
  /// The places outside the venues that the owner of the device names.
  public let circles: [NamedCircle]
  private let entries: [BeaconIdentity: Entry]
  private let placeIndices: [[String: Int]]

  /// Creates the catalogue. If two venues plan the same beacon, the first one has it.
  public init(_ venues: [Venue] = [], circles: [NamedCircle] = []) {
    self.venues = venues
    self.circles = circles
    var entries: [BeaconIdentity: Entry] = [:]
    for (number, venue) in venues.enumerated() {
      var places: [BeaconIdentity: Int] = [:]
      for (index, place) in venue.places.enumerated() {
        if let beacon = place.beacon, places[beacon] == nil { places[beacon] = index }
      }
      for beacon in venue.beacons where entries[beacon.identity] == nil {
        entries[beacon.identity] = Entry(venue: number, beacon: beacon, place: places[beacon.identity])
      }
    }
    self.entries = entries
    placeIndices = venues.map { venue in
      Dictionary(venue.places.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
    }
  }

  /// Whether there is no venue.
  public var isEmpty: Bool { venues.isEmpty }

  /// Returns the venue and the place of a beacon; nil if no venue plans it.
  public func entry(for beacon: BeaconIdentity) -> Entry? { entries[beacon] }

  /// Returns the place of a beacon; nil if it has none.
  public func place(of beacon: BeaconIdentity) -> Place? {
    guard let entry = entries[beacon], let place = entry.place else { return nil }
    return venues[entry.venue].places[place]
  }

  /// Returns the place with an id in one of the venues; nil if there is none.
  ///
  /// - Parameter venue: the index in `venues`.
  public func place(_ id: String, in venue: Int) -> Place? {
    guard venues.indices.contains(venue), let index = placeIndices[venue][id] else { return nil }
    return venues[venue].places[index]
  }
}
