import BeaconHealth
public import Beacons
import IndoorPositioning
import Instants
import Ranging

/// The learned offsets of one receiver at one venue, which outlive the process.
public struct LearnedReceiver: Hashable, Sendable {
  /// The id of the venue.
  public var venue: String
  /// The address of the adapter, or another name that stays the same.
  public var adapter: String
  /// The configured level of the adapter while it learned. With another one, what it learned is wrong.
  public var level: ConfiguredLevel
  public var radio: LearnedRadio
  /// The start of learning since the Unix epoch; nil if the clock was not known then.
  public var since: Instant?

  public init(venue: String, adapter: String, level: ConfiguredLevel = ConfiguredLevel(), radio: LearnedRadio, since: Instant? = nil) {
    self.venue = venue
    self.adapter = adapter
    self.level = level
    self.radio = radio
    self.since = since
  }
}

/// A learned offset that an administrator does not want in the config.
public struct RefusedOffset: Hashable, Sendable {
  /// The offset of a receiver at a venue, or the one that it suggests for a beacon.
  public struct Key: Hashable, Sendable {
    public var venue, adapter: String
    /// The beacon; nil for the offset of the receiver itself.
    public var beacon: BeaconIdentity?

    public init(venue: String, adapter: String, beacon: BeaconIdentity? = nil) {
      (self.venue, self.adapter, self.beacon) = (venue, adapter, beacon)
    }
  }

  public var key: Key
  /// The offset in dB.
  public var offset: Double

  public init(_ key: Key, offset: Double) {
    (self.key, self.offset) = (key, offset)
  }
}

/// The file of learned offsets.
public protocol LearnedFile: AnyObject {
  /// The stored receivers; those that cannot be read are missing, and are learned again.
  ///
  /// Nil if the file cannot be opened or read now. A failure is logged once, and the next call tries again.
  func load() -> [LearnedReceiver]?
  /// Replaces the stored receivers. A failure is logged once, and the next call tries again.
  func save(_ receivers: [LearnedReceiver])
  /// The stored evidence about misplaced beacons, by the id of the venue; nil as for `load`.
  func loadPlacements() -> [String: [PlacementEvidence]]?
  /// Replaces the stored evidence of these venues. A failure is logged once, and the next call tries again.
  func save(_ placements: [String: [PlacementEvidence]])
  /// The stored expected beacons that were learned at a place; nil as for `load`.
  ///
  /// - Parameter place: the receiver and the source to which the values belong.
  func loadBeacons(at place: String) -> [LearnedBeacon]?
  /// Replaces all stored expected beacons. A failure is logged once, and the next call tries again.
  func save(_ beacons: [LearnedBeacon], at place: String)
  /// The stored refused offsets; nil as for `load`.
  func loadRefusals() -> [RefusedOffset]?
  /// Replaces all refused offsets. A failure is logged once, and the next call tries again.
  func save(_ refusals: [RefusedOffset])
  /// Removes the receivers of a venue, or of all if it is nil, and of an adapter, or of all if it is nil.
  ///
  /// Without an adapter, also removes the evidence about misplaced beacons.
  func remove(venue: String?, adapter: String?)
}
