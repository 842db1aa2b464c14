public import Beacons

/// The beacons and adapters that setup offers, and the content of the config so far.
public struct SetupSurroundings: Hashable, Sendable {
  public struct Beacon: Hashable, Sendable {
    public var identity: BeaconIdentity
    /// The RSSI in dBm; nil if it is unknown.
    public var rssi: Double?
    /// A name that a survey or a list gives it.
    public var name: String?
    /// The dB that a survey suggests to add to the RSSI; nil without a suggestion.
    public var offset: Double?

    public init(_ identity: BeaconIdentity, rssi: Double? = nil, name: String? = nil, offset: Double? = nil) {
      (self.identity, self.rssi, self.name, self.offset) = (identity, rssi, name, offset)
    }
  }

  public struct Adapter: Hashable, Sendable {
    public var address: BluetoothAddress
    /// The kernel name, such as `hci0`.
    public var name: String?

    public init(_ address: BluetoothAddress, name: String?) {
      (self.address, self.name) = (address, name)
    }
  }

  /// The regions and other parts that the config has already.
  public struct Present: Hashable, Sendable {
    public var regionNames: Set<String> = []
    public var constraints: Set<BeaconConstraint> = []
    public var places: Set<String> = []
    public var actions = 0
    public var hasVenue = false

    public init() {}
  }

  /// The beacons by identity.
  public var beacons: [Beacon]
  public var adapters: [Adapter]
  public var present: Present
  /// The origin of the beacons in a sentence, such as `beaconmond`.
  public var source: String
  /// The reason why no beacon can be heard, with its remedy.
  public var obstacle: String?
  /// Whether listening again can find more beacons.
  public var canListen: Bool
  /// Whether there is no config yet, without which the daemon starts only with options.
  public var isConfigMissing = false

  public init(
    beacons: [Beacon] = [], adapters: [Adapter] = [], present: Present = Present(), source: String, obstacle: String? = nil,
    canListen: Bool
  ) {
    self.beacons = beacons.sorted { $0.identity < $1.identity }
    self.adapters = adapters
    self.present = present
    self.source = source
    self.obstacle = obstacle
    self.canListen = canListen
  }

  /// Adds new beacons, and updates the values of known ones.
  public mutating func hear(_ heard: [Beacon]) {
    let known = Dictionary(beacons.map { ($0.identity, $0) }) { first, _ in first }
    let merged = heard.reduce(into: known) { merged, beacon in
      var beacon = beacon
      beacon.name = beacon.name ?? merged[beacon.identity]?.name
      merged[beacon.identity] = beacon
    }
    beacons = merged.values.sorted { $0.identity < $1.identity }
  }

  /// The UUIDs, those with the most beacons first, then the strongest.
  var uuids: [(uuid: BeaconUUID, count: Int, rssi: Double?)] {
    Dictionary(grouping: beacons, by: \.identity.uuid)
      .map { ($0.key, $0.value.count, $0.value.compactMap(\.rssi).max()) }
      .sorted {
        ($0.count, $0.rssi ?? -.infinity, $1.uuid) > ($1.count, $1.rssi ?? -.infinity, $0.uuid)
      }
  }
}
