public import Beacons
public import Regions
public import Venues

/// The beacons that a survey should find: those of a config, of a venue or of a list.
public struct ExpectedBeacons: Hashable, Sendable {
  /// A beacon, or all beacons of a UUID or of a major.
  public struct Entry: Hashable, Sendable {
    public let constraint: BeaconConstraint
    public let name: String?
    /// The id of its place in the venue.
    public let place: String?
    /// The RSSI in dBm at 1 m that the beacon should advertise; nil for any.
    public let measuredPower: Double?
  }

  public let source: SurveyExpectation.Source
  public let entries: [Entry]
  private let exact: [BeaconIdentity: Int]
  /// The entries of several beacons that contain no single one.
  private let wide: [Int]

  private init(_ source: SurveyExpectation.Source, _ entries: [Entry]) {
    var kept: [Entry] = []
    var exact: [BeaconIdentity: Int] = [:]
    let single = entries.filter { $0.identity != nil }
    for entry in single {
      guard let identity = entry.identity, exact[identity] == nil else { continue }
      exact[identity] = kept.count
      kept.append(entry)
    }
    // A region of a whole UUID whose beacons are listed one by one expects no others.
    for entry in entries where entry.identity == nil {
      let isListed = single.contains { entry.constraint.contains($0.constraint) } || kept.contains { $0.constraint == entry.constraint }
      if !isListed { kept.append(entry) }
    }
    (self.source, self.entries, self.exact) = (source, kept, exact)
    wide = kept.indices.filter { kept[$0].identity == nil }
  }

  /// Returns the entry of a beacon, or else the one of its UUID or major; nil without one.
  public func index(of beacon: BeaconIdentity) -> Int? {
    exact[beacon] ?? wide.first { entries[$0].constraint.contains(beacon) }
  }

  /// Returns whether an entry has this UUID.
  public func hasUUID(_ uuid: BeaconUUID) -> Bool { entries.contains { $0.constraint.uuid == uuid } }
}

extension ExpectedBeacons.Entry {
  /// The identity; nil for several beacons.
  var identity: BeaconIdentity? {
    guard let major = constraint.major, let minor = constraint.minor else { return nil }
    return BeaconIdentity(uuid: constraint.uuid, major: major, minor: minor)
  }
}

// MARK: Origins

extension ExpectedBeacons {
  /// Creates the list of a config: the beacons of its venues and of its regions. It is nil without any.
  ///
  /// - Parameter languages: those of names, the best one first.
  public init?(regions: [Region], venues: [Venue], languages: [String]) {
    let ofRegions = regions.compactMap { region in
      region.beaconRegion.map { Entry(constraint: $0.constraint, name: region.identifier, place: nil, measuredPower: nil) }
    }
    let entries = venues.flatMap { Self.entries(of: $0, languages) } + ofRegions
    guard !entries.isEmpty else { return nil }
    self.init(.config, entries)
  }

  /// Creates the list of a venue.
  public init(_ venue: Venue, languages: [String]) {
    self.init(.venue, Self.entries(of: venue, languages))
  }

  private static func entries(of venue: Venue, _ languages: [String]) -> [Entry] {
    let catalogue = Catalogue([venue])
    return venue.beacons.map { beacon in
      let place = catalogue.place(of: beacon.identity)
      let identity = beacon.identity
      return Entry(
        constraint: BeaconConstraint(uuid: identity.uuid, major: identity.major, minor: identity.minor),
        name: beacon.name ?? place?.name(preferring: languages), place: place?.id, measuredPower: nil)
    }
  }

  /// The columns that a list must have.
  public static let columns = ["uuid", "major", "minor"]
  /// The maximum number of lines of a list.
  public static let mostEntries = 20_000

  /// Reads lines of UUID, major and minor, with optional columns `name` and `measured_power` in dBm.
  public init(csv: String) throws(PositionTableError) {
    var entries: [Entry] = []
    var lines: [BeaconIdentity: Int] = [:]
    for row in try PositionTable(csv, required: Self.columns, most: Self.mostEntries).rows {
      guard let uuid = try row.uuid("uuid") else { throw PositionTableError(line: row.line, "uuid: is empty") }
      guard let major = try row.short("major") else { throw PositionTableError(line: row.line, "major: is empty") }
      guard let minor = try row.short("minor") else { throw PositionTableError(line: row.line, "minor: is empty") }
      let identity = BeaconIdentity(uuid: uuid, major: major, minor: minor)
      if let first = lines.updateValue(row.line, forKey: identity) {
        throw PositionTableError(line: row.line, "line \(first) has the beacon \(major)/\(minor) of this UUID already; remove one of them")
      }
      let power = try row.optionalNumber("measured_power", within: 127)
      if let power, power > 20 {
        throw PositionTableError(line: row.line, "measured_power: \(power) is not an RSSI; write dBm at 1 m, such as -59")
      }
      entries.append(
        Entry(
          constraint: BeaconConstraint(uuid: uuid, major: major, minor: minor), name: row.text("name"), place: nil, measuredPower: power))
    }
    guard !entries.isEmpty else { throw PositionTableError(line: nil, "there is no beacon; write a line for each expected one") }
    self.init(.list, entries)
  }
}
