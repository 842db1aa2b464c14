import Beacons
public import Venues

/// The places where beacons hang, in metres, in the frame of the true positions.
public struct BeaconPositions: Hashable, Sendable {
  /// A beacon, or all beacons of one minor if the file names no UUID and major.
  public struct Entry: Hashable, Sendable {
    public let uuid: BeaconUUID?
    public let major: UInt16?
    public let minor: UInt16
    public let position: SIMD3<Double>

    func contains(_ beacon: BeaconIdentity) -> Bool {
      beacon.minor == minor && (major.map { $0 == beacon.major } ?? true) && (uuid.map { $0 == beacon.uuid } ?? true)
    }

    /// Whether the constraint may select the beacon; a part that the file does not name may be any.
    func mayMatch(_ constraint: BeaconConstraint) -> Bool {
      (uuid.map { $0 == constraint.uuid } ?? true) && (constraint.major.map { major == nil || major == $0 } ?? true)
        && (constraint.minor.map { $0 == minor } ?? true)
    }
  }

  public let entries: [Entry]
  private let byMinor: [UInt16: [Int]]

  public static let columns = ["minor", "x_m", "y_m", "z_m"]

  /// Creates the positions of beacons, each once.
  public init(_ beacons: [(identity: BeaconIdentity, position: SIMD3<Double>)]) {
    entries = beacons.map { Entry(uuid: $0.identity.uuid, major: $0.identity.major, minor: $0.identity.minor, position: $0.position) }
    byMinor = Dictionary(grouping: entries.indices) { [entries] in entries[$0].minor }
  }

  /// Reads lines of minor, x, y and z in metres, with optional columns `uuid` and `major` for beacons whose minors repeat.
  public init(csv: String) throws(PositionTableError) {
    var entries: [Entry] = []
    var byMinor: [UInt16: [Int]] = [:]
    for row in try PositionTable(csv, required: Self.columns).rows {
      guard let minor = try row.short("minor") else { throw PositionTableError(line: row.line, "minor: is empty") }
      let entry = Entry(uuid: try row.uuid("uuid"), major: try row.short("major"), minor: minor, position: try row.position())
      if byMinor[minor, default: []].contains(where: { entries[$0].uuid == entry.uuid && entries[$0].major == entry.major }) {
        throw PositionTableError(line: row.line, "the beacon of minor \(minor) is a duplicate; add columns uuid and major if minors repeat")
      }
      byMinor[minor, default: []].append(entries.count)
      entries.append(entry)
    }
    guard !entries.isEmpty else { throw PositionTableError(line: nil, "there is no beacon") }
    self.entries = entries
    self.byMinor = byMinor
  }

  /// Returns the index of a beacon's entry; `nil` if the file does not have the beacon.
  public func index(of beacon: BeaconIdentity) -> Int? { byMinor[beacon.minor]?.first { entries[$0].contains(beacon) } }

  /// Returns the distance in metres from a position to each entry.
  func distances(from position: SIMD3<Double>) -> [Double] { entries.map { $0.position.distance(to: position) } }
}

extension SIMD3<Double> {
  func distance(to other: SIMD3<Double>) -> Double { ((self - other) * (self - other)).sum().squareRoot() }
}
